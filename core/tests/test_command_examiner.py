"""The `command` examiner: what a report beside the submission says, and what nobody but us has a say in."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from playproof import workspace
from playproof.errors import TaskError
from playproof.examiners import command
from playproof.examiners.command import CommandExaminer
from playproof.interfaces import Services
from playproof.model import Case, Priority, Verdict
from playproof.testing import fake_grading, fake_submission, fake_task

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
