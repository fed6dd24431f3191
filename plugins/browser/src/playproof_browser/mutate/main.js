// Finds what may change in scripts, and runs none of them. Reads one question from standard input, writes one answer:
//   { acorn, find: [{ kind, source }] } -> { found: [{ kind, changes }], faults: [{ script, line, text }] }, changes in the order of
//   the source; kind is classic, module or either
//   { verify: [{ kind, source }], changes: [{ script, start, end, text }] } -> { parses: [boolean] }
// Offsets are in UTF-16 units of the source; `byte` and `bytes` are where the change begins and what it replaces in UTF-8; lines and
// columns count from 1, columns in characters.
"use strict";
const vm = require("node:vm");
const operators = require("./operators.js");

const SHOWN = 100;             // as much of the code around a change is shown as stands on one line and is no longer than this
const SILENT = new Set(["type", "start", "end", "loc", "range", "raw", "value", "regex", "bigint", "directive", "sourceType"]);
const FUNCTION_BODY = /Function/, LOOP = /^(For|While|DoWhile)/;

function* children(node) {
  for (const [key, held] of Object.entries(node)) {
    if (SILENT.has(key) && !(key === "value" && held?.type)) continue;
    const row = Array.isArray(held) ? held : [held];
    for (const [index, child] of row.entries()) if (child?.type) yield { child, key, last: index === row.length - 1 };
  }
}

// What a node gives its name to: functions, classes, constants, methods, and what is assigned to a name.
function nameOf(node) {
  if (/^(Function|Class)(Declaration|Expression)$/.test(node.type)) return node.id?.name;
  if (node.type === "VariableDeclarator") return node.id.name;
  if (["Property", "MethodDefinition", "PropertyDefinition"].includes(node.type) && !node.computed) return node.key.name ?? String(node.key.value);
  if (node.type === "AssignmentExpression" && /Function|Class/.test(node.right.type)) return node.left.name ?? node.left.property?.name;
  return undefined;
}

// Whether nothing follows this statement in its function (for a return) or in its loop (for a continue).
function isLast(above, place) {
  if (!place.last) return false;
  const [parent, grand] = [above.at(-1), above.at(-2)];
  if (parent?.type !== "BlockStatement" || !grand) return false;
  return FUNCTION_BODY.test(grand.type) || LOOP.test(grand.type);
}

// The tree of a script and which kind it is: `either` is a file of which nobody says whether it is a module.
function parsed(acorn, kind, source) {
  const as = sourceType => acorn.parse(source, { ecmaVersion: "latest", sourceType, preserveParens: true, allowHashBang: true });
  if (kind !== "either") return { kind, tree: as(kind === "module" ? "module" : "script") };
  try {
    return { kind: "classic", tree: as("script") };
  } catch (error) {
    try {
      return { kind: "module", tree: as("module") };
    } catch {
      throw error;
    }
  }
}

function find(acorn, script) {
  const { source } = script, { kind, tree } = parsed(acorn, script.kind, source);
  const found = new Map(), lines = lineStarts(source);
  const visit = (node, above, place, within) => {
    const named = nameOf(node), inside = named ? [...within, named] : within;
    const last = isLast(above, place);
    for (const operator of operators) {
      for (const change of operator({ node, parent: above.at(-1), grand: above.at(-2), key: place.key, last, source })) {
        const key = trimmed(source, change);
        if (key && !found.has(key)) found.set(key, described(source, lines, change, [...above, node], inside));
      }
    }
    for (const { child, key, last: final } of children(node)) visit(child, [...above, node], { key, last: final }, inside);
  };
  visit(tree, [], { key: "", last: false }, []);
  return { kind, changes: [...found.values()].sort((one, other) => one.start - other.start || one.end - other.end) };
}

// The same change said in the shortest way, so that no two are the same; nothing where nothing changes.
function trimmed(source, { start, end, text }) {
  const old = source.slice(start, end);
  let head = 0, tail = 0;
  while (head < old.length && head < text.length && old[head] === text[head]) head++;
  while (tail < old.length - head && tail < text.length - head && old.at(-1 - tail) === text.at(-1 - tail)) tail++;
  const kept = text.slice(head, text.length - tail);
  return kept || head + tail < old.length ? `${start + head},${end - tail},${kept}` : "";
}

function described(source, lines, change, nodes, within) {
  const { start, end } = change, word = /[\w$]/;
  let { kind, text } = change;
  if (word.test(source[start - 1] ?? "") && word.test(text[0] ?? "")) text = ` ${text}`;     // return.5 must not become return1
  if (word.test(source[end] ?? "") && word.test(text.at(-1) ?? "")) text = `${text} `;
  const fits = node => node.type !== "Program" && node.start <= start && node.end >= end && node.end - node.start <= SHOWN
    && !source.slice(node.start, node.end).includes("\n");
  const shown = nodes.find(fits) ?? { start, end };
  const before = source.slice(shown.start, shown.end);
  const after = source.slice(shown.start, start) + text + source.slice(end, shown.end);
  const line = lineOf(lines, start), indent = source.slice(lines[line], start);
  return { kind, start, end, text, line: line + 1, column: [...indent].length + 1,
    byte: lines.bytes[line] + Buffer.byteLength(indent), bytes: Buffer.byteLength(source.slice(start, end)), before: brief(before), after: after.trim() === ";" ? "" : brief(after), within: within.join(".") };
}

const brief = text => {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length <= 2 * SHOWN ? flat : `${flat.slice(0, 2 * SHOWN - 1)}…`;
};

function lineStarts(source) {
  const starts = [0];
  for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) starts.push(at + 1);
  starts.bytes = [0];                    // where each line begins in UTF-8
  for (let line = 1; line < starts.length; line++) starts.bytes.push(starts.bytes[line - 1] + Buffer.byteLength(source.slice(starts[line - 1], starts[line])));
  return starts;
}

function lineOf(starts, at) {
  let low = 0, high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= at) low = middle; else high = middle - 1;
  }
  return low;
}

function parses(kind, source) {
  try {
    if (kind === "module") new vm.SourceTextModule(source);
    else new vm.Script(source);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function answer(asked) {
  if (asked.verify) {
    return { parses: asked.changes.map(({ script, start, end, text }) => {
      const { kind, source } = asked.verify[script];
      return parses(kind, source.slice(0, start) + text + source.slice(end));
    }) };
  }
  const acorn = require(asked.acorn), found = [], faults = [];
  for (const [index, script] of asked.find.entries()) {
    try {
      found.push(find(acorn, script));
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;   // the latter: nested too deeply to be walked
      faults.push({ script: index, line: error.loc?.line ?? 1, text: error.message });
    }
  }
  return { found, faults };
}

process.stdout.write(JSON.stringify(answer(JSON.parse(require("node:fs").readFileSync(0, "utf8")))));
