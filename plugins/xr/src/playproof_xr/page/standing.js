// Where the user stands: reference spaces, and the tracking of the head. Where IWER departs from the WebXR specification it is put
// right, as in corrections.js.

// --- reference spaces ---

// Where `local-floor` lies in the session's frame: elsewhere once the user has recentred.
let origin = identity();
const spaces = makeQueue(); // what the app has been given, with the kind of each
const MOST_SPACES = 1000;
let spaceCount = 0;
const keepSpace = (space, type) => {
  if (++spaceCount <= MOST_SPACES) spaces.push({ space, type });
};
const kindOf = (space) => kept(space, "xr-reference-space").type;
const fill = (space, matrix) => {
  const into = kept(space, "xr-space").offsetMatrix;
  for (let index = 0; index < 16; index++) into[index] = matrix[index];
};

// The origin of an offset space is given as a rigid transform, where the emulator takes its matrix: every pose in it was NaN.
replace(xrTypes.XRReferenceSpace.prototype, "getOffsetReferenceSpace", {
  apply(target, self, args) {
    const space = apply(target, self, [args[0].matrix]);
    keepSpace(space, "offset");
    return space;
  },
}, "emulator");

// "local" is level with gravity, wherever the head looks when it is asked for.
replace(xrTypes.XRSession.prototype, "requestReferenceSpace", {
  apply: (target, self, args) => then(apply(target, self, args), (space) => {
    if (args[0] === "local") {
      const matrix = kept(space, "xr-space").offsetMatrix;
      const back = rotationOf(matrix);
      const length = sqrt(back[1] * back[1] + back[3] * back[3]) || 1;
      fill(space, compose([matrix[12], matrix[13], matrix[14]], [0, back[1] / length, 0, back[3] / length]));
    } else if (args[0] === "local-floor") {
      fill(space, origin);
    }
    if (args[0] !== "viewer") keepSpace(space, args[0]);
    return space;
  }),
}, "emulator");

// When the user recentres, the native origins of "local" and "local-floor" jump there, and each space tells it before the next
// frame's callbacks: `transform` is the new origin as seen from the old one.
const SpaceEvent = xrTypes.XRReferenceSpaceEvent;
let jumped = false;
const moveOrigin = (seven) => {
  origin = compose(seven, [seven[3], seven[4], seven[5], seven[6]]);
  jumped = true;
};
const settleOrigin = () => {
  if (!jumped) return;
  jumped = false;
  record("recentred");
  const floor = origin, eyes = compose([floor[12], device.position.y, floor[14]], rotationOf(floor));
  for (let at = spaces.first; at; at = at.next) {
    const { space, type } = at.value;
    if (type === "local" || type === "local-floor") at.value.jump = jumpOf(space, type === "local" ? eyes : floor);
  }
  for (let at = spaces.first; at; at = at.next) {
    const { space, type, jump } = at.value;
    if (type === "offset" ? kindOf(space) === "local" || kindOf(space) === "local-floor" : jump) {
      dispatch(space, new SpaceEvent("reset", { referenceSpace: space, transform: jump ?? null }));
    }
  }
};
const jumpOf = (space, to) => {
  const jump = multiply(invertAffine(copyMatrix(kept(space, "xr-space").offsetMatrix)), to);
  fill(space, to);
  const turn = rotationOf(jump);
  return new RigidTransform({ x: jump[12], y: jump[13], z: jump[14], w: 1 }, { x: turn[0], y: turn[1], z: turn[2], w: turn[3] });
};

// --- the tracking of the head ---

// "full"; "orientation": where the head is is made up, and which way it looks is known; "none": what goes with the head cannot be
// placed in the world. A headset sees hands and controllers itself, so they go with the head.
let tracking = "full";
const goesWithHead = (space) => {
  for (let at = space; at; at = kept(at, "xr-space").parentSpace) {
    if (at === deviceState.viewerSpace) return true;
    for (let index = 0; index < inputs.length; index++) if (at === inputs[index].inputSource.targetRaySpace) return true;
  }
  return false;
};
const isLost = (space) => tracking === "none" && goesWithHead(space);
const apart = (space, base) => tracking !== "full" && goesWithHead(space) !== goesWithHead(base);

// `emulatedPosition` tells whether a position is made up; the emulator said so of everything but the viewer.
const poseOf = {
  apply(target, self, args) {
    const pose = apply(target, self, args);
    if (!apart(args[0], args[1])) return madeUp(pose, false);
    return tracking === "none" ? null : madeUp(pose, true);
  },
};
const madeUp = (pose, is) => {
  if (pose) kept(pose, "xr-pose").emulatedPosition = is;
  return pose;
};
replace(xrTypes.XRFrame.prototype, "getPose", poseOf, "emulator");

// The space in which the app last asked for the viewer's pose: see babylon.js.
replace(xrTypes.XRFrame.prototype, "getViewerPose", {
  apply(target, self, args) {
    events.space = args[0];
    const frame = kept(self, "xr-frame");
    if (frame?.active && frame.animationFrame && tracking === "none" && !goesWithHead(args[0])) return null;
    return madeUp(apply(target, self, args), tracking !== "full" && !goesWithHead(args[0]));
  },
}, "emulator");
replace(xrTypes.XRFrame.prototype, "getJointPose", {
  apply(target, self, args) {
    if (kept(self, "xr-frame")?.active && tracking === "none" && apart(args[0], args[1])) return null;
    return madeUp(apply(target, self, args), apart(args[0], args[1]));
  },
}, "emulator");
replace(xrTypes.XRFrame.prototype, "fillPoses", {
  apply(target, self, args) {
    const found = apply(target, self, args);
    if (tracking !== "none" || !found) return found;
    let all = true, at = 0;
    for (const space of args[0]) {
      if (apart(space, args[1])) {
        all = false;
        for (let index = 0; index < 16; index++) args[2][16 * at + index] = NaN;
      }
      at++;
    }
    return all;
  },
}, "emulator");
