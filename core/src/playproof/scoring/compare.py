"""Two stacks on the same tasks, and judges against people. Counts in, exact fractions out."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import comb

from attrs import frozen

from playproof.scoring.rules import Rule
from playproof.scoring.trials import Share, TrialResult

Successes = Mapping[str, bool | None]


def successes(rule: Rule, trials: Iterable[TrialResult], stack: str) -> Successes:
    """Task -> whether the stack's first sample is a success under the rule; None when void."""
    first = {t.task: rule.success(t) for t in sorted(trials, key=lambda t: -t.sample) if t.stack == stack}
    return {task: None if value is None else value == 1 for task, value in first.items()}


@frozen
class Overlap:
    """How the success sets of two stacks lie over the same tasks; `absent` tasks are void for one of them or not shared."""

    both: int
    only_a: int
    only_b: int
    neither: int
    absent: int = 0

    @property
    def p(self) -> Fraction:
        """The exact two-sided McNemar test: the binomial of the discordant tasks at one half."""
        n = self.only_a + self.only_b
        tail = sum(comb(n, i) for i in range(min(self.only_a, self.only_b) + 1))
        return min(Fraction(1), Fraction(2 * tail, 2**n))

    @property
    def chi_squared(self) -> Fraction | None:
        """McNemar's statistic with the continuity correction."""
        n = self.only_a + self.only_b
        return Fraction(max(0, abs(self.only_a - self.only_b) - 1) ** 2, n) if n else None

    @property
    def kappa(self) -> Fraction | None:
        """Cohen's kappa of the two success sets; None where chance alone agrees fully."""
        n, a, b = self.both + self.only_a + self.only_b + self.neither, self.both + self.only_a, self.both + self.only_b
        chance = a * b + (n - a) * (n - b)
        return Fraction(n * (self.both + self.neither) - chance, n * n - chance) if n * n != chance else None


def overlap(a: Successes, b: Successes) -> Overlap:
    pairs = Counter((a.get(task), b.get(task)) for task in {**a, **b})
    both, only_a, only_b, neither = (pairs[key] for key in ((True, True), (True, False), (False, True), (False, False)))
    return Overlap(both, only_a, only_b, neither, pairs.total() - both - only_a - only_b - neither)


def accuracy(repeats: Mapping[str, Sequence[bool]], experts: Mapping[str, bool]) -> Share:
    """Over submission x repeat: verdicts that equal the blinded experts'."""
    return Share(sum(v == experts[s] for s, given in repeats.items() for v in given), sum(map(len, repeats.values())))


def flakiness(repeats: Mapping[str, Sequence[bool]]) -> Share:
    """Submissions whose repeated verdicts differ."""
    return Share(sum(len(set(given)) > 1 for given in repeats.values()), len(repeats))


def within(ratings: Iterable[tuple[int, int]], distance: int = 0) -> Share:
    """Pairs of ratings that agree to `distance`: 0 is exact agreement, 1 within one."""
    gaps = [abs(a - b) for a, b in ratings]
    return Share(sum(gap <= distance for gap in gaps), len(gaps))


def preferences(pairs: Iterable[tuple[float, float, str | None]], close: float | None = None) -> Share:
    """Pairs (score of a, score of b, what people prefer: a, b or tie) in which the scores prefer the same. A split vote is
    None and left out; with `close`, only pairs whose scores differ by at most that much count."""
    counted = [(a, b, p) for a, b, p in pairs if p is not None and (close is None or abs(a - b) <= close)]
    return Share(sum(("tie" if a == b else "a" if a > b else "b") == p for a, b, p in counted), len(counted))


def label_shares(labels: Sequence[Iterable[str]]) -> Mapping[str, Share]:
    """Label -> how many of the failed trials bear it. A trial may bear several, so the shares may add to more than 1."""
    counts = Counter(label for trial in labels for label in set(trial))
    return {label: Share(count, len(labels)) for label, count in sorted(counts.items())}
