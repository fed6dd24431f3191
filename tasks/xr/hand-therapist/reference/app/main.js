// Hand Therapist: one loop. The plan may come before or after the session begins; panels are placed by where the head is.
import * as THREE from "three";
import { fetchPlan } from "../clinic.js";
import { Course } from "./course.js";
import { Hands } from "./hands.js";
import { Panel, Ring } from "./panels.js";

const TOUCH = 0.008; // metres from the fingertip to the button's surface
const AHEAD = 0.75; // metres to the panels
const FOLLOW = 0.2; // radians that the head may turn away before a panel comes along

const renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true });
renderer.setSize(innerWidth, innerHeight);
renderer.xr.enabled = true;
renderer.xr.setReferenceSpaceType("local-floor");
document.body.append(renderer.domElement);
const scene = new THREE.Scene(), camera = new THREE.PerspectiveCamera(70, innerWidth / innerHeight, 0.02, 30);
scene.add(new THREE.AmbientLight(0xffffff, 2));

const hands = new Hands(renderer, scene);
const prompt = new Panel("prompt", 0.44, 0.032, 4), summary = new Panel("summary", 0.44, 0.032, 8), notice = new Panel("notice", 0.44, 0.032, 4);
const panels = [prompt, summary, notice];
const ring = new Ring();
const desk = new THREE.Group(); // where the buttons are, before the person
const buttons = ["left", "right"].map((side) => {
  const button = new Panel(`choose-${side}`, 0.11, 0.045, 2, 0.02);
  button.say(side === "left" ? "Left" : "Right", "hand");
  button.mesh.position.set(side === "left" ? -0.11 : 0.11, 0, 0);
  desk.add(button.mesh);
  return Object.assign(button, { side });
});
scene.add(desk, ring.mesh, ...panels.map((panel) => panel.mesh));

let course = null, failed = false, chosen = null, placed = false;
notice.say("No exercises", "The plan of exercises could not be read.", "Please ask your therapist.");
fetchPlan()
  .then((plan) => {
    course = new Course(plan);
    failed = course.exercises.length === 0;
  })
  .catch(() => (failed = true));

document.querySelector("#enter").addEventListener("click", async () => {
  try {
    const session = await navigator.xr.requestSession("immersive-ar", { requiredFeatures: ["local-floor"], optionalFeatures: ["hand-tracking"] });
    await renderer.xr.setSession(session);
  } catch (error) {
    document.querySelector("#trouble").textContent = `No AR here: ${error.message}`;
  }
});

// --- choosing ---

const head = new THREE.Vector3(), looking = new THREE.Quaternion(), ahead = new THREE.Vector3();
const placeDesk = () => {
  const heading = Math.atan2(-ahead.x, -ahead.z);
  desk.position.set(-Math.sin(heading), 0, -Math.cos(heading)).multiplyScalar(0.42).add(head).setY(head.y - 0.22);
  desk.rotation.set(-0.45, heading, 0, "YXZ"); // leaning back, to the eyes
  desk.updateMatrixWorld(true);
  placed = true;
};
const half = new THREE.Vector3(0.055, 0.045, 0.01), point = new THREE.Vector3();
const away = (tip, mesh) => mesh.worldToLocal(point.copy(tip)).distanceTo(point.clone().clamp(half.clone().negate(), half));
const choose = () => {
  for (const hand of hands.all) {
    if (!hand.tracked) continue;
    const touched = buttons.find((button) => away(hand.tip, button.mesh) <= TOUCH);
    if (touched) chosen = hands[touched.side];
  }
};

// --- panels before the eyes ---

let heading = null;
const bring = (panel) => {
  const now = Math.atan2(ahead.x, ahead.z);
  if (heading === null || Math.abs(Math.atan2(Math.sin(now - heading), Math.cos(now - heading))) > FOLLOW) heading = now;
  panel.mesh.position.set(Math.sin(heading), 0, Math.cos(heading)).multiplyScalar(AHEAD).add(head);
  panel.mesh.lookAt(head);
};
const tell = () => {
  const asked = course?.asked;
  if (asked) prompt.say(asked.title, `${course.count} of ${asked.repetitions}`, `with your ${chosen.side} hand, ${course.hold} seconds`);
  else if (course) summary.say("Well done!", ...course.done.map(({ title, repetitions }) => `${title}: ${repetitions}`));
};

let before = 0;
renderer.setAnimationLoop((time, frame) => {
  const passed = Math.min((time - before) / 1000, 0.1); // after a pause no frames have been missed
  before = time;
  const viewer = frame?.getViewerPose(renderer.xr.getReferenceSpace());
  if (viewer) {
    head.copy(viewer.transform.position);
    looking.copy(viewer.transform.orientation);
    ahead.set(0, 0, -1).applyQuaternion(looking);
    hands.read();
    const ready = course !== null && !failed;
    if (ready && !placed) placeDesk();
    if (ready && !chosen) choose();
    for (const button of buttons) button.mesh.visible = ready && chosen === null;
    if (chosen) {
      course.update(passed, chosen);
      tell();
    }
    notice.mesh.visible = failed;
    prompt.mesh.visible = chosen !== null && course.asked !== null;
    summary.mesh.visible = chosen !== null && course.asked === null;
    ring.mesh.visible = false;
    if (prompt.mesh.visible) ring.show(chosen, course.share);
    panels.forEach(bring);
  }
  renderer.render(scene, camera);
});
