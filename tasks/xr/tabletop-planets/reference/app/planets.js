// The game: four planets that are pinched, carried and let go, and the sun by which the board is moved.
import * as THREE from "three";
import { FREE, RIGHT, SLOTS, TRAY, WRONG } from "./board.js";
import { Panel } from "./panels.js";

const REACH = 0.02; // metres from a planet's surface within which a pinch takes it
const OVER = 0.05, HIGH = 0.12; // how far beside and above a slot a planet may be let go
const SUN_REACH = 0.09; // metres from the sun's middle to the palm
const HOMEWARD = 0.45, FLASH = 0.9; // seconds

const surface = (colours) => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 256, height: 128 });
  const pen = canvas.getContext("2d");
  pen.fillStyle = colours[0];
  pen.fillRect(0, 0, 256, 128);
  for (let spot = 0; spot < 160; spot++) {
    pen.fillStyle = colours[1 + (spot % 5 === 0 ? 1 : 0)] + (spot % 5 === 0 ? "88" : "66");
    pen.beginPath();
    pen.ellipse(Math.random() * 256, 12 + Math.random() * 104, 4 + Math.random() * 22, 2 + Math.random() * 6, Math.random() * 0.5, 0, 7);
    pen.fill();
  }
  if (colours[2].startsWith("#f2")) {
    pen.fillStyle = colours[2];
    pen.fillRect(0, 0, 256, 9);
    pen.fillRect(0, 117, 256, 11);
  }
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  return texture;
};

class Planet {
  state = "tray"; // tray, held, homeward, placed
  hand = null;
  offset = new THREE.Vector3();
  since = 0;
  from = new THREE.Vector3();

  constructor(told, home) {
    Object.assign(this, { told, home: home.clone().setY(home.y + told.radius) });
    this.mesh = new THREE.Mesh(
      new THREE.SphereGeometry(told.radius, 40, 24), new THREE.MeshStandardMaterial({ map: surface(told.colours), roughness: 0.8, emissive: "#000000" }));
    this.mesh.name = told.name;
    this.mesh.position.copy(this.home);
    this.shade = new THREE.Mesh(
      new THREE.CircleGeometry(told.radius * 1.1, 32).rotateX(-Math.PI / 2), new THREE.MeshBasicMaterial({ color: "#000000", transparent: true, opacity: 0.4 }));
  }

  goHome() {
    if (this.state !== "held") return;
    Object.assign(this, { state: "homeward", hand: null, since: 0 });
    this.from.copy(this.mesh.position);
  }

  update(passed) {
    this.mesh.rotation.y += passed * 0.4;
    if (this.state === "homeward") {
      this.since += passed;
      const share = Math.min(1, this.since / HOMEWARD), eased = share * share * (3 - 2 * share);
      this.mesh.position.lerpVectors(this.from, this.home, eased).y += 0.06 * Math.sin(Math.PI * share);
      if (share === 1) this.state = "tray";
    }
    this.shade.position.set(this.mesh.position.x, TRAY[0].y + 0.0022, this.mesh.position.z);
    this.shade.visible = this.state !== "held";
  }
}

export class Game {
  #moving = null; // { hand, last } while the sun is held
  #point = new THREE.Vector3();

  constructor(board, told, finder, card) {
    Object.assign(this, { board, finder, card });
    this.planets = told.planets.map((one) => new Planet(one, TRAY[told.tray.indexOf(one.name)]));
    for (const planet of this.planets) board.group.add(planet.mesh, planet.shade);
    this.flashes = this.board.slots.map(() => 0);
    this.done = new Panel("done", 0.36, 0.13, RIGHT);
    this.done.say("Well done!", "Mercury, Venus, Earth, Mars: all four are on their way around the sun.");
    board.group.add(this.done.mesh);
    this.done.mesh.position.set(0, 0.2, -0.1);
    finder.pose(board.group);
  }

  isHolding(hand) {
    return this.#moving?.hand === hand || this.planets.some((planet) => planet.hand === hand);
  }

  letGoAll() {
    for (const planet of this.planets) planet.goHome();
    this.#moving = null;
  }

  update(passed, hands, head) {
    this.finder.pose(this.board.group);
    for (const hand of hands) {
      if (hand.pinched && !this.isHolding(hand)) this.#take(hand);
      if (hand.grabbed && !this.#moving && !this.isHolding(hand)) this.#seize(hand);
    }
    this.#moveBoard();
    for (const planet of this.planets) {
      if (planet.state === "held") this.#carry(planet);
      planet.update(passed);
    }
    this.#glow(hands);
    this.#flash(passed);
    this.done.mesh.visible = this.planets.every((planet) => planet.state === "placed");
    if (this.done.mesh.visible) this.done.mesh.lookAt(head);
  }

  // --- planets ---

  #nearest(hand) {
    let [found, least] = [null, REACH];
    for (const planet of this.planets) {
      if (planet.state !== "tray" && planet.state !== "homeward") continue;
      const away = planet.mesh.getWorldPosition(this.#point).distanceTo(hand.pinchPoint) - planet.told.radius;
      if (away < least) [found, least] = [planet, away];
    }
    return found;
  }

  #take(hand) {
    const planet = this.#nearest(hand);
    if (!planet) return;
    Object.assign(planet, { state: "held", hand });
    planet.offset.subVectors(planet.mesh.getWorldPosition(this.#point), hand.pinchPoint);
    this.card.say(planet.told.title, planet.told.fact);
  }

  #carry(planet) {
    const { hand } = planet;
    if (!hand.tracked) {
      planet.goHome();
    } else if (hand.pinching) {
      planet.mesh.position.copy(this.board.group.worldToLocal(this.#point.addVectors(hand.pinchPoint, planet.offset)));
    } else {
      this.#drop(planet);
    }
  }

  #drop(planet) {
    const { x, y, z } = planet.mesh.position;
    const index = SLOTS.findIndex((slot) => Math.hypot(x - slot.x, z - slot.z) < OVER && y - slot.y < HIGH && y > 0);
    if (index + 1 === planet.told.order) {
      Object.assign(planet, { state: "placed", hand: null });
      planet.mesh.position.copy(SLOTS[index]).y += planet.told.radius;
      this.board.slots[index].material.color.set(RIGHT);
      return;
    }
    if (index >= 0 && !this.planets.some((other) => other.state === "placed" && other.told.order === index + 1)) this.flashes[index] = FLASH;
    planet.goHome();
  }

  #glow(hands) {
    for (const planet of this.planets) {
      const near = planet.state === "tray" && hands.some((hand) => hand.tracked && this.#nearest(hand) === planet);
      planet.mesh.material.emissive.set(near || planet.state === "held" ? "#4a4630" : "#000000");
    }
  }

  #flash(passed) {
    this.flashes.forEach((left, index) => {
      if (left <= 0) return;
      this.flashes[index] = left - passed;
      this.board.slots[index].material.color.set(left - passed > 0 ? WRONG : FREE);
    });
  }

  // --- the board ---

  #seize(hand) {
    if (this.board.sun.getWorldPosition(this.#point).distanceTo(hand.palm.position) > SUN_REACH) return;
    this.#moving = { hand, last: hand.palm.position.clone() };
  }

  #moveBoard() {
    if (!this.#moving) return;
    const { hand, last } = this.#moving;
    if (!hand.tracked || !hand.grabbing) {
      this.#moving = null;
      return;
    }
    const way = hand.palm.position.clone().sub(last);
    last.copy(hand.palm.position);
    if (way.length() > 0) this.finder.slide(way);
    this.finder.pose(this.board.group);
  }
}
