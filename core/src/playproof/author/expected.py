"""`broken/<name>/expected.toml`: what a broken variant must fail, and what it may."""

import tomllib
from collections.abc import Mapping, Sequence, Set
from pathlib import Path

from attrs import frozen

from playproof.canonical import structure
from playproof.errors import TaskError
from playproof.model import Check, Outcome, Task, Verdict
from playproof.trial import Done

PASS_TO_PASS = "pass-to-pass"
"""The category of tests that pass before the work, and must pass after it."""


@frozen
class MayFail:
    """A check that a variant fails too, as a consequence; `reason` says why that is no surprise."""

    check: str
    reason: str


@frozen
class Expected:
    """`all`: every check that opens a session must fail, and the others may. Otherwise `must_fail` names the checks, and nothing
    outside `may_fail` may fail beside them."""

    must_fail: Sequence[str] = ()
    may_fail: Sequence[MayFail] = ()
    all: bool = False
    why: str = ""


def read_expected(task: Task, variant: str, checks: Sequence[Check]) -> Expected:
    """Raises TaskError: no file, an unknown key or check, or a variant that must fail nothing."""
    place = task.root / "broken" / variant / "expected.toml"
    try:
        expected = structure(tomllib.loads(place.read_text("utf-8")), Expected)
    except FileNotFoundError:
        raise TaskError(f"{place}: missing; it says what this variant must fail") from None
    except ValueError as fault:
        raise TaskError(f"{place}: {fault}") from None
    known = {check.id for check in checks}
    for name in (*expected.must_fail, *(one.check for one in expected.may_fail)):
        if name not in known:
            raise TaskError(f"{place}: no check named {name!r}; there are: {', '.join(sorted(known))}")
    if not expected.must_fail and not expected.all:
        raise TaskError(f"{place}: must_fail is empty; a variant that need not fail proves nothing")
    return expected


def surprises(done: Done) -> Sequence[str]:
    """How a trial differs from what its subject promises: references and accepted pass, nothing fails, variants fail as declared,
    a mutant fails something."""
    verdicts = done.result().verdicts
    kind, _, name = (done.trial.subject.source or "").partition(":")
    if done.grading is None:
        return [f"could not be graded: {done.trouble}"]
    verdicts = {id: one for id, one in verdicts.items() if not one.waits}  # without a model nobody can say
    voids = [f"{id} is void: {one.message}" for id, one in verdicts.items() if one.outcome is Outcome.VOID]
    if kind in ("reference", "accepted"):
        return [*voids, *(f"{id} fails: {one.message}" for id, one in verdicts.items() if one.outcome is Outcome.FAIL)]
    if kind == "nothing":
        return [*voids, *untouched(done.trial.survey.checks, verdicts)]
    if kind == "mutant":
        return [*voids, *(() if any(one.outcome is Outcome.FAIL for one in verdicts.values()) else ["survives: no check tells it apart"])]
    return [*voids, *_variant(done, read_expected(done.trial.task, name, done.trial.survey.checks), verdicts)]


def untouched(checks: Sequence[Check], verdicts: Mapping[str, Verdict]) -> Sequence[str]:
    """A workspace in which nobody worked passes nothing that is required. Where tests are to pass before the work and after it, the
    workspace holds what works already: these pass, and something that is required fails."""
    passed = [check.id for check in checks if check.required and _passes(verdicts, check.id)]
    before = [check.id for check in checks if check.category == PASS_TO_PASS and check.id in verdicts]
    if not before:
        return [f"{id} passes an empty submission" for id in passed]
    failing = [f"{id} is to pass before the work, and fails" for id in before if not _passes(verdicts, id)]
    asked = {check.id for check in checks if check.required and check.id in verdicts}
    return [*failing, *(["all that is required passes without any work"] if asked <= set(passed) else [])]


def promised(done: Done, expected: Expected) -> tuple[Set[str], Set[str]]:
    """The checks that a variant must fail, and all those that may fail, these among them."""
    must, checks = set(expected.must_fail), done.trial.survey.checks
    if expected.all:
        must |= {check.id for one in done.trial.survey.examiners if one.opens for check in one.checks}
    return must, {check.id for check in checks} if expected.all else must | {one.check for one in expected.may_fail}


def _variant(done: Done, expected: Expected, verdicts: Mapping[str, Verdict]) -> Sequence[str]:
    must, may = promised(done, expected)
    asked = set(verdicts)
    missed = [f"{id} should fail and passes" for id in sorted(must & asked) if verdicts[id].outcome is not Outcome.FAIL]
    extra = [f"{id} fails and is neither in must_fail nor may_fail: {one.message}" for id, one in verdicts.items()
             if one.outcome is Outcome.FAIL and id not in may]
    return [*missed, *extra]


def _passes(verdicts: Mapping[str, Verdict], id: str) -> bool:
    return id in verdicts and verdicts[id].outcome is Outcome.PASS


def variants(task: Task, kind: str) -> Sequence[str]:
    """The names below `accepted/` or `broken/`, as subjects."""
    folder: Path = task.root / kind
    return [f"{kind}:{one.name}" for one in sorted(folder.iterdir()) if one.is_dir()] if folder.is_dir() else []
