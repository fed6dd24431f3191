"""The `command` examiner: tests that must run beside the submission, read from a report that it cannot address by chance.

Held-out files are laid over a copy of the frozen workspace; the runner's own files and pinned packages come from read-only mounts;
the report goes to a folder outside the workspace. Each expected test id must appear exactly once. Everything that it says
is observed from inside, so a plan refuses a task whose required checks all come from it.
"""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from xml.etree import ElementTree

from attrs import Factory, frozen

from playproof.drivers import build, settings
from playproof.errors import TaskError
from playproof.interfaces import Box, Exit, Grading, Sandbox, Services
from playproof.model import Case, Check, LayIn, Observer, Options, Outcome, Priority, Reason, Ref, Task, Verdict
from playproof.packages import lay_in
from playproof.submission import delivered, walk
from playproof.workspace import lay, overlay, source_of

LAST_WORDS = 8000
REPORT_BYTES = 64 << 20
REPORTS = ("junit", "vitest")
REPORT = "/report"
RUNNER = "/runner"
WORKSPACE = "/workspace"


@frozen
class _Test:
    """A test id as the report spells it (`class.name` in JUnit, the full name in vitest). `was` says whether it passed
    before the work: a fail-to-pass or a pass-to-pass test. In place of `test`, `listed` names a file of checks/ with a test id in
    each line, all of which must pass: one check for many tests."""

    id: str
    test: str | None = None
    listed: str | None = None
    title: str | None = None
    priority: Priority | None = None
    required: bool = True
    was: str = "fail"

    def __attrs_post_init__(self) -> None:
        if (self.test is None) == (self.listed is None):
            raise ValueError("wanted either test or listed")

    def tests(self, held_out: Path) -> Sequence[str]:
        """The ids of its tests. Raises TaskError for a list that is not there or names none."""
        if self.listed is None:
            return [self.test or ""]
        place = held_out / self.listed
        found = [line for line in place.read_text("utf-8").splitlines() if line.strip()] if place.is_file() else []
        if not found:
            raise TaskError(f"{place}: lists no test; check {self.id!r} of the examiner 'command' needs one at least")
        return found


