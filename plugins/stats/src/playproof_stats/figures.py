"""A figure as it is told: a value with its interval, or the reason why there is none. Never NaN."""

from typing import Protocol

import numpy as np
from attrs import field, frozen, validators
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Undefined(ValueError):
    """A figure that these numbers do not have; the text says why."""


@frozen
class Figure:
    """`n` is how many units (answers, subjects, pairs) it rests on, `count` how many of them where it is a share. Without a value,
    `why` says why. `interval` says how `low` and `high` were found, or why there are none."""

    id: str
    value: float | None
    n: int
    count: int | None = None
    low: float | None = None
    high: float | None = None
    interval: str = ""
    why: str = ""


class Statistic(Protocol):
    """A figure as a function of sums over units: `moments` has a row for each unit, and `formula` makes the figure of the rows'
    sum (of the last axis, so that thousands of resamples are one call); NaN where it is undefined, and `lack` then says why.

    Whatever is resampled, only the sums change."""

    @property
    def moments(self) -> Array: ...
    def formula(self, sums: Array) -> Array: ...
    def lack(self) -> str: ...


@frozen
class Resampling:
    """How intervals are found: whole clusters are drawn anew, `resamples` times, from a generator with this seed."""

    seed: int = 0
    resamples: int = field(default=2000, validator=validators.ge(100))
    level: float = field(default=0.95, validator=[validators.gt(0), validators.lt(1)])
    least: int = 5
    """With fewer clusters than this a bootstrap says nothing worth reading."""


def value_of(statistic: Statistic) -> float:
    """The figure itself. Raises Undefined."""
    if not len(statistic.moments):
        raise Undefined(statistic.lack())
    with np.errstate(divide="ignore", invalid="ignore"):
        found = float(statistic.formula(statistic.moments.sum(axis=0)))
    if not np.isfinite(found):
        raise Undefined(statistic.lack())
    return found
