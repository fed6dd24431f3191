// The only way in from outside: one function on the window, which answers those alone who know the token. Each call says
// which document it means, so that one that has come in its place is noticed.
const calls = Object.create(null);

const settleTasks = (count) =>
  new NativePromise((resolve) => {
    const channel = new NativeMessageChannel();
    const send = uncurry(MessagePort.prototype.postMessage);
    listen(channel.port1, "message", () => (count-- > 0 ? send(channel.port2, 0) : resolve()));
    uncurry(MessagePort.prototype.start)(channel.port1);
    send(channel.port2, 0);
  });

const realFrames = (count) =>
  new NativePromise((resolve) => {
    const again = () => (count-- > 0 ? realFrame(again) : resolve());
    again();
  });

// Names of what the page has put in the place of our replacements.
const overridden = (kind) => {
  let names = "";
  for (let index = 0; index < replacedCount; index++) {
    const entry = replaced[index];
    if (entry.kind === kind && getOwnPropertyDescriptor(entry.object, entry.name)?.value !== entry.value) names += (names ? " " : "") + entry.name;
  }
  return names;
};

// What leaves is text, and only text settles a promise of ours: an object could be taken for a promise by the page.
const answer = (result) => (result.text !== undefined ? "=" + result.text : "!" + serialise(result, "result").text);
const poll = (id) => {
  const result = calls[id];
  if (result) delete calls[id];
  return answer(result ?? { __proto__: null, pending: true });
};
const begin = (object, method, args) => {
  const target = window[object];
  if (target === undefined || target === null) return fault("window." + object, "missing");
  const found = target[method];
  if (found === undefined) return fault("window." + object + "." + method, "missing");
  if (typeof found !== "function") return fault("window." + object + "." + method, "is not a function");
  return { __proto__: null, value: apply(found, target, parse(args)) };
};

const isPromise = (value) => value !== null && typeof value === "object" && typeof value.then === "function" && value.then !== ObjectPrototype.then;

// Call a method of a global object. A promise that is not settled within a few tasks is left to `poll`: it may be waiting
// for time to pass.
const callMethod = (id, object, method, args, label) => {
  const thrown = (error) => fault(label, "threw " + textOf(error));
  let begun;
  try {
    begun = begin(object, method, args);
    if (begun.fault) return answer(begun);
    const { value } = begun;
    if (!isPromise(value)) return answer(serialise(value, label));
  } catch (error) {
    return answer(thrown(error));
  }
  calls[id] = null;
  const settled = new NativePromise((resolve) => resolve(begun.value));
  then(settled, (result) => void (calls[id] = serialise(result, label)), (error) => void (calls[id] = thrown(error)));
  return then(settleTasks(3), () => poll(id));
};

const status = () => {
  let errors = "";
  for (let at = notices.errors; at; at = at.next) errors = at.text + (errors ? "\n" + errors : "");
  return answer({
    __proto__: null,
    now: clock ? clock.state.now : 0,
    pending: clock ? clock.state.busy() : false,
    realms: clock ? clock.count() : 1,
    frames: clock ? clock.state.frames : counters.frames,
    draw_calls: counters.draw_calls,
    leaks: notices.leaks, errors, error_count: notices.errorCount, tampered: notices.tampered, wheels: notices.wheels,
    replaced_observer: overridden("observer"),
  });
};

const verbs = {
  __proto__: null,
  advance: (ticks) => then(clock.advance(ticks), status),
  settle: () => then(realFrames(2), status),
  status,
  call: callMethod,
  poll,
  enter: () => answer({ __proto__: null, document: documentId }),
  has: (object) => answer({ __proto__: null, has: window[object] !== undefined && window[object] !== null }),
};

const core = inherited ?? { clock, counters, notices, realms: 0 };
core.realms++;
installChance(core.realms - 1);
countDraws();
boundConsole();
hearEvents();
if (clock) {
  installTimers();
  installLateTasks();
  installDates();
  installStamps();
  noticeLeaks();
  noticeObservers();
  countRequests();
  realm.move = installMotion();
  clock.join(realm);
} else {
  replace(window, "requestAnimationFrame", {
    apply(target, self, args) {
      counters.frames++;
      return apply(target, self, args);
    },
  });
}
defineProperty(window, settings.name, {
  value: (token, document, verb, ...args) => {
    if (token !== settings.token) {
      notices.tampered++;
      return undefined;
    }
    if (verb === "core") return core;
    if (document !== documentId && verb !== "enter") return undefined;
    return apply(verbs[verb], null, args);
  },
});
