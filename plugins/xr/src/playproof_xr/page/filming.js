// Filming: in every so-manieth frame the gate is open, and when the frame's callbacks are done the film's picture is taken: what the
// eye sees, and, of an engine that can be made to draw from elsewhere, what somebody sees who walks behind and above. The hands are
// drawn into both, as the headset tells of them. This is done in a page of its own, which plays the session again: see video/filming.py.
const filming = { every: 0, begun: 0, films: makeQueue(), follow: null };

const aspectOf = (canvas) => (canvas && canvas.height ? canvas.width / canvas.height : 1);
const isPassthrough = () => events.mode === "immersive-ar";

// --- the body, as rods ---

const SKIN = { __proto__: null, left: "#d9a07c", right: "#e8b48f" }, PINCHED = "#ffd34d", SUIT = "#5d7392", HELMET = "#e9edf2", VISOR = "#20262e";
const PINCHING = 0.8;
const handRods = (rods, side) => {
  const hand = device.hands[side];
  if (!hand.connected || device.primaryInputMode !== "hand") return;
  let before = null, wrist = null;
  const pinched = hand.pinchValue >= PINCHING;
  eachJoint(hand, (name, space) => {
    const matrix = globalMatrix(space);
    const point = [matrix[12], matrix[13], matrix[14]];
    if (name === "wrist") wrist = point;
    const a = endsWith(name, "-metacarpal") ? wrist : before;
    const closing = pinched && (startsWith(name, "thumb") || startsWith(name, "index"));
    if (a) rods.push({ a, b: point, radius: kept(space, "xr-joint-space").radius || 0.008, colour: closing && endsWith(name, "-tip") ? PINCHED : SKIN[side] });
    before = point;
  });
};
const endsWith = uncurry(String.prototype.endsWith);
const startsWith = uncurry(String.prototype.startsWith);
const pointOf = (matrix, x, y, z) => [
  matrix[0] * x + matrix[4] * y + matrix[8] * z + matrix[12], matrix[1] * x + matrix[5] * y + matrix[9] * z + matrix[13],
  matrix[2] * x + matrix[6] * y + matrix[10] * z + matrix[14]];
const controllerRods = (rods, side) => {
  const controller = device.controllers[side];
  if (!controller.connected || device.primaryInputMode !== "controller") return;
  const matrix = globalMatrix(controller.inputSource.targetRaySpace);
  rods.push({ a: pointOf(matrix, 0, 0, 0), b: pointOf(matrix, 0, -0.05, 0.1), radius: 0.02, colour: VISOR });
};
const handsAsRods = () => {
  const rods = makeQueue();
  for (let index = 0; index < 2; index++) {
    handRods(rods, HANDS[index]);
    controllerRods(rods, HANDS[index]);
  }
  return rods;
};
// Head and headset, and what hangs below them: shoulders, trunk, and arms to the hands that are tracked.
const bodyAsRods = () => {
  const rods = makeQueue();
  const head = globalMatrix(deviceState.viewerSpace);
  const rod = (a, b, radius, colour) => rods.push({ a, b, radius, colour });
  const trunk = levelled(head);
  const neck = pointOf(trunk, 0, -0.2, 0.08);
  rod(neck, pointOf(trunk, 0, -0.65, 0.1), 0.13, SUIT);
  for (let index = 0; index < 2; index++) {
    const shoulder = pointOf(trunk, index ? 0.18 : -0.18, -0.22, 0.08);
    rod(neck, shoulder, 0.06, SUIT);
    const hand = device.hands[HANDS[index]];
    if (hand.connected && device.primaryInputMode === "hand") {
      const wrist = [0, 0, 0];
      eachJoint(hand, (name, space) => {
        if (name === "wrist") for (let axis = 0; axis < 3; axis++) wrist[axis] = globalMatrix(space)[12 + axis];
      });
      rod(shoulder, wrist, 0.035, SUIT);
    }
  }
  rod(pointOf(head, 0, 0.02, 0.09), pointOf(head, 0, 0.02, 0.07), 0.1, HELMET);
  rod(pointOf(head, -0.06, 0, -0.03), pointOf(head, 0.06, 0, -0.03), 0.045, VISOR);
  return rods;
};
// The frame at the same place that is turned to the same side, and upright.
const levelled = (matrix) => {
  const x = -matrix[8], z = -matrix[10];
  const length = sqrt(x * x + z * z) || 1;
  const fx = x / length, fz = z / length;
  return [-fz, 0, fx, 0, 0, 1, 0, 0, -fx, 0, -fz, 0, matrix[12], matrix[13], matrix[14], 1];
};

// --- where it is seen from ---

// Behind, above and to the left of the person; it turns with the person, but not as fast.
const BEHIND = { right: -0.6, up: 0.6, back: 0.85 }, AHEAD = { up: -0.3, forward: 0.5 }, HASTE = 0.15, OUTSIDE_SLOPE = 0.6;
const behindThem = () => {
  const now = levelled(globalMatrix(deviceState.viewerSpace));
  const follow = filming.follow ?? now;
  const blended = identity();
  for (let index = 0; index < 16; index++) blended[index] = follow[index] + (now[index] - follow[index]) * HASTE;
  const level = levelled(blended);
  filming.follow = level;
  return lookingAt(pointOf(level, BEHIND.right, BEHIND.up, BEHIND.back), pointOf(level, 0, AHEAD.up, -AHEAD.forward));
};
const lookingAt = (from, to) => {
  const z = unit([from[0] - to[0], from[1] - to[1], from[2] - to[2]]);
  const x = unit([z[2], 0, -z[0]]);
  return [x[0], 0, x[2], 0, z[1] * x[2], z[2] * x[0] - z[0] * x[2], -z[1] * x[0], 0, z[0], z[1], z[2], 0, from[0], from[1], from[2], 1];
};
const unit = (v) => {
  const length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) || 1;
  return [v[0] / length, v[1] / length, v[2] / length];
};

