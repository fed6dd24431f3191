// The table that the headset has found, and the place of the alley on it, which is kept in the table's own frame.
import * as THREE from "three";

const LABELS = ["table", "desk"];
const MARGIN = 0.01; // metres between the lane and an edge of the table
const STEP = 0.005;

// --- polygons, as { x, z } ---

const cross = (a, b, p) => (b.x - a.x) * (p.z - a.z) - (b.z - a.z) * (p.x - a.x);
const sides = (polygon) => polygon.map((a, index) => [a, polygon[(index + 1) % polygon.length]]);
const away = (a, b) => Math.hypot(a.x - b.x, a.z - b.z);
export const contains = (polygon, p) => sides(polygon).reduce((inside, [a, b]) =>
  (a.z > p.z !== b.z > p.z && p.x < ((b.x - a.x) * (p.z - a.z)) / (b.z - a.z) + a.x ? !inside : inside), false);
const nearestOn = (a, b, p) => {
  const dx = b.x - a.x, dz = b.z - a.z;
  const t = Math.max(0, Math.min(1, ((p.x - a.x) * dx + (p.z - a.z) * dz) / (dx * dx + dz * dz || 1)));
  return { x: a.x + t * dx, z: a.z + t * dz };
};
const distanceTo = (polygon, p) => (contains(polygon, p) ? 0 : Math.min(...sides(polygon).map(([a, b]) => away(nearestOn(a, b, p), p))));

const fits = (polygon, place, lane) => {
  const w = lane.width / 2 + MARGIN, d = lane.length / 2 + MARGIN, c = Math.cos(place.yaw), s = Math.sin(place.yaw);
  return [[-w, -d], [w, -d], [w, d], [-w, d]].every(([x, z]) => contains(polygon, { x: place.x + c * x + s * z, z: place.z - s * x + c * z }));
};

/** The place at an edge of the polygon, as near as may be to somebody at `viewer`, its near side towards that edge; or null. */
const placeAtEdge = (polygon, viewer, lane) => {
  const middle = { x: 0, z: 0 };
  for (const p of polygon) Object.assign(middle, { x: middle.x + p.x / polygon.length, z: middle.z + p.z / polygon.length });
  const edges = sides(polygon).map(([a, b]) => ({ a, b, to: away(nearestOn(a, b, viewer), viewer) }))
    .filter(({ a, b }) => cross(a, b, middle) * cross(a, b, viewer) < 0 || contains(polygon, viewer))
    .sort((one, other) => one.to - other.to);
  for (const { a, b } of edges) {
    const length = away(a, b), ux = (b.x - a.x) / length, uz = (b.z - a.z) / length;
    const out = cross(a, b, middle) > 0 ? { x: uz, z: -ux } : { x: -uz, z: ux };
    const wish = (viewer.x - a.x) * ux + (viewer.z - a.z) * uz;
    for (let off = 0; off <= length; off += STEP) {
      for (const along of [wish + off, wish - off].map((t) => Math.max(0, Math.min(length, t)))) {
        const deep = lane.length / 2 + MARGIN + STEP;
        const place = { x: a.x + ux * along - out.x * deep, z: a.z + uz * along - out.z * deep, yaw: Math.atan2(out.x, out.z) };
        if (fits(polygon, place, lane)) return place;
      }
    }
  }
  return null;
};

export class TableFinder {
  plane = null;
  place = null;
  matrix = new THREE.Matrix4(); // of the plane, as it was last known

  /** Look at the planes of this frame. Gives the table, or null while none is known on which the lane fits. */
  update(frame, space, head, lane) {
    const planes = frame.detectedPlanes ?? new Set();
    if (!this.plane) this.#choose(frame, space, planes, head, lane);
    const pose = this.plane && planes.has(this.plane) ? frame.getPose(this.plane.planeSpace, space) : null;
    if (pose) this.matrix.fromArray(pose.transform.matrix);
    return this.plane;
  }

  #choose(frame, space, planes, head, lane) {
    let best = Infinity;
    for (const plane of planes) {
      const pose = plane.orientation === "horizontal" && LABELS.includes(plane.semanticLabel) && frame.getPose(plane.planeSpace, space);
      if (!pose) continue;
      const viewer = head.clone().applyMatrix4(new THREE.Matrix4().fromArray(pose.transform.matrix).invert());
      const place = placeAtEdge(plane.polygon, viewer, lane), to = distanceTo(plane.polygon, viewer);
      if (place && to < best) [best, this.plane, this.place] = [to, plane, place];
    }
  }

  /** Put an object where the lane is: its origin on the table's surface, +z to the near side. */
  pose(object) {
    const { x, z, yaw } = this.place;
    object.matrix.makeRotationY(yaw).setPosition(x, 0, z).premultiply(this.matrix);
    object.matrix.decompose(object.position, object.quaternion, object.scale);
    object.updateMatrixWorld(true);
  }

  /** The outline of the table in the frame of the lane. */
  outline() {
    const { x, z, yaw } = this.place, c = Math.cos(yaw), s = Math.sin(yaw);
    return this.plane.polygon.map((p) => ({ x: c * (p.x - x) - s * (p.z - z), z: s * (p.x - x) + c * (p.z - z) }));
  }
}
