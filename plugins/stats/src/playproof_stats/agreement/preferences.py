"""Preferences: who prefers the same of two, and how scores go with what people prefer."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
from attrs import frozen

from playproof_stats.figures import Array, Undefined, value_of

Preference = Literal["a", "b", "tie"]


def majority(votes: Iterable[Preference]) -> Preference | None:
    """What more than half of the votes prefer; None for a split vote."""
    counted = Counter(votes)
    if not counted:
        return None
    first, count = counted.most_common(1)[0]
    return first if 2 * count > counted.total() else None


def by_score(a: float, b: float) -> Preference:
    return "tie" if a == b else "a" if a > b else "b"


@frozen(eq=False)
class Correlation:
    """Pearson's correlation of x and y, or with `ranks` Spearman's: Pearson's of their mid-ranks."""

    x: Sequence[float]
    y: Sequence[float]
    ranks: bool = False

    @property
    def moments(self) -> Array:
        if len(self.x) < 2:
            return np.zeros((0, 6))
        if self.ranks:
            return np.eye(len(self.x))  # ranks are not sums: each unit is drawn for itself
        x, y = (np.asarray(one, float) - np.mean(one) for one in (self.x, self.y))
        return np.column_stack([np.ones(len(x)), x, y, x * x, y * y, x * y])

    def formula(self, sums: Array) -> Array:
        if not self.ranks:
            return _correlated(*np.moveaxis(sums, -1, 0))
        x, y = _mid_ranks(self.x, sums), _mid_ranks(self.y, sums)
        return _correlated(sums.sum(axis=-1), *((sums * one).sum(axis=-1) for one in (x, y, x * x, y * y, x * y)))

    def lack(self) -> str:
        return "fewer than two pairs" if len(self.x) < 2 else "one side does not vary"


def _correlated(n: Array, x: Array, y: Array, xx: Array, yy: Array, xy: Array) -> Array:
    spread = np.maximum(n * xx - x * x, 0) * np.maximum(n * yy - y * y, 0)
    flat = spread <= 1e-12 * np.maximum(n * xx, 1) * np.maximum(n * yy, 1)
    found: Array = np.divide(n * xy - x * y, np.sqrt(np.where(flat, np.nan, spread)))
    return found


def _mid_ranks(values: Sequence[float], drawn: Array) -> Array:
    """The mid-rank of each value in samples in which it stands `drawn` times, centred (1 + n / 2 is taken off)."""
    _, group = np.unique(np.asarray(values, float), return_inverse=True)
    held = drawn @ np.eye(int(group.max()) + 1)[group]
    ranks = np.cumsum(held, axis=-1) - held / 2
    found: Array = (ranks - held.sum(axis=-1, keepdims=True) / 2)[..., group]
    return found


def pearson(x: Sequence[float], y: Sequence[float]) -> float:
    """Pearson's correlation. Raises Undefined."""
    return _correlation(x, y, ranks=False)


def spearman(x: Sequence[float], y: Sequence[float]) -> float:
    """Spearman's rank correlation (1904), ties at their mean rank. Raises Undefined."""
    return _correlation(x, y, ranks=True)


def _correlation(x: Sequence[float], y: Sequence[float], ranks: bool) -> float:
    if len(x) != len(y):
        raise ValueError(f"{len(x)} values cannot be paired with {len(y)}")
    if len(x) < 2:
        raise Undefined("fewer than two pairs")
    return value_of(Correlation(x, y, ranks))
