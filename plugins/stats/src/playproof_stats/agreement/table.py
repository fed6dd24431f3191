"""Ratings as a table: a row for each subject, a column for each rater, NaN where one has not rated."""

from collections.abc import Sequence

import numpy as np

from playproof_stats.figures import Array, Undefined

Rows = Sequence[Sequence[float | None]]


def as_table(rows: Rows) -> Array:
    """Rows of equal length, None where there is no rating. Raises Undefined without any, ValueError for ragged rows."""
    if not len(rows):
        raise Undefined("there are no subjects")
    return np.array([[np.nan if value is None else float(value) for value in row] for row in rows])


def categories(table: Array) -> Array:
    """The values that occur, from the lowest."""
    found: Array = np.unique(table[~np.isnan(table)])
    return found


def counts(table: Array, values: Array) -> Array:
    """How many raters gave each subject each of the values. Raises ValueError for a rating that is none of them."""
    found: Array = (table[:, :, None] == values).sum(axis=1).astype(float)
    if found.sum() != (~np.isnan(table)).sum():
        raise ValueError(f"a rating is none of {', '.join(f'{value:g}' for value in values)}")
    return found


def complete(table: Array) -> Array:
    """The subjects that every rater has rated."""
    kept: Array = table[~np.isnan(table).any(axis=1)]
    return kept
