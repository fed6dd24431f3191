"""The three examiners: what each finds, and what it makes of a submission."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from playproof import workspace
from playproof.drivers import build
from playproof.errors import TaskError
from playproof.examiners import command
from playproof.examiners.command import CommandExaminer
from playproof.examiners.python import PythonExaminer
from playproof.examiners.rubric import RubricExaminer
from playproof.examiners.scripts import load_scripts
from playproof.interfaces import Services
from playproof.model import Case, Check, Outcome, Priority, Ref, Verdict
from playproof.testing import check_examiner, fake_grading, fake_submission, fake_task

# --- python ---

SCRIPT = """from playproof.checks import check
from playproof.errors import ExpectationFailed, NotApplicable, SubmissionFault

@check("first", title="first", priority="P1")
def first(session):
    session.note("first")
    session.wait(500)

@check("second", title="second", optional_feature=True)
def second(session):
    raise NotApplicable("no sound")

@check("third", title="third")
def third(session):
    session.wait(7)
    raise ExpectationFailed("n is 1, wanted 2", 1, 2)

@check("fourth", title="fourth")
def fourth(session):
    raise SubmissionFault("state.x", "missing")
"""


@pytest.fixture
def scripted(tmp_path: Path) -> Path:
    task = fake_task(tmp_path / "task")
    (task.root / "checks" / "b.py").write_text(SCRIPT)
    (task.root / "checks" / "a.py").write_text("from _common import check\n@check('zeroth', title='zeroth')\ndef zeroth(session): pass\n")
    (task.root / "checks" / "_common.py").write_text("from playproof.checks import check\n")
    return task.root


def test_python_finds_checks_in_the_order_of_files_and_lines(scripted: Path, tmp_path: Path) -> None:
    task = fake_task(scripted)
    examiner = PythonExaminer({"files": ["*.py"]}, Services(tmp_path))
    assert [check.id for check in examiner.checks(task)] == ["zeroth", "first", "second", "third", "fourth"]
    assert PythonExaminer({"files": ["b.py", "a.py"]}, Services(tmp_path)).checks(task)[0].id == "first"


def test_python_keeps_its_contract(scripted: Path, tmp_path: Path) -> None:
    grading = fake_grading(tmp_path, task=fake_task(scripted))
    check_examiner(PythonExaminer, grading.task, options={"files": ["*.py"]}, grading=grading)


def test_python_turns_signals_into_verdicts(scripted: Path, tmp_path: Path) -> None:
    grading = fake_grading(tmp_path, task=fake_task(scripted))
    examiner = PythonExaminer({"files": ["b.py"]}, grading.services)
    found = {one.check: one for check in examiner.checks(grading.task) for one in examiner.examine([check], Case(), grading)}
    assert {id: (one.outcome.value, one.reason.value, one.tick) for id, one in found.items()} == {
        "first": ("pass", "OK", 500), "second": ("not_applicable", "OK", 0), "third": ("fail", "FAIL", 7),
        "fourth": ("fail", "SUBMISSION_FAULT", 0)}
    assert (found["third"].seen, found["third"].wanted, found["fourth"].message) == ("1", "2", "state.x: missing")


def test_each_check_has_a_session_of_its_own(scripted: Path, tmp_path: Path) -> None:
    grading = fake_grading(tmp_path, task=fake_task(scripted))
    examiner = PythonExaminer({"files": ["b.py"]}, grading.services)
    checks = examiner.checks(grading.task)
    list(examiner.examine(checks[:1], Case(), grading))
    list(examiner.examine(checks[:1], Case(), grading))
    sessions = grading.runtime.sessions  # type: ignore[attr-defined]
    assert [one.log for one in sessions] == [[(0, "first")]] * 2


def test_two_folders_of_scripts_do_not_share_a_name(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "checks.py").write_text(
            f"from playproof.checks import check\n@check('{name}', title='x')\ndef f(session): pass\n")
    assert [list(load_scripts(tmp_path / name, ["*.py"])) for name in ("one", "two")] == [["one"], ["two"]]


# --- command ---


SANDBOXED = pytest.mark.heavy


def options(script: str = "cp said /report/report.xml", *tests: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """A command that copies a file of the submission to where its report belongs."""
    return {"argv": ["sh", "-c", script], "tests": list(tests) or [{"id": "a", "test": "suite.a"}], **more}


def examined(folder: Path, given: Mapping[str, Any], files: Mapping[str, str], held: Mapping[str, str] | None = None) -> Verdict:
    task = fake_task(folder / "task")
    for name, text in (held or {}).items():
        (task.root / "checks" / name).parent.mkdir(parents=True, exist_ok=True)
        (task.root / "checks" / name).write_text(text)
    grading = fake_grading(folder, task=task, submission=fake_submission(folder / "given", files))
    examiner = CommandExaminer(given, grading.services)
    verdict, = examiner.examine(examiner.checks(task), Case(), grading)
    assert verdict.observer == "inside" and len(verdict.cites) == 1
    return verdict


JUNIT = '<testsuites><testsuite><testcase classname="suite" name="{name}">{inner}</testcase>{more}</testsuite></testsuites>'
TWICE = '<testcase classname="suite" name="a"/>'
UNNAMED = "the report does not name this test (the command exited, code 0)"


@SANDBOXED
@pytest.mark.parametrize(("report", "ruling"), [
    (JUNIT.format(name="a", inner="", more=""), ("pass", "OK", "")),
    (JUNIT.format(name="a", inner="<failure/>", more=""), ("fail", "FAIL", "the test failed")),
    (JUNIT.format(name="a", inner="<error/>", more=""), ("fail", "FAIL", "the test errored")),
    (JUNIT.format(name="a", inner="<skipped/>", more=""), ("fail", "FAIL", "the test was skipped")),
    (JUNIT.format(name="b", inner="", more=""), ("fail", "MISSING_RESULT", UNNAMED)),
    (JUNIT.format(name="a", inner="", more=TWICE), ("fail", "TAMPERED", "the report names this test 2 times")),
    ("<testsuites><testcase", ("fail", "MISSING_RESULT", UNNAMED)),
    ('<!DOCTYPE x [<!ENTITY a "b">]>' + JUNIT.format(name="a", inner="", more=""), ("fail", "MISSING_RESULT", UNNAMED)),
], ids=["passes", "fails", "errs", "skipped", "another", "twice", "torn", "entities"])
def test_command_reads_a_junit_report(tmp_path: Path, report: str, ruling: tuple[str, str, str]) -> None:
    verdict = examined(tmp_path, options(), {"said": report})
    assert (verdict.outcome.value, verdict.reason.value, verdict.message) == ruling


@SANDBOXED
@pytest.mark.parametrize(("said", "outcome"), [
    ({"testResults": [{"assertionResults": [{"fullName": "suite a", "status": "passed"}]}]}, "pass"),
    ({"testResults": [{"assertionResults": [{"fullName": "suite a", "status": "failed"}]}]}, "fail"),
    ({"testResults": [{"assertionResults": [{"fullName": "suite a"}]}]}, "fail"), ([], "fail"), ({"testResults": 3}, "fail"),
])
def test_command_reads_a_vitest_report(tmp_path: Path, said: Any, outcome: str) -> None:
    given = options("cp said /report/r.json", {"id": "a", "test": "suite a", "was": "pass"}, report="vitest", report_file="r.json")
    assert examined(tmp_path, given, {"said": json.dumps(said)}).outcome.value == outcome


@SANDBOXED
@pytest.mark.parametrize("script", ["true", "exit 1", "ln -s /workspace/said /report/report.xml", "cp said report.xml"])
def test_command_without_a_report_where_it_belongs(tmp_path: Path, script: str) -> None:
    verdict = examined(tmp_path, options(script), {"said": JUNIT.format(name="a", inner="", more="")})
    assert verdict.reason == "MISSING_RESULT"


@SANDBOXED
def test_command_lays_held_out_files_over_a_copy(tmp_path: Path) -> None:
    forged = JUNIT.format(name="a", inner="", more="")
    held = {"tests/said": JUNIT.format(name="a", inner="<failure/>", more=""), "runner/run.sh": "cp /workspace/said /report/report.xml"}
    given = options("echo x > /runner/run.sh; sh /runner/run.sh", overlay="tests", runner="runner")
    assert examined(tmp_path, given, {"said": forged}, held).message == "the test failed"
    assert (tmp_path / "given" / "frozen" / "said").read_text() == forged
    assert (tmp_path / "task" / "checks" / "runner" / "run.sh").read_text() == held["runner/run.sh"]


def vitest(**files: Mapping[str, str]) -> str:
    """A report: file -> test -> status, as vitest spells it in a box."""
    suites = [{"name": f"/workspace/{file}", "assertionResults": [{"fullName": name, "status": said} for name, said in tests.items()]}
              for file, tests in files.items()]
    return json.dumps({"testResults": suites})


@SANDBOXED
@pytest.mark.parametrize(("said", "ruling"), [
    ({"a": {"one": "passed", "two": "passed"}, "b": {"one": "passed"}}, ("pass", "OK", "")),
    ({"a": {"one": "passed", "two": "failed"}, "b": {"one": "skipped"}}, ("fail", "FAIL", "a > two: the test failed; so 2 of 3 tests")),
    ({"a": {"one": "passed", "two": "passed"}}, ("fail", "MISSING_RESULT", f"b > one: {UNNAMED}")),
], ids=["all", "two-fail", "one-missing"])
def test_command_takes_a_list_of_tests_as_one_check(tmp_path: Path, said: Any, ruling: tuple[str, str, str]) -> None:
    """The same name in two files is two tests."""
    given = options("cp said /report/report.xml", {"id": "old", "listed": "old.txt"}, report="vitest", by_file=True)
    verdict = examined(tmp_path, given, {"said": vitest(**said)}, {"old.txt": "a > one\na > two\n\nb > one\n"})
    assert (verdict.outcome.value, verdict.reason.value, verdict.message) == ruling


def test_command_refuses_a_list_that_names_no_test(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"checks/old.txt: lists no test; check 'old'"):
        CommandExaminer(options("true", {"id": "old", "listed": "old.txt"}), Services(tmp_path)).checks(fake_task(tmp_path))


@SANDBOXED
def test_command_takes_what_is_delivered_and_puts_a_packages_own_tests_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no file of its own or was not asked for is left behind, and packages are shown where they are told to be."""
    own = tmp_path / "laid" / "node_modules" / "kit" / "src" / "part.test"
    own.parent.mkdir(parents=True)
    own.write_text("whole")
    for module in (command, workspace):
        monkeypatch.setattr(module, "lay_in", lambda lock, cache: tmp_path / "laid")
    left = {"src/part.test": "skipped", "src/part": "mine", "config": "x", "node_modules/kit/a": "x"}
    submission = fake_submission(tmp_path / "given", left)
    (submission.root / "src" / "link").symlink_to("part")
    grading = fake_grading(tmp_path, task=fake_task(tmp_path / "task", deliver=["src/**"]), submission=submission)
    given = options("(find . -type f -o -type l | sort; cat src/part.test; ls /packages) > /report/report.xml", delivered_only=True,
                    packages={"/packages": "lock"}, restore=[{"lock": "lock", "into": "src", "files": ["kit/src/*.test"]}])
    list(CommandExaminer(given, grading.services).examine([], Case(), grading))
    assert (grading.scratch / "report" / "report.xml").read_text() == "./src/part\n./src/part.test\nwholekit\n"


