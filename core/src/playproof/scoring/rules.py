"""The scoring rules: pure functions of trials, with all parameters in the rule's own table. docs/scoring.md has the
formulas and the papers they come from."""

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import Literal, Protocol

from attrs import field, frozen, validators

from playproof.model import Check, Ended, Outcome, Priority, Score
from playproof.scoring.trials import Mark, Share, TrialResult, averaged, exactly, mean, outcomes, share, task_mean, unknown

ZERO = exactly(0)


class Rule(Protocol):
    """`mark`: what one trial is worth. `success`: 1 if it did all that was asked, else 0, None when void. `score`: all planned
    trials of one agent stack."""

    def mark(self, trial: TrialResult) -> Mark: ...
    def success(self, trial: TrialResult) -> Fraction | None: ...
    def score(self, trials: Sequence[TrialResult]) -> Score: ...


def _all_pass(found: Sequence[Outcome]) -> Mark:
    if Outcome.FAIL in found:
        return ZERO
    return unknown() if Outcome.VOID in found else exactly(1)


@frozen
class Strict:
    """1 if delivered, evaluated, every check of the layers `whole` and every applicable check of `layer` with one of
    `priorities` passed, and each of `priorities` has an applicable check. An ending outside `endings` is undelivered.

    Parts, over evaluated trials: conditional; the mean of per-task pass rates for each layer; and for each of `pooled` the
    pass rate over all checks of that priority. As published: NOT_APPLICABLE is taken anywhere and void is 0."""

    whole: Sequence[str] = ("L1",)
    layer: str = "L2"
    priorities: Sequence[Priority] = (Priority.P0, Priority.P1)
    pooled: Sequence[Priority] = tuple(Priority)
    endings: Sequence[Ended] = (Ended.COMPLETED,)
    not_applicable: Literal["declared", "anywhere"] = "declared"

    def counts(self, trial: TrialResult) -> bool:
        """Whether it is an evaluated trial in the sense of the rule."""
        return trial.graded and trial.ended in self.endings

    def _outcomes(self, trial: TrialResult) -> list[tuple[Check, Outcome]]:
        return outcomes(trial, self.not_applicable == "anywhere")

    def mark(self, trial: TrialResult) -> Mark:
        return self._mark(trial, self._outcomes(trial))

    def success(self, trial: TrialResult) -> Fraction | None:
        return self.mark(trial).value

    def _mark(self, trial: TrialResult, found: Sequence[tuple[Check, Outcome]]) -> Mark:
        if trial.void or not self.counts(trial):
            return unknown() if trial.void else ZERO
        core = [(check.priority, o) for check, o in found if check.layer == self.layer and check.priority in self.priorities]
        present = {priority for priority, o in core if o is not Outcome.NOT_APPLICABLE}
        decisive = [o for _, o in core] + [o for check, o in found if check.layer in self.whole]
        return _all_pass(decisive) if present.issuperset(self.priorities) else ZERO

    def pools(self, trials: Sequence[TrialResult]) -> dict[Priority, Share]:
        """Checks passed of checks decided and applicable, pooled over evaluated trials."""
        checked = [pair for t in trials if self.counts(t) for pair in self._outcomes(t) if pair[0].layer == self.layer]
        return {p: share([o for check, o in checked if check.priority is p]) for p in self.pooled}

    def score(self, trials: Sequence[TrialResult]) -> Score:
        marks = [(t.task, self.mark(t)) for t in trials]
        graded = [(t.task, self._outcomes(t)) for t in trials if self.counts(t)]
        parts = {
            "evaluated": Fraction(len(graded)),
            "succeeded": Fraction(sum(m.value == 1 for _, m in marks)),
            "conditional": task_mean((t.task, m.value) for t, (_, m) in zip(trials, marks, strict=True) if self.counts(t)),
        }
        for layer in (*self.whole, self.layer):
            parts[layer] = task_mean((task, share([o for check, o in found if check.layer == layer]).rate) for task, found in graded)
        parts |= {p.value: pool.rate for p, pool in self.pools(trials).items()}
        published = task_mean((t.task, self._mark(t, outcomes(t, anywhere=True)).value or Fraction(0)) for t in trials)
        return averaged("strict", marks, published, parts)


