// The draw gate. While nobody looks, what is drawn on a canvas's own framebuffer is not drawn: the software renderer takes 60 to
// 200 ms for a frame that the rest of an app computes in one. Textures that an app draws for itself (what it picks by, bakes or
// simulates with) are drawn always, since they are state. When the page itself reads pixels that were left out, the gate says so
// (`stale`: the first such frame), and the session is played again with it drawn: see performance.py.
const gate = { open: xr.gate.open === "always", always: xr.gate.open === "always", frames: new NativeSet(), stale: null, left_out: 0, drawn: 0 };
for (let index = 0; index < xr.gate.frames.length; index++) setAdd(gate.frames, xr.gate.frames[index]);

const Floats = Float32Array;
const { fround } = Math;
const contexts = new WeakMap(); // context -> what is bound, and whether its own framebuffer lacks what the page drew
const stateOf = (context) => {
  let state = mapGet(contexts, context);
  if (!state) {
    state = { draw: null, read: null, lacking: false, feedback: false, opened: -1, colour: new Floats(4), depth: 1, stencil: 0 };
    mapSet(contexts, context, state);
  }
  return state;
};

// Whether a draw must be left out. In a frame for which the gate is open the canvas begins anew, and then lacks nothing.
const leftOut = (context) => {
  const state = stateOf(context);
  if (state.draw !== null || state.feedback) return false;
  const frame = clock.state.frames;
  if (gate.open || setHas(gate.frames, frame)) {
    if (state.opened !== frame) {
      state.opened = frame;
      state.lacking = false;
    }
    gate.drawn++;
    return false;
  }
  gate.left_out++;
  state.lacking = true;
  return true;
};
const reads = (context, what) => {
  if (gate.stale === null && stateOf(context).lacking) gate.stale = { __proto__: null, frame: clock.state.frames, what };
};

const DRAWS = ["clear", "clearBufferfv", "clearBufferiv", "clearBufferuiv", "clearBufferfi", "drawArrays", "drawElements", "drawArraysInstanced",
  "drawElementsInstanced", "drawRangeElements"];
const EXTENSION_DRAWS = ["drawArraysInstancedANGLE", "drawElementsInstancedANGLE", "multiDrawArraysWEBGL", "multiDrawElementsWEBGL",
  "multiDrawArraysInstancedWEBGL", "multiDrawElementsInstancedWEBGL"];
const UPLOADS = ["texImage2D", "texSubImage2D", "texImage3D", "texSubImage3D"];

const FRAMEBUFFER = 0x8d40, READ = 0x8ca8, DRAW = 0x8ca9;
const QUERIES = new NativeSet([0x8c2f, 0x8d6a]); // ANY_SAMPLES_PASSED and its conservative kin: occlusion

function gateContext(proto) {
  const drawing = { apply: (target, self, args) => (leftOut(self) ? undefined : apply(target, self, args)) };
  for (const name of DRAWS) replace(proto, name, drawing, "gate");
  replace(proto, "bindFramebuffer", {
    apply(target, self, args) {
      const state = stateOf(self);
      const bound = args[1] ?? null;
      if (args[0] === FRAMEBUFFER || args[0] === DRAW) state.draw = bound;
      if (args[0] === FRAMEBUFFER || args[0] === READ) state.read = bound;
      return apply(target, self, args);
    },
  }, "gate");
  replace(proto, "deleteFramebuffer", {
    apply(target, self, args) {
      const state = stateOf(self);
      if (state.draw === args[0]) state.draw = null;
      if (state.read === args[0]) state.read = null;
      return apply(target, self, args);
    },
  }, "gate");
  const reading = (...names) => {
    for (const name of names) {
      replace(proto, name, {
        apply(target, self, args) {
          if (stateOf(self).read === null) reads(self, name);
          return apply(target, self, args);
        },
      }, "gate");
    }
  };
  reading("readPixels", "copyTexImage2D", "copyTexSubImage2D", "copyTexSubImage3D");
  replace(proto, "blitFramebuffer", {
    apply(target, self, args) {
      if (stateOf(self).read === null) reads(self, "blitFramebuffer");
      return leftOut(self) ? undefined : apply(target, self, args);
    },
  }, "gate");
  replace(proto, "beginQuery", {
    apply(target, self, args) {
      const state = stateOf(self);
      if (setHas(QUERIES, args[0]) && state.draw === null && !gate.open && !setHas(gate.frames, clock.state.frames)) {
        state.lacking = true;
        reads(self, "beginQuery");
      }
      return apply(target, self, args);
    },
  }, "gate");
  const feedback = (name, on) => replace(proto, name, {
    apply(target, self, args) {
      stateOf(self).feedback = on;
      return apply(target, self, args);
    },
  }, "gate");
  feedback("beginTransformFeedback", true);
  feedback("endTransformFeedback", false);
  for (const name of UPLOADS) replace(proto, name, sourceReading(name), "gate");
  replace(proto, "getExtension", {
    apply(target, self, args) {
      const extension = apply(target, self, args);
      if (extension) gateExtension(extension, self);
      return extension;
    },
  }, "gate");
}