@SANDBOXED
def test_command_that_takes_too_long(tmp_path: Path) -> None:
    verdict = examined(tmp_path, options("sleep 60", wall_s=1.0), {})
    assert verdict.reason == "MISSING_RESULT" and "the command wall" in verdict.message


@pytest.mark.parametrize(("change", "message"), [
    ({"report": "tap"}, "report 'tap' @ $.report; known: junit, vitest"),
    ({"tests": [{"id": "a"}]}, "wanted either test or listed @ $.tests[0]"),
    ({"tests": [{"id": "a", "test": "b", "listed": "c"}]}, "wanted either test or listed @ $.tests[0]"),
    ({"tests": [{"id": "a", "test": "b", "priority": "P9"}]}, "@ $.tests[0].priority"),
    ({"argv": "npm test"}, "expected a list, not str @ $.argv"), ({"sandbox": "process"}, "sandbox 'process' @ $.sandbox shows no folders"),
    ({"sandbox": "box"}, "no sandbox named 'box'"),
])
def test_command_refuses_options(tmp_path: Path, change: Mapping[str, Any], message: str) -> None:
    with pytest.raises(TaskError) as fault:
        CommandExaminer({**options(), **change}, Services(tmp_path))
    assert message in str(fault.value)


def test_command_lists_its_tests_as_checks(tmp_path: Path) -> None:
    old = {"id": "old", "test": "s.old", "was": "pass", "required": False}
    given = options("true", old, {"id": "new", "test": "s.new", "priority": "P1"})
    checks = CommandExaminer(given, Services(tmp_path)).checks(fake_task(tmp_path))
    assert [(one.id, one.category, one.required, one.priority) for one in checks] == [
        ("old", "pass-to-pass", False, None), ("new", "fail-to-pass", True, Priority.P1)]


