// The floor that the headset has found, and whether something stands wholly on it. Places are in the session's frame.
import * as THREE from "three";
import * as xb from "xrblocks";

const cross = (a, b, p) => (b.x - a.x) * (p.z - a.z) - (b.z - a.z) * (p.x - a.x);
const sides = (polygon) => polygon.map((a, index) => [a, polygon[(index + 1) % polygon.length]]);
const contains = (polygon, p) => sides(polygon).reduce((inside, [a, b]) =>
  (a.z > p.z !== b.z > p.z && p.x < ((b.x - a.x) * (p.z - a.z)) / (b.z - a.z) + a.x ? !inside : inside), false);
const crosses = ([a, b], [c, d]) => cross(a, b, c) * cross(a, b, d) < 0 && cross(c, d, a) * cross(c, d, b) < 0;
const fromSide = ([a, b], p) => {
  const dx = b.x - a.x, dz = b.z - a.z;
  const t = Math.max(0, Math.min(1, ((p.x - a.x) * dx + (p.z - a.z) * dz) / (dx * dx + dz * dz || 1)));
  return Math.hypot(a.x + t * dx - p.x, a.z + t * dz - p.z);
};

/** Metres between two footprints along the floor; 0 where they meet. */
export const gapBetween = (one, other) => {
  if (one.some((p) => contains(other, p)) || other.some((p) => contains(one, p))) return 0;
  if (sides(one).some((side) => sides(other).some((against) => crosses(side, against)))) return 0;
  const from = (corners, polygon) => Math.min(...corners.flatMap((p) => sides(polygon).map((side) => fromSide(side, p))));
  return Math.min(from(one, other), from(other, one));
};

export class Floor {
  height = null; // metres, null while no floor is known
  outline = [];

  /** Read anew in every frame: a floor may come late, and be corrected. */
  update(frame) {
    const plane = xb.core.world.planes.get("floor")[0]?.xrPlane;
    const pose = plane && frame.getPose(plane.planeSpace, xb.core.renderer.xr.getReferenceSpace());
    if (!pose) return;
    const matrix = new THREE.Matrix4().fromArray(pose.transform.matrix);
    this.height = pose.transform.position.y;
    this.outline = plane.polygon.map((p) => new THREE.Vector3(p.x, 0, p.z).applyMatrix4(matrix));
  }

  /** Whether a footprint lies on the floor, and no wall goes through it. */
  carries(footprint) {
    return footprint.every((p) => contains(this.outline, p)) &&
      !sides(footprint).some((side) => sides(this.outline).some((wall) => crosses(side, wall))) &&
      !this.outline.some((corner) => contains(footprint, corner));
  }
}