def pass_at_k(n: int, c: int, k: int) -> Fraction | None:
    """The chance that one of k samples drawn from n, of which c passed, passed (Chen et al. 2021); undefined when n < k."""
    return None if n < k else 1 - Fraction(comb(n - c, k), comb(n, k))


def pass_hat_k(n: int, c: int, k: int) -> Fraction | None:
    """The chance that all k drawn samples passed; undefined when n < k."""
    return None if n < k else Fraction(comb(c, k), comb(n, k))


@frozen
class PassAtK:
    """A trial passes when every required check passes and, in a task that has checks in any of the categories `groups`
    (fail-to-pass and pass-to-pass), each of them has checks and all of those pass. `all_k` gives pass^k instead.

    n, planned and void count tasks: one with fewer than k valid samples is undefined. Parts: the mean pass rate of each
    group, and `design`: the mean of the ratings on that scale, over the trials whose ratings are all there."""

    k: int = field(default=1, validator=validators.ge(1))
    all_k: bool = False
    groups: Sequence[str] = ()
    design: str | None = None

    def mark(self, trial: TrialResult) -> Mark:
        if not trial.graded:
            return unknown() if trial.void else ZERO
        used = {check.category for check in trial.checks if check.category in self.groups}
        wanted = [o for check, o in outcomes(trial) if check.required or check.category in used]
        return _all_pass(wanted) if wanted and (not used or used.issuperset(self.groups)) else ZERO

    def success(self, trial: TrialResult) -> Fraction | None:
        return self.mark(trial).value

    def score(self, trials: Sequence[TrialResult]) -> Score:
        chance = pass_hat_k if self.all_k else pass_at_k
        found: dict[str, list[Fraction | None]] = {}
        for t in trials:
            found.setdefault(t.task, []).append(self.mark(t).value)
        marks, published = [], []
        for task, values in found.items():
            n, passed, void = len(values), values.count(Fraction(1)), values.count(None)
            value, low, high = (chance(*counts, self.k) for counts in ((n - void, passed), (n, passed), (n, passed + void)))
            marks.append((task, unknown() if value is None or low is None or high is None else Mark(value, low, high)))
            published.append(low)
        graded = [t for t in trials if t.graded]
        parts = {g: task_mean((t.task, share([o for c, o in outcomes(t) if c.category == g]).rate) for t in graded) for g in self.groups}
        if self.design is not None:
            parts["design"] = task_mean((t.task, _mean_rating(t, self.design)) for t in graded)
        return averaged(f"pass{'^' if self.all_k else '@'}{self.k}", marks, None if None in published else mean(published), parts)


def _mean_rating(trial: TrialResult, scale: str) -> Fraction | None:
    values = [r.value for r in trial.ratings if r.scale == scale]
    known = [Fraction(v) for v in values if v is not None]
    return mean(known) if len(known) == len(values) else None


