// What a ray meets, how much of things is in sight, and where in the picture a thing is: for somebody who acts by what is to be seen, and
// must not take two things that overlap in a picture for two that touch.
const MOST_MET = 6;
const SIGHT_GRID = 5;

// Where the picture is drawn from: the left eye, 3 cm beside the viewer's own place; by a simulator, from that place.
const drawnFrom = () => globalMatrix(isSimulator ? deviceState.viewerSpace : device.viewSpaces.left);
const viewOfPicture = () => {
  const view = viewOf();
  return { inverse: invertAffine(drawnFrom()) ?? identity(), slope: view.slope, aspect: view.aspect, near: view.near, far: view.far };
};

const prepared = () => {
  const nodes = noNodes();
  const toSession = sceneToSession();
  engine().roots((root) => gather(nodes, root, toSession));
  joinBoxes(nodes);
  for (let node = nodes.first; node; node = node.next) {
    node.isTarget = false;
    node.inverse = invertAffine(node.matrix);
  }
  return nodes;
};
const nodeOf = (nodes, id) => {
  for (let node = nodes.first; node; node = node.next) if (engine().id(node.object) === id) return node;
  return null;
};
const isBoxed = (node) => node.box[0] <= node.box[3];

// The nearest things that are shown and have triangles, each with the distance at which the ray enters it: a list in that order.
const metBy = (ray) => {
  const nodes = prepared();
  let first = null;
  for (let node = nodes.first; node; node = node.next) {
    if (!node.visible || !node.inverse || !isBoxed(node) || !meetsBox(ray, node.box, Infinity)) continue;
    const shape = engine().shape(node.object);
    const distance = shape ? meetsShape(local(ray, node.inverse), shape, Infinity) : Infinity;
    if (distance === Infinity) continue;
    let before = null, after = first;
    while (after && after.distance <= distance) {
      before = after;
      after = after.next;
    }
    const met = { node, distance, next: after };
    if (before) before.next = met;
    else first = met;
  }
  return first;
};
// `from` and `to` are three numbers each; `to` is a direction, one metre long.
verbs.xrMeets = (from, to) => {
  let text = "";
  let count = 0;
  for (let met = metBy({ __proto__: null, from, to }); met && count < MOST_MET; met = met.next) {
    text += (count++ ? "," : "") + '{"id":"' + engine().id(met.node.object) + '","distance":' + numberText(met.distance) + "}";
  }
  return '={"met":[' + text + "]}";
};

// Of each thing the share, 0 to 1, that others hide; null for what is not in the view. Rays through a grid over its picture.
const hiddenShare = (nodes, target, eye, view) => {
  for (let node = nodes.first; node; node = node.next) node.isTarget = node === target || (node.parent?.isTarget ?? false);
  const area = pictureOf(target.box, view);
  let rays = 0, hidden = 0;
  for (let column = 0; column < SIGHT_GRID; column++) {
    for (let row = 0; row < SIGHT_GRID; row++) {
      const x = area[0] + ((column + 0.5) / SIGHT_GRID) * (area[2] - area[0]), y = area[1] + ((row + 0.5) / SIGHT_GRID) * (area[3] - area[1]);
      const ray = rayOf(eye, x, y);
      const near = nearest(nodes, ray, true, Infinity);
      if (near === Infinity) continue;
      rays++;
      if (nearest(nodes, ray, false, near - 1e-4) < near) hidden++;
    }
  }
  return rays ? hidden / rays : 0; // what has no triangles to hit (a sprite, a line) is taken to be in sight
};
verbs.xrInSight = (ids) => {
  const nodes = prepared(), view = viewOfPicture(), eye = drawnFrom();
  let text = "";
  for (let index = 0; index < ids.length; index++) {
    const node = nodeOf(nodes, ids[index]);
    const there = node !== null && node.visible && isBoxed(node) && boxInView(node.box, view);
    text += (index ? "," : "") + (there ? numberText(hiddenShare(nodes, node, eye, view)) : "null");
  }
  return '={"hidden":[' + text + "]}";
};

// The part of the picture that a thing's box covers, as shares of its width and height from the upper left corner; null where it covers none.
verbs.xrArea = (id) => {
  const nodes = prepared(), view = viewOfPicture();
  const node = nodeOf(nodes, id);
  if (node === null || !node.visible || !isBoxed(node) || !boxInView(node.box, view)) return '={"area":null}';
  const area = pictureOf(node.box, view), high = 2 * view.slope, wide = high * view.aspect;
  return '={"area":' + numbersText([0.5 + area[0] / wide, 0.5 - area[3] / high, 0.5 + area[2] / wide, 0.5 - area[1] / high], 4) + "}";
};

// The eye that the picture is drawn from: its matrix, and the slopes of the rays through the picture's right and upper edge.
verbs.xrEye = () => {
  const view = viewOf();
  return '={"matrix":' + numbersText(drawnFrom(), 16) + ',"right":' + numberText(view.slope * view.aspect) + ',"up":' + numberText(view.slope) + "}";
};