# --- rubric ---

RUBRIC = """
[[criteria]]
id = "lit"
importance = "major"
asks = { driver = "toy.reaches", shows = { light = true } }
[[criteria]]
id = "blue"
weight = 7
category = "colour"
required = false
asks = { driver = "toy.reaches", shows = { colour = "blue" } }
"""

LAMP = {"start": "dark", "states": {"dark": {"shows": {"light": False}, "on": {"switch": "lit"}}, "lit": {"shows": {"light": True}}}}


@pytest.fixture
def rubric(toy: Path, tmp_path: Path) -> Callable[..., Sequence[Verdict]]:
    def run(machine: Any, text: str = RUBRIC, ticks: int = 90_000, every_s: float = 0.5) -> Sequence[Verdict]:
        task = fake_task(tmp_path / "task")
        (task.root / "checks" / "r.toml").write_text(text)
        services = Services(tmp_path)
        runtime = build("runtime", Ref("toy.lamp"), services)
        presser = build("actor", Ref("toy.presser", {"button": "switch", "every_s": every_s, "first_s": every_s}), services)
        grading = fake_grading(tmp_path, task=task, runtime=runtime, cast=[presser],
                               submission=fake_submission(tmp_path / "given", {"machine.json": json.dumps(machine)}))
        examiner = RubricExaminer({"files": ["r.toml"], "ticks": ticks}, services)
        return list(examiner.examine(examiner.checks(task), Case(), grading))

    return run


