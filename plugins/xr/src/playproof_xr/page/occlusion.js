// How much of a thing the eye cannot see for what stands before it: rays through a grid over its picture, against the triangles of all
// that is visible. The browser's own picture would need a draw; and the same rays give the same share in every run.
const GRID = 16;
const MOST_INSTANCES_HIT = 200;

const occlusionOf = (id, withRoom) => {
  const nodes = noNodes();
  const toSession = sceneToSession();
  engine().roots((root) => gather(nodes, root, toSession));
  joinBoxes(nodes);
  let target = null;
  for (let node = nodes.first; node; node = node.next) {
    if (target === null && engine().id(node.object) === id) target = node;
    node.isTarget = node === target || (node.parent?.isTarget ?? false);
    node.inverse = invertAffine(node.matrix);
  }
  if (!target || !target.visible || !(target.box[0] <= target.box[3])) return { __proto__: null, rays: 0, hidden: 0, obstructed: 0 };
  const eye = globalMatrix(deviceState.viewerSpace), view = viewOf();
  const area = pictureOf(target.box, view);
  let rays = 0, hidden = 0, obstructed = 0;
  for (let column = 0; column < GRID; column++) {
    for (let row = 0; row < GRID; row++) {
      const x = area[0] + ((column + 0.5) / GRID) * (area[2] - area[0]), y = area[1] + ((row + 0.5) / GRID) * (area[3] - area[1]);
      const ray = rayOf(eye, x, y);
      const near = nearest(nodes, ray, true, Infinity);
      if (near === Infinity) continue;
      rays++;
      if (nearest(nodes, ray, false, near - 1e-4) < near) hidden++;
      if (withRoom && roomBefore(ray, near)) obstructed++;
    }
  }
  return { __proto__: null, rays, hidden, obstructed };
};

// Whether something real, a wall, a piece of furniture or a person, stands before the point at `near` along a ray. The emulator's own
// three.js asks it, of the fronts of what stands in the room.
const SKIN_OF_THINGS = 0.005;
const roomBefore = (ray, near) => {
  const { from, to } = ray, { raycaster } = environment;
  const length = sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]);
  raycaster.ray.origin.set(from[0], from[1], from[2]);
  raycaster.ray.direction.set(to[0] / length, to[1] / length, to[2] / length);
  raycaster.far = near * length - SKIN_OF_THINGS;
  const met = raycaster.intersectObject(environment.meshes, true).length + raycaster.intersectObject(environment.boxes, true).length;
  raycaster.far = Infinity;
  return met > 0;
};

// The part of the view that a box covers, as slopes: x and y at a distance of one metre.
const pictureOf = (box, view) => {
  const wide = view.slope * view.aspect;
  const area = [wide, view.slope, -wide, -view.slope];
  for (let corner = 0; corner < 8; corner++) {
    const at = toEye(box[corner & 1 ? 3 : 0], box[corner & 2 ? 4 : 1], box[corner & 4 ? 5 : 2], view);
    if (at[2] > -view.near) return [-wide, -view.slope, wide, view.slope]; // a part is beside or behind the eye
    area[0] = min(area[0], at[0] / -at[2]);
    area[1] = min(area[1], at[1] / -at[2]);
    area[2] = max(area[2], at[0] / -at[2]);
    area[3] = max(area[3], at[1] / -at[2]);
  }
  return [max(area[0], -wide), max(area[1], -view.slope), min(area[2], wide), min(area[3], view.slope)];
};
const rayOf = (eye, x, y) => ({
  from: [eye[12], eye[13], eye[14]],
  to: [eye[0] * x + eye[4] * y - eye[8], eye[1] * x + eye[5] * y - eye[9], eye[2] * x + eye[6] * y - eye[10]],
});

const nearest = (nodes, ray, target, limit) => {
  let best = limit;
  for (let node = nodes.first; node; node = node.next) {
    if (node.isTarget !== target || !node.visible || !node.inverse || !meetsBox(ray, node.box, best)) continue;
    const shape = engine().shape(node.object);
    if (!shape || (!target && shape.opacity < 0.5)) continue;
    best = meetsShape(local(ray, node.inverse), shape, best);
  }
  return target || best < limit ? best : Infinity;
};
const local = (ray, m) => {
  const { from, to } = ray;
  return {
    from: [m[0] * from[0] + m[4] * from[1] + m[8] * from[2] + m[12], m[1] * from[0] + m[5] * from[1] + m[9] * from[2] + m[13], m[2] * from[0] + m[6] * from[1] + m[10] * from[2] + m[14]],
    to: [m[0] * to[0] + m[4] * to[1] + m[8] * to[2], m[1] * to[0] + m[5] * to[1] + m[9] * to[2], m[2] * to[0] + m[6] * to[1] + m[10] * to[2]],
  };
};
const meetsBox = (ray, box, limit) => {
  let start = 0, end = limit;
  for (let axis = 0; axis < 3; axis++) {
    const one = (box[axis] - ray.from[axis]) / ray.to[axis], two = (box[axis + 3] - ray.from[axis]) / ray.to[axis];
    if (one !== one || two !== two) continue; // along this side of the box
    start = max(start, min(one, two));
    end = min(end, max(one, two));
  }
  return start <= end;
};
const meetsShape = (ray, shape, limit) => {
  let best = limit;
  const instances = shape.instances ? min(shape.instances.count, MOST_INSTANCES_HIT) : 1;
  for (let instance = 0; instance < instances; instance++) {
    let here = ray;
    if (shape.instances) {
      const inverse = invertAffine(ofInstance(shape.instances.array, instance));
      if (!inverse) continue;
      here = local(ray, inverse);
    }
    for (let at = 0; at + 2 < shape.count; at += 3) best = meetsTriangle(here, shape, at, best);
  }
  return best;
};
const ofInstance = (all, instance) => {
  const out = identity();
  for (let index = 0; index < 16; index++) out[index] = all[16 * instance + index];
  return out;
};
// Moeller and Trumbore, from either side.
const meetsTriangle = (ray, shape, at, limit) => {
  const { array, stride, offset, index } = shape;
  const a = offset + stride * (index ? index[at] : at), b = offset + stride * (index ? index[at + 1] : at + 1), c = offset + stride * (index ? index[at + 2] : at + 2);
  const ax = array[a], ay = array[a + 1], az = array[a + 2];
  const ux = array[b] - ax, uy = array[b + 1] - ay, uz = array[b + 2] - az;
  const vx = array[c] - ax, vy = array[c + 1] - ay, vz = array[c + 2] - az;
  const d = ray.to, px = d[1] * vz - d[2] * vy, py = d[2] * vx - d[0] * vz, pz = d[0] * vy - d[1] * vx;
  const volume = ux * px + uy * py + uz * pz;
  if (volume === 0) return limit;
  const tx = ray.from[0] - ax, ty = ray.from[1] - ay, tz = ray.from[2] - az;
  const u = (tx * px + ty * py + tz * pz) / volume;
  if (!(u >= 0 && u <= 1)) return limit;
  const qx = ty * uz - tz * uy, qy = tz * ux - tx * uz, qz = tx * uy - ty * ux;
  const v = (d[0] * qx + d[1] * qy + d[2] * qz) / volume;
  if (!(v >= 0 && u + v <= 1)) return limit;
  const t = (vx * qx + vy * qy + vz * qz) / volume;
  return t > 1e-6 && t < limit ? t : limit;
};
verbs.xrOcclusion = (id, withRoom) => answer(occlusionOf(id, withRoom));
