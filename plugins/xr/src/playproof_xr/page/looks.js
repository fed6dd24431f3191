// What can be asked from outside: apply a body, let time pass, look. Everything is in the session's frame, `local-floor`.
const HANDS = ["left", "right"];

const globalMatrix = (space) => {
  let matrix = identity();
  for (let at = space; at; at = kept(at, "xr-space").parentSpace) matrix = multiply(copyMatrix(kept(at, "xr-space").offsetMatrix), matrix);
  return matrix;
};

// --- the body ---

const placed = { __proto__: null, head: null, left: null, right: null, "left controller": null, "right controller": null };
const place = (input, seven, name) => {
  input.position.set(seven[0], seven[1], seven[2]);
  input.quaternion.set(seven[3], seven[4], seven[5], seven[6]);
  placed[name] = { input, seven };
};
// Whether somebody else has moved what we put: the device hangs on what the page is given, under a symbol.
const differ = (a, b) => !(a - b < 1e-6 && b - a < 1e-6);
const isForged = (held) => {
  if (held === null) return false;
  const { position, quaternion } = held.input, { seven } = held;
  return differ(position.x, seven[0]) || differ(position.y, seven[1]) || differ(position.z, seven[2]) || differ(quaternion.x, seven[3]) ||
    differ(quaternion.y, seven[4]) || differ(quaternion.z, seven[5]) || differ(quaternion.w, seven[6]);
};
const forged = () => {
  let names = "";
  for (const name in placed) if (isForged(placed[name])) names += (names ? ", " : "") + name;
  return names;
};
const given = { __proto__: null, left: null, right: null }; // joints and grip that were given, in the session's frame
for (const side of HANDS) {
  const hand = device.hands[side];
  const usual = hand.updateHandPose.bind(hand);
  hand.updateHandPose = () => {
    if (given[side]) poseHand(hand, given[side]);
    else usual();
  };
}
const poseHand = (hand, joints) => {
  const inverse = invertAffine(compose(
    [hand.position.x, hand.position.y, hand.position.z], [hand.quaternion.x, hand.quaternion.y, hand.quaternion.z, hand.quaternion.w]));
  const set = (space, numbers, at) => {
    const matrix = multiply(inverse, compose([numbers[at], numbers[at + 1], numbers[at + 2]], [numbers[at + 3], numbers[at + 4], numbers[at + 5], numbers[at + 6]]));
    const into = kept(space, "xr-space").offsetMatrix;
    for (let index = 0; index < 16; index++) into[index] = matrix[index];
  };
  let at = 0;
  eachJoint(hand, (name, space) => {
    set(space, joints.numbers, at);
    kept(space, "xr-joint-space").radius = joints.numbers[at + 7];
    at += 8;
  });
  if (joints.grip) set(hand.inputSource.gripSpace, joints.grip, 0);
};
const eachJoint = (hand, take) => mapEach(hand.inputSource.hand, (space, name) => take(name, space));

const applyHand = (side, state) => {
  const hand = device.hands[side];
  if (state.tracked !== undefined) hand.connected = state.tracked;
  if (state.ray) place(hand, state.ray, side);
  if (state.joints !== undefined) given[side] = state.joints ? { numbers: state.joints, grip: state.grip ?? null } : null;
  if (state.pinch !== undefined) hand.updatePinchValue(state.pinch);
};
const applyController = (side, state) => {
  const controller = device.controllers[side];
  if (state.tracked !== undefined) controller.connected = state.tracked;
  if (state.ray) place(controller, state.ray, side + " controller");
  const names = state.buttons ? keys(state.buttons) : [];
  for (let index = 0; index < names.length; index++) controller.updateButtonValue(names[index], state.buttons[names[index]]);
  if (state.stick) controller.updateAxes("thumbstick", state.stick[0], state.stick[1]);
};
const applyBody = (body) => {
  if (body.room) applyRoom(body.room);
  if (body.tracking) tracking = body.tracking;
  if (body.head) place(device, body.head, "head");
  if (body.mode) device.primaryInputMode = body.mode;
  if (body.gaze !== undefined) gaze.value = body.gaze;
  if (body.visibility) device.updateVisibilityState(body.visibility);
  if (body.watch) watchObjects(body.watch);
  for (let index = 0; index < 2; index++) {
    const side = HANDS[index];
    if (body.hands?.[side]) applyHand(side, body.hands[side]);
    if (body.controllers?.[side]) applyController(side, body.controllers[side]);
  }
};

