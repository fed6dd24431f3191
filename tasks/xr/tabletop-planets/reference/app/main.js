// Tabletop Planets: one loop. Hands and planes are read anew in every frame; what comes late is taken when it comes.
import * as THREE from "three";
import { makeBoard } from "./board.js";
import { Hands } from "./hands.js";
import { CARD, Panel } from "./panels.js";
import { Game } from "./planets.js";
import { TableFinder } from "./table.js";

const HINT_AHEAD = 0.9; // metres
const HINT_TURN = 0.4; // radians that the head may turn away before the hint comes along

const renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true });
renderer.setSize(innerWidth, innerHeight);
renderer.xr.enabled = true;
renderer.xr.setReferenceSpaceType("local-floor");
document.body.append(renderer.domElement);

const scene = new THREE.Scene();
const camera = new THREE.PerspectiveCamera(70, innerWidth / innerHeight, 0.02, 30);
scene.add(new THREE.HemisphereLight(0xf4f6ff, 0x8a7f74, 1.6));
const lamp = new THREE.DirectionalLight(0xffffff, 1.2);
lamp.position.set(0.4, 2, 0.6);
scene.add(lamp);

const hands = new Hands(renderer, scene);
const finder = new TableFinder();
const hint = new Panel("hint", 0.5, 0.16);
const card = new Panel("palm-card", CARD.width, CARD.height);
hint.say("Look around for a table", "The planets need one to stand on.");
card.say("Pick up a planet", "Pinch one on the tray.");
scene.add(hint.mesh, card.mesh);

let game = null; // begins when both the planets' file and a table are there, whichever comes first
let planets = null;
fetch("./assets/planets.json")
  .then((reply) => reply.json())
  .then((held) => (planets = held))
  .catch(() => hint.say("The planets are missing", "assets/planets.json could not be read."));

document.querySelector("#enter").addEventListener("click", async () => {
  try {
    const session = await navigator.xr.requestSession("immersive-ar", {
      requiredFeatures: ["local-floor"], optionalFeatures: ["hand-tracking", "plane-detection"],
    });
    session.addEventListener("visibilitychange", () => session.visibilityState === "visible" || game?.letGoAll());
    await renderer.xr.setSession(session);
  } catch (error) {
    document.querySelector("#trouble").textContent = `No AR here: ${error.message}`;
  }
});

// --- what is shown beside the board ---

const head = new THREE.Vector3(), looking = new THREE.Quaternion(), ahead = new THREE.Vector3(), spot = new THREE.Vector3();
let hintAt = null;
const placeHint = () => {
  ahead.set(0, 0, -1).applyQuaternion(looking).setY(0);
  if (ahead.lengthSq() < 0.01) return;
  const heading = Math.atan2(ahead.x, ahead.z);
  const turned = hintAt === null ? Infinity : Math.abs(Math.atan2(Math.sin(heading - hintAt), Math.cos(heading - hintAt)));
  if (turned > HINT_TURN) hintAt = heading;
  spot.set(Math.sin(hintAt), 0, Math.cos(hintAt)).multiplyScalar(HINT_AHEAD).add(head);
  hint.mesh.position.lerp(spot.setY(head.y - 0.08), turned === Infinity ? 1 : 0.15);
  hint.mesh.lookAt(head);
};

const SHOWN = Math.cos(THREE.MathUtils.degToRad(45)), GONE = Math.cos(THREE.MathUtils.degToRad(62));
let shownOn = null; // the hand on whose palm the card lies
const toEyes = new THREE.Vector3();
const showsPalm = (hand, bound) => hand.tracked && !hand.pinching && !hand.grabbing && !game?.isHolding(hand) &&
  toEyes.subVectors(head, hand.palm.position).normalize().dot(hand.palm.normal) > bound;
const placeCard = () => {
  if (shownOn && !showsPalm(shownOn, GONE)) shownOn = null;
  shownOn ??= hands.all.find((hand) => showsPalm(hand, SHOWN)) ?? null;
  card.mesh.visible = shownOn !== null && game !== null;
  if (!card.mesh.visible) return;
  const { position, normal, quaternion } = shownOn.palm;
  card.mesh.position.copy(position).addScaledVector(normal, CARD.above);
  card.mesh.quaternion.copy(quaternion);
};

// --- every frame ---

let before = 0;
renderer.setAnimationLoop((time, frame) => {
  const passed = Math.min((time - before) / 1000, 0.1);
  before = time;
  const space = renderer.xr.getReferenceSpace();
  const viewer = frame?.getViewerPose(space);
  if (viewer) {
    head.copy(viewer.transform.position); // between the eyes; a camera's own place is that of one eye
    looking.copy(viewer.transform.orientation);
    hands.update();
    const table = finder.update(frame, space, head);
    if (!game && planets && table) {
      const board = makeBoard();
      scene.add(board.group);
      game = new Game(board, planets, finder, card);
    }
    game?.update(passed, hands.all, head);
    placeHint();
    placeCard();
  }
  hint.mesh.visible = Boolean(viewer) && game === null;
  renderer.render(scene, camera);
});
