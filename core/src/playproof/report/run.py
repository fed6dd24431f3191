"""What a report is made of: a run's trials as plain values, ordered for reading, and the figures as text."""

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations

from attrs import Factory, define, frozen

from playproof.model import Check, Ending, Evidence, Options, Outcome, Score, Verdict
from playproof.opinion import Item, Opinion, Scale
from playproof.scoring import DEFAULT, Rule, TrialResult, make, printed, scores
from playproof.scoring.compare import Overlap, overlap
from playproof.scoring.trials import WEIGHTIEST, Mark, outcomes

PAIRED = 6
"""How many stacks are compared pair by pair; more would be a table that nobody reads."""

Read = Callable[[str], bytes]
"""A blob by its digest; raises OSError or KeyError when the run no longer has it."""

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|[ -/]*[0-~])|\x9b[0-?]*[ -/]*[@-~]")
# Controls, the marks that reverse a line's direction, lone surrogates and what XML 1.0 forbids.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufffe\uffff]")


def clean(text: str, limit: int = 2000) -> str:
    """Foreign text that is safe to print: terminal escapes and control characters gone, cut at `limit` characters."""
    bare = _UNSAFE.sub("", _ESCAPES.sub("", text[: 4 * limit]))
    return bare if len(bare) <= limit and len(text) <= 4 * limit else f"{bare[:limit]}…"


@frozen
class ReportTrial:
    """A trial for readers. `verdicts` has every case, `evidence` at least what they cite; `trouble` says why a trial is void;
    `opinions` is what judges or people said of it."""

    result: TrialResult
    title: str
    ending: Ending
    verdicts: Sequence[Verdict] = ()
    evidence: Sequence[Evidence] = ()
    read: Read = Factory(lambda: _nothing)
    trouble: str = ""
    opinions: Sequence[Opinion] = ()


def _nothing(digest: str) -> bytes:
    raise KeyError(digest)


@frozen
class Judged:
    """One check of a trial: the outcome that counts, and the verdicts of its cases, the deciding ones first."""

    check: Check
    outcome: Outcome
    cases: Sequence[Verdict]

    @property
    def wall_s(self) -> float:
        return sum(case.wall_ms for case in self.cases) / 1000

    @property
    def duration(self) -> str:
        return f"{self.wall_s:.1f} s" if self.wall_s >= 1 else f"{1000 * self.wall_s:.0f} ms"

    @property
    def flaky(self) -> bool:
        return any(case.flaky for case in self.cases)

    @property
    def note(self) -> str:
        """Why the outcome is another than its verdicts say."""
        if not self.cases:
            return "There is no verdict on this check."
        refused = self.outcome is Outcome.FAIL and all(case.outcome is Outcome.NOT_APPLICABLE for case in self.cases)
        return "Counts as failed: not applicable is not open to this check, or nobody outside the submission saw it." if refused else ""


@frozen
class RatedItem:
    """One item of a scale: the value that counts (None when void), and the opinions behind it."""

    scale: Scale
    item: Item
    value: int | None
    opinions: Sequence[Opinion]

    @property
    def notes(self) -> Sequence[str]:
        """What was said, and what is wrong with what was seen, each once."""
        return list(dict.fromkeys(text for one in self.opinions for text in (one.message, *one.issues) if text))


def rated_items(trial: ReportTrial) -> Sequence[RatedItem]:
    """The trial's ratings in the order of its scales."""
    said: dict[tuple[str, str], list[Opinion]] = {}
    for one in trial.opinions:
        if one.question.scale and one.question.item:
            said.setdefault((one.question.scale.name, one.question.item), []).append(one)
    found = []
    for rating in trial.result.ratings:
        if own := said.get((rating.scale, rating.item)):
            scale = own[0].question.scale
            assert scale is not None
            found.append(RatedItem(scale, scale.item(rating.item), rating.value, own))
    return found


