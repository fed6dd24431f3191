// The emulated headset: Meta's IWER with its synthetic room, on our clock. The page finds `navigator.xr` and the WebXR
// interfaces, and nothing of the emulator by name: its bundles are evaluated in a scope of their own.
const pageTime = () => (clock.state.now - born) / TICKS_PER_MS;

// What the emulator sees of the window: frames and time as they were saved before the page ran. What it reports as an error is an
// exception of the page's own callback, which the specification has reported; so it is thrown again where nothing catches it.
const nativeMicrotask = queueMicrotask.bind(window);
let framed = () => {}; // called when a frame of the session is done, while its picture still stands: see filming.js
const own_globals = {
  __proto__: null,
  requestAnimationFrame: (run) => clock.requestFrame(realm, () => {
    run(pageTime());
    framed();
  }),
  cancelAnimationFrame: (id) => clock.clearTimer(id),
};
const scope = new Proxy(window, {
  get: (target, name) => own_globals[name] ?? target[name],
  set(target, name, value) {
    target[name] = value;
    return true;
  },
});
const quiet = () => {};
const emulatorConsole = {
  __proto__: null, log: quiet, info: quiet, debug: quiet, warn: quiet,
  error(error) {
    nativeMicrotask(() => {
      throw error;
    });
  },
};

const emulatorMath = Object.create(Math, { random: { value: generator(1) } }); // what it draws by chance is not drawn from the page's
const library = {};
loadEmulator(library, {}, scope, { now: pageTime }, emulatorConsole, emulatorMath);
const room = {};
loadRoom(room, {}, () => library, undefined, { ...emulatorConsole, error: quiet }, emulatorMath);
delete window.__THREE__; // the room's own three.js; with it, the page's would warn of a second instance

// A member that the emulator keeps under a symbol: `@iwer/xr-device` and so on.
const symbolsOf = Object.getOwnPropertySymbols;
const kept = (object, name) => {
  const symbols = symbolsOf(object);
  for (let index = 0; index < symbols.length; index++) {
    if (symbols[index].description === "@iwer/" + name) return object[symbols[index]];
  }
  return undefined;
};

const rates = [xr.rate, 72, 80, 90, 120];
const device = new library.XRDevice({
  ...library.metaQuest3, internalNominalFrameRate: xr.rate, supportedFrameRates: rates,
  supportedFeatures: [...library.metaQuest3.supportedFeatures, "light-estimation", ...(xr.gaze ? ["gaze-tracking"] : [])],
}, { stereoEnabled: false });
// Where the SDK's own simulator plays, the page finds a browser without a headset; the device is then only what is told of the body.
const isSimulator = xr.backend === "xrblocks-sim";
const xrTypes = isSimulator ? { __proto__: null } : window;
device.installRuntime({ forceInstall: true, globalObject: xrTypes });
const system = navigator.xr;
if (isSimulator) {
  delete navigator.xr;
  delete navigator.userAgent;
}
device.installSEM(room.SyntheticEnvironmentModule);
device.primaryInputMode = "hand";
const deviceState = kept(device, "xr-device");
const environment = device.sem;
{
  const draw = environment.render.bind(environment);
  environment.render = () => {
    if (gate.open || setHas(gate.frames, clock.state.frames)) draw();
  };
}
const planeIds = new WeakMap(); // native plane -> its id in the room's description
if (xr.room) {
  putRoom(environment, xr.room);
  for (const { uuid, id } of xr.room.planes) mapSet(planeIds, environment.objectMap.get(uuid).nativeEntity, id);
}

// What happened, as the page was told of it. Ticks of the page's own clock; python counts them from the session's opening.
const events = { list: makeQueue(), count: 0, session: null, mode: null, frames: 0, refusal: "", space: null, began: 0 };
const MOST_EVENTS = 20_000;
const record = (kind, handedness, more) => {
  if (++events.count > MOST_EVENTS) return;
  events.list.push({ __proto__: null, tick: clock.state.now, kind, handedness: handedness ?? null, more: more ?? "" });
};

// What can be found of the room; and, of a headset that looks around for a while before it knows one, what is found as yet.
const detectable = { planes: environment.trackedPlanes, meshes: environment.trackedMeshes };
const isFound = () => xr.surfaces <= 0 || (events.session !== null && clock.state.now - events.began >= xr.surfaces);
if (xr.surfaces > 0) {
  const nothing = new Set();
  defineProperty(environment, "trackedPlanes", { get: () => (isFound() ? detectable.planes : nothing) });
  defineProperty(environment, "trackedMeshes", { get: () => (isFound() ? detectable.meshes : nothing) });
}
