// Runs before any script of the page, in every frame. What the page may replace later is taken here, while it is still the
// browser's own; nothing below looks a method up on a page's object again. `settings` is filled in by clock.py.
const { apply, construct, defineProperty, getOwnPropertyDescriptor } = Reflect;
const { keys } = Object;
const { isArray } = Array;
const { stringify, parse } = JSON;
const { now: realNow } = performance;
const documentId = String(performance.timeOrigin); // the real one: another for each document
const ObjectPrototype = Object.prototype;
const ArrayPrototype = Array.prototype;
const NativePromise = Promise;
const NativeMessageChannel = MessageChannel;
const toText = String;
const uncurry = Function.prototype.bind.bind(Function.prototype.call);
const getter = (object, name) => uncurry(getOwnPropertyDescriptor(object, name).get);
const setter = (object, name) => uncurry(getOwnPropertyDescriptor(object, name).set);
const then = uncurry(Promise.prototype.then);
const listen = uncurry(EventTarget.prototype.addEventListener);
const slice = uncurry(String.prototype.slice);
const realTimeout = setTimeout.bind(window);
const realFrame = requestAnimationFrame.bind(window);
const milliseconds = realNow.bind(performance);
const isClosed = getter(window, "closed");

// A page's array prototype may carry setters, so lists of ours are linked and sets are the browser's by saved methods.
const setHas = uncurry(Set.prototype.has);
const setAdd = uncurry(Set.prototype.add);
const setDelete = uncurry(Set.prototype.delete);
const mapGet = uncurry(WeakMap.prototype.get);
const mapSet = uncurry(WeakMap.prototype.set);
const NativeSet = Set;

// Each replacement is a Proxy of the original, so it prints as native code and keeps its name, length and properties.
const replaced = [];
let replacedCount = 0;
const own = (list, index, value) => defineProperty(list, index, { value, writable: true, enumerable: true, configurable: true });
const replace = (object, name, traps, kind = "observer") => {
  const described = getOwnPropertyDescriptor(object, name);
  if (!described || typeof described.value !== "function") return;
  const value = new Proxy(described.value, traps);
  defineProperty(object, name, { ...described, value });
  own(replaced, replacedCount++, { object, name, value, kind });
};
const replaceGetter = (object, name, read) => {
  const described = getOwnPropertyDescriptor(object, name);
  if (!described?.get) return;
  const get = new Proxy(described.get, { apply: (target, self) => read(self, () => apply(target, self, [])) });
  defineProperty(object, name, { ...described, get });
};

// A frame of the same origin shares the clock and the books of the page that it stands in.
const inherited = (() => {
  try {
    return window.parent === window ? null : window.parent[settings.name](settings.token, "", "core");
  } catch {
    return null; // another origin: the page's driver reports the frame
  }
})();
