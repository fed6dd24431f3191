// The scene graph of any three.js app: every scene and renderer tells of itself when `__THREE_DEVTOOLS__` is there. What is read of
// the page's objects may throw or lie; what throws is left out and told (`faults`).
const MOST_OBJECTS = 10_000;
const MOST_INSTANCES = 2_000;
const DEEPEST_TREE = 10_000;

const three = { revision: null, scenes: makeQueue(), renderers: makeQueue(), calls: makeQueue(), frame: -1, renderCount: 0 };

const observer = new EventTarget();
const detailOf = getter(CustomEvent.prototype, "detail");
listen(observer, "register", (event) => void (three.revision = toText(detailOf(event)?.revision)));
listen(observer, "observe", (event) => {
  const found = detailOf(event);
  if (!found) return;
  if (found.isScene) three.scenes.push({ scene: found, rendered: false });
  else if (typeof found.render === "function") watchRenderer(found);
});
defineProperty(window, "__THREE_DEVTOOLS__", { value: observer, configurable: true, writable: true });

// Notes what is rendered to the eye in each frame, so that it can be drawn again when somebody looks.
function watchRenderer(renderer) {
  three.renderers.push(renderer);
  const original = renderer.render;
  renderer.render = function render(scene, camera) {
    if (toTheEye(renderer)) noteRender(renderer, original, scene, camera);
    return apply(original, this, arguments);
  };
}
const toTheEye = (renderer) => {
  const target = renderer.getRenderTarget?.() ?? null;
  return target === null || target.isXRRenderTarget === true;
};
const noteRender = (renderer, render, scene, camera) => {
  if (three.frame !== clock.state.frames) {
    three.frame = clock.state.frames;
    three.calls = makeQueue();
  }
  three.renderCount++;
  three.calls.push({ renderer, render, scene, camera });
  for (let at = three.scenes.first; at; at = at.next) if (at.value.scene === scene) at.value.rendered = true;
};
const lastCall = () => three.calls.last?.value ?? null;

// Draw once more what the last frame drew, with the gate open. True when there was something to draw.
const redrawThree = () => {
  if (!three.calls.first) return false;
  let cleared = null;
  for (let at = three.calls.first; at; at = at.next) {
    const { renderer, render, scene, camera } = at.value;
    if (cleared !== renderer) renderer.clear();
    cleared = renderer;
    apply(render, renderer, [scene, camera]);
  }
  return true;
};

// The world of a scene in the session's frame (`local-floor`): the app may stand on a rig, or in an offset reference space.
const sceneToSession = () => {
  const call = lastCall();
  if (!call) return null;
  const parent = call.camera?.parent;
  const space = call.renderer.xr?.isPresenting ? call.renderer.xr.getReferenceSpace() : null;
  let world = parent ? copyMatrix(parent.matrixWorld.elements) : identity();
  if (space) {
    const inverse = invertAffine(globalMatrix(space));
    if (inverse) world = multiply(world, inverse);
  }
  return invertAffine(world);
};

// --- boxes ---

