// Surfaces that a timer can be pinned to. Planes are asked anew whenever one is needed: they come late, and are corrected.
import * as THREE from "three";

const NEAR = 0.1; // metres

const contains = (polygon, p) => polygon.reduce((inside, a, index) => {
  const b = polygon[(index + 1) % polygon.length];
  return a.z > p.z !== b.z > p.z && p.x < ((b.x - a.x) * (p.z - a.z)) / (b.z - a.z) + a.x ? !inside : inside;
}, false);

/** The nearest surface to a point: { plane, x, z } in the plane's own frame; null where none is near. */
export const surfaceNear = (frame, space, labels, point) => {
  let [found, least] = [null, NEAR];
  for (const plane of frame.detectedPlanes ?? []) {
    const pose = labels.includes(plane.semanticLabel) && frame.getPose(plane.planeSpace, space);
    if (!pose) continue;
    const inner = point.clone().applyMatrix4(new THREE.Matrix4().fromArray(pose.transform.inverse.matrix));
    if (Math.abs(inner.y) < least && contains(plane.polygon, inner)) [found, least] = [{ plane, x: inner.x, z: inner.z }, Math.abs(inner.y)];
  }
  return found;
};

/** Where something lies flat on a surface: its front (+z) out of it, its top (+y) up, or away from the eyes on what is level. */
export const lieOn = (frame, space, { plane, x, z, top }, object, eyes) => {
  const pose = frame.getPose(plane.planeSpace, space);
  if (!pose) return top;
  const matrix = new THREE.Matrix4().fromArray(pose.transform.matrix);
  const out = new THREE.Vector3().setFromMatrixColumn(matrix, 1).normalize(), at = new THREE.Vector3(x, 0.008, z).applyMatrix4(matrix);
  const wish = top?.clone() ?? (Math.abs(out.y) > 0.7 ? at.clone().sub(eyes) : new THREE.Vector3(0, 1, 0));
  const up = wish.addScaledVector(out, -wish.dot(out)).normalize();
  object.position.copy(at);
  object.quaternion.setFromRotationMatrix(new THREE.Matrix4().makeBasis(up.clone().cross(out), up, out));
  return up;
};
