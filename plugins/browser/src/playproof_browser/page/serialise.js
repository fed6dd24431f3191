// A page's value as JSON text: what JSON.stringify gives, but with the place of whatever cannot be spelled, with bounds,
// and without a look at anything that the page may have put on the prototypes of objects and arrays.
// Numbers that are not finite are spelled NaN, Infinity and -Infinity.
const LARGEST = 4 * 1024 * 1024; // characters; each value is kept as evidence
const DEEPEST = 200;
const MOST = 1_000_000;

const textOf = (value) => {
  try {
    if (typeof value === "object" && value !== null && typeof value.message === "string") {
      return slice(toText(value.name ?? "Error") + ": " + value.message, 0, 500);
    }
    return slice(toText(value), 0, 500);
  } catch {
    return "something that cannot be shown";
  }
};

// What comes of a call has no prototype, so that the page cannot give it a member that it lacks.
const fault = (path, problem) => ({ __proto__: null, fault: { __proto__: null, path, problem } });

const serialise = (root, label) => {
  let size = 0;
  let values = 0;
  const open = new NativeSet();
  let failed = null;
  const fail = (path, problem) => {
    failed = fault(path, problem);
    return undefined;
  };
  const read = (object, key, path) => {
    try {
      return object[key];
    } catch (error) {
      return fail(path, "its getter threw " + textOf(error));
    }
  };
  const member = (path, key, array) => (array ? path + "[" + key + "]" : path + "." + slice(key, 0, 80));
  const count = (text, path) => {
    size += text.length;
    return size > LARGEST ? fail(path, "the value is larger than 4 MB") : text;
  };
  const list = (value, path, depth) => {
    let text = "[";
    for (let index = 0; index < value.length; index++) {
      const place = member(path, index, true);
      const piece = spell(read(value, index, place), place, depth + 1);
      if (failed) return undefined;
      text += (index ? "," : "") + (piece ?? "null");
    }
    return text + "]";
  };
  const mapping = (value, path, depth) => {
    const names = keys(value);
    let text = "{";
    for (let index = 0; index < names.length; index++) {
      const place = member(path, names[index], false);
      const piece = spell(read(value, names[index], place), place, depth + 1);
      if (failed) return undefined;
      if (piece === undefined) continue;
      text += (text === "{" ? "" : ",") + count(stringify(names[index]), place) + ":" + piece;
      if (failed) return undefined;
    }
    return text + "}";
  };
  const object = (value, path, depth) => {
    if (depth > DEEPEST) return fail(path, "nested more than " + DEEPEST + " deep");
    if (setHas(open, value)) return fail(path, "refers to itself");
    const convert = read(value, "toJSON", path);
    if (failed) return undefined;
    if (typeof convert === "function" && convert !== ObjectPrototype.toJSON && convert !== ArrayPrototype.toJSON) {
      const converted = apply(convert, value, []);
      if (converted !== value) return spell(converted, path, depth + 1);
    }
    setAdd(open, value);
    const text = isArray(value) ? list(value, path, depth) : mapping(value, path, depth);
    setDelete(open, value);
    return text;
  };
  const spell = (value, path, depth) => {
    if (failed) return undefined;
    if (++values > MOST) return fail(path, "more than a million values");
    switch (typeof value) {
      case "string": return count(stringify(value), path);
      case "number": return count(value === 0 ? "0" : toText(value), path);
      case "boolean": return count(value ? "true" : "false", path);
      case "bigint": return fail(path, "a BigInt is not JSON");
      case "object": return value === null ? count("null", path) : object(value, path, depth);
      default: return undefined;
    }
  };
  try {
    const text = spell(root, label, 0);
    return failed ?? { __proto__: null, text: text ?? "null" };
  } catch (error) {
    return failed ?? fault(label, "cannot be read: " + textOf(error));
  }
};
