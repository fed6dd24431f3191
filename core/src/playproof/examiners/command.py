"""The `command` examiner: tests that must run beside the submission, read from a report that it cannot address by chance.

Held-out files are laid over a copy of the frozen workspace; the runner's own files come from a read-only mount; the
report goes to a folder outside the workspace. Each expected test id must appear exactly once. Everything that it says
is observed from inside, so a plan refuses a task whose required checks all come from it.
"""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from xml.etree import ElementTree

from attrs import Factory, frozen

from playproof.drivers import build, settings
from playproof.errors import TaskError
from playproof.interfaces import Box, Exit, Grading, Sandbox, Services
from playproof.model import Case, Check, Observer, Options, Outcome, Priority, Reason, Ref, Task, Verdict

LAST_WORDS = 8000
REPORT_BYTES = 64 << 20
REPORT = "/report"
RUNNER = "/runner"


@frozen
class _Test:
    """A test id as the report spells it (`class.name` in JUnit, the full name in vitest). `was` says whether it passed
    before the work: a fail-to-pass or a pass-to-pass test."""

    id: str
    test: str
    title: str | None = None
    priority: Priority | None = None
    required: bool = True
    was: str = "fail"


@frozen
class _Settings:
    argv: Sequence[str]
    tests: Sequence[_Test]
    report: str = "junit"
    report_file: str = "report.xml"
    overlay: str | None = None
    runner: str | None = None
    sandbox: str = "bubblewrap"
    wall_s: float = 600.0
    env: Mapping[str, str] = Factory(dict)
    files: Sequence[str] = ()


class CommandExaminer:
    together = True
    opens = False
    grading_version = 1

    def __init__(self, options: Options, services: Services) -> None:
        self._settings = settings(_Settings, options, "command")
        if self._settings.report not in _READERS:
            raise TaskError(f"options of 'command': report {self._settings.report!r} @ $.report; known: {', '.join(_READERS)}")
        self._sandbox: Sandbox = build("sandbox", Ref(self._settings.sandbox), services)
        if not self._sandbox.promises["files"]:
            raise TaskError(f"options of 'command': sandbox {self._settings.sandbox!r} @ $.sandbox shows no folders of its own, "
                            "and a report beside the submission's files could be anybody's")

    def checks(self, task: Task) -> Sequence[Check]:
        return [
            Check(one.id, "command", one.title or one.test, "L2", one.priority, one.required,
                  category=f"{one.was}-to-pass", timeout_s=self._settings.wall_s + 30, options={"test": one.test})
            for one in self._settings.tests
        ]

    def examine(self, checks: Sequence[Check], case: Case, grading: Grading) -> Iterator[Verdict]:
        report, said, exit = self._run(grading)
        results = _READERS[self._settings.report](report) if report is not None else {}
        cite = grading.record.add("command.report/1", Observer.INSIDE, tick=0, source=self._settings.report_file,
                                  value={"exit": exit.code, "ended": exit.ended, "results": results, "output": said})
        for check in checks:
            outcome, reason, message = _judged(results.get(check.options["test"], []), exit)
            yield Verdict(check.id, case.id, outcome, reason, message, cites=(cite.id,), wall_ms=round(exit.wall_s * 1000),
                          observer=Observer.INSIDE)

    def _run(self, grading: Grading) -> tuple[bytes | None, str, Exit]:
        workspace, outputs = grading.scratch / "workspace", grading.scratch / "report"
        shutil.rmtree(workspace, ignore_errors=True)
        shutil.rmtree(outputs, ignore_errors=True)
        shutil.copytree(grading.submission.root, workspace, symlinks=True)
        outputs.mkdir(parents=True)
        if self._settings.overlay:
            shutil.copytree(grading.held_out / self._settings.overlay, workspace, dirs_exist_ok=True)
        mounts = {RUNNER: grading.held_out / self._settings.runner} if self._settings.runner else {}
        said = bytearray()

        def hear(_: str, chunk: bytes) -> None:
            said[:] = (said + chunk)[-LAST_WORDS:]

        with self._sandbox.open(Box(workspace, mounts, {REPORT: outputs}, grading.limits)) as shell:
            exit = shell.run(self._settings.argv, env=self._settings.env, wall_s=self._settings.wall_s,
                             output=hear)
        place = outputs / self._settings.report_file
        written = place.is_file() and not place.is_symlink() and place.stat().st_size <= REPORT_BYTES
        return place.read_bytes() if written else None, said.decode("utf-8", "replace"), exit


def _judged(results: Sequence[str], exit: Exit) -> tuple[Outcome, Reason, str]:
    """A test must appear exactly once: absent is missing, twice is tampering."""
    if not results:
        return Outcome.FAIL, Reason.MISSING_RESULT, f"the report does not name this test (the command {exit.ended}, code {exit.code})"
    if len(results) > 1:
        return Outcome.FAIL, Reason.TAMPERED, f"the report names this test {len(results)} times"
    if results[0] == "passed":
        return Outcome.PASS, Reason.OK, ""
    return Outcome.FAIL, Reason.FAIL, f"the test {results[0]}"


def _junit(report: bytes) -> dict[str, list[str]]:
    results: dict[str, list[str]] = {}
    if b"<!DOCTYPE" in report or b"<!ENTITY" in report:
        return results
    try:
        root = ElementTree.fromstring(report)
    except ElementTree.ParseError:
        return results
    for one in root.iter("testcase"):
        named = ".".join(part for part in (one.get("classname"), one.get("name")) if part)
        state = next((tag for tag in ("failure", "error", "skipped") if one.find(tag) is not None), None)
        results.setdefault(named, []).append({"failure": "failed", "error": "errored", "skipped": "was skipped"}.get(state or "", "passed"))
    return results


def _vitest(report: bytes) -> dict[str, list[str]]:
    results: dict[str, list[str]] = {}
    try:
        for suite in json.loads(report)["testResults"]:
            for one in suite["assertionResults"]:
                results.setdefault(str(one["fullName"]), []).append(str(one["status"]))
    except (ValueError, KeyError, TypeError):
        return {}
    return results


_READERS = {"junit": _junit, "vitest": _vitest}
