"""Rates: a judge's verdicts against the truth as it was told, and ratings that agree exactly or within one."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import sqrt
from statistics import median

import numpy as np
from attrs import frozen

from playproof.scoring.compare import Overlap
from playproof.scoring.trials import Share
from playproof_stats.figures import Array, Undefined
from playproof_stats.quantiles import normal


@frozen
class Confusion:
    """A judge's verdicts against labels. Positive is: the requirement holds."""

    held: int
    """both say that it holds"""
    lenient: int
    """the judge alone says so"""
    strict: int
    """the labels alone say so"""
    failed: int
    """neither"""

    @classmethod
    def of(cls, pairs: Iterable[tuple[bool, bool]]) -> "Confusion":
        """Of (judge, label) pairs."""
        found = list(pairs)
        return cls(*(found.count(one) for one in ((True, True), (True, False), (False, True), (False, False))))

    @property
    def n(self) -> int:
        return self.held + self.lenient + self.strict + self.failed

    @property
    def accuracy(self) -> Share:
        return Share(self.held + self.failed, self.n)

    @property
    def sensitivity(self) -> Share:
        """Of what holds by the labels, the share that the judge passes."""
        return Share(self.held, self.held + self.strict)

    @property
    def specificity(self) -> Share:
        """Of what does not hold, the share that the judge fails."""
        return Share(self.failed, self.failed + self.lenient)

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa (1960)."""
        found = Overlap(self.held, self.lenient, self.strict, self.failed).kappa if self.n else None
        return None if found is None else float(found)


def rogan_gladen(apparent: float, sensitivity: float, specificity: float) -> float:
    """The share that truly holds, of the share that a judge passes (Rogan & Gladen 1978, American Journal of Epidemiology 107),
    cut to 0..1. Raises Undefined for a judge no better than chance."""
    informed = sensitivity + specificity - 1
    if informed <= 0:
        raise Undefined("the judge is no better than chance (sensitivity + specificity <= 1), so nothing can be corrected by it")
    return min(1.0, max(0.0, (apparent + specificity - 1) / informed))


def rogan_gladen_interval(passed: Share, sensitivity: Share, specificity: Share, level: float = 0.95) -> tuple[float, float]:
    """Limits for three independent samples (Lang & Reiczigel 2014, Preventive Veterinary Medicine 113, equations 6, 7, 16, 17):
    they reckon with what the estimates of sensitivity and specificity leave open. Raises Undefined."""
    if not (passed.n and sensitivity.n and specificity.n):
        raise Undefined("sensitivity, specificity and the share passed each need a count")
    z = normal((1 + level) / 2)
    n, n_se, n_sp = passed.n + z * z, sensitivity.n + 2, specificity.n + 2
    share, se, sp = (passed.count + z * z / 2) / n, (sensitivity.count + 1) / n_se, (specificity.count + 1) / n_sp
    if se + sp <= 1:
        raise Undefined("the judge is no better than chance (sensitivity + specificity <= 1), so nothing can be corrected by it")
    truly = (share + sp - 1) / (se + sp - 1)
    moved = 2 * z * z * (truly * se * (1 - se) / n_se - (1 - truly) * sp * (1 - sp) / n_sp)
    variance = share * (1 - share) / n + truly**2 * se * (1 - se) / n_se + (1 - truly) ** 2 * sp * (1 - sp) / n_sp
    reach = z * sqrt(variance) / (se + sp - 1)
    return max(0.0, truly + moved - reach), min(1.0, truly + moved + reach)


@frozen(eq=False)
class Corrected:
    """Rogan and Gladen's corrected share over units that are answers: was it passed by the judge, and, where labelled, did it
    hold (None: not labelled). `population`: whether it belongs to those whose share is wanted, or only tells how the judge errs."""

    passed: Sequence[bool]
    labels: Sequence[bool | None]
    population: Sequence[bool]

    @property
    def moments(self) -> Array:
        rows = [(said and of, of, said and label is True, label is True, not said and label is False, label is False)
                for said, label, of in zip(self.passed, self.labels, self.population, strict=True)]
        return np.array(rows, float).reshape(-1, 6)

    def formula(self, sums: Array) -> Array:
        passed, n, held, hold, failed, fail = np.moveaxis(sums, -1, 0)
        sensitivity, specificity = np.divide(held, hold), np.divide(failed, fail)
        informed = sensitivity + specificity - 1
        apparent = np.divide(passed, n)
        found: Array = np.clip(np.divide(apparent + specificity - 1, np.where(informed > 0, informed, np.nan)), 0, 1)
        return found

    def lack(self) -> str:
        if not any(self.population):
            return "every answer is about a known case"
        if len({label for label in self.labels if label is not None}) < 2:
            return "the labels must hold some that pass and some that fail"
        return "the judge is no better than chance (sensitivity + specificity <= 1), so nothing can be corrected by it"


def between_people(subjects: Iterable[Sequence[float]], distance: float = 0) -> Share:
    """Human-human agreement: of all pairs of ratings of one subject, those that differ by at most `distance`."""
    found = [abs(a - b) <= distance for ratings in subjects for a, b in combinations(ratings, 2)]
    return Share(sum(found), len(found))


def leave_one_out(subjects: Iterable[Sequence[float]], distance: float = 0) -> Share:
    """Of all ratings of subjects that others rated too, those that differ by at most `distance` from the others' median: what a
    person scores where a judge is held against the consensus."""
    found = [abs(one - median([*ratings[:i], *ratings[i + 1:]])) <= distance
             for ratings in map(list, subjects) if len(ratings) > 1 for i, one in enumerate(ratings)]
    return Share(sum(found), len(found))
