// The virtual clock. One for a page and all its same-origin frames: the first frame makes it, the others join.
// Time is in ticks (90,000 a second) and moves only in `advance`. Each callback of the page runs as a task of its own:
// its microtasks settle before the next one, and what it throws is as uncaught as in a browser that runs on real time.
const TICKS_PER_MS = 90;
const HOLD_MS = 2000; // the longest that time stands still for the network in one advance

const clock = settings.virtual && (inherited?.clock ?? makeClock());

function makeClock() {
  const timers = makeHeap();
  const state = { now: 0, nextFrame: settings.frame, nesting: 0, frames: 0, pending: 0, busy: () => false, needsPaint: false, observed: false };
  const live = new Map();
  const liveGet = uncurry(Map.prototype.get);
  const liveSet = uncurry(Map.prototype.set);
  const liveDelete = uncurry(Map.prototype.delete);
  let lastId = 0;
  let sequence = 0;
  let painting = makeQueue();
  let frameCallbacks = makeQueue();
  let idleCallbacks = makeQueue();
  const realms = makeQueue();
  let goal = null;

  const schedule = (realm, run, delay, repeat, nesting) => {
    const level = nesting + 1;
    let wait = delay > 0 ? delay : 0;
    if (level > 5 && wait < 4) wait = 4; // HTML, timer initialisation steps: nested timers wait 4 ms at least
    return { realm, run, wait, repeat, level, due: state.now + wait * TICKS_PER_MS, order: sequence++, id: 0, live: true };
  };
  const setTimer = (realm, run, delay, repeat) => {
    const timer = schedule(realm, run, delay, repeat, state.nesting);
    timer.id = ++lastId;
    liveSet(live, timer.id, timer);
    timers.push(timer);
    return timer.id;
  };
  const clearTimer = (id) => {
    const timer = liveGet(live, id);
    if (timer) timer.live = false;
    liveDelete(live, id);
  };
  const fire = (timer) => {
    state.now = timer.due > state.now ? timer.due : state.now;
    liveDelete(live, timer.id);
    if (timer.repeat) {
      const again = schedule(timer.realm, timer.run, timer.wait, true, timer.level);
      again.id = timer.id;
      liveSet(live, again.id, again);
      timers.push(again);
    }
    state.nesting = timer.level;
    timer.run();
  };
  const request = (queueOf) => (realm, run) => {
    const entry = { realm, run, id: ++lastId, live: true };
    liveSet(live, entry.id, entry);
    queueOf().push(entry);
    return entry.id;
  };
  const paint = () => {
    state.now = state.nextFrame;
    state.nextFrame += settings.frame;
    state.frames++;
    for (let at = realms.first; at; at = at.next) painting.push({ realm: at.value, live: true, id: 0, run: at.value.move });
    painting.join(frameCallbacks);
    painting.join(idleCallbacks);
    frameCallbacks = makeQueue();
    idleCallbacks = makeQueue();
  };
  const perform = (entry) => () => {
    liveDelete(live, entry.id);
    entry.run();
  };
  const usable = (entry) => entry.live && !entry.realm.gone();

  // What runs next on the way to `target`, or null when it is reached.
  const next = (target) => {
    for (;;) {
      state.nesting = 0;
      while (painting.first) {
        const entry = painting.shift();
        if (usable(entry)) return perform(entry);
      }
      const until = state.nextFrame < target ? state.nextFrame : target;
      const timer = timers.peek();
      if (timer && timer.due <= until) {
        timers.pop();
        if (usable(timer)) return () => fire(timer);
      } else if (state.nextFrame <= target) {
        paint();
      } else {
        state.now = target;
        return null;
      }
    }
  };
  const task = () => {
    if (!goal) return;
    if (state.needsPaint) {
      state.needsPaint = false;
      realFrame(() => post());
      return;
    }
    if (state.busy() && milliseconds() - goal.started < HOLD_MS) {
      realTimeout(post, 1);
      return;
    }
    const run = next(goal.target);
    if (run) {
      post(); // before the callback: the next task comes even when this one throws
      run();
    } else if (state.observed && !goal.drawn) {
      goal.drawn = true;
      realFrame(() => post());
    } else {
      const { resolve } = goal;
      goal = null;
      resolve();
    }
  };
  const channel = new NativeMessageChannel();
  const send = uncurry(MessagePort.prototype.postMessage);
  const post = () => send(channel.port2, 0);
  listen(channel.port1, "message", task);
  uncurry(MessagePort.prototype.start)(channel.port1);

  const advance = (ticks) =>
    new NativePromise((resolve) => {
      goal = { target: state.now + ticks, started: milliseconds(), drawn: false, resolve };
      post();
    });
  return {
    state, advance, setTimer, clearTimer,
    join: (realm) => realms.push(realm),
    count() {
      let alive = 0;
      for (let at = realms.first; at; at = at.next) if (!at.value.gone()) alive++;
      return alive;
    },
    requestFrame: request(() => frameCallbacks),
    requestIdle: request(() => idleCallbacks),
  };
}

function makeQueue() {
  const queue = {
    first: null, last: null,
    push(value) {
      const link = { value, next: null };
      if (queue.last) queue.last.next = link;
      else queue.first = link;
      queue.last = link;
    },
    shift() {
      const { value } = queue.first;
      queue.first = queue.first.next;
      if (!queue.first) queue.last = null;
      return value;
    },
    join(other) {
      for (let at = other.first; at; at = at.next) queue.push(at.value);
    },
  };
  return queue;
}

// A binary heap by due time, then by order of setting.
function makeHeap() {
  const items = [];
  let size = 0;
  const before = (a, b) => a.due < b.due || (a.due === b.due && a.order < b.order);
  const push = (item) => {
    let at = size++;
    own(items, at, item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(item, items[parent])) break;
      items[at] = items[parent];
      items[parent] = item;
      at = parent;
    }
  };
  const pop = () => {
    const top = items[0];
    const item = items[--size];
    items[size] = undefined;
    if (size === 0) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && before(items[child + 1], items[child])) child++;
      if (!before(items[child], item)) break;
      items[at] = items[child];
      at = child;
    }
    items[at] = item;
    return top;
  };
  return { push, pop, peek: () => (size ? items[0] : undefined) };
}