// --- what the eye can see ---

const viewOf = () => {
  const canvas = device.appCanvas;
  const aspect = canvas && canvas.height ? canvas.width / canvas.height : 1;
  const inverse = invertAffine(globalMatrix(deviceState.viewerSpace)) ?? identity();
  const { depthNear, depthFar } = events.session?.renderState ?? { depthNear: 0.1, depthFar: 1000 };
  return { inverse, slope: tangent(device.fovy / 2), aspect, near: depthNear, far: depthFar };
};
const tangent = Math.tan;
const toEye = (x, y, z, view) => {
  const m = view.inverse;
  return [m[0] * x + m[4] * y + m[8] * z + m[12], m[1] * x + m[5] * y + m[9] * z + m[13], m[2] * x + m[6] * y + m[10] * z + m[14]];
};
// Outside which planes of the view a point lies, as bits.
const outside = (x, y, z, view) => {
  const eye = toEye(x, y, z, view);
  const depth = -eye[2], high = depth * view.slope, wide = high * view.aspect;
  return (depth < view.near) | ((depth > view.far) << 1) | ((eye[0] > wide) << 2) | ((eye[0] < -wide) << 3) | ((eye[1] > high) << 4) | ((eye[1] < -high) << 5);
};
const pointInView = (x, y, z, view) => outside(x, y, z, view) === 0;
const boxInView = (box, view) => {
  let common = 63;
  for (let corner = 0; corner < 8; corner++) common &= outside(box[corner & 1 ? 3 : 0], box[corner & 2 ? 4 : 1], box[corner & 4 ? 5 : 2], view);
  return common === 0;
};

// --- texts of evidence ---

const planesText = () => {
  let text = "[";
  let count = 0;
  setEach(environment.trackedPlanes, (plane) => {
    let polygon = "[";
    for (let index = 0; index < plane.polygon.length; index++) {
      polygon += (index ? "," : "") + "[" + numberText(plane.polygon[index].x) + "," + numberText(plane.polygon[index].z) + "]";
    }
    const matrix = copyMatrix(plane.transform.matrix);
    const up = matrix[5] < 0 ? -matrix[5] : matrix[5];
    const id = mapGet(planeIds, plane) ?? "plane-" + count;
    text += (count++ ? "," : "") + '{"id":' + stringText(id) + ',"label":' + stringText(plane.semanticLabel) + ',"orientation":"' +
      (up > 0.5 ? "horizontal" : "vertical") + '","matrix":' + numbersText(matrix, 16) + ',"polygon":' + polygon + "]}";
  });
  return text + "]";
};
const sceneText = () => {
  let objects = "";
  const nodes = collect((described) => void (objects += (objects ? "," : "") + described), viewOf());
  return '{"engine":"' + engine().name() + '","revision":' + stringText(engine().revision()) + ',"objects":[' + objects +
    '],"left_off":' + nodes.left_off + ',"faults":' + stringify(slice(nodes.faults, 0, 500)) + ',"planes":' + planesText() + "}";
};

