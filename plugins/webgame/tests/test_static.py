"""Rules about the files themselves: what each finds, and that hostile text stops none of them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from playproof.errors import InfrastructureError, SessionHung, SessionLost, TaskError
from playproof.interfaces import Grading
from playproof.model import Case, ExaminerRef, Outcome, Priority, Task, Verdict
from playproof.testing import check_examiner, fake_grading, fake_submission, fake_task
from playproof_webgame import scripts, static_rules
from playproof_webgame.static import StaticExaminer
from playproof_webgame.static_rules import run_rules

GOOD = "<!doctype html><html><head><title>x</title></head><body><script>let a = 1;</script></body></html>"
Examined = Callable[..., dict[str, Verdict]]


def entry(id: str, type: str, **keys: Any) -> str:
    lines = [f'id = "{id}"', f'type = "{type}"', 'title = "t"', 'fix_hint = "Mend it."']
    return "\n".join(["[[checks]]", *lines, *(f"{name} = {value}" for name, value in keys.items())]) + "\n"


@pytest.fixture
def task(tmp_path: Path) -> Callable[[str], Task]:
    def make(toml: str) -> Task:
        made = fake_task(tmp_path / "task", examiners=[ExaminerRef("webgame.static", ["l1.toml"])])
        (made.root / "checks" / "l1.toml").write_text(toml)
        return made

    return make


@pytest.fixture
def examined(task: Callable[[str], Task], tmp_path: Path) -> Examined:
    def run(toml: str, html: str | bytes = GOOD, **files: str) -> dict[str, Verdict]:
        grading: Grading = fake_grading(tmp_path / "grading", task=task(toml))
        named = {name.replace("__", "."): text for name, text in files.items()}
        submission = fake_submission(tmp_path / "mine", {"index.html": html, **named})
        examiner = StaticExaminer({"files": ["l1.toml"]}, grading.services)
        checks = examiner.checks(grading.task)
        return {verdict.check: verdict for verdict in examiner.examine(checks, Case(), evolve(grading, submission=submission))}

    return run


def test_the_contract_of_an_examiner_is_kept(task: Callable[[str], Task], tmp_path: Path) -> None:
    made = task(entry("a", "html_structure", required_tags='["body"]') + entry("b", "js_syntax"))
    check_examiner(StaticExaminer, made, options={"files": ["l1.toml"]}, grading=fake_grading(tmp_path / "grading", task=made))


@pytest.mark.parametrize(
    ("toml", "html", "said"),
    [
        (entry("a", "html_structure", required_tags='["body", "canvas", "main"]'), GOOD, "no <canvas>, <main>. Mend it."),
        (entry("a", "regex_any", patterns="['zzz', 'let a']"), GOOD, None),
        (entry("a", "regex_any", patterns="['zzz', '^let']"), GOOD, "none of the patterns is found. Mend it."),
        (entry("a", "regex_all", patterns="['title', 'zzz']"), GOOD, "not found: zzz. Mend it."),
        (entry("a", "regex_none", patterns="['let (?P<name>a)']"), GOOD, "found 'let a' at character 64. Mend it."),
        (entry("a", "regex_none", patterns="['let a']", exclude_in="['</title>']"), GOOD, None),
        (entry("a", "regex_proximity", patterns="['<h.*l>']", min_count=1), GOOD.replace("<body>", "\n<body>"), None),
        (entry("a", "regex_proximity", patterns="['body']", min_count=3), GOOD, "found 2 times, wanted 3. Mend it."),
        (entry("a", "min_size_kb", value=0.09), GOOD, None),
        (entry("a", "min_size_kb", value=1), GOOD, "0.1 KB, wanted at least 1. Mend it."),
        (entry("a", "file_exists", paths='["index.html", "x.png"]'), GOOD, "there is no x.png. Mend it."),
        (entry("a", "js_syntax"), GOOD, None),
        (entry("a", "js_syntax"), "<html></html>", "there is no script. Mend it."),
        (entry("a", "js_syntax"), "<script>let a = ;</script>", "script 1 of index.html line 1: SyntaxError: Unexpected token ';'"),
        (entry("a", "js_syntax"), "<script>return 1</script>", "SyntaxError: Illegal return statement"),
        (entry("a", "js_syntax"), "<script type=module>await 1; import './x.js';</script>", None),
        (entry("a", "js_syntax"), "<script type=importmap>{\"imports\":</script><script>1</script>", "script 1 of index.html: SyntaxError"),
        (entry("a", "js_syntax"), "<script type='text/x-glsl'>void main() {</script><script>1</script>", None),
        (entry("a", "regex_any", patterns="['\ufffd']"), b"\xff\xfe", None),
    ],
)  # fmt: skip
def test_each_rule_finds_what_it_is_for(toml: str, html: str | bytes, said: str | None, examined: Examined) -> None:
    verdict = examined(toml, html)["a"]
    assert verdict.outcome is (Outcome.FAIL if said else Outcome.PASS), verdict.message
    assert (said or "") in verdict.message and verdict.cites


def test_linked_scripts_of_the_submission_are_read_and_no_others(examined: Examined) -> None:
    page = "<script src='game.js?v=1'></script><script src='../outside.js'></script><script src='https://x.example/a.js'></script>"
    toml = entry("syntax", "js_syntax") + entry("text", "regex_all", patterns="['inside']")
    good = examined(toml, page, game__js="const inside = 1;")
    assert {verdict.outcome for verdict in good.values()} == {Outcome.PASS}
    bad = examined(toml, page, game__js="const = 1;")
    assert "game.js?v=1 line 1: SyntaxError" in bad["syntax"].message and bad["text"].outcome is Outcome.FAIL


def test_a_pattern_that_takes_for_ever_is_left_to_the_grader_and_the_others_are_answered(
    task: Callable[[str], Task], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(static_rules, "RULE_S", 2.0)
    toml = "".join(entry(id, "regex_any", patterns=f"['{pattern}']") for id, pattern in (("a", "a"), ("b", "(a+)+$"), ("c", "zzz")))
    page = fake_submission(tmp_path / "mine", {"index.html": "a" * 40 + "!b"})
    grading = evolve(fake_grading(tmp_path / "grading", task=task(toml)), submission=page)
    examiner = StaticExaminer({"files": ["l1.toml"]}, grading.services)
    told: list[tuple[str, Outcome]] = []
    with pytest.raises(SessionHung, match="b: its patterns took longer than 2 s on this text"):
        told.extend((one.check, one.outcome) for one in examiner.examine(examiner.checks(grading.task), Case(), grading))
    assert told == [("a", Outcome.PASS), ("c", Outcome.FAIL)]


def test_a_child_that_ends_over_a_rule_is_left_to_the_grader_and_one_that_never_starts_is_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    fatal, plain = {"type": "none that there is"}, {"type": "regex_any", "patterns": ["b"]}
    ended, rest = run_rules([fatal, plain], "", "b")
    assert isinstance(ended, SessionLost) and rest == ""
    monkeypatch.setattr(static_rules.sys, "executable", "/bin/false")
    with pytest.raises(InfrastructureError, match="did not become ready"):
        run_rules([plain], "", "b")


@pytest.mark.parametrize(("limit", "value", "error"), [("PARSE_S", 0.001, SessionHung), ("HEAP", 1, SessionLost)])
def test_scripts_that_take_too_much_to_parse_are_left_to_the_grader(
    limit: str, value: float, error: type[Exception], examined: Examined, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scripts, limit, value)
    with pytest.raises(error, match="a: "):
        examined(entry("a", "js_syntax"), f"<script>const a = {list(range(20_000))};</script>")


@pytest.mark.parametrize("odd", ["<![foo]>", "<![>", "<!", "<![CDATA[ x", "<![if a]>", "<!DOCTYPE", "<!-- ", "</", "<a <![x]>", "<?x"])
def test_broken_markup_stops_no_rule(odd: str, examined: Examined) -> None:
    toml = entry("tags", "html_structure", required_tags='["body"]') + entry("syntax", "js_syntax")
    verdicts = examined(toml, f"{GOOD}{odd}")
    assert {verdict.outcome for verdict in verdicts.values()} == {Outcome.PASS}


@pytest.mark.parametrize("source", ["http://[", "a%00b.js", "x" * 300, "//", "circle.js", "\ufffd", "?", "a/../../b.js"])
def test_a_script_that_is_nowhere_is_no_script(source: str, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(f"<script src='{source}'></script><script>1</script>")
    (tmp_path / "circle.js").symlink_to("circle.js")
    found = scripts.read_scripts(tmp_path, "index.html")
    assert [one.name for one in found.scripts] == ["script 2 of index.html"]


def test_a_missing_node_is_no_pass(examined: Examined, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(scripts, "node_program", lambda: tmp_path / "no-node")
    with pytest.raises(InfrastructureError, match="no-node cannot be run"):
        examined(entry("a", "js_syntax"))


def test_a_page_too_large_to_read_fails_every_rule(examined: Examined, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scripts, "LARGEST", 1 << 20)
    toml = entry("a", "regex_any", patterns="['x']") + entry("b", "js_syntax") + entry("c", "min_size_kb", value=1)
    assert {verdict.message for verdict in examined(toml, "x" * (2 << 20)).values()} == {"index.html is larger than 1 MB. Mend it."}


def test_checks_are_of_the_source_layer_and_all_required(task: Callable[[str], Task]) -> None:
    examiner = StaticExaminer({"files": ["l1.toml"]}, fake_grading(task("").root.parent / "g").services)
    first, second = examiner.checks(task(entry("a", "js_syntax") + entry("b", "js_syntax", priority='"P2"')))
    assert (first.layer, first.priority, first.required) == ("L1", Priority.P1, True)
    assert (second.priority, second.required) == (Priority.P2, True)


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        (entry("a", "regex_any"), "checks[0] (a): regex_any needs patterns"),
        (entry("a", "regex_any", patterns="['(']"), "pattern '(': missing )"),
        (entry("a", "regexp", patterns="['x']"), "checks[0]: "), (entry("a", "js_syntax", level='"P0"'), "unknown key 'level'"),
        (entry("a", "min_size_kb", value='"8"'), "$.value"), ("[[rules]]\n", "wanted [[checks]] alone"), ("[[checks]\n", "l1.toml: "),
        ('[[checks]]\nid = "a"\n', "missing"),
    ],
)  # fmt: skip
def test_what_cannot_be_understood_is_refused_with_its_place(toml: str, said: str, task: Callable[[str], Task]) -> None:
    made = task(toml)
    with pytest.raises(TaskError) as caught:
        StaticExaminer({"files": ["l1.toml"]}, fake_grading(made.root.parent / "g").services).checks(made)
    assert said in str(caught.value) and "l1.toml" in str(caught.value)
