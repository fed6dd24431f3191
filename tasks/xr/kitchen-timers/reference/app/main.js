// Kitchen Timers: one loop. Hands and planes are read anew in every frame; what comes late is taken when it comes.
import * as THREE from "three";
import { Hands } from "./hands.js";
import { Panel } from "./panels.js";
import { lieOn, surfaceNear } from "./surfaces.js";
import { Timer } from "./timers.js";

const MENU = { width: 0.16, height: 0.075, above: 0.03 }, DIAL = 0.021, STEP = 0.05; // metres
const TOUCH = 0.012, LEAVE = 0.03; // metres from a fingertip to what it touches; and until it may touch again
const SHOWN = Math.cos(THREE.MathUtils.degToRad(47)), GONE = Math.cos(THREE.MathUtils.degToRad(62));

const renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true });
renderer.setSize(innerWidth, innerHeight);
renderer.xr.enabled = true;
renderer.xr.setReferenceSpaceType("local-floor");
document.body.append(renderer.domElement);
const scene = new THREE.Scene(), camera = new THREE.PerspectiveCamera(70, innerWidth / innerHeight, 0.02, 30);
const listener = new THREE.AudioListener();
camera.add(listener);
scene.add(camera);

const hands = new Hands();
const menu = new Panel("menu", MENU.width, MENU.height), caption = new Panel("caption", 0.5, 0.12, { colour: "#7a1f12f0" });
menu.say(" ");
scene.add(menu.mesh, caption.mesh);
let dials = [], labels = [], timers = [], made = 0, shownOn = null;
fetch("./assets/dials.json").then((reply) => reply.json()).then((told) => {
  const known = told.dials.filter((one) => one.seconds > 0);
  dials = known.map((dial, index) => {
    const panel = new Panel(`dial-${dial.id}`, 2 * DIAL, 2 * DIAL, { round: true, colour: dial.colour });
    panel.say(dial.title, `${dial.seconds} s`, 0.34);
    panel.mesh.position.set((index - (known.length - 1) / 2) * STEP, 0, 0.004);
    panel.mesh.visible = true;
    menu.mesh.add(panel.mesh);
    return { dial, mesh: panel.mesh };
  });
  labels = told.surfaces;
});

document.querySelector("#enter").addEventListener("click", async () => {
  listener.context.resume();
  const session = await navigator.xr.requestSession("immersive-ar", {
    requiredFeatures: ["local-floor"], optionalFeatures: ["hand-tracking", "plane-detection"],
  });
  hands.listen(session);
  session.addEventListener("visibilitychange", () => session.visibilityState === "visible" || dropLoose(() => true));
  await renderer.xr.setSession(session);
});

// --- the menu on the palm ---

const head = new THREE.Vector3(), looking = new THREE.Quaternion();
const carries = (hand) => timers.some((timer) => timer.hand === hand);
const showsPalm = (hand, bound) => hand.tracked && !hand.pinching && !hand.closed && !carries(hand) &&
  head.clone().sub(hand.palm.position).normalize().dot(hand.palm.normal) > bound;
const placeMenu = () => {
  if (shownOn && !showsPalm(shownOn, GONE)) shownOn = null;
  shownOn ??= hands.all.find((hand) => showsPalm(hand, SHOWN)) ?? null;
  menu.mesh.visible = shownOn !== null && dials.length > 0;
  if (!menu.mesh.visible) return;
  const { position, normal, quaternion } = shownOn.palm;
  menu.mesh.position.copy(position).addScaledVector(normal, MENU.above);
  menu.mesh.quaternion.copy(quaternion);
  menu.mesh.updateMatrixWorld(true);
};

// --- touches ---

const touched = new Map([[hands.left, null], [hands.right, null]]); // what each fingertip touches
const awayFrom = (mesh, point, radius) => {
  const inner = mesh.worldToLocal(point.clone());
  return Math.hypot(Math.max(0, Math.hypot(inner.x, inner.y) - radius), inner.z);
};
const touch = (hand) => {
  const choices = [
    ...(menu.mesh.visible && shownOn !== hand ? dials.map((one) => ({ thing: one, away: awayFrom(one.mesh, hand.tip, DIAL - 0.003) })) : []),
    ...timers.filter((timer) => timer.state === "ringing").map((timer) => ({ thing: timer, away: timer.away(hand.tip) })),
  ].sort((a, b) => a.away - b.away);
  const [nearest] = choices;
  const before = touched.get(hand);
  if (before) {
    if (!nearest || nearest.away > LEAVE) touched.set(hand, null);
  } else if (nearest && hand.tracked && hand.pointing && nearest.away < TOUCH) {
    touched.set(hand, nearest.thing);
    if (nearest.thing instanceof Timer) nearest.thing.end();
    else if (!carries(hand)) addTimer(nearest.thing.dial, hand);
  }
};
const addTimer = (dial, hand) => {
  const timer = new Timer(++made, dial, hand, listener);
  timers.push(timer);
  scene.add(timer.mesh);
};

// --- pinning ---

const dropLoose = (which) => {
  for (const timer of timers) if (timer.hand && which(timer)) timer.end();
};
const carry = (timer, frame, space) => {
  const { hand } = timer;
  if (timer.state === "held" && !hand.pinching) {
    const place = surfaceNear(frame, space, labels, hand.pinch);
    if (place) timer.pin(place);
    else timer.end();
    return;
  }
  if (hand.pinching) timer.state = "held";
  timer.mesh.position.copy(hand.pinch);
  timer.mesh.lookAt(head);
};

const placeCaption = () => {
  const ringing = timers.filter((timer) => timer.state === "ringing");
  caption.mesh.visible = ringing.length > 0;
  if (!ringing.length) return;
  caption.say(`Ringing: ${ringing.map((timer) => timer.dial.title).join(", ")}`, "", 0.45);
  const ahead = new THREE.Vector3(0, 0, -1).applyQuaternion(looking).setY(0).normalize();
  caption.mesh.position.copy(head).addScaledVector(ahead, 0.9).setY(head.y - 0.2);
  caption.mesh.lookAt(head);
};

// --- every frame ---

renderer.setAnimationLoop((time, frame) => {
  const space = renderer.xr.getReferenceSpace(), viewer = frame?.getViewerPose(space);
  if (viewer) {
    head.copy(viewer.transform.position);
    looking.copy(viewer.transform.orientation);
    hands.update(frame, space);
    dropLoose((timer) => !timer.hand.tracked);
    placeMenu();
    for (const hand of hands.all) touch(hand);
    for (const timer of timers) {
      if (timer.hand) carry(timer, frame, space);
      if (timer.place) timer.place.top = lieOn(frame, space, timer.place, timer.mesh, head);
      timer.tick();
    }
    timers = timers.filter((timer) => timer.state !== "over");
    placeCaption();
  }
  renderer.render(scene, camera);
});
