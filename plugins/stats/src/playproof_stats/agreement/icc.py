"""Intraclass correlations: how reliable one rater is, and the mean of k."""

from typing import Literal

import numpy as np
from attrs import frozen

from playproof_stats.agreement.table import Rows, as_table, complete
from playproof_stats.figures import Array, Undefined, value_of
from playproof_stats.quantiles import fisher

Model = Literal[1, 2, 3]


@frozen(eq=False)
class OneWay:
    """ICC(1,1) and, with `mean`, ICC(1,k): each subject is rated by raters of its own (Shrout & Fleiss 1979, Psychological
    Bulletin 86, case 1). Subjects may have different numbers of ratings, two at least; k is then the k0 of the unbalanced one-way
    analysis of variance (Snedecor & Cochran 1989, section 13.6)."""

    table: Array
    mean: bool = False

    @property
    def moments(self) -> Array:
        there = ~np.isnan(self.table)
        level = np.nanmean(self.table) if there.any() else 0.0
        x = np.where(there, self.table - level, 0.0)
        kept = there.sum(axis=1) >= 2
        k, sums, squares = there.sum(axis=1).astype(float), x.sum(axis=1), (x**2).sum(axis=1)
        rows = np.column_stack([np.ones(len(k)), k, k**2, sums, squares, sums**2 / np.maximum(k, 1)])
        found: Array = rows * kept[:, None]
        return found

    def squares(self, sums: Array) -> tuple[Array, Array, Array]:
        """Mean squares between and within subjects, and k."""
        n, ratings, k_squares, total, squares, own = np.moveaxis(sums, -1, 0)
        k = np.divide(ratings - k_squares / ratings, n - 1)
        between, within = np.divide(own - total**2 / ratings, n - 1), np.divide(squares - own, ratings - n)
        return np.maximum(between, 0), np.maximum(within, 0), k

    def formula(self, sums: Array) -> Array:
        between, within, k = self.squares(sums)
        whole = between if self.mean else between + (k - 1) * within
        return np.divide(between - within, np.where(whole > 0, whole, np.nan))

    def lack(self) -> str:
        if ((~np.isnan(self.table)).sum(axis=1) >= 2).sum() < 2:
            return "fewer than two subjects have two ratings"
        return "all ratings are the same" if not self.mean else "the subjects' means are all the same"


@frozen(eq=False)
class TwoWay:
    """ICC(2,1), ICC(3,1) and, with `mean`, ICC(2,k), ICC(3,k): the same k raters rate every subject; for model 2 they are drawn
    from many and their levels count (absolute agreement), for model 3 they are all there are (consistency). Shrout & Fleiss 1979,
    cases 2 and 3; McGraw & Wong 1996, Psychological Methods 1: ICC(A,1), ICC(C,1). The table is complete."""

    table: Array
    model: Literal[2, 3] = 2
    mean: bool = False

    @property
    def moments(self) -> Array:
        x = self.table - self.table.mean() if self.table.size else self.table
        return np.column_stack([np.ones(len(x)), x, (x**2).sum(axis=1), x.sum(axis=1) ** 2])

    def squares(self, sums: Array) -> tuple[Array, Array, Array, Array]:
        """Mean squares between subjects, between raters and of the rest; and how many subjects there are."""
        k = self.table.shape[1]
        n, columns, squares, own = sums[..., 0], sums[..., 1:-2], sums[..., -2], sums[..., -1]
        level = columns.sum(axis=-1) ** 2 / (n * k)
        subjects, raters = own / k - level, (columns**2).sum(axis=-1) / n - level
        rest = np.maximum(squares - level - subjects - raters, 0)
        return np.maximum(subjects, 0) / (n - 1), np.maximum(raters, 0) / (k - 1), rest / ((n - 1) * (k - 1)), n

    def formula(self, sums: Array) -> Array:
        k = self.table.shape[1]
        subjects, raters, rest, n = self.squares(sums)
        levels = (raters - rest) / n if self.model == 2 else np.zeros_like(rest)
        whole = subjects + levels if self.mean else subjects + (k - 1) * rest + k * levels
        return np.divide(subjects - rest, np.where(whole > 0, whole, np.nan))

    def lack(self) -> str:
        n, k = self.table.shape
        if k < 2:
            return "there are fewer than two raters"
        return f"no two subjects have been rated by all {k} raters" if n < 2 else "the subjects hardly differ"


def statistic(table: Array, model: Model, mean: bool) -> OneWay | TwoWay:
    return OneWay(table, mean) if model == 1 else TwoWay(complete(table), model, mean)


def icc(rows: Rows, model: Model, *, mean: bool = False) -> float:
    """ICC(model,1), or with `mean` ICC(model,k), of a row for each subject with a rating, or None, for each rater. Models 2 and 3
    take the subjects that everybody rated. Raises Undefined."""
    return value_of(statistic(as_table(rows), model, mean))


def icc_interval(rows: Rows, model: Model, *, mean: bool = False, level: float = 0.95) -> tuple[float, float]:
    """The limits by F quantiles (Shrout & Fleiss 1979, pages 424 and 425; McGraw & Wong 1996, table 7), for subjects that are
    independent. Raises Undefined, also where the raters never differ."""
    made = statistic(as_table(rows), model, mean)
    value_of(made)
    sums, p = made.moments.sum(axis=0), (1 + level) / 2
    if isinstance(made, TwoWay):
        return _limits_of_two_way(made, sums, p)
    between, within, k = (float(one) for one in made.squares(sums))
    n, rest = float(sums[0]), float(sums[1] - sums[0])
    return _limits(_over(between, within), fisher(p, n - 1, rest), fisher(p, rest, n - 1), k, mean)


def _over(subjects: float, rest: float) -> float:
    if not rest:
        raise Undefined("the raters never differ, so there is no interval by F")
    return subjects / rest


def _limits(ratio: float, down: float, up: float, k: float, mean: bool) -> tuple[float, float]:
    low, high = ratio / down, ratio * up
    return (1 - 1 / low, 1 - 1 / high) if mean else ((low - 1) / (low + k - 1), (high - 1) / (high + k - 1))


def _limits_of_two_way(made: TwoWay, sums: Array, p: float) -> tuple[float, float]:
    subjects, raters, rest, n = (float(one) for one in made.squares(sums))
    k = made.table.shape[1]
    free = (n - 1) * (k - 1)
    if made.model == 3:
        return _limits(_over(subjects, rest), fisher(p, n - 1, free), fisher(p, free, n - 1), k, made.mean)
    rho, f = value_of(TwoWay(made.table)), _over(raters, rest)
    level = n * (1 + (k - 1) * rho) - k * rho
    df = free * (k * rho * f + level) ** 2 / ((n - 1) * k**2 * rho**2 * f**2 + level**2)
    down, up = fisher(p, n - 1, df), fisher(p, df, n - 1)
    spread = k * raters + (k * n - k - n) * rest
    low, high = n * (subjects - down * rest) / (down * spread + n * subjects), n * (up * subjects - rest) / (spread + n * up * subjects)
    return (spearman_brown(low, k), spearman_brown(high, k)) if made.mean else (low, high)


def spearman_brown(reliability: float, factor: float) -> float:
    """The reliability of the mean of `factor` times as many raters (Spearman 1910, Brown 1910); 1/k takes that of k raters back to
    that of one. Raises Undefined where the formula has no value."""
    whole = 1 + (factor - 1) * reliability
    if factor <= 0 or whole <= 0:
        raise Undefined(f"a reliability of {reliability:g} cannot be taken to {factor:g} times as many raters")
    return factor * reliability / whole
