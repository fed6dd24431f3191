// What a script sees of time and chance, in this frame: timers, frames, dates, time stamps and random numbers.
const born = clock ? clock.state.now : 0;
const realm = { gone: () => isClosed(window), move: () => {} };

// A loop that waits for the clock to move (`while (performance.now() < end);`) would never end when it stands still: after
// this many looks in one instant each further look sees it creep, by count and so the same in every run.
const LOOKS = 2000;
const CREEP_MS = 0.02;
let lookedAt = -1;
let looks = 0;
let latest = 0;
const elapsed = () => {
  const { now } = clock.state;
  if (now !== lookedAt) {
    lookedAt = now;
    looks = 0;
  }
  looks++;
  const time = (now - born) / TICKS_PER_MS + (looks > LOOKS ? (looks - LOOKS) * CREEP_MS : 0);
  if (time > latest) latest = time;
  return latest;
};
const origin = () => settings.epoch + born / TICKS_PER_MS;
const { floor } = Math;
const today = () => floor(origin() + elapsed());

// A seeded generator (mulberry32); each frame has its own, numbered in the order of their making.
const generator = (seed) => {
  let state = seed >>> 0;
  const { imul } = Math;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
};

function installChance(number) {
  const random = generator(settings.seed + number * 0x9e3779b9);
  const bytes = generator(settings.seed + number * 0x9e3779b9 + 0x51ed270b);
  const Bytes = Uint8Array;
  const bufferOf = getter(Object.getPrototypeOf(Uint8Array.prototype), "buffer");
  const offsetOf = getter(Object.getPrototypeOf(Uint8Array.prototype), "byteOffset");
  const lengthOf = getter(Object.getPrototypeOf(Uint8Array.prototype), "byteLength");
  const fill = (array) => {
    const view = new Bytes(bufferOf(array), offsetOf(array), lengthOf(array));
    const length = lengthOf(view);
    for (let index = 0; index < length; index++) view[index] = bytes() * 256;
  };
  replace(Math, "random", { apply: () => random() }, "clock");
  replace(Crypto.prototype, "getRandomValues", {
    apply(target, self, args) {
      apply(target, self, args); // checks the argument as the browser does
      fill(args[0]);
      return args[0];
    },
  }, "clock");
  if (Crypto.prototype.randomUUID) {
    const hex = "0123456789abcdef";
    replace(Crypto.prototype, "randomUUID", {
      apply() {
        let text = "";
        for (let index = 0; index < 36; index++) {
          const digit = (bytes() * 16) | 0;
          const dash = index === 8 || index === 13 || index === 18 || index === 23;
          text += dash ? "-" : index === 14 ? "4" : hex[index === 19 ? (digit & 3) | 8 : digit];
        }
        return text;
      },
    }, "clock");
  }
}

function installTimers() {
  const evaluate = eval; // by another name, so that a string runs in the global scope, as a timer's does
  const runner = (handler, args) => (typeof handler === "function" ? () => apply(handler, window, args) : () => evaluate(toText(handler)));
  const timer = (repeat) => ({
    apply(target, self, args) {
      if (args.length === 0) return apply(target, self, args);
      const rest = [];
      for (let index = 2; index < args.length; index++) own(rest, index - 2, args[index]);
      return clock.setTimer(realm, runner(args[0], rest), args[1] | 0, repeat);
    },
  });
  const cancel = { apply: (target, self, args) => clock.clearTimer(args[0] | 0) };
  replace(window, "setTimeout", timer(false), "clock");
  replace(window, "setInterval", timer(true), "clock");
  replace(window, "requestAnimationFrame", {
    apply(target, self, args) {
      const callback = args[0];
      if (typeof callback !== "function") return apply(target, self, args); // the browser's own TypeError
      return clock.requestFrame(realm, () => apply(callback, window, [(clock.state.now - born) / TICKS_PER_MS]));
    },
  }, "clock");
  replace(window, "requestIdleCallback", {
    apply(target, self, args) {
      const callback = args[0];
      if (typeof callback !== "function") return apply(target, self, args);
      return clock.requestIdle(realm, () => apply(callback, window, [{ didTimeout: false, timeRemaining: () => 8 }]));
    },
  }, "clock");
  for (const name of ["clearTimeout", "clearInterval", "cancelAnimationFrame", "cancelIdleCallback"]) replace(window, name, cancel, "clock");
}

