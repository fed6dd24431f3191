"""The `python` examiner: each check is a function that drives a fresh session and expects."""

import time
from collections.abc import Iterator, Sequence
from typing import Any

from attrs import evolve, frozen

from playproof.canonical import short
from playproof.drivers import settings
from playproof.errors import CheckSignal, ExpectationFailed, NotApplicable, SubmissionFault
from playproof.examiners.scripts import load_scripts
from playproof.interfaces import Grading, Services
from playproof.model import Case, Check, Options, Outcome, Reason, Task, Verdict, unjudged

GROUNDS = 20
"""How much of what a pass rests on is cited: the last of it."""


@frozen
class _Settings:
    files: Sequence[str]


class PythonExaminer:
    together = False
    opens = True
    grading_version = 1

    def __init__(self, options: Options, services: Services) -> None:
        self._files = settings(_Settings, options, "python").files
        self._scripts: dict[str, Any] = {}

    def checks(self, task: Task) -> Sequence[Check]:
        return [one.check for one in load_scripts(task.root / "checks", self._files).values()]

    def examine(self, checks: Sequence[Check], case: Case, grading: Grading) -> Iterator[Verdict]:
        if not self._scripts:
            self._scripts = load_scripts(grading.held_out, self._files)
        for check in checks:
            yield _carry_out(check, self._scripts[check.id].script, case, grading)


def _carry_out(check: Check, script: Any, case: Case, grading: Grading) -> Verdict:
    """One check in one fresh session. What the submission did wrong becomes a verdict; any other exception is let out,
    because only a control can tell whose fault it is."""
    begun = time.monotonic()
    tick = 0
    shown: tuple[str, ...] = ()
    try:
        with grading.stage(case) as stage:
            try:
                script(stage.session)
            finally:
                tick = stage.clock.now
                shown = _witness(stage)
        verdict = Verdict(check.id, case.id, Outcome.PASS, Reason.OK) if check.asks is None else _for_a_judge(check, case, grading, shown)
    except CheckSignal as signal:
        verdict = verdict_of(signal, check, case)
    if verdict.outcome is Outcome.VOID:
        return evolve(verdict, tick=tick, wall_ms=round((time.monotonic() - begun) * 1000), observer=grading.record.weakest(verdict.cites))
    rests_on = verdict.cites or grading.record.grounds[-GROUNDS:] or [entry.id for entry in grading.record.sealed()]
    cites = tuple(dict.fromkeys((*(verdict.cites or grading.record.grounds[-GROUNDS:]), *shown)))
    return evolve(verdict, cites=cites, tick=tick, wall_ms=round((time.monotonic() - begun) * 1000),
                  observer=grading.record.weakest(rests_on))


def _for_a_judge(check: Check, case: Case, grading: Grading, shown: Sequence[str]) -> Verdict:
    """Nothing failed, so a judge decides: on what the script rested on, or else on what a person would want to look at."""
    return unjudged(check, case, grading.record.grounds or shown)


def _witness(stage: Any) -> tuple[str, ...]:
    try:
        return tuple(entry.id for entry in stage.session.witness())
    except Exception:  # noqa: BLE001 - a picture for the reader only: the verdict stands on what the check itself saw
        return ()


def verdict_of(signal: CheckSignal, check: Check, case: Case) -> Verdict:
    """What a signal means for a check. Not applicable is legal on optional features alone (design, section 6)."""
    if isinstance(signal, NotApplicable):
        if check.optional_feature:
            return Verdict(check.id, case.id, Outcome.NOT_APPLICABLE, Reason.OK, str(signal), cites=signal.cites)
        return Verdict(check.id, case.id, Outcome.FAIL, Reason.FAIL, f"not applicable, but the feature is not optional: {signal}")
    if isinstance(signal, SubmissionFault):
        reason = getattr(signal, "reason", Reason.SUBMISSION_FAULT)  # a domain's own kind of fault: TAMPERED, LOAD_FAIL
        return Verdict(check.id, case.id, Outcome.FAIL, reason, str(signal), cites=signal.cites)
    assert isinstance(signal, ExpectationFailed)
    return Verdict(check.id, case.id, Outcome.FAIL, Reason.FAIL, str(signal), short(signal.seen), short(signal.wanted), signal.cites)