@frozen
class _Settings:
    """`runner` and `overlay` are folders of checks/; `restore` lays files of pinned packages over the copy, before the overlay (a
    package's own tests, say); `packages` shows whole sets of them read-only (place inside -> lock, as in `[[lay_in]]`).
    `delivered_only` takes of the submission the regular files that match the task's `deliver` and nothing else: no configuration, no
    packages of its own. With `by_file` a vitest id is `path/of/file > full name`."""

    argv: Sequence[str]
    tests: Sequence[_Test]
    report: str = "junit"
    report_file: str = "report.xml"
    overlay: str | None = None
    runner: str | None = None
    restore: Sequence[LayIn] = ()
    packages: Mapping[str, str] = Factory(dict)
    delivered_only: bool = False
    by_file: bool = False
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
        self._cache = services.cache
        if self._settings.report not in REPORTS:
            raise TaskError(f"options of 'command': report {self._settings.report!r} @ $.report; known: {', '.join(REPORTS)}")
        self._sandbox: Sandbox = build("sandbox", Ref(self._settings.sandbox), services)
        if not self._sandbox.promises["files"]:
            raise TaskError(f"options of 'command': sandbox {self._settings.sandbox!r} @ $.sandbox shows no folders of its own, "
                            "and a report beside the submission's files could be anybody's")

    def checks(self, task: Task) -> Sequence[Check]:
        return [
            Check(one.id, "command", one.title or one.test or one.listed or "", "L2", one.priority, one.required,
                  category=f"{one.was}-to-pass", timeout_s=self._settings.wall_s + 30, options=_asked(one, task))
            for one in self._settings.tests
        ]

    def examine(self, checks: Sequence[Check], case: Case, grading: Grading) -> Iterator[Verdict]:
        report, said, exit = self._run(grading)
        results = self._read(report) if report is not None else {}
        cite = grading.record.add("command.report/1", Observer.INSIDE, tick=0, source=self._settings.report_file,
                                  value={"exit": exit.code, "ended": exit.ended, "results": results, "output": said})
        tests = {one.id: one.tests(grading.held_out) for one in self._settings.tests}
        for check in checks:
            outcome, reason, message = _together({test: _judged(results.get(test, []), exit) for test in tests[check.id]})
            yield Verdict(check.id, case.id, outcome, reason, message, cites=(cite.id,), wall_ms=round(exit.wall_s * 1000),
                          observer=Observer.INSIDE)

    def _run(self, grading: Grading) -> tuple[bytes | None, str, Exit]:
        workspace, outputs = grading.scratch / "workspace", grading.scratch / "report"
        shutil.rmtree(workspace, ignore_errors=True)
        shutil.rmtree(outputs, ignore_errors=True)
        self._furnish(grading, workspace)
        outputs.mkdir(parents=True)
        mounts = {RUNNER: grading.held_out / self._settings.runner} if self._settings.runner else {}
        for shown, lock in self._settings.packages.items():
            mounts[shown] = lay_in(source_of(grading.task, LayIn(lock, shown)), self._cache) / "node_modules"
        said = bytearray()

        def hear(_: str, chunk: bytes) -> None:
            said[:] = (said + chunk)[-LAST_WORDS:]

        with self._sandbox.open(Box(workspace, mounts, {REPORT: outputs}, grading.limits)) as shell:
            exit = shell.run(self._settings.argv, env=self._settings.env, wall_s=self._settings.wall_s,
                             output=hear)
        place = outputs / self._settings.report_file
        written = place.is_file() and not place.is_symlink() and place.stat().st_size <= REPORT_BYTES
        return place.read_bytes() if written else None, said.decode("utf-8", "replace"), exit

    def _furnish(self, grading: Grading, workspace: Path) -> None:
        """The submission, as far as it is taken, and over it what nobody but us has a say in."""
        root, deliver = grading.submission.root, grading.task.deliver
        skip = [one.path for one in walk(root) if not delivered(deliver, one)] if self._settings.delivered_only else []
        overlay(root, workspace, skip)
        for one in self._settings.restore:
            lay(grading.task, one, workspace, self._cache)
        if self._settings.overlay:
            shutil.copytree(grading.held_out / self._settings.overlay, workspace, dirs_exist_ok=True)

    def _read(self, report: bytes) -> dict[str, list[str]]:
        return _vitest(report, self._settings.by_file) if self._settings.report == "vitest" else _junit(report)


def _asked(one: _Test, task: Task) -> Options:
    """The options of a test's check; a list is read when a plan is made, so that one that is missing is told early."""
    return {"test": one.test} if one.test else {"listed": one.listed, "tests": len(one.tests(task.root / "checks"))}


def _together(each: Mapping[str, tuple[Outcome, Reason, str]]) -> tuple[Outcome, Reason, str]:
    """All of a check's tests must pass; the first that does not speaks for all."""
    if len(each) == 1:
        return next(iter(each.values()))
    bad = [(test, ruling) for test, ruling in each.items() if ruling[0] is not Outcome.PASS]
    if not bad:
        return Outcome.PASS, Reason.OK, ""
    (test, (outcome, reason, message)), more = bad[0], f"; so {len(bad)} of {len(each)} tests" if len(bad) > 1 else ""
    return outcome, reason, f"{test}: {message}{more}"


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


def _vitest(report: bytes, by_file: bool) -> dict[str, list[str]]:
    results: dict[str, list[str]] = {}
    try:
        for suite in json.loads(report)["testResults"]:
            file = str(suite["name"]).removeprefix(f"{WORKSPACE}/") + " > " if by_file else ""
            for one in suite["assertionResults"]:
                results.setdefault(file + str(one["fullName"]), []).append(str(one["status"]))
    except (ValueError, KeyError, TypeError):
        return {}
    return results


