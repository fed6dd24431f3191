"""Mutants of scripts: what each operator makes of small code, that nothing else is made, and where it is in a page."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from playproof.errors import TaskError
from playproof.interfaces import Services
from playproof.mutation import Mutant, applied
from playproof.testing import check_mutator, fake_submission
from playproof_browser import javascript
from playproof_browser.javascript import LARGEST, JavaScriptMutator
from playproof_browser.markup import inline_scripts

pytestmark = pytest.mark.heavy

Made = Callable[..., list[Mutant]]


@pytest.fixture(scope="session")
def packages() -> Path:
    """The user's own cache: set-up has laid the parser in, and nothing is fetched here."""
    return Path(os.environ.get("PLAYPROOF_CACHE") or Path.home() / ".cache" / "playproof")


@pytest.fixture
def made(packages: Path, tmp_path: Path) -> Made:
    """All mutants of some files, in their order; `made(code)` is short for one classic script, `game.js`."""

    def run(code: str | Mapping[str, str | bytes], seed: int = 0, limit: int = 10_000, **options: object) -> list[Mutant]:
        submission = fake_submission(tmp_path, {"game.js": code} if isinstance(code, str) else code)
        found = list(JavaScriptMutator(options, Services(packages)).mutants(submission, seed, limit))
        return found if limit < 10_000 else sorted(found, key=lambda one: (one.file, one.start, one.end, one.text))

    return run


def changes(code: str, made: Made, kind: str = "") -> set[str]:
    """What the code becomes, for each mutant of a kind (of every kind, with its name before it, when none is given)."""
    return {(f"{one.kind}: " if not kind else "") + applied(one, code.encode()).decode() for one in made(code)
            if kind in ("", one.kind)}


# --- what is never made ---


def test_what_does_not_parse_is_no_mutant(made: Made) -> None:
    """`??` may not stand beside `&&` without parentheses, so that its change to `&&` is left out here, and only here."""
    assert changes("x = a ?? b ?? c;", made, "logical operator") == set()
    assert changes("x = a ?? (b ?? c);", made, "logical operator") == {"x = a && (b ?? c);", "x = a ?? (b && c);"}


def test_nothing_is_made_of_what_holds_no_script(made: Made) -> None:
    assert made({"a.css": "p { margin: 1px }", "index.html": "<p>1 < 2</p>", "data.json": "[1, 2]"}) == []
    assert made("") == [] and made("x = 1;", limit=0) == []


# --- pages ---

PAGE = """<!doctype html>
<title>é 😀</title>
<!-- <script>let no = 1;</script> -->
<script type="importmap">{"imports": {"three": "./three.js"}}</script>
<script src="other.js">let no = 2;</script>
<script type="text/x-shader">if (1 < 2) no();</script>
<p title="<script>">😀</p> <script>const é = "😀" === a;
  let b = 3;</script>
<SCRIPT TYPE="module">
import { c } from "./c.js";
await c(4);
</SCRIPT>
<script>let unclosed = 5;
"""


def test_scripts_in_pages_are_changed_in_their_place(made: Made) -> None:
    found = made({"index.html": PAGE})
    assert {one.kind for one in found} == {"comparison reversed", "string", "number", "statement removed"}
    at = {(one.kind, one.before, one.after): one for one in found}
    reversed_ = at["comparison reversed", 'const é = "😀" === a;', 'const é = "😀" !== a;']
    assert (reversed_.file, reversed_.line, reversed_.column) == ("index.html", 7, 49)
    assert applied(reversed_, PAGE.encode()).decode() == PAGE.replace("===", "!==")
    three = at["number", "let b = 3;", "let b = 4;"]
    assert (three.line, three.column) == (8, 11) and applied(three, PAGE.encode()).decode() == PAGE.replace("b = 3", "b = 4")
    gone = at["statement removed", "await c(4);", ""]
    assert (gone.line, gone.column) == (11, 1) and applied(gone, PAGE.encode()).decode() == PAGE.replace("await c(4);", ";")
    assert [one.text for one in inline_scripts(PAGE)] == [
        'const é = "😀" === a;\n  let b = 3;', '\nimport { c } from "./c.js";\nawait c(4);\n']


def test_a_file_is_a_module_when_it_must_be(made: Made) -> None:
    found = made({"a.js": 'import b from "b"; export const c = b + 1;', "d.mjs": "await e(1);", "f.js": "with (g) h = 010;"})
    assert {one.file for one in found} == {"a.js", "d.mjs", "f.js"}
    assert {(one.before, one.after) for one in found if one.file == "f.js"} >= {("with (g) h = 010;", "with (g) h = 9;")}


# --- names, places, words ---

