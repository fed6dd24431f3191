"""Intervals: the bootstrap over whole clusters, exact binomial limits, and the clustered standard error.

Answers about one task are alike, so a task is what is drawn, with all its answers."""

from collections.abc import Hashable, Sequence
from functools import lru_cache
from math import sqrt

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from playproof.scoring.trials import wilson
from playproof_stats.figures import Array, Figure, Resampling, Statistic, Undefined, value_of
from playproof_stats.quantiles import beta, normal, normal_below, student

UNDEFINED_AT_MOST = 0.1
"""A statistic that is undefined in more of the resamples than this gets no interval: what is left would be a choice."""


@frozen
class Interval:
    low: float
    high: float
    method: str


def numbered(clusters: Sequence[Hashable]) -> NDArray[np.intp]:
    """Each unit's cluster as a number from 0, in order of appearance."""
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(one, len(known)) for one in clusters], dtype=np.intp)


def over_clusters(moments: Array, clusters: Sequence[Hashable]) -> Array:
    """The moments summed over each cluster: what is resampled."""
    codes = numbered(clusters)
    sums = np.zeros((int(codes.max()) + 1, moments.shape[1]))
    np.add.at(sums, codes, moments)
    return sums


@lru_cache(maxsize=8)
def draws(count: int, resamples: int, seed: int) -> Array:
    """resamples x clusters: how often each cluster was drawn. As floats, which multiply ten times faster than whole numbers."""
    drawn = np.random.default_rng(seed).multinomial(count, np.full(count, 1 / count), size=resamples)
    return drawn.astype(np.float64)


def bootstrap(statistic: Statistic, clusters: Sequence[Hashable], how: Resampling, method: str = "BCa") -> Interval:
    """The interval of a statistic whose clusters are drawn with replacement: `percentile`, or bias-corrected and accelerated
    (`BCa`; Efron 1987, JASA 82; Efron & Tibshirani 1993, chapter 14), which becomes the percentile interval where its
    corrections are undefined.

    Raises Undefined: fewer than `how.least` clusters, a statistic that is undefined too often, or one that no draw changes."""
    value, sums = value_of(statistic), over_clusters(statistic.moments, clusters)
    count = len(sums)
    if count < how.least:
        raise Undefined(f"no interval: {count} task{'s' if count != 1 else ''}, and a bootstrap needs {how.least}")
    with np.errstate(divide="ignore", invalid="ignore"):
        found = statistic.formula(draws(count, how.resamples, how.seed) @ sums)
    defined = found[np.isfinite(found)]
    if len(defined) < (1 - UNDEFINED_AT_MOST) * how.resamples:
        raise Undefined(f"no interval: undefined in {1 - len(defined) / how.resamples:.0%} of the resamples")
    if np.ptp(defined) == 0:
        raise Undefined("no interval: every task says the same, so resampling cannot tell how sure that is")
    tail = (1 - how.level) / 2
    limits = (tail, 1 - tail) if method == "percentile" else _accelerated(statistic, sums, value, defined, tail)
    low, high = np.quantile(defined, limits)
    return Interval(float(low), float(high), f"bootstrap over {count} tasks")


def _accelerated(statistic: Statistic, sums: Array, value: float, found: Array, tail: float) -> tuple[float, float]:
    """The levels at which BCa reads the resamples. Ties with the value count half: shares of few answers are full of them."""
    below = float(np.mean(found < value) + np.mean(found == value) / 2)
    bend = acceleration(statistic, sums)
    if bend is None or not 0 < below < 1:
        return tail, 1 - tail
    bias = normal(below)

    def level(z: float) -> float:
        return normal_below(bias + (bias + z) / (1 - bend * (bias + z)))

    if abs(bend) * (abs(bias) + abs(normal(tail))) >= 1:
        return tail, 1 - tail
    return level(normal(tail)), level(normal(1 - tail))


