// What the room has for us: the table's edge that is nearest to the person, and the wall that they look at. Asked until it is found.
import * as THREE from "three";

const INWARD = 0.15; // metres from the table's edge to the console

const area = (polygon) => polygon.reduce((sum, a, index) => {
  const b = polygon[(index + 1) % polygon.length];
  return sum + a.x * b.z - b.x * a.z;
}, 0);
const isInside = (polygon, { x, z }) => {
  const turn = Math.sign(area(polygon));
  return polygon.every((a, index) => {
    const b = polygon[(index + 1) % polygon.length];
    return turn * ((b.x - a.x) * (z - a.z) - (b.z - a.z) * (x - a.x)) >= 0;
  });
};
const onEdge = (a, b, { x, z }) => {
  const way = { x: b.x - a.x, z: b.z - a.z };
  const share = Math.min(1, Math.max(0, ((x - a.x) * way.x + (z - a.z) * way.z) / (way.x ** 2 + way.z ** 2)));
  return new THREE.Vector3(a.x + share * way.x, 0, a.z + share * way.z);
};
const nearestPoint = (polygon, from) => {
  if (isInside(polygon, from)) return new THREE.Vector3(from.x, 0, from.z);
  const spots = polygon.map((a, index) => onEdge(a, polygon[(index + 1) % polygon.length], from));
  const away = (spot) => Math.hypot(spot.x - from.x, spot.z - from.z);
  return spots.reduce((best, spot) => (away(spot) < away(best) ? spot : best));
};

const planes = (frame, space, ...labels) => [...(frame.detectedPlanes ?? [])].filter((plane) => labels.includes(plane.semanticLabel)).flatMap((plane) => {
  const pose = frame.getPose(plane.planeSpace, space);
  return pose ? [{ polygon: plane.polygon, matrix: new THREE.Matrix4().fromArray(pose.transform.matrix) }] : [];
});

/** A point on the nearest table, a little behind its edge; null while none is known. */
export const tableSpot = (frame, space, head) => {
  let best = null;
  for (const { polygon, matrix } of planes(frame, space, "table", "desk")) {
    const eyes = head.clone().applyMatrix4(matrix.clone().invert()), near = nearestPoint(polygon, eyes);
    const away = Math.hypot(near.x - eyes.x, near.z - eyes.z);
    if (best && best.away <= away) continue;
    const middle = polygon.reduce((sum, one) => sum.add(new THREE.Vector3(one.x, 0, one.z).divideScalar(polygon.length)), new THREE.Vector3());
    const inward = middle.sub(near);
    best = { away, spot: near.add(inward.setLength(Math.min(INWARD, inward.length()))).applyMatrix4(matrix) };
  }
  return best?.spot ?? null;
};

/** Where the person's heading meets a wall: { at, out, away }; null while it meets none. */
export const wallSpot = (frame, space, head, ahead) => {
  let best = null;
  for (const { polygon, matrix } of planes(frame, space, "wall")) {
    const out = new THREE.Vector3().setFromMatrixColumn(matrix, 1), point = new THREE.Vector3().setFromMatrixPosition(matrix);
    const slope = ahead.dot(out), away = point.sub(head).dot(out) / slope;
    if (Math.abs(slope) < 0.1 || !(away > 0) || (best && best.away < away)) continue;
    const at = head.clone().addScaledVector(ahead, away).setY(1.5);
    if (isInside(polygon, at.clone().applyMatrix4(matrix.clone().invert()))) best = { at, away, out: slope > 0 ? out.negate() : out };
  }
  return best;
};
