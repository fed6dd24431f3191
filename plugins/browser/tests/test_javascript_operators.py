"""What each operator of the mutator makes of small code, and that it makes nothing else of it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from playproof.interfaces import Services
from playproof.mutation import Mutant, applied
from playproof.testing import fake_submission
from playproof_browser.javascript import JavaScriptMutator

from .test_javascript import packages  # noqa: F401 - a fixture

pytestmark = pytest.mark.heavy

# --- each operator, on code of one line ---

OPERATORS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "condition negated": {
        "if (a < b) f();": ["if (!(a < b)) f();"],
        "while (a) f();": ["while (!(a)) f();"],
        "for (; a; ) f();": ["for (; !(a); ) f();"],
        "x = a ? b : c;": ["x = !(a) ? b : c;"],
        "if (!a) f();": ["if (a) f();"],
        "if (a === b) f();": [],  # said by the comparison reversed
        "while (true) f();": [],
    },
    "condition forced": {
        "if (a) f();": ["if (false) f();", "if (true) f();"],
        "x = a ? b : c;": ["x = false ? b : c;", "x = true ? b : c;"],
        "while (a) f();": ["while (false) f();"],  # forced to go on it hangs, and says no more
        "do f(); while (a);": [],
    },
    "comparison boundary": {
        "x = a < b;": ["x = a <= b;"],
        "x = a >= b;": ["x = a > b;"],
        "x = a<b;": ["x = a <= b;"],
        "x = a /* < */ > b;": ["x = a /* < */ >= b;"],
        "x = a // <\n  <= b;": ["x = a // <\n  < b;"],
    },
    "comparison reversed": {
        "x = a === b;": ["x = a !== b;"],
        "x = a != b;": ["x = a == b;"],
    },
    "logical operator": {
        "x = a && b;": ["x = a || b;"],
        "x = a || b;": ["x = a && b;"],
        "x = a ?? b;": ["x = a && b;"],
        "x = a && b || c;": ["x = a && b && c;", "x = a || b || c;"],
    },
    "negation removed": {
        "x = !a;": ["x = a;"],
    },
    "sign removed": {
        "x = -a;": ["x = a;"],
        "f = () => {return-a}": ["f = () => {return a}"],
    },
    "arithmetic operator": {
        "x = a + b;": ["x = a - b;"],
        "x = a*b;": ["x = a / b;"],
        "x = a % b;": ["x = a * b;"],
        "x = a+ +b;": ["x = a - +b;"],
        "x = a - -b;": ["x = a + -b;"],
        "x = (a + b) * c;": ["x = (a + b) / c;", "x = (a - b) * c;"],
        "x = a << b | c;": ["x = a << b & c;", "x = a >> b | c;"],
        "x = a*/r/.y;": ["x = a / /r/.y;"],
        'x = "a" + b + c;': [],
        "x = a + `b`;": [],  # texts joined have no minus
    },
    "assignment operator": {
        "x += a;": ["x -= a;"],
        "x *= a;": ["x /= a;"],
        "x ||= a;": ["x &&= a;"],
        "x++;": ["x--;"],
        "--x;": ["++x;"],
        "for (;;x += 2) f();": [],  # the other way it would only hang
        "for (;;x++, y--) f();": [],
    },
    "number": {
        "x = 0;": ["x = 1;"],
        "x = 1;": ["x = 0;", "x = 2;"],
        "x = 7;": ["x = 0;", "x = 8;"],
        "x = .5;": ["x = 0;", "x = 1;"],
        "x = 0xff;": ["x = 0;", "x = 256;"],
        "x = 7..y;": ["x = (0).y;", "x = (8).y;"],
        "f = () => {return.5}": ["f = () => {return 0}", "f = () => {return 1}"],
        "x = {1: a, [2]: b};": ["x = {1: a, [0]: b};", "x = {1: a, [3]: b};"],
        "x = 7n;": [],
    },
    "string": {
        'x = "a";': ['x = "";'],
        "x = '';": ['x = "mutated";'],
        "x = `a${b}`;": ["x = ``;"],
        "x = ``;": [],
        '"use strict"; x = {"a": b};': [],
        "x = f`a`;": [],
        'a.addEventListener("b", c);': [],  # the removed listener says it
    },
    "boolean": {
        "x = true;": ["x = false;"],
        "x = f(false);": ["x = f(true);"],
    },
    "loop bound": {
        "for (let i = 0; i < n; i++) f();": [
            "for (let i = 0; i < n - 1; i++) f();",
            "for (let i = 0; i <= n; i++) f();",
            "for (let i = 1; i < n; i++) f();",
        ],
        "for (let i = n; i > 3; i--) f();": ["for (let i = n; i > 4; i--) f();", "for (let i = n; i >= 3; i--) f();"],
        "for (const a of b) f();": [],
    },
    "statement removed": {
        "f(); g();": ["; g();", "f(); ;"],
        "if (a) f(); else g();": ["if (a) ; else g();", "if (a) f(); else ;"],
        "x = () => { if (a) return; f(); };": ["x = () => { if (a) ; f(); };", "x = () => { if (a) return; ; };"],
        "x = () => { f(); return; };": ["x = () => { ; return; };"],
        "x = () => { return a; };": ["x = () => { ; };"],
        "for (const a of b) { if (a) continue; throw c; }": [
            "for (const a of b) { if (a) ; throw c; }",
            "for (const a of b) { if (a) continue; ; }",
        ],
        "for (const a of b) { c: for (;;) break c; continue; }": ["for (const a of b) { c: for (;;) ; continue; }"],
        "class A extends B { constructor() { super(); } }": [],
        "let x = f();": [],
    },
    "listener removed": {
        'a.addEventListener("b", c);': [";"],
        "a?.addEventListener('b', c);": [";"],
        "addEventListener('b', c);": [";"],
        "x = () => a.addEventListener('b', c);": ["x = () => void 0;"],
        "a && addEventListener('b', c);": ["a && void 0;"],
    },
    "assignment removed": {
        "x = a;": [";"],
        "[x, y] = a;": [";"],
        "x = () => y = a;": [";", "x = () => void 0;"],
        "x = a, y = b;": ["void 0, y = b;", "x = a, void 0;"],
    },
    "arguments swapped": {
        "f(a, b, c);": ["f(a, c, b);", "f(b, a, c);"],
        "new F(a,  b);": ["new F(b,  a);"],
        "f(a, a); f(...a, b); f(() => a, b); f(a);": [],
        "Math.max(a, b);": [],  # whose order is all one
        "a.addEventListener(b, c);": [],
    },
}  # fmt: skip
"""Kind -> code -> what the code becomes; an empty row says that this kind makes nothing of it."""
ROWS = [(kind, code, set(wanted)) for kind, rows in OPERATORS.items() for code, wanted in rows.items()]


@pytest.fixture(scope="session")
def together(packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, list[Mutant]]:  # noqa: F811
    """The mutants of every line above, each in a file of its own, asked for at once."""
    files = {f"{number:03d}.js": code for number, (_, code, _) in enumerate(ROWS)}
    found = JavaScriptMutator({}, Services(packages)).mutants(fake_submission(tmp_path_factory.mktemp("lines"), files), 0, 100_000)
    by_file: dict[str, list[Mutant]] = {name: [] for name in files}
    for one in found:
        by_file[one.file].append(one)
    return by_file


@pytest.mark.parametrize(("number", "kind", "code", "wanted"), [(number, *row) for number, row in enumerate(ROWS)],
                         ids=[f"{kind}: {code}" for kind, code, _ in ROWS])
def test_what_an_operator_makes(together: Mapping[str, list[Mutant]], number: int, kind: str, code: str, wanted: set[str]) -> None:
    of_kind = [applied(one, code.encode()).decode() for one in together[f"{number:03d}.js"] if one.kind == kind]
    assert set(of_kind) == wanted and len(of_kind) == len(wanted)


def test_every_operator_is_shown_above_and_no_two_make_the_same(together: Mapping[str, list[Mutant]]) -> None:
    assert {one.kind for row in together.values() for one in row} == {kind for kind, _, wanted in ROWS if wanted}
    for number, (_, code, _) in enumerate(ROWS):
        made_of = [applied(one, code.encode()) for one in together[f"{number:03d}.js"]]
        assert len(set(made_of)) == len(made_of)
