// Captions of sounds: what is heard, and where, as seen from the head as it is turned now.
import * as THREE from "three";
import { Panel } from "./panels.js";

const AHEAD = 0.85, BELOW = 0.14; // metres
const SIDES = ["ahead", "to the right", "behind you", "to the left"];

export class Captions {
  sounds = []; // filled when the house has told
  since = 0;

  constructor() {
    this.panel = new Panel("caption", 0.42, 0.12, 3);
    this.mesh = this.panel.mesh;
    this.mesh.visible = false;
    const shape = new THREE.Shape([[0, 0.03], [0.018, -0.02], [0, -0.008], [-0.018, -0.02]].map(([x, y]) => new THREE.Vector2(x, y)));
    this.arrow = new THREE.Mesh(new THREE.ShapeGeometry(shape), new THREE.MeshBasicMaterial({ color: "#ffd166" }));
    this.arrow.name = "arrow";
    this.arrow.position.set(0, 0.1, 0.002);
    this.mesh.add(this.arrow);
  }

  update(passed, { head, ahead, looks }) {
    this.since += passed;
    const heard = this.sounds.filter(({ after, lasting }) => this.since >= after && this.since < after + lasting).at(-1);
    this.mesh.visible = Boolean(heard);
    if (!heard) return;
    const way = new THREE.Vector3().fromArray(heard.from).sub(head);
    const bearing = Math.atan2(ahead.x * way.z - ahead.z * way.x, ahead.x * way.x + ahead.z * way.z); // to the right
    this.panel.say([heard.words, SIDES[(Math.round(bearing / (Math.PI / 2)) + 4) % 4]]);
    this.arrow.rotation.z = -bearing;
    this.mesh.position.copy(head).addScaledVector(looks, AHEAD).y -= BELOW;
    this.mesh.lookAt(head);
  }
}
