// Reach for All: one loop. Whatever the person points with is read anew in each frame, and so is the room until it has a place for us.
import * as THREE from "three";
import { fetchSounds } from "../house.js";
import { Captions } from "./captions.js";
import { Console } from "./console.js";
import { Panel } from "./panels.js";
import { tableSpot, wallSpot } from "./room.js";

const LINE = 0.0135; // metres of a line on the wall, for each metre that it is away

const renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true });
renderer.setSize(innerWidth, innerHeight);
renderer.xr.enabled = true;
renderer.xr.setReferenceSpaceType("local-floor");
document.body.append(renderer.domElement);
const scene = new THREE.Scene(), camera = new THREE.PerspectiveCamera(70, innerWidth / innerHeight, 0.02, 30);

const desk = new Console(), captions = new Captions(), board = new Panel("board", 1.2, 0.4, 4);
board.mesh.visible = false;
scene.add(desk.slab, captions.mesh, board.mesh);
fetchSounds().then((sounds) => (captions.sounds = sounds)).catch(() => {}); // without it there is nothing to caption

const begun = new Set(); // input sources whose select has begun since the frame before
document.querySelector("#enter").addEventListener("click", async () => {
  try {
    const session = await navigator.xr.requestSession("immersive-ar", {
      requiredFeatures: ["local-floor"], optionalFeatures: ["hand-tracking", "plane-detection"],
    });
    session.addEventListener("selectstart", ({ inputSource }) => begun.add(inputSource));
    await renderer.xr.setSession(session);
  } catch (error) {
    document.querySelector("#trouble").textContent = `No AR here: ${error.message}`;
  }
});

const readTips = (frame, space) => {
  const tips = {};
  for (const { hand, handedness } of frame.session.inputSources) {
    const pose = hand && frame.getJointPose(hand.get("index-finger-tip"), space);
    if (pose) tips[handedness] = new THREE.Vector3().copy(pose.transform.position);
  }
  return tips;
};
const readRays = (frame, space) => {
  const rays = [...begun].flatMap(({ targetRaySpace }) => {
    const pose = frame.getPose(targetRaySpace, space);
    if (!pose) return [];
    const { position, orientation } = pose.transform;
    return [{ origin: new THREE.Vector3().copy(position), direction: new THREE.Vector3(0, 0, -1).applyQuaternion(orientation) }];
  });
  begun.clear();
  return rays;
};

let onTable = false, onWall = false;
const settle = (frame, space, { head, ahead }) => {
  if (!onTable && !desk.called) {
    const spot = tableSpot(frame, space, head);
    if (spot) desk.putOn(spot, head);
    else if (!desk.slab.visible) desk.putBefore(head, ahead);
    onTable = Boolean(spot);
  }
  if (onWall) return;
  const wall = wallSpot(frame, space, head, ahead);
  if (!wall) return;
  onWall = board.mesh.visible = true;
  board.mesh.position.copy(wall.at).addScaledVector(wall.out, 0.005);
  board.mesh.lookAt(board.mesh.position.clone().add(wall.out));
  board.mesh.scale.setScalar(Math.max(1, (LINE * 4 * wall.away) / 0.4));
};

let before = 0;
renderer.setAnimationLoop((time, frame) => {
  const passed = Math.min((time - before) / 1000, 0.1);
  before = time;
  const space = renderer.xr.getReferenceSpace(), viewer = frame?.getViewerPose(space);
  if (viewer) {
    const looks = new THREE.Vector3(0, 0, -1).applyQuaternion(viewer.transform.orientation);
    const person = { head: new THREE.Vector3().copy(viewer.transform.position), looks, ahead: looks.clone().setY(0).normalize() };
    settle(frame, space, person);
    desk.update(passed, { ...person, tips: readTips(frame, space), rays: readRays(frame, space) });
    captions.update(passed, person);
    board.say(["The room", ...desk.state]);
  }
  renderer.render(scene, camera);
});