def acceleration(statistic: Statistic, sums: Array) -> float | None:
    """Efron's acceleration from the jackknife over clusters (Efron & Tibshirani 1993, equation 14.15)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        left_out = statistic.formula(sums.sum(axis=0) - sums)
    if not np.isfinite(left_out).all():
        return None
    away = left_out.mean() - left_out
    spread = float((away**2).sum())
    return float((away**3).sum() / (6 * spread**1.5)) if spread > 0 else None


def measured(id: str, statistic: Statistic, clusters: Sequence[Hashable], how: Resampling) -> Figure:
    """The figure of a statistic with its bootstrap interval over clusters (one for each unit)."""
    n = len(clusters)
    try:
        value = value_of(statistic)
    except Undefined as lack:
        return Figure(id, None, n, why=str(lack))
    try:
        found = bootstrap(statistic, clusters, how)
    except Undefined as lack:
        return Figure(id, value, n, interval=str(lack))
    return Figure(id, value, n, low=found.low, high=found.high, interval=found.method)


def clopper_pearson(count: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """The exact binomial limits of count / n (Clopper & Pearson 1934, by the beta quantiles); (0, 1) when n is 0."""
    tail = (1 - level) / 2
    low = beta(tail, count, n - count + 1) if count else 0.0
    high = beta(1 - tail, count + 1, n - count) if count < n else 1.0
    return low, high


@frozen(eq=False)
class Ratio:
    """A share or a mean: the sum of `hits` by the sum of `asked`, over units."""

    hits: Sequence[float]
    asked: Sequence[float]
    missing: str = "there is nothing to compare"

    @property
    def moments(self) -> Array:
        return np.column_stack([np.asarray(self.hits, float), np.asarray(self.asked, float)])

    def formula(self, sums: Array) -> Array:
        return np.divide(sums[..., 0], sums[..., 1])

    def lack(self) -> str:
        return self.missing


def share(id: str, hits: Sequence[int], asked: Sequence[int], clusters: Sequence[Hashable], how: Resampling, missing: str) -> Figure:
    """A share as a figure. Its interval is a bootstrap over tasks; where that is impossible (few tasks, or all alike), Wilson's
    with the tasks as n, which is never too narrow."""
    kept = [i for i, number in enumerate(asked) if number]
    n, count = sum(asked), sum(hits)
    if not n:
        return Figure(id, None, 0, why=missing)
    ratio, own = Ratio([hits[i] for i in kept], [asked[i] for i in kept]), [clusters[i] for i in kept]
    try:
        found = bootstrap(ratio, own, how)
    except Undefined:
        tasks = len(set(own))
        low, high = wilson(count / n * tasks, tasks, normal((1 + how.level) / 2))
        found = Interval(low, high, f"Wilson, n = {tasks} task{'s' if tasks != 1 else ''}")
    return Figure(id, count / n, n, count, found.low, found.high, found.method)


def clustered_se(values: Sequence[float], clusters: Sequence[Hashable]) -> float:
    """The standard error of the mean of values that are alike within clusters (Miller 2024, arXiv 2411.00640, appendix A), with
    the factor C / (C - 1) for C clusters. Raises Undefined for fewer than two clusters."""
    x = np.asarray(values, float)
    if not len(x) or (count := len(set(clusters))) < 2:
        raise Undefined("a standard error needs two tasks")
    sums = over_clusters((x - x.mean())[:, None], clusters)
    return sqrt(float((sums**2).sum()) * count / (count - 1)) / len(x)


def clustered_t(values: Sequence[float], clusters: Sequence[Hashable], level: float = 0.95) -> Interval:
    """The t interval of a mean by the clustered standard error, with clusters - 1 degrees of freedom. Raises Undefined."""
    error, count = clustered_se(values, clusters), len(set(clusters))
    middle, reach = float(np.mean(values)), error * student((1 + level) / 2, count - 1)
    return Interval(middle - reach, middle + reach, f"t over {count} tasks")