// --- taking pictures ---

const clockFace = (into, tick) => {
  brush["set fillStyle"](into.context, "#000a");
  brush.fillRect(into.context, 0, into.height - 22, 78, 22);
  brush["set fillStyle"](into.context, "#fff");
  const hundredths = round(tick / 900), rest = hundredths % 100;
  brush.fillText(into.context, (hundredths - rest) / 100 + "." + (rest < 10 ? "0" : "") + rest + " s", 8, into.height - 6);
};
const background = (into) => {
  brush["set fillStyle"](into.context, "#000");
  brush.fillRect(into.context, 0, 0, into.width, into.height);
  if (isPassthrough()) brush.drawImage(into.context, environment.environmentCanvas, 0, 0, into.width, into.height);
  if (device.appCanvas) brush.drawImage(into.context, device.appCanvas, 0, 0, into.width, into.height);
};
let shadow = null; // the body's own layer: what is behind it shows through
const takeFirst = (film) => {
  background(film.picture);
  drawRods(film.picture, handsAsRods(), viewOfPicture());
};
const takeThird = (film) => {
  const { picture } = film, world = behindThem();
  const eye = { world, inverse: invertAffine(world), slope: OUTSIDE_SLOPE, aspect: aspectOf(device.appCanvas), near: 0.05, far: viewOf().far };
  if (isPassthrough()) environment.renderer.render(environment.scene, outsideCamera(eye, world));
  engine().drawFrom(eye);
  background(picture);
  shadow = shadow ?? layer(picture.width, picture.height);
  brush.clearRect(shadow.context, 0, 0, picture.width, picture.height);
  drawRods(shadow, bodyAsRods(), eye);
  brush["set globalAlpha"](picture.context, 0.75);
  brush.drawImage(picture.context, shadow.canvas, 0, 0);
  brush["set globalAlpha"](picture.context, 1);
  drawRods(picture, handsAsRods(), eye);
};

// A camera of the emulator's own three.js: making one of the page's would draw from the page's chance.
let camera = null;
function outsideCamera(eye, world) {
  camera = camera ?? new environment.camera.constructor();
  camera.matrixAutoUpdate = false;
  camera.matrix.fromArray(world);
  camera.fov = (2 * arcTangent(eye.slope) * 180) / PI;
  camera.aspect = eye.aspect;
  camera.near = eye.near;
  camera.far = eye.far;
  camera.updateProjectionMatrix();
  camera.updateMatrixWorld(true);
  return camera;
}
const { atan: arcTangent, PI } = Math;

framed = () => {
  if (filming.every === 0) return;
  const frame = clock.state.frames;
  if (frame % filming.every === 0) {
    const tick = clock.state.now - filming.begun;
    for (let at = filming.films.first; at; at = at.next) {
      try {
        if (at.value.view === "first") takeFirst(at.value);
        else takeThird(at.value);
        clockFace(at.value.picture, tick);
        at.value.frame(tick);
      } catch (error) {
        at.value.fault = textOf(error); // drawing once more runs code of the page's
      }
    }
  }
  gate.open = gate.always || (frame + 1) % filming.every === 0;
};

// The room, in pale colours: what is loud in a picture is the app's. A plane that lies on a piece of furniture is the one that is seen.
const PALE = 0.25;
const showRoom = () => {
  environment.planesVisible = environment.boundingBoxesVisible = true;
  const pale = (group, lifted) => {
    for (let index = 0; index < group.children.length; index++) {
      const { material } = group.children[index];
      const { r, g, b } = material.color;
      const grey = 0.55 + 0.15 * ((r + g + b) / 3);
      material.color.setRGB(grey + PALE * (r - grey), grey + PALE * (g - grey), grey + PALE * (b - grey));
      material.polygonOffset = lifted;
      material.polygonOffsetFactor = material.polygonOffsetUnits = -1;
    }
  };
  pale(environment.planes, true);
  pale(environment.boxes, false);
};

// Begin: what is filmed from now on is of the session's tick 0 and after. Which views there are; none without an encoder.
verbs.xrFilm = (wanted) => {
  let views = "";
  if (Encoder && Picture && Canvas && copyTo) {
    for (let index = 0; index < wanted.views.length; index++) {
      const view = wanted.views[index];
      if (view === "third" && !engine().drawsFrom()) continue;
      filming.films.push(makeFilm(view, wanted.width, wanted.height, wanted.bitrate, wanted.keys));
      views += (views ? " " : "") + view;
    }
    filming.every = wanted.every;
    filming.begun = clock.state.now;
    gate.open = gate.always || (clock.state.frames + 1) % filming.every === 0;
    showRoom();
  }
  return answer({ __proto__: null, views });
};
// What has been encoded so far; with `last`, the picture that was taken last stands until now.
verbs.xrFilmed = (last) => {
  let settled = NativePromise.resolve();
  for (let at = filming.films.first; at; at = at.next) {
    const film = at.value;
    if (last) film.close(clock.state.now - filming.begun);
    settled = then(settled, film.flush);
  }
  return then(settled, filmsText, filmsText);
};
const filmsText = () => {
  let text = "";
  for (let at = filming.films.first; at; at = at.next) text += (text ? "," : "") + takeChunks(at.value);
  return '={"films":[' + text + "]}";
};
