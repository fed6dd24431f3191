// A scene graph of any engine, as evidence. An engine answers for its objects (threeEngine, babylonEngine); what is read of the
// page's objects may throw or lie; what throws is left out and told (`faults`).
const MOST_OBJECTS = 10_000;
const DEEPEST_TREE = 10_000;

const engine = () => (three.scenes.first || !babylonIsThere() ? threeEngine : babylonEngine);

// What takes the scene's world to the session's frame, `local-floor`; null where they are one.
const sceneToSession = () => engine().toSession();

const emptyBox = () => [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
const grow = (box, x, y, z) => {
  if (x < box[0]) box[0] = x;
  if (y < box[1]) box[1] = y;
  if (z < box[2]) box[2] = z;
  if (x > box[3]) box[3] = x;
  if (y > box[4]) box[4] = y;
  if (z > box[5]) box[5] = z;
};
const growByBox = (into, box, m) => {
  for (let corner = 0; corner < 8; corner++) {
    const x = box[corner & 1 ? 3 : 0], y = box[corner & 2 ? 4 : 1], z = box[corner & 4 ? 5 : 2];
    grow(into, m[0] * x + m[4] * y + m[8] * z + m[12], m[1] * x + m[5] * y + m[9] * z + m[13], m[2] * x + m[6] * y + m[10] * z + m[14]);
  }
};
const localText = (object) => engine().local(object);

// --- colours ---

const { pow, round, min, max } = Math;
const channel = (linear) => byteText(linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055);
const byteText = (share) => {
  const byte = round(255 * min(1, max(0, share)));
  return (byte < 16 ? "0" : "") + uncurriedHex(byte);
};
const uncurriedHex = ((toHex) => (byte) => toHex(byte, 16))(uncurry(Number.prototype.toString));
const colourText = (colour, scale) => (colour && typeof colour.r === "number" ? '"#' + channel(colour.r * scale) + channel(colour.g * scale) + channel(colour.b * scale) + '"' : "null");
const plainColourText = (colour) => (colour && typeof colour.r === "number" ? '"#' + byteText(colour.r) + byteText(colour.g) + byteText(colour.b) + '"' : "null");

// --- the whole ---

const collect = (put, view) => {
  const toSession = sceneToSession();
  const nodes = noNodes();
  engine().roots((root) => gather(nodes, root, toSession));
  joinBoxes(nodes);
  for (let node = nodes.first; node; node = node.next) put(describe(node, view));
  return nodes;
};
const noNodes = () => ({ first: null, last: null, count: 0, left_off: 0, faults: "" });
// What has no shape of its own is as large as what it holds; children stand behind their parents.
const joinBoxes = (nodes) => {
  for (let node = nodes.last; node; node = node.before) {
    if (node.parent && node.own && node.box[0] <= node.box[3]) growByBox(node.parent.box, node.box, identity());
  }
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
    const children = object ? engine().children(object) : null;
    if (!children) continue;
    for (let index = children.length - 1; index >= 0; index--) stack = { object: children[index], parent: node ?? parent, below: stack };
  }
};
const visit = (nodes, object, parent, toSession) => {
  const node = { object, parent, matrix: null, box: emptyBox(), own: false, visible: false, next: null, before: nodes.last };
  try {
    node.own = engine().isShown(object);
    node.visible = node.own && (parent ? parent.visible : true);
    const world = engine().matrix(object);
    node.matrix = toSession ? multiply(toSession, world) : world;
    engine().grow(node.box, object, node.matrix);
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
  const of = engine();
  try {
    return '{"id":"' + of.id(object) + '","name":' + stringify(slice(toText(of.nameOf(object) ?? ""), 0, 200)) + ',"type":' + stringText(of.type(object)) +
      ',"parent":' + (node.parent ? '"' + of.id(node.parent.object) + '"' : "null") + ',"matrix":' + numbersText(matrix, 16) +
      ',"box":' + (boxed ? numbersText(box, 6) : "null") + ',"local":' + of.local(object) + ',"visible":' + node.visible + ',"in_view":' + seen +
      ',"occluded":null,"material":' + of.material(object) + ',"text":' + stringText(of.text(object)) + ',"role":' + stringText(of.role(object)) +
      ',"physics":' + of.physics(object) + ',"audio":' + of.audio(object) + ',"label":' + stringText(of.label(object)) + "}";
  } catch (error) {
    return '{"id":"?","name":"","type":"unreadable","parent":null,"matrix":' + numbersText(identity(), 16) + ',"box":null,"local":null,"visible":false,"in_view":false,' +
      '"occluded":null,"material":null,"text":' + stringify(textOf(error)) + ',"role":null,"physics":null,"audio":null,"label":null}';
  }
};