def judged(trial: ReportTrial) -> Sequence[Judged]:
    """What failed first, required before the rest, then in the order of priority."""
    cases: dict[str, list[Verdict]] = {}
    for verdict in sorted(trial.verdicts, key=lambda v: WEIGHTIEST.index(v.outcome)):
        cases.setdefault(verdict.check, []).append(verdict)
    found = [
        Judged(check, Outcome.VOID if trial.result.void and check.id not in cases else outcome, cases.get(check.id, ()))
        for check, outcome in outcomes(trial.result)
    ]
    return sorted(found, key=lambda j: (WEIGHTIEST.index(j.outcome), not j.check.required, j.check.layer, j.check.priority or "P9"))


@define(slots=False)
class ReportRun:
    """`rules`: task -> its scoring tables (see `playproof.scoring.load`). `facts`: what else a reader should know, as
    name -> text. Stacks and tasks stand in the order in which the trials name them."""

    title: str
    trials: Sequence[ReportTrial]
    rules: Mapping[str, Sequence[Options]] = Factory(dict)
    facts: Mapping[str, str] = Factory(dict)

    @cached_property
    def first_rules(self) -> Mapping[str, Rule]:
        return {task: make(own[0]) for task, own in self.tables.items()}

    @cached_property
    def tables(self) -> Mapping[str, Sequence[Options]]:
        return {task: self.rules.get(task, DEFAULT) for task in self.tasks}

    @property
    def stacks(self) -> Sequence[str]:
        return list(dict.fromkeys(t.result.stack for t in self.trials))

    @property
    def tasks(self) -> Mapping[str, str]:
        """Task -> its title."""
        return {t.result.task: t.title for t in self.trials}

    @cached_property
    def scores(self) -> Mapping[str, Sequence[Score]]:
        return scores([t.result for t in self.trials], self.tables)

    def mark(self, trial: ReportTrial) -> tuple[Mark, Outcome]:
        """What the trial is worth under its task's first rule, and whether that is a pass, a fail or void."""
        rule = self.first_rules[trial.result.task]
        won = rule.success(trial.result)
        return rule.mark(trial.result), Outcome.VOID if won is None else Outcome.PASS if won == 1 else Outcome.FAIL


    @cached_property
    def comparisons(self) -> Sequence[tuple[str, str, Overlap]]:
        """Each pair of stacks, of the first PAIRED, that share two tasks or more: how their success sets overlap, by each
        task's first rule and first sample."""
        won: dict[str, dict[str, bool | None]] = {stack: {} for stack in self.stacks[:PAIRED]}
        for trial in sorted(self.trials, key=lambda one: one.result.sample):
            if trial.result.stack in won:
                outcome = self.mark(trial)[1]
                won[trial.result.stack].setdefault(trial.result.task, None if outcome is Outcome.VOID else outcome is Outcome.PASS)
        return [(a, b, overlap(won[a], won[b])) for a, b in combinations(won, 2) if len(won[a].keys() & won[b].keys()) > 1]


COUNTS = frozenset({"evaluated", "succeeded", "decided_weight", "weight"})
BOUNDS = frozenset({"wilson_low", "wilson_high", "rubric_low", "rubric_high"})


def figure(value: float | None, top: float = 1.0) -> str:
    """A rate as per cent, a score on 0-100 as it is; a dash when absent."""
    if value is None:
        return "—"
    exact = Fraction(value).limit_denominator(10**9)
    return f"{printed(exact * 100)} %" if top == 1 else printed(exact)


def parts(score: Score) -> Sequence[tuple[str, str]]:
    """The parts of a score that are figures of their own, as name and text."""
    told = []
    for name, value in score.parts.items():
        if name in BOUNDS or (value is None and name not in ("conditional", "rubric")):
            continue
        if name in COUNTS or name == "design":
            told.append((name, "—" if value is None else f"{value:.4g}"))
        elif name == "rubric" and value is None:
            told.append((name, f"{figure(score.parts['rubric_low'], 100)} to {figure(score.parts['rubric_high'], 100)}"))
        else:
            told.append((name, figure(value, 1 if name == "perfect" else score.top)))
    return told
