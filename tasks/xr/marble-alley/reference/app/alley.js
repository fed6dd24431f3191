// The alley: lane, marble, pins, button and score. Everything is in the frame of the lane, physics too: origin on the table's surface.
import * as THREE from "three";
import { contains } from "./table.js";

const STEP = 1 / 200; // seconds at most of one step of the physics
const REACH = 0.03; // metres from the marble's surface within which a pinch takes it
const LEANS = Math.cos(THREE.MathUtils.degToRad(30)); // a pin that leans further is down
const CAP = { radius: 0.022, height: 0.014, top: 0.02, travel: 0.012, fires: 0.006, rearms: 0.003 };
const STILL = 0.03, RESTS = 0.5, LONGEST = 5, FALLEN = -0.2; // metres a second, seconds, seconds, metres
const STRUCK = 0.12; // metres a second: a pin that begins to go so fast was knocked

const paint = (color, roughness = 0.5) => new THREE.MeshStandardMaterial({ color, roughness });
const named = (name, mesh) => Object.assign(mesh, { name });

/** A panel with words, drawn on a canvas; `userData.text` says the same. */
export class Panel {
  #canvas = document.createElement("canvas");

  constructor(name, width, height) {
    Object.assign(this.#canvas, { width: Math.round(width * 1600), height: Math.round(height * 1600) });
    this.texture = new THREE.CanvasTexture(this.#canvas);
    this.texture.colorSpace = THREE.SRGBColorSpace;
    this.mesh = named(name, new THREE.Mesh(new THREE.PlaneGeometry(width, height),
      new THREE.MeshBasicMaterial({ map: this.texture, transparent: true, side: THREE.DoubleSide })));
  }

  say(title, words) {
    const text = `${title}. ${words}`;
    if (this.mesh.userData.text === text) return;
    this.mesh.userData.text = text;
    const { width, height } = this.#canvas, pen = this.#canvas.getContext("2d");
    pen.clearRect(0, 0, width, height);
    pen.fillStyle = "#2a1608ee";
    pen.beginPath();
    pen.roundRect(0, 0, width, height, height / 8);
    pen.fill();
    pen.fillStyle = "#ffb866";
    pen.font = `600 ${height * 0.34}px system-ui, sans-serif`;
    pen.fillText(title, height / 8, height * 0.45, width - height / 4);
    pen.fillStyle = "#fff1e2";
    pen.font = `${height * 0.2}px system-ui, sans-serif`;
    pen.fillText(words, height / 8, height * 0.8, width - height / 4);
    this.texture.needsUpdate = true;
  }
}

const planks = ({ width, length }) => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 256, height: Math.round(256 * length / width) });
  const pen = canvas.getContext("2d");
  for (let index = 0; index < 10; index++) {
    pen.fillStyle = ["#d9a566", "#cf9856", "#e0b076"][(index * 7) % 3];
    pen.fillRect(index * 25.6, 0, 25, canvas.height);
  }
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace;
  return new THREE.MeshStandardMaterial({ map, roughness: 0.35 });
};

export class Alley {
  group = named("alley", new THREE.Group());
  knock = null; // the sound, once it is there
  #point = new THREE.Vector3();
  #holder = null; // the hand that has the marble
  #offset = new THREE.Vector3();
  #free = 0; // seconds since the marble was let go
  #still = 0; // seconds that it has not moved
  #fired = false;
  #fingers = new Map(); // hand -> whether its fingertip is above the cap, or pushes it

