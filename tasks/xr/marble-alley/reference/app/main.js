// Marble Alley: one loop. Hands and planes are read anew in every frame; what comes late is taken when it comes.
import RAPIER from "rapier";
import * as THREE from "three";
import { Alley, Panel } from "./alley.js";
import { Hands } from "./hands.js";
import { TableFinder } from "./table.js";

const HINT_AHEAD = 0.9; // metres
const HINT_TURN = 0.4; // radians that the head may turn away before the hint comes along
const PAUSE = 0.2; // seconds: longer than that, and nobody was playing

const renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true });
renderer.setSize(innerWidth, innerHeight);
renderer.xr.enabled = true;
renderer.xr.setReferenceSpaceType("local-floor");
document.body.append(renderer.domElement);

const scene = new THREE.Scene();
const camera = new THREE.PerspectiveCamera(70, innerWidth / innerHeight, 0.02, 30);
const lamp = new THREE.DirectionalLight(0xffffff, 1.4);
lamp.position.set(0.4, 2, 0.6);
scene.add(new THREE.HemisphereLight(0xfff6ea, 0x8a7464, 1.5), lamp, camera);

const hands = new Hands(renderer, scene);
const finder = new TableFinder();
const hint = new Panel("hint", 0.5, 0.16);
hint.say("Look around for a table", "The alley needs one to stand on.");
scene.add(hint.mesh);

let alley = null; // begins when all files, the physics and a table are there, whichever comes last
let layout = null, knock = null;
const listener = new THREE.AudioListener();
camera.add(listener);
Promise.all([fetch("./assets/alley.json").then((reply) => reply.json()), RAPIER.init()])
  .then(([told]) => (layout = told))
  .catch(() => hint.say("The alley is missing", "assets/alley.json could not be read."));
new THREE.AudioLoader().loadAsync("./assets/knock.wav").then((buffer) => (knock = buffer), () => {});

document.querySelector("#enter").addEventListener("click", async () => {
  try {
    listener.context.resume();
    await renderer.xr.setSession(await navigator.xr.requestSession("immersive-ar", {
      requiredFeatures: ["local-floor"], optionalFeatures: ["hand-tracking", "plane-detection"],
    }));
  } catch (error) {
    document.querySelector("#trouble").textContent = `No AR here: ${error.message}`;
  }
});

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

let before = 0;
renderer.setAnimationLoop((milliseconds, frame) => {
  const time = milliseconds / 1000, passed = time - before > PAUSE ? 0 : time - before;
  before = time;
  const space = renderer.xr.getReferenceSpace();
  const viewer = frame?.getViewerPose(space);
  if (viewer) {
    head.copy(viewer.transform.position);
    looking.copy(viewer.transform.orientation);
    hands.update(time);
    if (layout && finder.update(frame, space, head, layout.lane)) {
      if (!alley) {
        alley = new Alley(RAPIER, layout, finder, listener);
        scene.add(alley.group);
      }
      alley.knock = knock;
      finder.pose(alley.group);
      alley.update(passed, hands.all, head);
    }
    placeHint();
  }
  hint.mesh.visible = Boolean(viewer) && alley === null;
  renderer.render(scene, camera);
});