SHOP = """class Till {
  total = 0;
  add(price) { if (price > 10) this.total += price; }
}
const shop = {
  open() { till.add(12); },
  sign: "open",
};
window.close = () => { till.add(13); };
function long(a) {
  return a.map(one => one.price * one.count).filter(price => price > 0).reduce((sum, price) => sum + price, 0).toFixed(2);
}
"""


def test_a_mutant_says_where_it_is_and_what_it_changes(made: Made) -> None:
    found = made(SHOP)
    shown = {(one.line, one.within, one.before, one.after) for one in found}
    assert shown >= {
        (2, "Till.total", "total = 0;", "total = 1;"), (6, "shop.open", "open() { till.add(12); }", "open() { till.add(13); }"),
        (7, "shop.sign", 'sign: "open"', 'sign: ""'),
        (9, "close", "window.close = () => { till.add(13); };", "window.close = () => { till.add(14); };")}
    (steeper,) = [one for one in found if one.kind == "comparison boundary" and one.line == 3]
    assert (steeper.within, steeper.before) == ("Till.add", "add(price) { if (price > 10) this.total += price; }")
    assert all(len(one.before) <= 200 and "\n" not in one.before + one.after for one in found)
    assert {one.before for one in found if one.line == 11 and one.kind == "arithmetic operator"} == {
        "a.map(one => one.price * one.count).filter(price => price > 0).reduce", "(sum, price) => sum + price"}


def test_ids_and_order_outlive_changes_elsewhere(made: Made) -> None:
    """Marks in a task name ids, and results are kept by content: a line more above must not shuffle the sample."""
    before, after = made(SHOP, limit=9999), made(f"// a line more\nlet more = 1;\n{SHOP}", limit=9999)
    old = [one.id for one in before]
    assert [one.id for one in after if one.id in set(old)] == old and len(after) == len(old) + 2
    assert [one.id for one in made(SHOP, seed=1, limit=9999)] != old


# --- bad input, and the contract ---


@pytest.mark.parametrize(("files", "message"), [
    ({"index.html": "<p>\n<script>\nlet a = ;\n</script>"}, r"index\.html line 3: does not parse: Unexpected token"),
    ({"a.js": "if ("}, r"a\.js line 1: does not parse"), ({"a.mjs": "with (a) b;"}, r"a\.mjs line 1: does not parse"),
    ({"a.js": b"\xff\xfe"}, r"a\.js: 'utf-8' codec can't decode"),
    ({"a.js": "x = 1;" * (LARGEST // 6 + 1)}, r"a\.js: \d+ bytes are more than .*name the reference's own code"),
    ({"a.js": "x = " + "(" * 200_000 + "1" + ")" * 200_000 + ";"}, r"a\.js line 1: does not parse: Maximum call stack"),
], ids=["page", "script", "module", "not-utf-8", "too-large", "too-deep"])
def test_what_cannot_be_read_is_the_tasks_fault(made: Made, files: Mapping[str, str | bytes], message: str) -> None:
    with pytest.raises(TaskError, match=message):
        made(files)


def test_of_a_large_script_only_what_is_asked_for_is_parsed_again(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty of more than ten thousand: the rest costs its finding."""
    parsed: list[int] = []
    whole = javascript._parses
    monkeypatch.setattr(javascript, "_parses", lambda scripts, places: parsed.append(len(places)) or whole(scripts, places))
    code = "".join(f"function f{number}(a, b) {{ return a < {number} ? b + {number} : f(b, a); }}\n" for number in range(2_000))
    found = made(code, limit=40)
    assert len(found) == 40 and len({one.line for one in found}) == 40 and sum(parsed) == javascript.AT_ONCE


def test_files_and_other_options(made: Made) -> None:
    files = {"a.js": "x = 1;", "lib/b.js": "x = 1;", "c.mjs": "x = 1;"}
    assert {one.file for one in made(files)} == {"a.js", "lib/b.js", "c.mjs"}
    assert {one.file for one in made(files, files=["*.js"])} == {"a.js"}
    with pytest.raises(TaskError, match=r"options of 'browser\.javascript'"):
        made(files, files=[])


def test_the_contract(packages: Path, tmp_path: Path) -> None:
    files = {"index.html": PAGE.replace("let unclosed", "</script>let unclosed"), "shop.js": SHOP, "twice.js": "f(1);\nf(1);\n"}
    (packages / "as-kept").mkdir(exist_ok=True)
    found = check_mutator(lambda options, services: JavaScriptMutator(options, Services(packages)), tmp_path,
                          fake_submission(tmp_path / "submission", files))
    assert len({one.id for one in found if one.file == "twice.js"}) == 6
