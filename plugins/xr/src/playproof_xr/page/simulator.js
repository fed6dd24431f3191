// The desktop simulator of XR Blocks, in the place of a headset: it starts by itself where a browser has none. The device of the emulator
// is moved as ever, but the page does not find it; in each frame, before the page's own callbacks, its head and hands are carried over to
// the simulator (`?debug=1` shows the SDK to us as `window.xb`).
const simulator = { core: null, since: null, down: { __proto__: null, left: false, right: false } };

const inside = (outer, matrix) => multiply(invertAffine(outer) ?? identity(), matrix);
const toArray = (matrix) => ({ t: [matrix[12], matrix[13], matrix[14]], r: rotationOf(matrix) });

const moveHand = (side, index) => {
  const hand = device.hands[side], core = simulator.core, { hands, simulatorControllerState } = core.simulator;
  const ray = globalMatrix(hand.inputSource.targetRaySpace);
  const local = inside(globalMatrix(deviceState.viewerSpace), ray), turn = rotationOf(local);
  simulatorControllerState.localControllerPositions[index].set(local[12], local[13], local[14]);
  simulatorControllerState.localControllerOrientations[index].set(turn[0], turn[1], turn[2], turn[3]);
  const joints = [];
  let count = 0;
  eachJoint(hand, (name, space) => own(joints, count++, toArray(inside(ray, globalMatrix(space)))));
  if (index === 0) hands.setLeftHandJoints(joints);
  else hands.setRightHandJoints(joints);
};
// A pinch begins and ends for the SDK as its simulator's own hands let it.
const pinchHand = (side, index) => {
  const { input } = simulator.core, { pinchValue } = device.hands[side];
  const begins = !simulator.down[side] && pinchValue >= xr.press, ends = simulator.down[side] && pinchValue < xr.release;
  if (!begins && !ends) return;
  simulator.down[side] = begins;
  const type = begins ? "selectstart" : "selectend";
  record(type, side);
  input.dispatchEvent({ type, target: input.controllers[index], data: { handedness: side } });
};

const embody = () => {
  deviceState.updateViews();
  for (let index = 0; index < 2; index++) device.hands[HANDS[index]].onFrameStart({ __proto__: null, session: null });
  if (!simulator.core) return;
  const { camera } = simulator.core, { position, quaternion } = device;
  camera.position.set(position.x, position.y, position.z);
  camera.quaternion.set(quaternion.x, quaternion.y, quaternion.z, quaternion.w);
  camera.updateMatrixWorld();
  for (let index = 0; index < 2; index++) moveHand(HANDS[index], index);
  for (let index = 0; index < 2; index++) pinchHand(HANDS[index], index);
};

// From here on nobody moves it but us: its keyboard and mouse are off, and its hands are held out, connected.
const takeOver = (core) => {
  simulator.core = core;
  three.only = core.scene;
  const { simulator: running, renderer, camera } = core;
  running.controls.setEnabled(false);
  running.controls.setSimulatorMode("Hands");
  running.options.renderToRenderTexture = false; // else the app's scene is drawn into a texture, whether somebody looks or not
  defineProperty(device, "appCanvas", { get: () => renderer.domElement });
  device.fovy = (camera.fov * PI) / 180;
  events.session = { renderState: { depthNear: camera.near, depthFar: camera.far } };
  events.mode = "simulator";
  events.began = clock.state.now;
  record("sessionstart");
};

const lookForSimulator = () => {
  const core = simulator.core ? null : window.xb?.core;
  if (core?.simulatorRunning === true && core.simulator) takeOver(core);
};
// While the SDK starts, our time stands still: models are parsed in real time, and how many frames that takes would be chance. But for
// so long alone: what an app waits for in its own `init` may need our time.
const LONGEST_START_MS = 8000;
const isStarting = () => {
  if (!isSimulator || simulator.core || window.xb?.core?.lifecycle !== "initializing") return false;
  simulator.since = simulator.since ?? milliseconds();
  return milliseconds() - simulator.since < LONGEST_START_MS;
};

if (isSimulator) {
  const begin = () => {
    clock.requestFrame(realm, begin); // before all that the page asks for in this frame
    lookForSimulator();
    embody();
    if (simulator.core) events.frames++;
  };
  clock.requestFrame(realm, begin);
  // This is a task after the SDK's: its picture has gone from the canvas, and a film needs it once more.
  const end = () => {
    clock.requestIdle(realm, end);
    if (!simulator.core) return;
    if (filming.every > 0 && clock.state.frames % filming.every === 0) engine().redraw();
    framed();
  };
  clock.requestIdle(realm, end);
}