const boxes = new WeakMap(); // position attribute -> { version, box } in the geometry's own space
const emptyBox = () => [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
const grow = (box, x, y, z) => {
  if (x < box[0]) box[0] = x;
  if (y < box[1]) box[1] = y;
  if (z < box[2]) box[2] = z;
  if (x > box[3]) box[3] = x;
  if (y > box[4]) box[4] = y;
  if (z > box[5]) box[5] = z;
};
const localBox = (geometry) => {
  const position = geometry?.attributes?.position;
  if (!position || !(position.count > 0)) return null;
  const known = mapGet(boxes, position);
  const version = position.version ?? position.data?.version ?? 0;
  if (known && known.version === version && known.count === position.count) return known.box;
  const array = position.data?.array ?? position.array;
  const stride = position.data?.stride ?? position.itemSize;
  const offset = position.offset ?? 0;
  const count = position.count;
  const box = emptyBox();
  for (let index = 0; index < count; index++) {
    const at = index * stride + offset;
    grow(box, array[at], array[at + 1], stride > 2 ? array[at + 2] : 0);
  }
  mapSet(boxes, position, { version, count, box });
  return box;
};
const growByBox = (into, box, m) => {
  for (let corner = 0; corner < 8; corner++) {
    const x = box[corner & 1 ? 3 : 0], y = box[corner & 2 ? 4 : 1], z = box[corner & 4 ? 5 : 2];
    grow(into, m[0] * x + m[4] * y + m[8] * z + m[12], m[1] * x + m[5] * y + m[9] * z + m[13], m[2] * x + m[6] * y + m[10] * z + m[14]);
  }
};
const SPRITE = [-0.5, -0.5, 0, 0.5, 0.5, 0];
const growByObject = (into, object, matrix) => {
  const box = object.isSprite ? SPRITE : localBox(object.geometry);
  if (!box) return;
  if (!object.isInstancedMesh) {
    growByBox(into, box, matrix);
    return;
  }
  const count = object.count < MOST_INSTANCES ? object.count : MOST_INSTANCES;
  const all = object.instanceMatrix.array;
  for (let instance = 0; instance < count; instance++) {
    const own = identity();
    for (let index = 0; index < 16; index++) own[index] = all[16 * instance + index];
    growByBox(into, box, multiply(matrix, own));
  }
};

// The box along the object's own axes, in its own units; of an object that has a shape of its own, and is not many.
const localText = (object) => {
  const box = object.isSprite || object.isInstancedMesh ? null : localBox(object.geometry);
  return box ? numbersText(box, 6) : "null";
};

// --- appearance ---

const { pow, round, min, max } = Math;
const channel = (linear) => {
  const shown = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
  const byte = round(255 * min(1, max(0, shown)));
  return (byte < 16 ? "0" : "") + uncurriedHex(byte);
};
const uncurriedHex = ((toHex) => (byte) => toHex(byte, 16))(uncurry(Number.prototype.toString));
const colourText = (colour, scale) => (colour && typeof colour.r === "number" ? '"#' + channel(colour.r * scale) + channel(colour.g * scale) + channel(colour.b * scale) + '"' : "null");
const materialText = (held) => {
  const material = held && held.isMaterial ? held : held?.[0];
  if (!material) return "null";
  const colour = colourText(material.color, 1);
  const emissive = colourText(material.emissive, material.emissiveIntensity ?? 1);
  return '{"color":' + colour + ',"opacity":' + numberText(material.transparent ? material.opacity : 1) + ',"emissive":' + emissive +
    ',"texture":' + (material.map ? "true" : "false") + "}";
};
const audioText = (object) => {
  if (object.type !== "Audio" || typeof object.isPlaying !== "boolean") return "null";
  return '{"playing":' + object.isPlaying + ',"loop":' + (object.loop === true) + ',"positional":' + (object.panner ? "true" : "false") +
    ',"volume":' + numberText(object.gain?.gain?.value ?? NaN) + "}";
};
const wordOf = (object, name) => (typeof object[name] === "string" ? object[name] : object.userData?.[name]);

// --- the whole ---

const collectThree = (put, view) => {
  const toSession = sceneToSession();
  let rendered = false;
  for (let at = three.scenes.first; at; at = at.next) rendered = rendered || at.value.rendered;
  const nodes = { first: null, last: null, count: 0, left_off: 0, faults: "" };
  for (let at = three.scenes.first; at; at = at.next) {
    if (at.value.rendered || !rendered) gather(nodes, at.value.scene, toSession);
  }
  for (let node = nodes.last; node; node = node.before) { // children before parents
    if (node.parent && node.own && node.box[0] <= node.box[3]) growByBox(node.parent.box, node.box, identity());
  }
  for (let node = nodes.first; node; node = node.next) put(describe(node, view));
  return nodes;
};
const gather = (nodes, root, toSession) => {
  let stack = { object: root, parent: null, below: null };
  while (stack) {
    const { object, parent } = stack;
    stack = stack.below;
    if (nodes.count >= MOST_OBJECTS) {
      nodes.left_off++;
      if (nodes.left_off > 100 * MOST_OBJECTS) return;
    }
    const node = nodes.count < MOST_OBJECTS ? visit(nodes, object, parent, toSession) : null;
    const children = object?.children;
    if (!children) continue;
    for (let index = children.length - 1; index >= 0; index--) stack = { object: children[index], parent: node ?? parent, below: stack };
  }
};
const visit = (nodes, object, parent, toSession) => {
  const node = { object, parent, matrix: null, box: emptyBox(), own: false, visible: false, next: null, before: nodes.last };
  try {
    node.own = object.visible === true;
    node.visible = node.own && (parent ? parent.visible : true);
    const world = copyMatrix(object.matrixWorld.elements);
    node.matrix = toSession ? multiply(toSession, world) : world;
    growByObject(node.box, object, node.matrix);
  } catch (error) {
    nodes.faults += (nodes.faults ? "; " : "") + textOf(error);
    if (!node.matrix) return parent;
  }
  if (nodes.last) nodes.last.next = node;
  else nodes.first = node;
  nodes.last = node;
  nodes.count++;
  return node;
};
const copyMatrix = (elements) => {
  const out = identity();
  for (let index = 0; index < 16; index++) out[index] = elements[index];
  return out;
};
const describe = (node, view) => {
  const { object, box, matrix } = node;
  const boxed = box[0] <= box[3];
  const seen = node.visible && (boxed ? boxInView(box, view) : pointInView(matrix[12], matrix[13], matrix[14], view));
  try {
    return '{"id":"' + numberText(object.id) + '","name":' + stringify(slice(toText(object.name ?? ""), 0, 200)) + ',"type":' + stringText(object.type) +
      ',"parent":' + (node.parent ? '"' + numberText(node.parent.object.id) + '"' : "null") + ',"matrix":' + numbersText(matrix, 16) +
      ',"box":' + (boxed ? numbersText(box, 6) : "null") + ',"local":' + localText(object) + ',"visible":' + node.visible + ',"in_view":' + seen + ',"occluded":null,"material":' +
      materialText(object.material) + ',"text":' + stringText(wordOf(object, "text")) + ',"role":' + stringText(wordOf(object, "role")) +
      ',"physics":null,"audio":' + audioText(object) + ',"label":' + stringText(wordOf(object, "label") ?? object.userData?.semanticLabel) + "}";
  } catch (error) {
    return '{"id":"?","name":"","type":"unreadable","parent":null,"matrix":' + numbersText(identity(), 16) + ',"box":null,"local":null,"visible":false,"in_view":false,' +
      '"occluded":null,"material":null,"text":' + stringify(textOf(error)) + ',"role":null,"physics":null,"audio":null,"label":null}';
  }
};
