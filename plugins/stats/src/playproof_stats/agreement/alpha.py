"""Krippendorff's alpha, with missing ratings."""

from typing import Literal

import numpy as np
from attrs import frozen

from playproof_stats.agreement.table import Rows, as_table, categories, counts
from playproof_stats.figures import Array, value_of

Metric = Literal["nominal", "ordinal", "interval", "ratio"]


@frozen(eq=False)
class Alpha:
    """Krippendorff's alpha = 1 - observed / expected disagreement (Krippendorff 2011, "Computing Krippendorff's
    Alpha-Reliability", sections C and D: coincidences within units and the four difference functions). Needs no rater to have
    rated everything; a subject with one rating counts for nothing."""

    found: Array
    """units x values: how many raters gave each"""
    values: Array
    metric: Metric = "nominal"

    @property
    def moments(self) -> Array:
        """Each unit's coincidences: pairs of its ratings, each unit weighing as many ratings as it has."""
        units, size = self.found.shape
        rated = self.found.sum(axis=1)
        pairs = self.found[:, :, None] * self.found[:, None, :] - self.found[:, :, None] * np.eye(size)
        weight = np.where(rated >= 2, 1 / np.maximum(rated - 1, 1), 0.0)
        found: Array = (pairs * weight[:, None, None]).reshape(units, size * size)
        return found

    def formula(self, sums: Array) -> Array:
        size = len(self.values)
        coincidences = sums.reshape(*sums.shape[:-1], size, size)
        margins = coincidences.sum(axis=-1)
        distance = self._distance(margins)
        seen = (coincidences * distance).sum(axis=(-1, -2))
        expected = np.einsum("...c,...k,...ck->...", margins, margins, distance) / (margins.sum(axis=-1) - 1)
        found: Array = 1 - np.divide(seen, np.where(expected > 0, expected, np.nan))
        return found

    def _distance(self, margins: Array) -> Array:
        """The squared differences of the values; ordinal ones depend on how often each occurs."""
        v = self.values
        if self.metric == "nominal":
            return np.not_equal.outer(v, v).astype(float)
        if self.metric == "interval":
            return np.subtract.outer(v, v) ** 2
        if self.metric == "ratio":
            total = np.add.outer(v, v)
            return np.divide(np.subtract.outer(v, v), total, out=np.zeros_like(total), where=total != 0) ** 2
        middle = np.cumsum(margins, axis=-1) - margins / 2
        ranks: Array = (middle[..., :, None] - middle[..., None, :]) ** 2
        return ranks

    def lack(self) -> str:
        if not (self.found.sum(axis=1) >= 2).any():
            return "no subject has two ratings"
        return "every rating is the same, so agreement cannot be told from chance"


def alpha(rows: Rows, metric: Metric = "nominal") -> float:
    """Krippendorff's alpha of a row for each subject with a rating, or None, for each rater: see `Alpha`. Raises Undefined, and
    ValueError for negative values on a ratio scale."""
    table = as_table(rows)
    values = categories(table)
    if metric == "ratio" and (values < 0).any():
        raise ValueError("a ratio scale has no negative values")
    return value_of(Alpha(counts(table, values), values, metric))