// The emulator asks for these in every frame, and the browser would wait for its graphics process to answer: 0.5 ms each.
const CLEAR_COLOUR = 0x0c22, CLEAR_DEPTH = 0x0b73, CLEAR_STENCIL = 0x0b91;
function rememberClearValues(proto) {
  const remember = (name, into) => replace(proto, name, {
    apply(target, self, args) {
      into(stateOf(self), args[0], args);
      return apply(target, self, args);
    },
  }, "gate");
  remember("clearColor", (state, value, args) => {
    for (let index = 0; index < 4; index++) state.colour[index] = args[index];
  });
  remember("clearDepth", (state, value) => void (state.depth = value > 0 ? (value < 1 ? fround(value) : 1) : 0));
  remember("clearStencil", (state, value) => void (state.stencil = value | 0));
  replace(proto, "getParameter", {
    apply(target, self, args) {
      if (args[0] === CLEAR_COLOUR) return new Floats(stateOf(self).colour);
      if (args[0] === CLEAR_DEPTH) return stateOf(self).depth;
      if (args[0] === CLEAR_STENCIL) return stateOf(self).stencil;
      return apply(target, self, args);
    },
  }, "gate");
}

// The methods of an extension do not say whose they are, so each object gets its own.
const gatedExtensions = new WeakMap();
function gateExtension(extension, context) {
  if (mapGet(gatedExtensions, extension)) return;
  mapSet(gatedExtensions, extension, true);
  for (const name of EXTENSION_DRAWS) {
    const original = extension[name];
    if (typeof original !== "function") continue;
    defineProperty(extension, name, { value: new Proxy(original, { apply: (target, self, args) => (leftOut(context) ? undefined : apply(target, self, args)) }), configurable: true, writable: true });
  }
}

// --- a canvas that is read as a picture ---

const contextOf = new WeakMap(); // canvas -> its WebGL context
const readsCanvas = (canvas, what) => {
  const context = canvas !== null && typeof canvas === "object" ? mapGet(contextOf, canvas) : undefined;
  if (context) reads(context, what);
};
function sourceReading(what) {
  return {
    apply(target, self, args) {
      if (args.length > 0) readsCanvas(args[args.length - 1], what);
      return apply(target, self, args);
    },
  };
}
function gateCanvas(type) {
  replace(type.prototype, "getContext", {
    apply(target, self, args) {
      const context = apply(target, self, args);
      if (context && (args[0] === "webgl" || args[0] === "webgl2" || args[0] === "experimental-webgl")) mapSet(contextOf, self, context);
      return context;
    },
  }, "gate");
  for (const name of ["toDataURL", "toBlob", "captureStream", "convertToBlob", "transferToImageBitmap"]) {
    replace(type.prototype, name, { apply: (target, self, args) => (readsCanvas(self, name), apply(target, self, args)) }, "gate");
  }
}
function firstReading(object, name) {
  replace(object, name, { apply: (target, self, args) => (readsCanvas(args[0], name), apply(target, self, args)) }, "gate");
}

function installGate() {
  for (const type of [WebGL2RenderingContext, WebGLRenderingContext]) {
    gateContext(type.prototype);
    rememberClearValues(type.prototype);
  }
  gateCanvas(HTMLCanvasElement);
  gateCanvas(OffscreenCanvas);
  firstReading(CanvasRenderingContext2D.prototype, "drawImage");
  firstReading(CanvasRenderingContext2D.prototype, "createPattern");
  firstReading(OffscreenCanvasRenderingContext2D.prototype, "drawImage");
  firstReading(window, "createImageBitmap");
  if (window.VideoFrame) {
    replace(window, "VideoFrame", { construct: (target, args, made) => (readsCanvas(args[0], "VideoFrame"), construct(target, args, made)) }, "gate");
  }
}
installGate();
