"""The `rubric` examiner: criteria in TOML, each asking an assertion, or a judge, about evidence that is observed once for all.

    asks = { driver = "garden.height", object = "Oak", ... }                          an assertion with its options
    asks = { judge = "eye", question = "...", exhibits = ["garden.photo/1"], ... }    a judge with its options
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import Factory, evolve, field, frozen, validators

from playproof.canonical import structure
from playproof.drivers import build, settings
from playproof.errors import CheckSignal, TaskError
from playproof.evidence import Evidences
from playproof.examiners.python import verdict_of
from playproof.examiners.scripts import held_out_files
from playproof.interfaces import Assertion, Grading, Services
from playproof.model import Ask, Asking, Case, Check, Options, Ref, Task, Verdict, unjudged
from playproof.stage import stage

DRIVER = "rubric"

IMPORTANCE = {"major": 3.0, "secondary": 2.0, "detail": 1.0}
"""Weights of the fused rule (design, section 6)."""


@frozen
class _Criterion:
    """`asks` names a driver or a judge, with its options beside it; `weight` overrides the importance."""

    id: str
    asks: Mapping[str, Any]
    title: str | None = None
    layer: str = "L2"
    category: str | None = None
    source: str | None = None
    importance: str | None = None
    weight: float | None = None
    required: bool = True


@frozen
class _Rubric:
    criteria: Sequence[_Criterion]


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
        return [check for path in held_out_files(task.root / "checks", self._settings.files) for check in self._of(path)]

    def reads(self, checks: Sequence[Check]) -> frozenset[str]:
        """The evidence kinds that assertions and judges are shown; the plan compares them with what the runtime observes."""
        asserted = (self._assertion(check).reads for check in checks if not check.asks)
        return frozenset().union(*asserted, *(check.options["exhibits"] for check in checks if check.asks))

    def versions(self, checks: Sequence[Check]) -> Mapping[str, int]:
        return {check.options["asks"]["driver"]: self._assertion(check).grading_version for check in checks if not check.asks}

    def _of(self, path: Path) -> Iterator[Check]:
        try:
            rubric = structure(tomllib.loads(path.read_text("utf-8")), _Rubric)
        except (ValueError, OSError) as fault:
            raise TaskError(f"{path}: {fault}") from None
        for one in rubric.criteria:
            if one.importance not in (None, *IMPORTANCE):
                raise TaskError(f"{path}: {one.id}: importance {one.importance!r}; known: {', '.join(IMPORTANCE)}")
            weight = one.weight if one.weight is not None else IMPORTANCE.get(one.importance or "", 1.0)
            made = Check(one.id, DRIVER, one.title or one.id, one.layer, None, one.required, weight, one.category, source=one.source,
                         timeout_s=self._settings.timeout_s)
            yield _judged(made, one, path) if "judge" in one.asks else _asserted(made, one, path)

    def _assertion(self, check: Check) -> Assertion:
        asks = dict(check.options["asks"])
        made: Assertion = build("assertion", Ref(asks.pop("driver"), asks), self._services)
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
        """One assertion on evidence, stored or fresh: what `score --assert` calls too. On a check for a judge it gives the exhibits."""
        if check.asks:
            return unjudged(check, case, [entry.id for entry in evidence if entry.kind in check.options["exhibits"]])
        try:
            return evolve(self._assertion(check).check(evidence), check=check.id, case=case.id)
        except CheckSignal as signal:
            return verdict_of(signal, check, case)


def _asserted(made: Check, criterion: _Criterion, path: Path) -> Check:
    if "driver" not in criterion.asks:
        raise TaskError(f"{path}: {criterion.id}: asks names neither a driver nor a judge")
    return evolve(made, options={"asks": dict(criterion.asks)})


def _judged(made: Check, criterion: _Criterion, path: Path) -> Check:
    own = dict(criterion.asks)
    judge, question, exhibits = str(own.pop("judge")), own.pop("question", criterion.title), own.pop("exhibits", None)
    if not isinstance(question, str) or not question.strip():
        raise TaskError(f"{path}: {criterion.id}: asks has no question, and the criterion no title that could be one")
    if not isinstance(exhibits, list) or not exhibits or not all(isinstance(kind, str) for kind in exhibits):
        raise TaskError(f"{path}: {criterion.id}: asks.exhibits lists the evidence kinds that the judge is shown")
    return evolve(made, asks=Asking(Ref(judge, own), question), options={"exhibits": exhibits})