  constructor(rapier, layout, finder, listener) {
    this.layout = layout;
    this.outline = finder.outline();
    finder.pose(this.group);
    this.world = new rapier.World({ x: 0, y: -9.81, z: 0 });
    this.world.lengthUnit = 0.1;
    const solid = rapier.ColliderDesc.convexHull(new Float32Array(this.outline.flatMap(({ x, z }) => [x, 0, z, x, -0.04, z])));
    const floor = rapier.ColliderDesc.cuboid(8, 0.5, 8).setTranslation(0, -0.5 - this.group.position.y, 0);
    for (const one of [solid, floor]) this.world.createCollider(one.setFriction(0.5).setRestitution(0.2));
    this.#furnish();
    const dynamic = (mesh, shape, mass) => {
      const body = this.world.createRigidBody(rapier.RigidBodyDesc.dynamic().setCcdEnabled(true).setAngularDamping(1).setLinearDamping(0.1));
      this.world.createCollider(shape.setMass(mass).setFriction(0.5).setRestitution(0.2), body);
      mesh.userData.rigidBody = body;
      this.group.add(mesh);
      return { mesh, body };
    };
    const { marble, pin, pins } = layout;
    this.marble = dynamic(named("marble", new THREE.Mesh(new THREE.SphereGeometry(marble.radius, 32, 20), paint("#2f7fd6", 0.1))),
      rapier.ColliderDesc.ball(marble.radius), marble.mass);
    const profile = [[0, 0], [0.75, 0], [1, 0.3], [0.85, 0.5], [0.45, 0.72], [0.55, 0.9], [0.3, 1], [0, 1]]
      .map(([x, y]) => new THREE.Vector2(x * pin.radius, (y - 0.5) * pin.height));
    const around = profile.flatMap(({ x, y }) => Array.from({ length: 12 }, (_, k) => [x * Math.cos(k * Math.PI / 6), y, x * Math.sin(k * Math.PI / 6)]).flat());
    this.pins = pins.map(([x, z], index) => {
      const mesh = named(`pin-${index + 1}`, new THREE.Mesh(new THREE.LatheGeometry(profile, 24), paint("#f6f1e6", 0.3)));
      const band = new THREE.Mesh(new THREE.TorusGeometry(pin.radius * 0.5, 0.0014, 8, 24).rotateX(Math.PI / 2), paint("#c62828"));
      band.position.y = pin.height * 0.2;
      const sound = new THREE.PositionalAudio(listener);
      sound.setRefDistance(0.5);
      mesh.add(band, sound);
      return { ...dynamic(mesh, rapier.ColliderDesc.convexHull(new Float32Array(around)), pin.mass), home: { x, y: pin.height / 2, z }, sound, quick: false };
    });
    this.reset();
  }

