// The table that the headset has found, and places on it. A place is kept in the table's own frame, so it stays where it is on the
// table when the headset corrects where the table is.
import * as THREE from "three";

export const BOARD = { width: 0.56, depth: 0.34, thick: 0.012 };
const LABELS = ["table", "desk"];
const MARGIN = 0.015; // metres between the board and an edge of the table
const STEP = 0.005;

// --- polygons, as [x, z] pairs ---

const cross = (a, b, p) => (b.x - a.x) * (p.z - a.z) - (b.z - a.z) * (p.x - a.x);
const contains = (polygon, p) => {
  let inside = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const a = polygon[i], b = polygon[j];
    if (a.z > p.z !== b.z > p.z && p.x < ((b.x - a.x) * (p.z - a.z)) / (b.z - a.z) + a.x) inside = !inside;
  }
  return inside;
};
const nearestOn = (a, b, p) => {
  const dx = b.x - a.x, dz = b.z - a.z;
  const t = Math.max(0, Math.min(1, ((p.x - a.x) * dx + (p.z - a.z) * dz) / (dx * dx + dz * dz || 1)));
  return { x: a.x + t * dx, z: a.z + t * dz };
};
const sides = (polygon) => polygon.map((a, index) => [a, polygon[(index + 1) % polygon.length]]);
const distanceTo = (polygon, p) => (contains(polygon, p) ? 0
  : Math.min(...sides(polygon).map(([a, b]) => nearestOn(a, b, p)).map((q) => Math.hypot(q.x - p.x, q.z - p.z))));

/** Whether the board lies wholly over a polygon at a place { x, z, yaw } of its plane. */
const fits = (polygon, place) => {
  const w = BOARD.width / 2 + MARGIN, d = BOARD.depth / 2 + MARGIN, c = Math.cos(place.yaw), s = Math.sin(place.yaw);
  return [[-w, -d], [w, -d], [w, d], [-w, d]].every(([x, z]) => contains(polygon, { x: place.x + c * x + s * z, z: place.z - s * x + c * z }));
};

/** The place at an edge of the polygon, as near as may be to somebody at `viewer`, its near side towards that edge. */
const placeAtEdge = (polygon, viewer) => {
  const middle = polygon.reduce((sum, p) => ({ x: sum.x + p.x / polygon.length, z: sum.z + p.z / polygon.length }), { x: 0, z: 0 });
  const edges = sides(polygon).map(([a, b]) => ({ a, b, away: nearestOn(a, b, viewer) }))
    .filter(({ a, b }) => cross(a, b, middle) * cross(a, b, viewer) < 0 || contains(polygon, viewer))
    .sort((one, other) => Math.hypot(one.away.x - viewer.x, one.away.z - viewer.z) - Math.hypot(other.away.x - viewer.x, other.away.z - viewer.z));
  for (const { a, b } of edges) {
    const length = Math.hypot(b.x - a.x, b.z - a.z), ux = (b.x - a.x) / length, uz = (b.z - a.z) / length;
    const out = cross(a, b, middle) > 0 ? { x: uz, z: -ux } : { x: -uz, z: ux };
    const wish = (viewer.x - a.x) * ux + (viewer.z - a.z) * uz;
    for (let off = 0; off <= length; off += STEP) {
      for (const along of [wish + off, wish - off].map((t) => Math.max(0, Math.min(length, t)))) {
        const deep = BOARD.depth / 2 + MARGIN + 0.01;
        const place = { x: a.x + ux * along - out.x * deep, z: a.z + uz * along - out.z * deep, yaw: Math.atan2(out.x, out.z) };
        if (fits(polygon, place)) return place;
      }
    }
  }
  return null;
};

// --- the table ---

export class TableFinder {
  plane = null;
  place = null;
  matrix = new THREE.Matrix4(); // of the plane, as it was last known

  /** Look at the planes of this frame. Gives the table, or null while none is known on which the board fits. */
  update(frame, space, head) {
    const planes = frame.detectedPlanes ?? new Set();
    if (this.plane && planes.has(this.plane)) this.#take(frame.getPose(this.plane.planeSpace, space));
    if (!this.plane) this.#choose(frame, space, planes, head);
    return this.plane;
  }

  #take(pose) {
    if (pose) this.matrix.fromArray(pose.transform.matrix);
  }

  #choose(frame, space, planes, head) {
    let best = Infinity;
    for (const plane of planes) {
      if (plane.orientation !== "horizontal" || !LABELS.includes(plane.semanticLabel)) continue;
      const pose = frame.getPose(plane.planeSpace, space);
      if (!pose) continue;
      const matrix = new THREE.Matrix4().fromArray(pose.transform.matrix);
      const viewer = head.clone().applyMatrix4(matrix.clone().invert());
      const place = placeAtEdge(plane.polygon, viewer);
      const away = distanceTo(plane.polygon, viewer);
      if (!place || away >= best) continue;
      [best, this.plane, this.place] = [away, plane, place];
      this.matrix.copy(matrix);
    }
  }

  /** Slide the board by so much in the session's frame, as far as the table goes. */
  slide(way) {
    const inner = way.clone().transformDirection(this.matrix.clone().invert()).multiplyScalar(way.length());
    for (const [x, z] of [[inner.x, inner.z], [inner.x, 0], [0, inner.z]]) {
      const place = { ...this.place, x: this.place.x + x, z: this.place.z + z };
      if (!fits(this.plane.polygon, place)) continue;
      this.place = place;
      return;
    }
  }

  /** Put an object where the board is: its origin on the table's surface. */
  pose(object) {
    const { x, z, yaw } = this.place;
    object.matrix.makeRotationY(yaw).setPosition(x, 0, z).premultiply(this.matrix);
    object.matrix.decompose(object.position, object.quaternion, object.scale);
    object.updateMatrixWorld(true);
  }
}
