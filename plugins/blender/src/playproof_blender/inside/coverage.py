"""How a UV map lies on the unit square: the share that faces cover, and the share of that which two or more cover."""

from collections.abc import Mapping
from typing import Any

import numpy as np

FINEST, COARSEST = 512, 64
CHUNK = 500_000
FRACTION = (0.5 + 1 / 7919, 0.5 + 1 / 6857)
"""Where in a cell it is tested: a little beside the middle, where edges of regular maps never pass."""


def coverage(uv: Any, most_tests: int) -> Mapping[str, Any]:
    """`uv` (m, 3, 2) are the triangles of the map. `coverage` and `overlap` go from 0 to 1, and are None where no resolution of the square
    fits `most_tests`; `resolution` is the one that did. `area` is that of all triangles in squares, `outside` the share that leave it,
    `lost` the share that have no area on it."""
    finite, whole = np.isfinite(uv).all((1, 2)), max(len(uv), 1)
    uv = uv[finite].astype(np.float64)
    if not len(uv):
        return {"coverage": 0.0, "overlap": 0.0, "resolution": None, "area": 0.0, "outside": 0.0, "lost": 1.0 if len(finite) else 0.0}
    one, other = uv[:, 1] - uv[:, 0], uv[:, 2] - uv[:, 0]
    area = (one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]) / 2
    outside = ((uv < -1e-4) | (uv > 1 + 1e-4)).any((1, 2)).mean()
    told = {"area": float(np.abs(area).sum()), "outside": float(outside), "lost": 1.0 - int((area != 0).sum()) / whole}
    uv = np.where((area > 0)[:, None, None], uv, uv[:, ::-1])[area != 0]
    resolution = FINEST
    while True:
        low, sizes = _cells(uv, resolution)
        tests = sizes.prod(1)
        if tests.sum() <= most_tests:
            break
        resolution //= 2
        if resolution < COARSEST:
            return {"coverage": None, "overlap": None, "resolution": None, **told}
    counts = _counts(uv * resolution, low, sizes, tests, resolution)
    covered = int((counts > 0).sum())
    overlap = int((counts > 1).sum()) / covered if covered else 0.0
    return {"coverage": covered / resolution**2, "overlap": overlap, "resolution": resolution, **told}


def _cells(uv: Any, resolution: int) -> tuple[Any, Any]:
    """Of each triangle the first cell whose test point may lie in it, and how many there are each way."""
    held = np.clip(uv * resolution, -1, resolution + 1)
    low = np.maximum(np.ceil(held.min(1) - FRACTION), 0).astype(np.int64)
    high = np.minimum(np.floor(held.max(1) - FRACTION), resolution - 1).astype(np.int64)
    return low, np.maximum(high - low + 1, 0)


def _counts(uv: Any, low: Any, sizes: Any, tests: Any, resolution: int) -> Any:
    """How many triangles hold the test point of each cell; a point on an edge is in neither neighbour."""
    counts = np.zeros(resolution**2, np.int64)
    kept = tests > 0
    uv, low, sizes, tests = uv[kept], low[kept], sizes[kept], tests[kept]
    ends = np.cumsum(tests)
    start = 0
    while start < len(tests):
        done = ends[start - 1] if start else 0
        stop = max(int(np.searchsorted(ends, done + CHUNK, side="right")), start + 1)
        some = slice(start, stop)
        whose = np.repeat(np.arange(start, stop), tests[some])
        number = np.arange(len(whose)) - np.repeat(ends[some] - tests[some] - done, tests[some])
        x, y = low[whose, 0] + number % sizes[whose, 0], low[whose, 1] + number // sizes[whose, 0]
        inside = _inside(uv[whose], x + FRACTION[0], y + FRACTION[1])
        counts += np.bincount((y * resolution + x)[inside], minlength=resolution**2)
        start = stop
    return counts


def _inside(corners: Any, x: Any, y: Any) -> Any:
    held = np.ones(len(x), bool)
    for at in range(3):
        a, b = corners[:, at], corners[:, (at + 1) % 3]
        held &= (b[:, 0] - a[:, 0]) * (y - a[:, 1]) > (b[:, 1] - a[:, 1]) * (x - a[:, 0])
    return held