  #furnish() {
    const { lane, marble, tray, reset } = this.layout;
    const mat = named("lane", new THREE.Mesh(new THREE.BoxGeometry(lane.width, 0.001, lane.length), planks(lane)));
    const dish = named("tray", new THREE.Mesh(new THREE.CylinderGeometry(marble.radius * 1.3, marble.radius * 1.5, 0.003, 32), paint("#3b2a1c")));
    dish.position.set(tray[0], 0.0015, tray[1]);
    const ring = new THREE.Mesh(new THREE.CylinderGeometry(CAP.radius * 1.3, CAP.radius * 1.4, 0.006, 32), paint("#3b2a1c"));
    ring.position.set(reset[0], 0.003, reset[1]);
    this.cap = named("reset", new THREE.Mesh(new THREE.CylinderGeometry(CAP.radius, CAP.radius, CAP.height, 32), paint("#d84315")));
    this.cap.position.set(reset[0], CAP.top - CAP.height / 2, reset[1]);
    this.score = new Panel("score", 0.22, 0.09);
    this.score.mesh.position.set(0, 0.14, -lane.length / 2 - 0.02);
    this.group.add(mat, dish, ring, this.cap, this.score.mesh);
  }

  get down() {
    const up = this.#point;
    return this.pins.filter(({ mesh }) => up.set(0, 1, 0).applyQuaternion(mesh.quaternion).y < LEANS || mesh.position.y < 0).length;
  }

  /** All pins at their places, and the marble on the tray unless somebody holds it. */
  reset() {
    for (const { mesh, body, home } of this.pins) {
      body.setTranslation(home, true);
      body.setRotation({ x: 0, y: 0, z: 0, w: 1 }, true);
      body.setLinvel({ x: 0, y: 0, z: 0 }, true);
      body.setAngvel({ x: 0, y: 0, z: 0 }, true);
      mesh.position.copy(home);
      mesh.quaternion.identity();
    }
    if (!this.#holder) this.#toTray();
  }

  #toTray() {
    const { tray, marble } = this.layout;
    this.marble.body.setEnabled(false);
    this.marble.mesh.position.set(tray[0], marble.radius + 0.003, tray[1]);
  }

  update(passed, hands, head) {
    for (const hand of hands) if (hand.pinched && !this.#holder) this.#take(hand);
    if (this.#holder) this.#carry();
    this.#press(hands);
    const steps = Math.ceil(passed / STEP);
    for (let step = 0; step < steps; step++) {
      this.world.timestep = passed / steps;
      this.world.step();
    }
    for (const { mesh, body } of [...this.pins, this.marble]) {
      if (!body.isEnabled()) continue;
      mesh.position.copy(body.translation());
      mesh.quaternion.copy(body.rotation());
    }
    this.#listen();
    if (this.marble.body.isEnabled()) this.#watch(passed);
    const near = hands.some((hand) => hand.tracked && this.#gap(hand) < REACH);
    this.marble.mesh.material.emissive.set(near || this.#holder ? "#12365c" : "#000000");
    this.score.say(`${this.down} of ${this.pins.length} down`, "Press the button to set them up");
    this.score.mesh.lookAt(head);
  }

  // --- the marble ---

  #gap(hand) {
    return this.marble.mesh.getWorldPosition(this.#point).distanceTo(hand.pinchPoint) - this.layout.marble.radius;
  }

  #take(hand) {
    if (this.#gap(hand) > REACH) return;
    this.#holder = hand;
    this.#offset.copy(this.#point).sub(hand.pinchPoint);
    this.marble.body.setEnabled(false);
  }

  #carry() {
    const hand = this.#holder, { position } = this.marble.mesh;
    if (hand.pinching) {
      position.copy(this.group.worldToLocal(this.#point.copy(hand.pinchPoint).add(this.#offset)));
    } else {
      const turn = this.group.quaternion.clone().invert(); // a velocity turns with the frame, and does not move with it
      this.#letGo(hand.tracked ? hand.velocity.applyQuaternion(turn) : new THREE.Vector3());
    }
  }

  #letGo(velocity) {
    const { body, mesh } = this.marble;
    this.#holder = null;
    if (contains(this.outline, mesh.position)) mesh.position.y = Math.max(mesh.position.y, this.layout.marble.radius);
    body.setEnabled(true);
    body.setTranslation(mesh.position, true);
    body.setLinvel(velocity, true);
    body.setAngvel({ x: 0, y: 0, z: 0 }, true);
    this.#free = this.#still = 0;
  }

  /** Back to the tray with it when it has fallen off the table or lies still. */
  #watch(passed) {
    const { body, mesh } = this.marble;
    this.#free += passed;
    this.#still = this.#point.copy(body.linvel()).length() < STILL ? this.#still + passed : 0;
    if (this.#still > RESTS || this.#free > LONGEST || mesh.position.y < FALLEN) this.#toTray();
  }

  #listen() {
    for (const pin of this.pins) {
      const quick = this.#point.copy(pin.body.linvel()).length() > STRUCK;
      if (quick && !pin.quick && this.knock && !pin.sound.isPlaying) pin.sound.setBuffer(this.knock).play();
      pin.quick = quick;
    }
  }

  // --- the button ---

  #press(hands) {
    let depth = 0;
    for (const hand of hands) {
      const tip = hand.tracked ? this.group.worldToLocal(this.#point.copy(hand.tip.position)) : null;
      const low = tip ? tip.y - hand.tip.radius : 0, from = this.#fingers.get(hand);
      const over = tip && Math.hypot(tip.x - this.layout.reset[0], tip.z - this.layout.reset[1]) < CAP.radius;
      const pushes = over && from && low < CAP.top && tip.y > 0;
      this.#fingers.set(hand, tip && (pushes || low >= CAP.top)); // only who comes from above pushes
      if (pushes) depth = Math.max(depth, Math.min(CAP.travel, CAP.top - low));
    }
    this.cap.position.y = CAP.top - CAP.height / 2 - depth;
    if (depth >= CAP.fires && !this.#fired) this.reset();
    this.#fired = depth >= (this.#fired ? CAP.rearms : CAP.fires);
  }
}
