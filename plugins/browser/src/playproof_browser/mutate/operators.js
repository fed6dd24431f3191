// What may change in a script. Each operator looks at one node of the tree (ESTree, with parentheses kept) and offers changes:
// { kind, start, end, text }, where text takes the place of the source from start to end. Where two offer the same, the first is kept.
"use strict";

const EQUALITY = { "===": "!==", "!==": "===", "==": "!=", "!=": "==" };
const BOUNDARY = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
const ARITHMETIC = { "+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "**": "*", "<<": ">>", ">>": "<<", ">>>": "<<", "&": "|", "|": "&", "^": "&" };
const LOGICAL = { "&&": "||", "||": "&&", "??": "&&" };
const ASSIGNED = Object.fromEntries([...Object.entries(ARITHMETIC), ...Object.entries(LOGICAL)].map(([one, other]) => [`${one}=`, `${other}=`]));
const FUNCTIONS = new Set(["FunctionExpression", "ArrowFunctionExpression", "ClassExpression"]);
const LOOPS = new Set(["ForStatement", "WhileStatement", "DoWhileStatement"]);
const LISTENS = new Set(["addEventListener", "removeEventListener"]);

const bare = node => (node.type === "ParenthesizedExpression" ? bare(node.expression) : node);
const over = (node, kind, text) => ({ kind, start: node.start, end: node.end, text });
const written = (at, node) => at.source.slice(node.start, node.end);
const called = node => {
  const { callee } = bare(node.type === "ChainExpression" ? node.expression : node);
  const who = callee && bare(callee);
  return who?.type === "MemberExpression" && !who.computed ? who.property.name : who?.name;
};

// The operator between two operands, in its place. Spaces keep `a+ +b` and `x*/y/.z` apart from other tokens.
function operator(at, left, right, kind, from, to) {
  const between = at.source.slice(left.end, right.start);
  const gap = /^(?:\s|\/\*[^]*?\*\/|\/\/[^\n]*\n)*/.exec(between)[0].length;
  const start = left.end + gap, end = start + from.length;
  if (at.source.slice(start, end) !== from) return [];
  const tight = side => /[-+*/<>=!&|.\w$]/.test(side);
  const text = `${gap === 0 && tight(at.source[start - 1]) ? " " : ""}${to}${tight(at.source[end]) ? " " : ""}`;
  return [{ kind, start, end, text }];
}

// --- conditions ---

function condition({ node, ...at }) {
  const test = node.test;
  if (!test || !(LOOPS.has(node.type) || node.type === "IfStatement" || node.type === "ConditionalExpression")) return [];
  const inner = bare(test), found = [];
  if (inner.type === "UnaryExpression" && inner.operator === "!") found.push(over(inner, "condition negated", written(at, inner.argument)));
  else if (!(inner.type === "BinaryExpression" && inner.operator in EQUALITY) && inner.type !== "Literal") found.push(over(test, "condition negated", `!(${written(at, test)})`));
  if (inner.type === "Literal") return found;
  if (!LOOPS.has(node.type)) found.push(over(test, "condition forced", "true"));   // a loop forced to go on says nothing but that it hangs
  if (node.type !== "DoWhileStatement") found.push(over(test, "condition forced", "false"));
  return found;
}

function comparison({ node, ...at }) {
  if (node.type !== "BinaryExpression") return [];
  const { left, right, operator: sign } = node;
  if (sign in EQUALITY) return operator(at, left, right, "comparison reversed", sign, EQUALITY[sign]);
  return sign in BOUNDARY ? operator(at, left, right, "comparison boundary", sign, BOUNDARY[sign]) : [];
}

function logical({ node, ...at }) {
  if (node.type !== "LogicalExpression") return [];
  return operator(at, node.left, node.right, "logical operator", node.operator, LOGICAL[node.operator]);
}

function negation({ node, ...at }) {
  if (node.type !== "UnaryExpression" || !["!", "-"].includes(node.operator)) return [];
  return [over(node, node.operator === "!" ? "negation removed" : "sign removed", written(at, node.argument))];
}

// --- figures ---

const isText = node => {
  const inner = bare(node);
  if (inner.type === "BinaryExpression") return inner.operator === "+" && (isText(inner.left) || isText(inner.right));
  return inner.type === "TemplateLiteral" || (inner.type === "Literal" && typeof inner.value === "string");
};

function arithmetic({ node, parent, grand, ...at }) {
  if (node.type === "BinaryExpression" && node.operator in ARITHMETIC) {
    if (isText(node)) return [];                        // texts joined: their minus is NaN, which the changed constants show as well
    return operator(at, node.left, node.right, "arithmetic operator", node.operator, ARITHMETIC[node.operator]);
  }
  const steps = parent && (parent.update === node || grand?.update === parent);  // a loop that counts the other way only hangs
  if (node.type === "AssignmentExpression" && node.operator in ASSIGNED && !steps) {
    return operator(at, node.left, node.right, "assignment operator", node.operator, ASSIGNED[node.operator]);
  }
  if (node.type === "UpdateExpression" && !steps) {
    const start = node.prefix ? node.start : node.end - 2;
    return [{ kind: "assignment operator", start, end: start + 2, text: node.operator === "++" ? "--" : "++" }];
  }
  return [];
}

function loop({ node, ...at }) {
  if (node.type !== "ForStatement") return [];
  const found = [], test = node.test && bare(node.test);
  for (const one of node.init?.declarations ?? []) {
    if (typeof one.init?.value === "number") found.push(over(one.init, "loop bound", String(one.init.value + 1)));
  }
  if (test?.type === "BinaryExpression" && test.operator in BOUNDARY) {
    found.push(...operator(at, test.left, test.right, "loop bound", test.operator, BOUNDARY[test.operator]));
    const step = test.operator.startsWith("<") ? -1 : 1, bound = test.right.value;
    found.push(over(test.right, "loop bound", typeof bound === "number" ? String(bound + step) : `${written(at, test.right)} ${step < 0 ? "-" : "+"} 1`));
  }
  return found;
}

function number({ node, parent, key }) {
  if (node.type !== "Literal" || typeof node.value !== "number" || isKey(node, parent, key)) return [];
  const value = node.value, texts = new Set();
  if (value === 0) texts.add("1");
  else if (value === 1) texts.add("0").add("2");
  else texts.add(String(Number.isInteger(value) ? value + 1 : value * 2)).add("0");
  const wrap = parent?.type === "MemberExpression" && key === "object" ? text => `(${text})` : text => text;
  return [...texts].filter(text => Number(text) !== value).map(text => over(node, "number", wrap(text)));
}

// --- texts and truths ---

function text({ node, parent, key }) {
  if (node.type === "TemplateLiteral" && parent?.type !== "TaggedTemplateExpression") {
    return node.expressions.length || node.quasis[0].value.raw ? [over(node, "string", "``")] : [];
  }
  if (node.type !== "Literal" || typeof node.value !== "string" || isKey(node, parent, key)) return [];
  if (/^(Import|Export)/.test(parent?.type ?? "") || parent?.directive !== undefined) return [];
  if (parent?.type === "CallExpression" && LISTENS.has(called(parent)) && parent.arguments[0] === node) return [];  // the removed listener
  return [over(node, "string", node.value === "" ? '"mutated"' : '""')];
}

function truth({ node }) {
  return node.type === "Literal" && typeof node.value === "boolean" ? [over(node, "boolean", String(!node.value))] : [];
}

function isKey(node, parent, key) {
  return key === "key" && !parent.computed && ["Property", "MethodDefinition", "PropertyDefinition"].includes(parent.type);
}

// --- what is done ---

const listens = node => ["CallExpression", "ChainExpression"].includes(node.type) && called(node) === "addEventListener";

function removed({ node, parent, key, last }) {
  if (node.type === "ExpressionStatement" && node.directive === undefined) {
    const done = bare(node.expression);
    if (done.type === "Literal" || (done.type === "CallExpression" && done.callee.type === "Super")) return [];
    const kind = done.type === "AssignmentExpression" ? "assignment removed" : listens(done) ? "listener removed" : "statement removed";
    return [over(node, kind, ";")];
  }
  if (["ReturnStatement", "BreakStatement", "ContinueStatement", "ThrowStatement"].includes(node.type)) {
    const idle = last && ((node.type === "ReturnStatement" && !node.argument) || node.type === "ContinueStatement");
    return idle ? [] : [over(node, "statement removed", ";")];
  }
  const spoken = (parent?.type === "ArrowFunctionExpression" && key === "body") || parent?.type === "SequenceExpression";
  const apart = spoken || parent?.type === "LogicalExpression" || parent?.type === "ConditionalExpression";
  if (apart && listens(node)) return [over(node, "listener removed", "void 0")];
  return spoken && node.type === "AssignmentExpression" ? [over(node, "assignment removed", "void 0")] : [];
}

function swapped({ node, ...at }) {
  if (!["CallExpression", "NewExpression"].includes(node.type)) return [];
  if (LISTENS.has(called(node)) || /^(Math\.(max|min|hypot))$/.test(written(at, node.callee))) return [];  // whose order is all one
  const found = [];
  for (let i = 0; i + 1 < node.arguments.length; i++) {
    const [one, two] = [node.arguments[i], node.arguments[i + 1]];
    if ([one, two].some(each => each.type === "SpreadElement" || FUNCTIONS.has(each.type))) continue;
    const between = at.source.slice(one.end, two.start);
    found.push({ kind: "arguments swapped", start: one.start, end: two.end, text: `${written(at, two)}${between}${written(at, one)}` });
  }
  return found;
}

module.exports = [loop, condition, comparison, logical, negation, arithmetic, number, text, truth, removed, swapped];
