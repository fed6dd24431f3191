"""Gwet's AC1 and AC2, which stay sensible when nearly all answers are the same."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from attrs import frozen

from playproof_stats.agreement.table import Rows, as_table, categories, counts
from playproof_stats.figures import Array, Undefined, value_of

Weights = Literal["identity", "linear", "quadratic"]


def weights(values: Array, kind: Weights) -> Array:
    """What a pair of values counts as agreement, 0 to 1 (Gwet 2014, chapter 3)."""
    if kind == "identity":
        same: Array = np.eye(len(values))
        return same
    gap = np.abs(np.subtract.outer(values, values)) / (values.max() - values.min())
    found: Array = 1 - (gap if kind == "linear" else gap**2)
    return found


@frozen(eq=False)
class Gwet:
    """AC1, with other than identity weights AC2 (Gwet 2008, BJMSP 61; Gwet 2014, Handbook of Inter-Rater Reliability, 4th
    edition, chapters 2, 3 and 5): agreement beyond that of raters who guess on the hard subjects alone. Subjects with one rating
    count for how frequent the values are, not for agreement."""

    found: Array
    """units x values: how many raters gave each; all values of the scale have a column, used or not"""
    values: Array
    kind: Weights = "identity"

    @property
    def moments(self) -> Array:
        rated = self.found.sum(axis=1)
        alike = (self.found * (self.found @ weights(self.values, self.kind) - 1)).sum(axis=1)
        pairs = rated * (rated - 1)
        agreed = np.divide(alike, pairs, out=np.zeros_like(pairs), where=pairs > 0)
        shares = np.divide(self.found, rated[:, None], out=np.zeros_like(self.found), where=rated[:, None] > 0)
        found: Array = np.column_stack([agreed, pairs > 0, rated > 0, shares])
        return found

    def formula(self, sums: Array) -> Array:
        agreed = np.divide(sums[..., 0], sums[..., 1])
        frequent = sums[..., 3:] / sums[..., 2:3]
        size, total = len(self.values), weights(self.values, self.kind).sum()
        chance = total / (size * (size - 1)) * (frequent * (1 - frequent)).sum(axis=-1)
        found: Array = np.divide(agreed - chance, 1 - chance)
        return found

    def lack(self) -> str:
        return "no subject has two ratings"


def gwet(rows: Rows, kind: Weights = "identity", values: Sequence[float] | None = None) -> float:
    """AC1 (or AC2, with `linear` or `quadratic` weights) of a row for each subject with a rating, or None, for each rater.
    `values` are those of the scale; without them, those that occur. Raises Undefined."""
    table = as_table(rows)
    known = categories(table) if values is None else np.array(sorted(values), float)
    if len(known) < 2:
        raise Undefined("every rating is the same, and the scale was not told")
    return value_of(Gwet(counts(table, known), known, kind))