function installLateTasks() {
  const Controller = AbortController;
  const abort = uncurry(AbortController.prototype.abort);
  const signalOf = getter(AbortController.prototype, "signal");
  const Timeout = DOMException;
  replace(AbortSignal, "timeout", {
    apply(target, self, args) {
      const controller = new Controller();
      clock.setTimer(realm, () => abort(controller, new Timeout("signal timed out", "TimeoutError")), args[0] | 0, false);
      return signalOf(controller);
    },
  }, "clock");
  if (!window.Scheduler) return;
  replace(Scheduler.prototype, "postTask", {
    apply(target, self, args) {
      const delay = args[1]?.delay | 0;
      if (delay <= 0) return apply(target, self, args);
      const task = () => apply(target, self, [args[0], { ...args[1], delay: 0 }]);
      return new NativePromise((resolve) => clock.setTimer(realm, () => resolve(task()), delay, false));
    },
  }, "clock");
}

function installDates() {
  const NativeDate = Date;
  const show = uncurry(Date.prototype.toString);
  const RealDate = new Proxy(NativeDate, {
    apply: () => show(new NativeDate(today())),
    construct: (target, args, made) => construct(target, args.length ? args : [today()], made),
  });
  defineProperty(NativeDate, "now", { ...getOwnPropertyDescriptor(NativeDate, "now"), value: new Proxy(NativeDate.now, { apply: today }) });
  defineProperty(NativeDate.prototype, "constructor", { ...getOwnPropertyDescriptor(NativeDate.prototype, "constructor"), value: RealDate });
  defineProperty(window, "Date", { ...getOwnPropertyDescriptor(window, "Date"), value: RealDate });
  own(replaced, replacedCount++, { object: window, name: "Date", value: RealDate, kind: "clock" });
  const undated = {
    apply: (target, self, args) => apply(target, self, args[0] === undefined ? [today()] : args),
  };
  replaceGetter(Intl.DateTimeFormat.prototype, "format", (self, original) => new Proxy(original(), undated));
  replace(Intl.DateTimeFormat.prototype, "formatToParts", undated, "clock");
  if (window.Temporal) installTemporal();
}

function installTemporal() {
  const { Instant, Now } = Temporal;
  const fromMs = Instant.fromEpochMilliseconds.bind(Instant);
  const zoned = uncurry(Instant.prototype.toZonedDateTimeISO);
  const zone = Now.timeZoneId.bind(Now);
  const at = (args) => zoned(fromMs(today()), args[0] ?? zone());
  const views = { zonedDateTimeISO: (z) => z, plainDateTimeISO: (z) => z.toPlainDateTime(), plainDateISO: (z) => z.toPlainDate(), plainTimeISO: (z) => z.toPlainTime() };
  replace(Now, "instant", { apply: () => fromMs(today()) }, "clock");
  for (const name of keys(views)) replace(Now, name, { apply: (target, self, args) => views[name](at(args)) }, "clock");
}

function installStamps() {
  replace(Performance.prototype, "now", { apply: elapsed }, "clock");
  replaceGetter(Performance.prototype, "timeOrigin", origin);
  replace(Performance.prototype, "mark", {
    apply: (target, self, args) => apply(target, self, args[1]?.startTime === undefined ? [args[0], { ...args[1], startTime: elapsed() }] : args),
  }, "clock");
  replaceGetter(AnimationTimeline.prototype, "currentTime", (self, original) => (original() === null ? null : elapsed()));
  const stamps = new WeakMap();
  replaceGetter(Event.prototype, "timeStamp", (self, original) => {
    original(); // throws as the browser does on what is no event
    if (mapGet(stamps, self) === undefined) mapSet(stamps, self, elapsed());
    return mapGet(stamps, self);
  });
}
