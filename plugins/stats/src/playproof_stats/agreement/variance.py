"""Where the variance of ratings comes from: the subjects, the judges, or one judge who says something else each time."""

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from playproof_stats.figures import Undefined

Cells = Sequence[Sequence[Sequence[float]]]


@frozen
class Split:
    """Components of the variance of a single rating, in squared points. A component is None where the data cannot tell it, and 0
    where its estimate came out negative. `interaction`: judges who differ about some subjects and not about others."""

    subjects: float | None
    judges: float | None
    interaction: float | None
    within: float | None


def split(cells: Cells) -> Split:
    """Subject x judge x repeats (ratings of the same subject by the same judge) -> the components, by the moments of the two-way
    random analysis of variance (Searle, Casella & McCulloch 1992, chapter 4); for unequal numbers of repeats by its unweighted
    means, with their harmonic mean. One judge alone leaves subjects and within; single ratings leave interaction and within in
    one figure, under `interaction`.

    Raises Undefined for fewer than two subjects; ValueError where a judge lacks a subject."""
    size = {len(row) for row in cells}
    if len(cells) < 2:
        raise Undefined("fewer than two subjects")
    if len(size) != 1 or any(not cell for row in cells for cell in row):
        raise ValueError("every judge rates every subject")
    repeats = np.array([[len(cell) for cell in row] for row in cells], float)
    means = np.array([[np.mean(cell) for cell in row] for row in cells])
    over, within = float((repeats - 1).sum()), None
    if over:
        within = float(sum(((np.asarray(cell) - np.mean(cell)) ** 2).sum() for row in cells for cell in row)) / over
    often = float(1 / np.mean(1 / repeats))
    return _one_judge(means[:, 0], often, within) if means.shape[1] == 1 else _judges(means, often, within)


def _one_judge(means: "np.ndarray[tuple[int], np.dtype[np.float64]]", often: float, within: float | None) -> Split:
    between = float(means.var(ddof=1))
    return Split(None if within is None else max(0.0, between - within / often), None, None, within)


def _judges(means: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]", often: float, within: float | None) -> Split:
    n, k = means.shape
    level, subjects, judges = means.mean(), means.mean(axis=1), means.mean(axis=0)
    rest = float(((means - subjects[:, None] - judges + level) ** 2).sum()) / ((n - 1) * (k - 1))
    of_subjects, of_judges = (max(0.0, float(one.var(ddof=1)) - rest / other) for one, other in ((subjects, k), (judges, n)))
    return Split(of_subjects, of_judges, rest if within is None else max(0.0, rest - within / often), within)
