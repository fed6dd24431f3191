"""The `rubric` examiner: criteria in TOML, each asking assertions, or a judge, about evidence that is observed once for all."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import Factory, evolve, field, frozen, validators

from playproof.drivers import build, settings
from playproof.errors import CheckSignal
from playproof.evidence import Evidences
from playproof.examiners.criteria import DRIVER, checks_of
from playproof.examiners.python import verdict_of
from playproof.examiners.scripts import held_out_files
from playproof.interfaces import Assertion, Grading, Services
from playproof.model import Ask, Case, Check, Options, Outcome, Part, Reason, Ref, Task, Verdict, unjudged
from playproof.scoring.trials import WEIGHTIEST
from playproof.stage import stage


@frozen
class _Settings:
    """`ticks`: how long the cast plays at most before the evidence is taken. `timeout_s`: what each criterion adds to the time, in wall
    seconds, that all of a case may take, its evidence included."""

    files: Sequence[str]
    ticks: int = 0
    timeout_s: float = field(default=60.0, validator=validators.gt(0))
    layer: str = "L2"
    options: Mapping[str, Any] = Factory(dict)


class RubricExaminer:
    together = True
    opens = True
    grading_version = 1

    def __init__(self, options: Options, services: Services) -> None:
        self._settings = settings(_Settings, options, DRIVER)
        self._services = services

    def checks(self, task: Task) -> Sequence[Check]:
        paths = held_out_files(task.root / "checks", self._settings.files)
        return [check for path in paths for check in checks_of(path, self._settings.timeout_s)]

    def reads(self, checks: Sequence[Check]) -> frozenset[str]:
        """The evidence kinds that assertions and judges are shown; the plan compares them with what the runtime observes."""
        asserted = (self._assertion(asks).reads for check in checks for asks in _asked(check))
        return frozenset().union(*asserted, *(check.options["exhibits"] for check in checks if check.asks))

    def versions(self, checks: Sequence[Check]) -> Mapping[str, int]:
        return {asks["driver"]: self._assertion(asks).grading_version for check in checks for asks in _asked(check)}

    def _assertion(self, asks: Mapping[str, Any]) -> Assertion:
        made: Assertion = build("assertion", Ref(asks["driver"], {key: asks[key] for key in asks if key != "driver"}), self._services)
        return made

    def examine(self, checks: Sequence[Check], case: Case, grading: Grading) -> Iterator[Verdict]:
        kinds = sorted(self._shown(checks, grading.task) & grading.runtime.observes)
        try:
            with stage(grading, case, lead_from_cast=True) as running:
                if grading.cast:
                    running.perform(grading.cast[0], self._settings.ticks)
                for kind in kinds:
                    running.session.observe(Ask(kind, grading.task.observe.get(kind, {})))
                tick = running.clock.now
        except CheckSignal as signal:
            yield from (verdict_of(signal, check, case) for check in checks)
            return
        evidence = grading.record.sealed()
        for check in checks:
            verdict = self.ask(check, case, evidence)
            yield evolve(verdict, tick=tick, observer=grading.record.weakest(verdict.cites))

    def _shown(self, checks: Sequence[Check], task: Task) -> frozenset[str]:
        """What is observed for these checks; by the last rubric of a task, and where nothing of it is left out, also what its ratings are
        given on: a grading that is narrowed is not rated, and exhibits may take as long to make as all else."""
        kinds, rubrics = self.reads(checks), [list(one.files) for one in task.examiners if one.driver == DRIVER]
        whole = {check.id for check in checks} >= {check.id for check in self.checks(task)}
        last = not rubrics or rubrics[-1] == list(self._settings.files)
        return kinds.union(*(one.exhibits for one in task.ratings)) if whole and last else kinds

    def ask(self, check: Check, case: Case, evidence: Evidences) -> Verdict:
        """The assertions of one check on evidence, stored or fresh: what `score --assert` calls too. On a check for a judge it gives
        the exhibits."""
        if check.asks:
            return unjudged(check, case, [entry.id for entry in evidence if entry.kind in check.options["exhibits"]])
        found = [self._asserted(asks, check, case, evidence) for asks in _asked(check)]
        return _together(check, found) if "parts" in check.options else found[0]

    def _asserted(self, asks: Mapping[str, Any], check: Check, case: Case, evidence: Evidences) -> Verdict:
        try:
            return evolve(self._assertion(asks).check(evidence), check=check.id, case=case.id)
        except CheckSignal as signal:
            return verdict_of(signal, check, case)


def _asked(check: Check) -> Sequence[Mapping[str, Any]]:
    """What each assertion of a check is built from; none where a judge is asked."""
    if "parts" in check.options:
        return [part["asks"] for part in check.options["parts"]]
    return [check.options["asks"]] if "asks" in check.options else []


def _together(check: Check, found: Sequence[Verdict]) -> Verdict:
    """One verdict on all parts: it passes when every part does. The message tells of those that do not; what was seen and wanted is
    told where one part alone decides."""
    parts = tuple(Part(part["title"], one.outcome, part["weight"], one.message)
                  for part, one in zip(check.options["parts"], found, strict=True))
    worst = min(found, key=lambda one: WEIGHTIEST.index(one.outcome))
    missed = [part for part in parts if part.outcome in (Outcome.FAIL, Outcome.VOID)]
    cites = tuple(dict.fromkeys(cite for one in found for cite in one.cites))
    if not missed:
        return Verdict(check.id, worst.case, worst.outcome, Reason.OK, f"all {len(found)} parts hold", cites=cites, parts=parts)
    told = "; ".join(f"{part.title}: {part.message}" for part in missed)
    seen, wanted = (worst.seen, worst.wanted) if len(missed) == 1 else (None, None)
    return Verdict(check.id, worst.case, worst.outcome, worst.reason, f"{len(found) - len(missed)} of {len(found)} parts hold; {told}",
                   seen, wanted, cites, parts=parts)