@frozen
class Fused:
    """w x Rubric + (1 - w) x Dimension on 0-100, w = `rubric_weight`. Rubric = 100 x weight passed / weight; Dimension = 100 x
    the sum of `items` ratings from 1 to `top` on `scale` / (items x top). What was not delivered, or does not come up, is 0.

    A void criterion or rating leaves the trial's value and `perfect` (success: every criterion passed) absent. Parts: rubric,
    or its bounds alone when a criterion is void; dimension; perfect; `deterministic`, the rubric over the decided criteria that
    ask no judge, which are `decided_weight` of `weight`; and `graded`, the same with criteria of several parts at the share of
    theirs that holds, absent where none has parts."""

    scale: str
    items: int = field(validator=validators.ge(1))
    top: int = field(validator=validators.ge(2))
    rubric_weight: float = field(default=0.5, validator=[validators.ge(0), validators.le(1)])

    def _weights(self, trial: TrialResult, *, judged: bool = True) -> tuple[Fraction, Fraction, Fraction]:
        """Passed, void and all weight; of criteria that ask no judge when `judged` is False."""
        sums = dict.fromkeys(Outcome, Fraction(0))
        for check, outcome in outcomes(trial):
            if judged or check.asks is None:
                sums[outcome] += Fraction(str(check.weight))
        return sums[Outcome.PASS], sums[Outcome.VOID], sums[Outcome.PASS] + sums[Outcome.VOID] + sums[Outcome.FAIL]

    def rubric(self, trial: TrialResult) -> Mark:
        passed, void, total = self._weights(trial)
        if trial.void or (trial.graded and not total):
            return unknown(100)
        low, high = (100 * part / total if trial.graded else Fraction(0) for part in (passed, passed + void))
        return Mark(None if low != high else low, low, high)

    def dimension(self, trial: TrialResult) -> Mark:
        rated = {r.item: r.value for r in trial.ratings if r.scale == self.scale and r.value is not None}
        if len(rated) > self.items or not all(1 <= v <= self.top for v in rated.values()):
            raise ValueError(f"{trial.task}: {self.scale!r} has {self.items} ratings from 1 to {self.top}; there are {rated}")
        if not trial.graded or not trial.comes_up:
            return unknown(100) if trial.void else ZERO
        low, missing = Fraction(100 * sum(rated.values()), self.items * self.top), self.items - len(rated)
        return Mark(None if missing else low, low, low + Fraction(100 * missing, self.items))

    def mark(self, trial: TrialResult) -> Mark:
        w, r, d = Fraction(str(self.rubric_weight)), self.rubric(trial), self.dimension(trial)
        value = None if r.value is None or d.value is None else w * r.value + (1 - w) * d.value
        return Mark(value, w * r.low + (1 - w) * d.low, w * r.high + (1 - w) * d.high)

    def success(self, trial: TrialResult) -> Fraction | None:
        met = trial.graded and all(o in (Outcome.PASS, Outcome.NOT_APPLICABLE) for _, o in outcomes(trial))
        return None if self.mark(trial).value is None else Fraction(met)

    def deterministic(self, trial: TrialResult) -> Fraction | None:
        passed, void, total = self._weights(trial, judged=False)
        if trial.void or total == void:
            return None
        return 100 * passed / (total - void) if trial.graded else Fraction(0)

    def graded(self, trial: TrialResult) -> Fraction | None:
        whole = self.deterministic(trial)
        if whole is None or not any("parts" in check.options for check in trial.checks):
            return None
        passed, void, total = self._weights(trial, judged=False)
        failed = {check.id: check.weight for check, outcome in outcomes(trial) if outcome is Outcome.FAIL}
        shares = [(weight, trial.verdicts[id].graded or 0) for id, weight in failed.items() if id in trial.verdicts]
        more = sum((Fraction(str(weight)) * Fraction(held).limit_denominator(10**6) for weight, held in shares), Fraction(0))
        return 100 * (passed + more) / (total - void) if trial.graded else whole

    def score(self, trials: Sequence[TrialResult]) -> Score:
        marks = [(t.task, m if (m := self.mark(t)).value is not None else unknown(100)) for t in trials]
        rubrics = [(t.task, self.rubric(t)) for t in trials]
        low, high = task_mean((task, r.low) for task, r in rubrics), task_mean((task, r.high) for task, r in rubrics)
        weights = [self._weights(t) for t in trials if t.graded]
        unjudged = [self._weights(t, judged=False) for t in trials if t.graded]
        parts = {
            "rubric": low if low == high else None,
            "rubric_low": low,
            "rubric_high": high,
            "dimension": task_mean((t.task, self.dimension(t).value) for t in trials),
            "perfect": task_mean((t.task, self.success(t)) for t in trials),
            "deterministic": task_mean((t.task, self.deterministic(t)) for t in trials),
            "graded": task_mean((t.task, self.graded(t)) for t in trials),
            "decided_weight": sum((total - void for _, void, total in unjudged), Fraction(0)),
            "weight": sum((total for *_, total in weights), Fraction(0)),
        }
        return averaged("fused", marks, task_mean((task, m.low) for task, m in marks), parts, top=100)
