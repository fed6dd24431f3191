// Furniture Planner: one script. Floor, hands and catalogue are looked at in every frame; what comes late is taken when it comes.
import * as THREE from "three";
import * as xb from "xrblocks";
import { Hand } from "./hands.js";
import { Panel } from "./panels.js";
import { Piece } from "./pieces.js";
import { Floor, gapBetween } from "./room.js";

const CARD_REACH = 0.05, PIECE_REACH = 0.04, HANDS_REACH = 0.7; // metres
const AHEAD = 0.5, BELOW = 0.32; // of the catalogue, from the eyes
const TOO_FAR = 1.2, PATIENCE = 0.5; // metres, seconds until the catalogue comes along

class Planner extends xb.Script {
  floor = new Floor();
  hands = [new Hand(0), new Hand(1)];
  pieces = [];
  cards = [];
  told = null; // the catalogue's file, once it is there
  grip = null; // what is held by two hands: see #begin
  last = null; // the piece that was held last
  away = 0;
  head = new THREE.Vector3();
  looking = new THREE.Quaternion();
  before = 0;

  init() {
    const lamp = new THREE.DirectionalLight(0xffffff, 1.5);
    lamp.position.set(0.5, 2, 1);
    this.add(new THREE.HemisphereLight(0xffffff, 0x9a8f80, 1.8), lamp);
    this.hint = new Panel("hint", 0.6, 0.12);
    this.hint.say("Look at the floor, please", 0.42);
    this.measure = new Panel("measure", 0.32, 0.14, "#10301ef0");
    this.catalogue = new THREE.Mesh(new THREE.BoxGeometry(0.5, 0.22, 0.008), new THREE.MeshStandardMaterial({ color: "#2b3346" }));
    this.catalogue.name = "catalogue";
    this.catalogue.visible = false;
    this.add(this.hint.mesh, this.measure.mesh, this.catalogue);
    fetch("./assets/catalogue.json").then((reply) => reply.json()).then((told) => this.#stock(told));
  }

  #stock(told) {
    const known = told.page.map((id) => told.pieces.find((one) => one.id === id)).filter(Boolean);
    known.forEach((one, index) => {
      const piece = new Piece(one), card = new Panel(`card-${one.id}`, 0.12, 0.12, one.colour);
      card.say(one.title, 0.17);
      card.mesh.position.set((index - (known.length - 1) / 2) * 0.15, 0, 0.012);
      this.catalogue.add(card.mesh);
      this.cards.push({ card, piece });
      this.pieces.push(piece);
      this.add(piece.mesh);
    });
    this.told = told;
  }

  onXRSessionStarted(session) {
    session.addEventListener("visibilitychange", () => {
      if (session.visibilityState !== "visible") for (const piece of this.pieces) if (piece.state === "held") this.#letGo(piece, false);
    });
  }

  update(time, frame) {
    const space = xb.core.renderer.xr.getReferenceSpace(), viewer = space && frame?.getViewerPose(space);
    if (!viewer) return;
    const passed = Math.min(0.1, (time - this.before) / 1000);
    this.before = time;
    this.head.copy(viewer.transform.position);
    this.looking.copy(viewer.transform.orientation);
    this.floor.update(frame);
    for (const hand of this.hands) hand.update();
    const ready = this.told && this.floor.height !== null;
    this.hint.mesh.visible = !ready;
    if (!ready) this.#ahead(this.hint.mesh, 0.9, 0.1);
    else this.#plan(passed);
  }

