// The console: a slab that leans back, with four controls, each answering to a fingertip that stays and to a ray that selects.
import * as THREE from "three";
import { Panel } from "./panels.js";

const SIDE = 0.22, THICK = 0.02, LEAN = Math.PI / 4, KEY = 0.08, OFF = 0.047;
const BEGIN = 0.005, END = 0.015; // metres from the tip to the surface at which a contact begins and ends
const STAY = 0.25, PAUSE = 0.3; // seconds that a contact lasts before it counts; that a control then rests when it was let go
const LOOK = 1.5; // seconds that the head looks at `come`
const AHEAD = 0.26, BELOW = 0.26; // metres from the eyes to the console that has come
const LIT = "#ffd166";

const WORDS = {
  lamp: (on) => ["Lamp", on ? "on" : "off"], blinds: (on) => ["Blinds", on ? "closed" : "open"],
  call: (on) => (on ? ["Calling", "help"] : ["Call", "help"]), come: () => ["Come", "to me"],
};

class Control {
  on = false;
  contacts = new Map(); // hand -> seconds in contact, Infinity when that has counted
  rest = 0;
  looked = 0;

  constructor(name, x, y) {
    this.name = name;
    this.panel = new Panel(name, KEY, KEY, 2, THICK);
    this.mesh = this.panel.mesh;
    this.mesh.position.set(x, y, THICK);
    this.half = new THREE.Vector3(KEY, KEY, THICK).divideScalar(2);
    this.write();
  }

  write() {
    this.panel.say(WORDS[this.name](this.on), this.on ? LIT : "#101a33", this.on ? "#111111" : "#ffffff");
  }

  away(tip) {
    const inner = this.mesh.worldToLocal(tip.clone());
    return inner.distanceTo(inner.clone().clamp(this.half.clone().negate(), this.half));
  }

  /** Whether a contact has lasted long enough by now. `tips` are those of the hands that are seen, by handedness. */
  isTouched(passed, tips) {
    let counted = false;
    this.rest -= passed;
    for (const side of ["left", "right"]) {
      const known = this.contacts.get(side), away = tips[side] ? this.away(tips[side]) : Infinity;
      if (away > (known === undefined ? BEGIN : END)) {
        if (known === Infinity) this.rest = PAUSE;
        this.contacts.delete(side);
      } else if ((known ?? 0) + passed < STAY || this.rest > 0) {
        this.contacts.set(side, known === Infinity ? Infinity : Math.min((known ?? 0) + passed, STAY));
      } else if (known !== Infinity) {
        this.contacts.set(side, Infinity);
        counted = true;
      }
    }
    this.panel.edge.color.set(this.contacts.size ? LIT : "#f4f6fb");
    return counted;
  }
}

export class Console {
  called = false; // then it stays before the person
  #ray = new THREE.Raycaster();

  constructor() {
    this.slab = new THREE.Mesh(new THREE.BoxGeometry(SIDE, SIDE, THICK), new THREE.MeshBasicMaterial({ color: "#3b4a73" }));
    this.slab.name = "console";
    this.slab.visible = false;
    this.controls = [["lamp", -1, 1], ["blinds", 1, 1], ["call", -1, -1], ["come", 1, -1]].map(([name, x, y]) => new Control(name, x * OFF, y * OFF));
    this.slab.add(...this.controls.map((control) => control.mesh));
  }

  #put(at, toPerson) {
    this.slab.position.copy(at);
    this.slab.rotation.set(-LEAN, Math.atan2(toPerson.x, toPerson.z), 0, "YXZ");
    this.slab.visible = true;
    this.slab.updateMatrixWorld(true);
  }

  putBefore(head, ahead) {
    this.#put(head.clone().addScaledVector(ahead, AHEAD).add(new THREE.Vector3(0, -BELOW, 0)), ahead.clone().negate());
  }

  putOn(spot, head) {
    const rise = (SIDE / 2) * Math.cos(LEAN) + (THICK / 2) * Math.sin(LEAN);
    this.#put(spot.clone().setY(spot.y + rise), head.clone().sub(spot));
  }

  /** What a ray meets first. */
  hit(origin, direction) {
    this.#ray.set(origin, direction);
    return this.#ray.intersectObjects(this.controls.map((control) => control.mesh), false)[0]?.object.name ?? null;
  }

  /** `rays` are those that a select began with. */
  update(passed, { tips, rays, head, ahead, looks }) {
    const looked = this.hit(head, looks), selected = rays.map(({ origin, direction }) => this.hit(origin, direction));
    for (const control of this.controls) {
      const before = control.looked;
      control.looked = control.name === looked ? before + passed : 0;
      const stared = control.name === "come" && before < LOOK && control.looked >= LOOK;
      if (!control.isTouched(passed, tips) && !selected.includes(control.name) && !stared) continue;
      if (control.name === "come") {
        this.called = true;
        this.putBefore(head, ahead);
      } else {
        control.on = !control.on;
        control.write();
      }
    }
  }

  get state() {
    return this.controls.filter(({ name }) => name !== "come").map(({ name, on }) => WORDS[name](on).join(" "));
  }
}