def test_rubric_lets_the_cast_play_and_asks_offline(rubric: Callable[..., Sequence[Verdict]]) -> None:
    lit, blue = rubric(LAMP)
    assert (lit.outcome, lit.tick, lit.observer, lit.seen) == (Outcome.PASS, 90_000, "outside", "first at 45000 ticks")
    assert blue.outcome is Outcome.FAIL and lit.cites == blue.cites and len(lit.cites) == 1


def test_rubric_stops_the_cast_at_its_ticks(rubric: Callable[..., Sequence[Verdict]]) -> None:
    assert [one.outcome for one in rubric(LAMP, ticks=40_000)] == [Outcome.FAIL, Outcome.FAIL]


def test_rubric_fails_everything_where_the_session_does(rubric: Callable[..., Sequence[Verdict]], monkeypatch: pytest.MonkeyPatch) -> None:
    from playproof_toy.lamp import LampSession  # type: ignore[import-not-found, unused-ignore]

    from playproof.errors import SubmissionFault

    def spoilt(self: object, ask: object) -> None:
        raise SubmissionFault("history", "missing")

    monkeypatch.setattr(LampSession, "observe", spoilt)
    assert [(one.reason.value, one.message) for one in rubric(LAMP)] == [("SUBMISSION_FAULT", "history: missing")] * 2


def test_rubric_weights(tmp_path: Path) -> None:
    task = fake_task(tmp_path)
    (task.root / "checks" / "r.toml").write_text(RUBRIC)
    checks = RubricExaminer({"files": ["*.toml"]}, Services(tmp_path)).checks(task)
    assert [(one.weight, one.category, one.required) for one in checks] == [(3.0, None, True), (7.0, "colour", False)]


@pytest.mark.parametrize(("text", "message"), [
    ("criteria = 3", "r.toml: expected a list, not int @ $.criteria"), ("[[criteria]]\nid = 1", "r.toml: "), ("[[criteria", "r.toml: "),
    ('[[criteria]]\nid = "a"\nasks = {}', "r.toml: a: asks names neither a driver nor a judge"),
    ('[[criteria]]\nid = "a"\nimportance = "huge"\nasks = { driver = "x" }', "importance 'huge'; known: major, secondary, detail"),
    ('[[criteria]]\nid = "a"\ncolour = 1\nasks = { driver = "toy.reaches" }', "unknown key 'colour' @ $.criteria[0]"),
])
def test_rubric_refuses_with_file_and_place(tmp_path: Path, text: str, message: str) -> None:
    task = fake_task(tmp_path)
    (task.root / "checks" / "r.toml").write_text(text)
    with pytest.raises(TaskError) as fault:
        RubricExaminer({"files": ["*.toml"]}, Services(tmp_path)).checks(task)
    assert message in str(fault.value)


def test_an_assertion_refuses_its_options_when_the_task_is_planned(toy: Path, tmp_path: Path) -> None:
    examiner = RubricExaminer({"files": ["*.toml"]}, Services(tmp_path))
    with pytest.raises(TaskError, match=r"options of 'toy\.reaches': unknown key 'show' @ \$"):
        examiner.reads([Check("a", "rubric", "A", options={"asks": {"driver": "toy.reaches", "show": {}}})])
