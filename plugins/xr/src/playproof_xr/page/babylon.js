// Scenes of Babylon.js, where it is loaded as a script. Its scenes are left-handed unless the app says otherwise: z is turned round.
const babylonIsThere = () => window.BABYLON?.EngineStore?.Instances?.length > 0;
const babylonScenes = (take) => {
  const engines = window.BABYLON.EngineStore.Instances;
  for (let index = 0; index < engines.length; index++) {
    const scenes = engines[index].scenes;
    for (let at = 0; at < scenes.length; at++) take(scenes[at]);
  }
};
const FLIPPED = [2, 6, 8, 9, 11, 14];
const isLeftHanded = (node) => node.getScene().useRightHandedSystem !== true;
const isScene = (node) => node.rootNodes !== undefined;
const localBabylon = (node) => {
  if (!(node.getTotalVertices?.() > 0)) return null;
  const { minimum, maximum } = node.getBoundingInfo().boundingBox;
  return isLeftHanded(node)
    ? [minimum.x, minimum.y, -maximum.z, maximum.x, maximum.y, -minimum.z]
    : [minimum.x, minimum.y, minimum.z, maximum.x, maximum.y, maximum.z];
};
const materialBabylon = (material) => {
  if (!material) return "null";
  const isPhysical = material.albedoColor !== undefined;
  const colour = isPhysical ? colourText(material.albedoColor, 1) : plainColourText(material.diffuseColor);
  const emissive = isPhysical ? colourText(material.emissiveColor, 1) : plainColourText(material.emissiveColor);
  return '{"color":' + colour + ',"opacity":' + numberText(material.alpha) + ',"emissive":' + emissive +
    ',"texture":' + (material.albedoTexture || material.diffuseTexture ? "true" : "false") + "}";
};
// What a panel of Babylon's GUI says, control by control.
const panelText = (container, depth) => {
  let text = "";
  const children = container?.children;
  for (let index = 0; children && index < children.length && depth < 20; index++) {
    const own = typeof children[index].text === "string" ? children[index].text : panelText(children[index], depth + 1);
    if (own) text += (text ? "\n" : "") + own;
  }
  return text;
};
const textBabylon = (node) => {
  const material = node.material;
  const panel = material?.diffuseTexture?.rootContainer ?? material?.emissiveTexture?.rootContainer;
  return panel ? panelText(panel, 0) : node.metadata?.text;
};

const babylonEngine = {
  __proto__: null,
  name: () => "babylon",
  revision: () => window.BABYLON.Engine.Version,
  roots: (take) => babylonScenes(take),
  isRoot: (node) => isScene(node),
  children: (node) => (isScene(node) ? node.rootNodes : node._children),
  parent: (node) => (isScene(node) ? null : node.parent ?? node.getScene()),
  id: (node) => (isScene(node) ? "scene-" + node.uid : numberText(node.uniqueId)),
  nameOf: (node) => (isScene(node) ? "" : node.name),
  type: (node) => (isScene(node) ? "Scene" : node.getClassName()),
  isShown: (node) => isScene(node) || (node.isEnabled(false) && node.isVisible !== false && node.visibility !== 0),
  matrix(node) {
    if (isScene(node)) return identity();
    const matrix = copyMatrix(node.getWorldMatrix().m);
    if (isLeftHanded(node)) for (let index = 0; index < 6; index++) matrix[FLIPPED[index]] *= -1;
    return matrix;
  },
  grow(into, node, matrix) {
    const box = isScene(node) ? null : localBabylon(node);
    if (box) growByBox(into, box, matrix);
  },
  local(node) {
    const box = isScene(node) ? null : localBabylon(node);
    return box ? numbersText(box, 6) : "null";
  },
  material: (node) => materialBabylon(node.material),
  physics(node) {
    const body = node.physicsBody;
    if (!body) return "null";
    const way = body.getLinearVelocity();
    const kind = ["fixed", "kinematic", "dynamic"][body.getMotionType()];
    return '{"kind":' + stringText(kind) + ',"mass":' + numberText(body.getMassProperties().mass) + ',"velocity":' +
      numbersText([way.x, way.y, isLeftHanded(node) ? -way.z : way.z], 3) + ',"sleeping":null}';
  },
  audio: () => "null",
  text: textBabylon,
  role: (node) => node.metadata?.role,
  label: (node) => node.metadata?.label,
  // Its world is the reference space that it asks for the viewer's pose in.
  shape(node) {
    const array = isScene(node) ? null : node.getVerticesData?.("position");
    if (!array) return null;
    const flipped = isLeftHanded(node);
    const positions = new Floats(array);
    if (flipped) for (let at = 2; at < positions.length; at += 3) positions[at] *= -1;
    const index = node.getIndices();
    return { array: positions, stride: 3, offset: 0, index, count: index ? index.length : positions.length / 3, opacity: node.material?.alpha ?? 1, instances: null };
  },
  toSession: () => (events.space ? globalMatrix(events.space) : null),
  redraw: () => false,
  drawsFrom: () => false,
};
