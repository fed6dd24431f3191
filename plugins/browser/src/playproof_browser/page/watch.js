// What goes on beside the clock: draw calls, uncaught errors, what the clock does not reach, how busy the network is.
const counters = inherited?.counters ?? { frames: 0, draw_calls: 0 };
const notices = inherited?.notices ?? { leaks: Object.create(null), errors: null, errorCount: 0, tampered: 0, console: 0, wheels: 0 };
const CONSOLE_LINES = 200;
const KEPT_ERRORS = 20;

const leak = (what) => void (notices.leaks[what] = (notices.leaks[what] ?? 0) + 1);

function countDraws() {
  const counted = {
    apply(target, self, args) {
      counters.draw_calls++;
      return apply(target, self, args);
    },
  };
  const calls = {
    CanvasRenderingContext2D: ["fill", "stroke", "fillRect", "strokeRect", "fillText", "strokeText", "drawImage", "putImageData"],
    WebGLRenderingContext: ["drawArrays", "drawElements"],
    WebGL2RenderingContext: ["drawArrays", "drawElements", "drawArraysInstanced", "drawElementsInstanced", "drawRangeElements"],
  };
  for (const type of keys(calls)) {
    if (window[type]) for (const name of calls[type]) replace(window[type].prototype, name, counted);
  }
}

function boundConsole() {
  const bounded = { apply: (target, self, args) => (notices.console++ < CONSOLE_LINES ? apply(target, self, args) : undefined) };
  for (const name of ["log", "info", "warn", "error", "debug", "trace", "table", "dir", "assert", "group", "count", "timeLog", "timeEnd"]) {
    replace(console, name, bounded, "console");
  }
}

// The first listener on a window hears every event, whatever later ones stop or prevent. Wheel events are counted because
// the browser does not wait for them when it is asked to send one.
function hearEvents() {
  listen(window, "wheel", (event) => void (notices.wheels += event.isTrusted), { capture: true, passive: true });
  const keep = (text) => {
    notices.errorCount++;
    if (notices.errorCount <= KEPT_ERRORS) notices.errors = { text, next: notices.errors };
  };
  const reasonOf = getter(PromiseRejectionEvent.prototype, "reason");
  listen(window, "unhandledrejection", (event) => {
    if (event.isTrusted) keep(textOf(reasonOf(event))); // isTrusted is unforgeable: an own, non-configurable property
  }, true);
}

function noticeLeaks() {
  const noticing = (object, name, what) => object && replace(object, name, { apply: (target, self, args) => (leak(what), apply(target, self, args)) }, "leak");
  const constructing = (name, what) => {
    if (!window[name]) return;
    replace(window, name, { construct: (target, args, made) => (leak(what), construct(target, args, made)) }, "leak");
  };
  constructing("Worker", "worker");
  constructing("SharedWorker", "worker");
  constructing("AudioContext", "audio");
  constructing("OfflineAudioContext", "audio");
  constructing("PerformanceObserver", "performance observer");
  noticeMedia();
  noticing(window.HTMLVideoElement?.prototype, "requestVideoFrameCallback", "media");
  noticing(window.Atomics, "waitAsync", "Atomics.waitAsync");
  if (window.BaseAudioContext) replaceGetter(BaseAudioContext.prototype, "currentTime", () => elapsed() / 1000);
}

// A film is seen, so it goes on beside the clock: "media". What is only heard moves nothing ("audio") until the page asks how
// far it has come.
function noticeMedia() {
  const tag = getter(Element.prototype, "localName");
  const target = getter(Event.prototype, "target");
  const paused = getter(HTMLMediaElement.prototype, "paused");
  const state = (value) => {
    try {
      return paused(value) ? "paused" : "playing";
    } catch {
      return null; // no media element
    }
  };
  const plays = (value) => state(value) && leak(tag(value) === "video" ? "media" : "audio");
  replace(HTMLMediaElement.prototype, "play", { apply: (native, self, args) => (plays(self), apply(native, self, args)) }, "leak");
  listen(window, "playing", (event) => event.isTrusted && plays(target(event)), true);
  replaceGetter(HTMLMediaElement.prototype, "currentTime", (self, original) => {
    if (state(self) === "playing") leak("media");
    return original();
  });
  replace(EventTarget.prototype, "addEventListener", {
    apply(native, self, args) {
      if (args[0] === "timeupdate") leak("media");
      return apply(native, self, args);
    },
  }, "leak");
  const told = getOwnPropertyDescriptor(HTMLElement.prototype, "ontimeupdate");
  const set = new Proxy(told.set, { apply: (native, self, args) => (leak("media"), apply(native, self, args)) });
  defineProperty(HTMLElement.prototype, "ontimeupdate", { ...told, set });
}

// Time stands still while something that was asked for is on its way, so that its arrival does not race with the clock.
function countRequests() {
  const { state } = clock;
  const begin = () => {
    let open = true;
    state.pending++;
    return () => {
      if (open) state.pending--;
      open = false;
    };
  };
  // The page gets the promise that comes after ours, so that one which it leaves unhandled is still told as unhandled.
  const awaited = {
    apply(target, self, args) {
      const end = begin();
      const settled = (value) => (end(), value);
      const failed = (reason) => {
        end();
        throw reason;
      };
      return then(apply(target, self, args), settled, failed);
    },
  };
  const promising = (object, ...names) => object && names.forEach((name) => replace(object, name, awaited, "network"));
  promising(window, "fetch", "createImageBitmap");
  promising(Response.prototype, "text", "json", "arrayBuffer", "blob");
  promising(FontFace.prototype, "load");
  promising(window.BaseAudioContext?.prototype, "decodeAudioData");
  promising(window.WebAssembly, "compile", "instantiate", "compileStreaming", "instantiateStreaming");
  replace(XMLHttpRequest.prototype, "send", {
    apply(target, self, args) {
      const end = begin();
      listen(self, "loadend", end);
      try {
        return apply(target, self, args);
      } catch (error) {
        end();
        throw error;
      }
    },
  }, "network");
  const counted = (type, isDone) => {
    const source = getOwnPropertyDescriptor(type.prototype, "src");
    const set = new Proxy(source.set, {
      apply(target, self, args) {
        const end = begin();
        listen(self, "load", end);
        listen(self, "error", end);
        apply(target, self, args);
        if (isDone(self)) end();
      },
    });
    defineProperty(type.prototype, "src", { ...source, set });
  };
  counted(HTMLImageElement, getter(HTMLImageElement.prototype, "complete"));
  const inPage = getter(Node.prototype, "isConnected");
  counted(HTMLScriptElement, (script) => !inPage(script)); // one that is not in the page yet asks for nothing
  const fonts = getter(Document.prototype, "fonts")(document);
  const fontState = getter(FontFaceSet.prototype, "status");
  state.busy = () => state.pending > 0 || fontState(fonts) === "loading";
}

// Callbacks that the browser gives with a frame of its own: one is drawn at the end of each advance once there are some.
function noticeObservers() {
  for (const name of ["ResizeObserver", "IntersectionObserver"]) {
    replace(window, name, {
      construct(target, args, made) {
        clock.state.observed = true;
        return construct(target, args, made);
      },
    });
  }
}
