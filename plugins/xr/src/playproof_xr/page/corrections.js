// Where IWER 2.5 departs from the WebXR specification, it is put right here. Each is tested against the specification's own words.
const inputs = [device.controllers.left, device.controllers.right, device.hands.left, device.hands.right];
const dispatch = uncurry(EventTarget.prototype.dispatchEvent);
const SourceEvent = xrTypes.XRInputSourceEvent;
const setEach = uncurry(Set.prototype.forEach);
const mapEach = uncurry(Map.prototype.forEach);

// --- primary actions: start when pressed, then the action and its end when let go; an end alone when it is cancelled ---

const actions = []; // { input, button, name, down }
const fire = (session, frame, input, type) => {
  const source = input.inputSource;
  record(type, source.handedness);
  dispatch(session, new SourceEvent(type, { frame, inputSource: source }));
};
const settleAction = (action, session, frame) => {
  const value = action.state.value;
  if (!action.down && value >= xr.press) {
    action.down = true;
    fire(session, frame, action.input, action.name + "start");
  } else if (action.down && value < xr.release) {
    action.down = false;
    fire(session, frame, action.input, action.name);
    fire(session, frame, action.input, action.name + "end");
  }
};
const cancelAction = (action, session, frame) => {
  if (!action.down) return;
  action.down = false;
  if (xr.cancels) fire(session, frame, action.input, action.name + "end");
};

for (const input of inputs) {
  const buttons = kept(input.inputSource.gamepad, "gamepad").buttonsMap;
  for (const id of keys(buttons)) {
    const state = kept(buttons[id], "gamepad");
    const action = { input, state, name: state.eventTrigger, down: false };
    if (state.eventTrigger) actions.push(action);
    state.eventTrigger = null;
    if (state.type !== "manual") defineProperty(buttons[id], "pressed", { get: () => (action.name ? action.down : state.value >= xr.press), configurable: true });
  }
  input.connected = true; // tells its gamepad, too
}

// A headset that points with its gaze: one source without hands, whose ray is the eye's, and a button on its side.
const gaze = { value: 0 };
if (xr.gaze) actions.push({ input: device.gaze, state: gaze, name: "select", down: false });
const actionCount = actions.length;

// --- frames ---

const startFrame = deviceState.onFrameStart;
let held = []; // callbacks that wait while the session is hidden
deviceState.onFrameStart = (frame) => {
  const session = frame.session;
  const state = kept(session, "xr-session");
  if (held.length > 0) {
    for (let index = 0; index < state.frameCallbacks.length; index++) own(held, held.length, state.frameCallbacks[index]);
    state.frameCallbacks = held;
    held = [];
  }
  startFrame(frame);
  settleOrigin();
  if (state.frameCallbacks.length > 0) events.frames++;
  settleTimes(frame);
  const active = device.activeInputs;
  const isActive = (input) => {
    for (let index = 0; index < active.length; index++) if (active[index] === input) return true;
    return false;
  };
  for (let index = 0; index < actionCount; index++) {
    const action = actions[index];
    if (isActive(action.input)) settleAction(action, session, frame);
    else cancelAction(action, session, frame);
  }
  if (device.visibilityState === "hidden") { // "MUST NOT run animation frame callbacks"
    held = state.frameCallbacks;
    state.frameCallbacks = [];
  }
};

// What is detected has changed when it was first seen, and when one of its attributes did; not in every frame.
const dated = new WeakMap(); // what is detected -> when it last changed
const changing = new WeakMap(); // what is detected -> whether it changes with the next frame: see surroundings.js
const dateOnce = (thing, name) => {
  if (mapGet(dated, thing) !== undefined) return;
  mapSet(dated, thing, kept(thing, name).lastChangedTime);
  defineProperty(kept(thing, name), "lastChangedTime", {
    get: () => mapGet(dated, thing),
    set(time) {
      if (mapGet(changing, thing)) mapSet(dated, thing, time);
      mapSet(changing, thing, false);
    },
  });
};
const settleTimes = (frame) => {
  setEach(frame.detectedPlanes, (plane) => dateOnce(plane, "xr-plane"));
  setEach(frame.detectedMeshes, (mesh) => dateOnce(mesh, "xr-mesh"));
};

// --- hits ---

// A hit test source asks for kinds of things; the emulator met everything for each. Without a word all kinds are met that the headset
// has, as on devices whose rays meet what their depth shows. Points of features, it has none.
const asked = makeQueue(); // the kinds of each source, in the order in which the emulator works them out
const anyHits = environment.computeHitTestResults.bind(environment);
environment.computeHitTestResults = (ray) => {
  const kinds = asked.first ? asked.shift() : null;
  return kinds === "none" || !isFound() ? [] : anyHits(ray, kinds ?? undefined);
};
const settleHits = (session) => {
  const state = kept(session, "xr-session");
  const work = state.computeHitTestResults;
  state.computeHitTestResults = (frame) => {
    setEach(state.hitTestSources, (source) => {
      const { entityTypes, space } = kept(source, "xr-hit-test");
      asked.push(isLost(space) ? "none" : entityTypes?.length > 0 ? entityTypes : null);
    });
    work(frame);
  };
};

// --- a session needs a person's gesture ---

const activation = navigator.userActivation;
const isActivated = getter(UserActivation.prototype, "isActive").bind(null, activation);
const Refusal = DOMException;
let granting = false;
const began = (session, mode) => {
  events.session = session;
  events.mode = mode;
  events.began = clock.state.now;
  if (xr.gaze) kept(session, "xr-session").hasGazeTracking = true;
  settleHits(session);
  record("sessionstart");
  listen(session, "inputsourceschange", (event) => {
    for (let index = 0; index < event.added.length; index++) record("connected", event.added[index].handedness);
    for (let index = 0; index < event.removed.length; index++) record("disconnected", event.removed[index].handedness);
  });
  listen(session, "visibilitychange", () => record("visibility", null, device.visibilityState));
  listen(session, "end", () => {
    record("sessionend");
    if (events.session === session) events.session = null;
  });
  return session;
};
replace(xrTypes.XRSystem.prototype, "requestSession", {
  apply(target, self, args) {
    const mode = args[0];
    const immersive = mode === "immersive-vr" || mode === "immersive-ar";
    const gesture = granting || isActivated();
    if (immersive) record("requested", null, gesture ? "gesture" : "no gesture");
    if (immersive && !gesture && xr.gesture) {
      events.refusal = "it was asked for without a person's gesture";
      return NativePromise.reject(new Refusal("a session needs a user activation", "SecurityError"));
    }
    const refused = (error) => {
      if (immersive) events.refusal = textOf(error);
      throw error instanceof Refusal ? error : new Refusal(error.message, "NotSupportedError");
    };
    return then(apply(target, self, [mode, args[1] ?? {}]), (session) => (immersive ? began(session, mode) : session), refused);
  },
}, "emulator");
const grant = () => {
  if (!device.sessionOffered) return false;
  granting = true;
  device.grantOfferedSession();
  granting = false;
  return true;
};
