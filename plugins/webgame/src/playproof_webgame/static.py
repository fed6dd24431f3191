"""The examiner `webgame.static`: what the delivered files themselves show, before they are run (layer L1).

The rules are those of GameASG-Bench's checks.json in TOML (`[[checks]]` with id, title, type and the type's own keys), with
Python's regular expressions. They read hostile text, so they run in a child process that is ended when it takes too long.
"""

import json
import re
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import asdict, field, frozen, validators

from playproof.canonical import short, structure
from playproof.drivers import settings
from playproof.errors import SessionError, TaskError
from playproof.examiners.scripts import held_out_files
from playproof.interfaces import Grading, Services
from playproof.model import Case, Check, Observer, Options, Outcome, Priority, Reason, Task, Verdict
from playproof_webgame.scripts import Scripts, read_scripts, syntax_faults
from playproof_webgame.static_rules import run_rules

PATTERNS = ("regex_any", "regex_all", "regex_none", "regex_proximity")


@frozen
class _Settings:
    files: Sequence[str]
    entry: str = "index.html"


@frozen
class Rule:
    """One `[[checks]]` entry. Which of the optional keys are needed follows from `type`."""

    id: str
    title: str
    type: str = field(validator=validators.in_((*PATTERNS, "html_structure", "js_syntax", "min_size_kb", "file_exists")))
    fix_hint: str = field(validator=validators.min_len(1))
    priority: str = field(default="P1", validator=validators.in_(tuple(Priority)))
    patterns: Sequence[str] = ()
    required_tags: Sequence[str] = ()
    exclude_in: Sequence[str] = ()
    paths: Sequence[str] = ()
    min_count: int = 1
    value: float | None = None


_NEEDS = {**dict.fromkeys(PATTERNS, "patterns"), "html_structure": "required_tags", "file_exists": "paths", "min_size_kb": "value"}


class StaticExaminer:
    together = True
    opens = False
    grading_version = 1

    def __init__(self, options: Options, services: Services) -> None:
        self._settings = settings(_Settings, options, "webgame.static")

    def checks(self, task: Task) -> Sequence[Check]:
        """Raises TaskError, with file and place, on an entry that cannot be understood."""
        found: list[Check] = []
        for path in held_out_files(task.root / "checks", self._settings.files):
            found += [self._check(path, index, entry) for index, entry in enumerate(_entries(path))]
        return found

    def _check(self, path: Path, index: int, entry: Any) -> Check:
        place = f"{path}: checks[{index}]"
        try:
            rule = structure(entry, Rule)
        except ValueError as fault:
            raise TaskError(f"{place}: {fault}") from None
        needed = _NEEDS.get(rule.type)
        if needed and not getattr(rule, needed) and getattr(rule, needed) != 0:
            raise TaskError(f"{place} ({rule.id}): {rule.type} needs {needed}")
        for pattern in rule.patterns:
            try:
                re.compile(pattern)
            except re.error as fault:
                raise TaskError(f"{place} ({rule.id}): pattern {pattern!r}: {fault}") from None
        return Check(rule.id, "webgame.static", rule.title, "L1", Priority(rule.priority), True, options=asdict(rule))

    def examine(self, checks: Sequence[Check], case: Case, grading: Grading) -> Iterator[Verdict]:
        """Every verdict that can be given; then, if a rule broke or took too long, the error that the grader is to settle."""
        scripts = read_scripts(grading.submission.root, self._settings.entry)
        found = self._found(checks, scripts, grading)
        seen = grading.record.add("webgame.static/1", Observer.OUTSIDE, tick=0, source=self._settings.entry, value={
            "bytes": scripts.bytes, "scripts": [script.name for script in scripts.scripts],
            "results": {check.id: str(problem) for check, (problem, _) in zip(checks, found, strict=True)},
        })  # fmt: skip
        broken = None
        for check, (problem, wall_ms) in zip(checks, found, strict=True):
            if isinstance(problem, SessionError):
                broken = broken or type(problem)(f"{check.id}: {problem}")
                continue
            message = f"{problem}. {check.options['fix_hint']}" if problem else ""
            yield Verdict(check.id, case.id, Outcome.FAIL if problem else Outcome.PASS, Reason.FAIL if problem else Reason.OK, message,
                          seen=short(problem) if problem else None, cites=[seen.id], wall_ms=wall_ms, observer=Observer.OUTSIDE)
        if broken:
            raise broken

    def _found(self, checks: Sequence[Check], scripts: Scripts, grading: Grading) -> Sequence[tuple[str | SessionError, int]]:
        """For each check what is wrong, or nothing, or what kept us from finding it; and how long the finding took."""
        written = [check.options for check in checks if check.options["type"] in (*PATTERNS, "html_structure")]
        answers = iter(run_rules(written, scripts.html, scripts.text))
        found = []
        for check in checks:
            begun = time.monotonic()
            problem: str | SessionError
            kind = check.options["type"]
            if scripts.problem:
                problem = scripts.problem
                if kind in (*PATTERNS, "html_structure"):
                    next(answers)
            elif kind == "js_syntax":
                problem = _syntax(scripts)
            elif kind == "min_size_kb":
                size = scripts.bytes / 1024
                problem = f"{size:.1f} KB, wanted at least {check.options['value']:g}" if size < check.options["value"] else ""
            elif kind == "file_exists":
                problem = _missing(grading.submission.root, check.options["paths"])
            else:
                problem = next(answers)
            found.append((problem, round((time.monotonic() - begun) * 1000)))
        return found


def _syntax(scripts: Scripts) -> str | SessionError:
    try:
        return syntax_faults(scripts)
    except SessionError as error:
        return error


def _missing(root: Path, paths: Sequence[str]) -> str:
    missing = [path for path in paths if not (root / path).is_file() or (root / path).is_symlink()]
    return f"there is no {', '.join(missing)}" if missing else ""


def _entries(path: Path) -> Sequence[Mapping[str, Any]]:
    try:
        told = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise TaskError(f"{path}: {fault}") from None
    if set(told) != {"checks"} or not isinstance(told["checks"], list):
        raise TaskError(f"{path}: wanted [[checks]] alone, got {json.dumps(sorted(told))}")
    return told["checks"]