const sourceText = (input) => {
  const source = input.inputSource;
  const pad = source.gamepad;
  let buttons = "";
  for (let index = 0; pad && index < pad.buttons.length; index++) buttons += (index ? "," : "") + numberText(pad.buttons[index].value);
  const axes = pad ? pad.axes : [];
  let sticks = "";
  for (let index = 0; index < axes.length; index++) sticks += (index ? "," : "") + numberText(axes[index] ?? 0);
  const kind = source.targetRayMode === "gaze" ? "gaze" : source.hand ? "hand" : "controller";
  return '{"handedness":"' + source.handedness + '","kind":"' + kind + '","ray":' + numbersText(globalMatrix(source.targetRaySpace), 16) +
    ',"grip":' + (source.gripSpace ? numbersText(globalMatrix(source.gripSpace), 16) : "null") + ',"buttons":[' + buttons + '],"axes":[' + sticks + "]}";
};
const handText = (side) => {
  const hand = device.hands[side];
  const tracked = device.primaryInputMode === "hand" && hand.connected;
  let joints = "";
  eachJoint(hand, (name, space) => {
    const matrix = globalMatrix(space);
    joints += (joints ? "," : "") + '"' + name + '":{"position":' + numbersText([matrix[12], matrix[13], matrix[14]], 3) + ',"orientation":' +
      numbersText(rotationOf(matrix), 4) + ',"radius":' + numberText(kept(space, "xr-joint-space").radius) + "}";
  });
  return '{"tracked":' + tracked + ',"pinch":' + numberText(hand.pinchValue) + ',"joints":{' + joints + "}}";
};
const userText = () => {
  const active = device.activeInputs;
  let sources = "";
  for (let index = 0; index < active.length; index++) sources += (index ? "," : "") + sourceText(active[index]);
  return '{"head":' + numbersText(globalMatrix(deviceState.viewerSpace), 16) + ',"hands":{"left":' + handText("left") + ',"right":' + handText("right") +
    '},"inputs":[' + sources + "]" + (tracking === "full" ? "" : ',"tracking":"' + tracking + '"') + "}";
};
const eventsText = () => {
  let text = "[";
  for (let at = events.list.first; at; at = at.next) {
    const { tick, kind, handedness, more } = at.value;
    text += (at === events.list.first ? "" : ",") + '{"tick":' + numberText(tick) + ',"kind":"' + kind + '"' +
      (handedness ? ',"handedness":"' + handedness + '"' : "") + (more ? ',"detail":' + stringText(more) : "") + "}";
  }
  return text + "]";
};

// --- verbs ---

// Whether anything of the emulator's has been replaced since it was put in.
const guarded = [];
let guardedCount = 0;
const guard = (object, name) => own(guarded, guardedCount++, { object, name, described: getOwnPropertyDescriptor(object, name) });
for (const type of ["XRSystem", "XRSession", "XRFrame", "XRReferenceSpace", "XRWebGLLayer", "XRInputSource", "XRHand", "XRJointPose", "XRPose", "XRViewerPose", "XRView",
  "XRRigidTransform", "XRSpace", "XRJointSpace"]) {
  for (const name of Object.getOwnPropertyNames(xrTypes[type].prototype)) if (name !== "constructor") guard(xrTypes[type].prototype, name);
}
if (!isSimulator) guard(navigator, "xr");
guard(window, "__THREE_DEVTOOLS__");
const patched = () => {
  let names = "";
  for (let index = 0; index < guardedCount; index++) {
    const { object, name, described } = guarded[index];
    const now = getOwnPropertyDescriptor(object, name);
    if (!now || now.value !== described.value || now.get !== described.get) names += (names ? " " : "") + name;
  }
  return names;
};

const xrStatus = () => {
  if (isSimulator) lookForSimulator();
  return answer({
    __proto__: null,
    now: clock.state.now, frames: clock.state.frames, pending: clock.state.busy() || isStarting(), tampered: notices.tampered,
    session: events.session !== null, mode: events.mode, session_frames: events.frames, refusal: events.refusal, offered: device.sessionOffered, events: events.count,
    rendered: three.renderCount, stale: gate.stale ? gate.stale.frame : -1, stale_by: gate.stale ? gate.stale.what : "",
    forged: forged(), permissions: seen.permissions, lost: seen.lost, restored: seen.restored, left_out: gate.left_out, drawn: gate.drawn,
  });
};

// Each step is ticks, and what the headset tells before they pass.
const playFrom = (steps, index) => {
  while (index < steps.length) {
    const ticks = steps[index][0], body = steps[index][1];
    index++;
    if (body) applyBody(body);
    if (ticks > 0) return then(clock.advance(ticks), () => playFrom(steps, index));
  }
  return xrStatus();
};
verbs.xrPlay = (steps) => playFrom(steps, 0);
verbs.xrLook = (what) => "=" + (what === "scene" ? sceneText() : what === "user" ? userText() : eventsText());
verbs.xrGrant = () => answer({ __proto__: null, granted: grant() });
verbs.xrPatched = () => answer({ __proto__: null, emulator: patched(), clock: overridden("clock"), gate: overridden("gate") });
verbs.xrDraw = () => {
  gate.open = true;
  try {
    environment.render();
    return answer({ __proto__: null, drawn: engine().redraw() });
  } finally {
    gate.open = gate.always;
  }
};
verbs.xrGate = (open) => {
  gate.open = open || gate.always;
  return answer({ __proto__: null, open: gate.open });
};
if (xr.body) applyBody(xr.body);
