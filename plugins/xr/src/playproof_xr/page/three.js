// The scene graph of any three.js app: every scene and renderer tells of itself when `__THREE_DEVTOOLS__` is there. What is read of
// the page's objects may throw or lie; what throws is left out and told (`faults`).
const MOST_INSTANCES = 2_000;

const three = { revision: null, only: null, scenes: makeQueue(), renderers: makeQueue(), calls: makeQueue(), frame: -1, renderCount: 0, world: null };

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
    const isSeen = toTheEye(renderer);
    if (isSeen) noteRender(renderer, original, scene, camera);
    apply(original, this, arguments);
    if (isSeen) noteStandpoint(renderer);
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

// Where the session's frame lies in the scene's world, from where the engine puts the left eye: the app may stand on a rig, or in an
// offset reference space, or do both in a way of its own.
const noteStandpoint = (renderer) => {
  const eye = renderer.xr?.isPresenting ? renderer.xr.getCamera()?.cameras?.[0] : null;
  if (!eye) return;
  const inverse = invertAffine(globalMatrix(device.viewSpaces.left));
  if (inverse) three.world = multiply(copyMatrix(eye.matrixWorld.elements), inverse);
};

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

// Draw what this frame drew from another place, on the same canvas: `eye` is where from, in the session's frame.
const drawThreeFrom = (eye) => {
  if (three.frame !== clock.state.frames) return; // nothing was drawn in this one
  const world = three.world ? multiply(three.world, eye.world) : eye.world;
  let cleared = null;
  for (let at = three.calls.first; at; at = at.next) {
    const { renderer, render, scene } = at.value, { enabled } = renderer.xr;
    if (cleared !== renderer) renderer.clear();
    cleared = renderer;
    renderer.xr.enabled = false; // else it draws from where the headset is
    renderer.setRenderTarget(renderer.getRenderTarget()); // the whole of it, where an eye's part was left set
    try {
      apply(render, renderer, [scene, outsideCamera(eye, world)]);
    } finally {
      renderer.xr.enabled = enabled;
    }
  }
};

// --- boxes ---

const boxes = new WeakMap(); // position attribute -> { version, box } in the geometry's own space
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
const SPRITE = [-0.5, -0.5, 0, 0.5, 0.5, 0];
const growByThree = (into, object, matrix) => {
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
const localThree = (object) => {
  const box = object.isSprite || object.isInstancedMesh ? null : localBox(object.geometry);
  return box ? numbersText(box, 6) : "null";
};

// --- appearance ---

const materialThree = (held) => {
  const material = held && held.isMaterial ? held : held?.[0];
  if (!material) return "null";
  const colour = colourText(material.color, 1);
  const emissive = colourText(material.emissive, material.emissiveIntensity ?? 1);
  return '{"color":' + colour + ',"opacity":' + numberText(material.transparent ? material.opacity : 1) + ',"emissive":' + emissive +
    ',"texture":' + (material.map ? "true" : "false") + "}";
};
// A body of Rapier's that the app keeps with its object, as XR Blocks does: kinds and units are Rapier's (metres a second, kilograms).
const BODIES = ["dynamic", "fixed", "kinematic", "kinematic"];
const physicsThree = (object) => {
  const body = object.rigidBody ?? object.userData?.rigidBody ?? object.userData?.body;
  if (typeof body?.linvel !== "function" || typeof body.bodyType !== "function") return "null";
  const way = body.linvel();
  return '{"kind":' + stringText(BODIES[body.bodyType()]) + ',"mass":' + numberText(body.mass()) + ',"velocity":' + numbersText([way.x, way.y, way.z], 3) +
    ',"sleeping":' + (body.isSleeping() === true) + "}";
};
const audioThree = (object) => {
  if (object.type !== "Audio" || typeof object.isPlaying !== "boolean") return "null";
  return '{"playing":' + object.isPlaying + ',"loop":' + (object.loop === true) + ',"positional":' + (object.panner ? "true" : "false") +
    ',"volume":' + numberText(object.gain?.gain?.value ?? NaN) + "}";
};
const wordThree = (object, name) => (typeof object[name] === "string" ? object[name] : object.userData?.[name]);

// Components of pmndrs' uikit, which XR Blocks draws its panels with: `visible` says there whether three.js must look below it.
const isUIKit = (object) => typeof object.isVisible?.peek === "function" && object.properties !== undefined;
const uikitText = (object) => {
  const text = object.properties.value?.text;
  return text === undefined || text === null ? undefined : toText(typeof text === "object" && "value" in text ? text.value : text);
};

// The names that XR Blocks gives to its controls.
const ROLES = { __proto__: null, UIButton: "button", UISlider: "slider", UIText: "text", UIImage: "image", UICard: "dialog" };

// The triangles of an object, in its own space; null for what hides nothing.
const shapeThree = (object) => {
  const position = object.isMesh ? object.geometry?.attributes?.position : null;
  const material = object.material?.isMaterial ? object.material : object.material?.[0];
  if (!position || !material || material.visible === false || material.colorWrite === false) return null;
  return {
    array: position.data?.array ?? position.array, stride: position.data?.stride ?? position.itemSize, offset: position.offset ?? 0,
    index: object.geometry.index?.array ?? null, count: object.geometry.index?.count ?? position.count,
    opacity: material.transparent ? material.opacity : 1,
    instances: object.isInstancedMesh ? { array: object.instanceMatrix.array, count: object.count } : null,
  };
};

// What a scene is asked by scene.js. A-Frame names the element, not its object.
const threeEngine = {
  __proto__: null,
  name: () => (window.AFRAME ? "aframe" : "three"),
  revision: () => three.revision,
  roots(take) {
    if (three.only) {
      take(three.only);
      return;
    }
    let rendered = false;
    for (let at = three.scenes.first; at; at = at.next) rendered = rendered || at.value.rendered;
    for (let at = three.scenes.first; at; at = at.next) if (at.value.rendered || !rendered) take(at.value.scene);
  },
  isRoot(object) {
    for (let at = three.scenes.first; at; at = at.next) if (at.value.scene === object) return true;
    return false;
  },
  children: (object) => object.children,
  parent: (object) => object.parent,
  id: (object) => numberText(object.id),
  nameOf: (object) => object.name || (object.el?.object3D === object ? object.el.id : ""),
  type: (object) => object.type,
  isShown: (object) => (isUIKit(object) ? object.isVisible.peek() === true : object.visible === true),
  matrix: (object) => copyMatrix(object.matrixWorld.elements),
  grow: growByThree,
  local: localThree,
  material: (object) => materialThree(object.material),
  physics: physicsThree,
  audio: audioThree,
  text: (object) => wordThree(object, "text") ?? (isUIKit(object) ? uikitText(object) : undefined),
  role: (object) => wordThree(object, "role") ?? ROLES[object.name],
  shape: shapeThree,
  label: (object) => wordThree(object, "label") ?? object.userData?.semanticLabel,
  toSession: () => (three.world ? invertAffine(three.world) : null),
  redraw: redrawThree,
  drawsFrom: () => three.renderers.first !== null,
  drawFrom: drawThreeFrom,
};