  #plan(passed) {
    this.#keepNear(passed);
    for (const hand of this.hands) if (hand.pinched) this.#take(hand);
    for (const piece of this.pieces) {
      if (piece.state === "held") this.#carry(piece);
      else piece.mesh.position.y = this.floor.height;
      piece.mesh.visible = piece.state !== "stored";
    }
    for (const { card, piece } of this.cards) card.mesh.visible = piece.state === "stored";
    this.#showMeasure();
  }

  // --- taking and carrying ---

  #nearest(choices, reach) {
    const best = choices.sort((a, b) => a.away - b.away)[0];
    return best && best.away < reach ? best.piece : null;
  }

  #take(hand) {
    const middle = new THREE.Vector3();
    const stored = this.cards.filter(({ piece }) => piece.state === "stored")
      .map(({ card, piece }) => ({ piece, away: card.mesh.getWorldPosition(middle).distanceTo(hand.point) }));
    const standing = this.pieces.filter((piece) => piece.state === "standing").map((piece) => ({ piece, away: piece.away(hand.point) }));
    const piece = this.#nearest(stored, CARD_REACH) ?? this.#nearest(standing, PIECE_REACH);
    if (piece) this.#pickUp(piece, hand);
    else this.#join(hand);
  }

  #pickUp(piece, hand) {
    piece.remember();
    if (piece.state === "stored") {
      piece.stand(hand.point, this.floor.height, Math.atan2(this.head.x - hand.point.x, this.head.z - hand.point.z), 1);
    }
    Object.assign(piece, { state: "held", holders: [hand] });
    this.last = piece;
    this.#begin(piece);
  }

  #join(hand) {
    const piece = this.pieces.find((one) => one.state === "held" && one.holders.length === 1 && one.holders[0] !== hand &&
      one.holders[0].point.distanceTo(hand.point) < HANDS_REACH);
    if (!piece) return;
    piece.holders.push(hand);
    this.#begin(piece);
  }

  /** Note how hands and piece stand to each other: what changes from here on is what the hands do. */
  #begin(piece) {
    piece.start = { ...this.#hold(piece.holders), place: piece.mesh.position.clone(), yaw: piece.yaw, scale: piece.scale };
  }

  #hold(holders) {
    const [a, b] = [holders[0].point, holders.at(-1).point];
    return { middle: a.clone().lerp(b, 0.5), apart: a.distanceTo(b), turn: Math.atan2(b.x - a.x, b.z - a.z) };
  }

  #carry(piece) {
    const lost = piece.holders.some((hand) => !hand.tracked), left = piece.holders.filter((hand) => hand.pinching);
    const fine = this.floor.carries(piece.footprint());
    if (left.length === 0) return this.#letGo(piece, fine && !lost);
    if (left.length < piece.holders.length) {
      piece.holders = left;
      this.#begin(piece);
    }
    const { start } = piece, now = this.#hold(piece.holders), two = piece.holders.length === 2;
    const [least, most] = this.told.scale;
    const scale = two ? THREE.MathUtils.clamp((start.scale * now.apart) / start.apart, least, most) : start.scale;
    piece.stand(start.place.clone().add(now.middle).sub(start.middle), this.floor.height, two ? start.yaw + now.turn - start.turn : start.yaw, scale);
    piece.mark(this.floor.carries(piece.footprint()));
  }

  #letGo(piece, stays) {
    piece.holders = [];
    piece.state = "standing";
    if (!stays) piece.goBack(this.floor.height);
  }

  // --- panels ---

  #ahead(mesh, away, below) {
    const way = new THREE.Vector3(0, 0, -1).applyQuaternion(this.looking).setY(0);
    if (way.lengthSq() < 0.01) way.set(0, 1, 0).applyQuaternion(this.looking).setY(0);
    mesh.position.copy(this.head).addScaledVector(way.normalize(), away).setY(this.head.y - below);
    mesh.lookAt(this.head);
  }

  #keepNear(passed) {
    const { position } = this.catalogue;
    this.away = Math.hypot(position.x - this.head.x, position.z - this.head.z) > TOO_FAR ? this.away + passed : 0;
    if (this.catalogue.visible && this.away < PATIENCE) return;
    this.catalogue.visible = true;
    this.away = 0;
    this.#ahead(this.catalogue, AHEAD, BELOW);
    this.catalogue.updateMatrixWorld(true);
  }

  #showMeasure() {
    const shown = this.pieces.filter((piece) => piece.state !== "stored");
    const from = shown.includes(this.last) ? this.last : shown[0];
    const others = shown.filter((piece) => piece !== from).map((piece) => ({ piece, gap: gapBetween(from.footprint(), piece.footprint()) }));
    this.measure.mesh.visible = others.length > 0;
    if (!others.length) return;
    const { piece, gap } = others.sort((a, b) => a.gap - b.gap)[0];
    this.measure.say(`${gap.toFixed(2)} m`, 0.6);
    this.measure.mesh.position.lerpVectors(from.mesh.position, piece.mesh.position, 0.5).setY(this.floor.height + 0.95);
    this.measure.face(this.head);
  }
}

xb.add(new Planner());
const options = new xb.Options();
options.enableHands();
options.enablePlaneDetection();
options.xrButton.startText = "Enter AR";
xb.init(options);
