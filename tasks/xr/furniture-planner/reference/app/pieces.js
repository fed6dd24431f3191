// One piece of furniture in life size: its origin is the middle of its underside, y is up, its front is +z.
import * as THREE from "three";

const WRONG = "#e74c3c";
const box = (size, at, material) => {
  const made = new THREE.Mesh(new THREE.BoxGeometry(...size), material);
  made.position.set(...at);
  return made;
};

export class Piece {
  state = "stored"; // stored, held, standing
  before = null; // where it stood when it was taken: { position, yaw, scale }
  yaw = 0;

  constructor(told) {
    Object.assign(this, { told });
    const [width, height, depth] = told.size;
    this.material = new THREE.MeshStandardMaterial({ color: told.colour, roughness: 0.75 });
    this.mesh = new THREE.Mesh(new THREE.BoxGeometry(width, height, depth).translate(0, height / 2, 0), this.material);
    this.mesh.name = told.id;
    this.mesh.visible = false;
    const dark = new THREE.MeshStandardMaterial({ color: new THREE.Color(told.colour).multiplyScalar(0.6) });
    this.mesh.add(box([width * 0.8, height * 0.5, 0.01], [0, height * 0.55, depth / 2 - 0.004], dark)); // shows where its front is
  }

  get scale() {
    return this.mesh.scale.x;
  }

  /** Stand at a place of the floor { x, z }, upright. */
  stand(place, height, yaw, scale) {
    this.yaw = yaw;
    this.mesh.position.set(place.x, height, place.z);
    this.mesh.rotation.set(0, yaw, 0);
    this.mesh.scale.setScalar(scale);
  }

  footprint() {
    const [width, , depth] = this.told.size, c = Math.cos(this.yaw), s = Math.sin(this.yaw), { x, z } = this.mesh.position;
    return [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([i, k]) => {
      const a = (i * width * this.scale) / 2, b = (k * depth * this.scale) / 2;
      return { x: x + c * a + s * b, z: z - s * a + c * b };
    });
  }

  /** Metres from a point to its surface, 0 inside. */
  away(point) {
    const [width, height, depth] = this.told.size;
    const inner = this.mesh.worldToLocal(point.clone());
    const out = new THREE.Vector3(Math.abs(inner.x) - width / 2, Math.abs(inner.y - height / 2) - height / 2, Math.abs(inner.z) - depth / 2);
    return out.max(new THREE.Vector3()).length() * this.scale;
  }

  /** Show whether it may stand where it is. */
  mark(fine) {
    this.material.color.set(fine ? this.told.colour : WRONG);
  }

  remember() {
    this.before = this.state === "standing" ? { place: this.mesh.position.clone(), yaw: this.yaw, scale: this.scale } : null;
  }

  /** Back to where it was taken from: its old place, or the catalogue. */
  goBack(height) {
    this.state = this.before ? "standing" : "stored";
    if (this.before) this.stand(this.before.place, height, this.before.yaw, this.before.scale);
    this.mark(true);
  }
}
