"""Triangles as one array, with what follows from their corners alone: area, volume, extent, edges, parts that hang together."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import frozen

LARGEST = 1e15
"""Coordinates beyond this lose their squares to rounding, and are refused like those that are no numbers."""


class NotMeasurable(ValueError):
    """Points that are no numbers, or triangles that name points which are not there; the text says how many."""


def soup_of(points: Any, triangles: Any) -> Any:
    """(m, 3, 3) float64 of points (n, 3) and triangles (m, 3). Raises NotMeasurable; only points that a triangle uses are looked at."""
    points, triangles = np.asarray(points, np.float64).reshape(-1, 3), np.asarray(triangles, np.int64).reshape(-1, 3)
    if len(triangles) and (triangles.min() < 0 or triangles.max() >= len(points)):
        wrong = int(((triangles < 0) | (triangles >= len(points))).any(1).sum())
        raise NotMeasurable(f"{wrong} of {len(triangles)} triangles name points that are not there")
    corners = points[triangles]
    usable = np.isfinite(corners).all((1, 2)) & (np.abs(np.nan_to_num(corners)) < LARGEST).all((1, 2))
    if not usable.all():
        raise NotMeasurable(f"{int((~usable).sum())} of {len(corners)} triangles have a corner that is no number, or one too large")
    return corners


def extent(soup: Any) -> Any:
    """(2, 3): the smallest and the largest corner of the box around it. A soup without triangles has none: ValueError."""
    flat = soup.reshape(-1, 3)
    if not len(flat):
        raise NotMeasurable("there are no triangles")
    return np.array([flat.min(0), flat.max(0)])


def lowest(soup: Any) -> Any:
    """(m, 3): of each triangle's box the smallest corner. Corner by corner, which is five times as fast as along an axis of three."""
    return np.minimum(np.minimum(soup[:, 0], soup[:, 1]), soup[:, 2])


def highest(soup: Any) -> Any:
    return np.maximum(np.maximum(soup[:, 0], soup[:, 1]), soup[:, 2])


def diagonal(soup: Any) -> float:
    low, high = extent(soup)
    return float(np.linalg.norm(high - low))


def crosses(soup: Any) -> Any:
    """(m, 3): normals by the right hand, of the length of twice the area."""
    return np.cross(soup[:, 1] - soup[:, 0], soup[:, 2] - soup[:, 0])


def areas(soup: Any) -> Any:
    return np.linalg.norm(crosses(soup), axis=1) / 2.0


def volume(soup: Any) -> float:
    """Signed, positive where the normals look out; it means something only for a closed surface. Measured about its own middle."""
    if not len(soup):
        return 0.0
    own = soup - extent(soup).mean(0)
    return float(np.einsum("ij,ij->", own[:, 0], np.cross(own[:, 1], own[:, 2])) / 6.0)


@frozen
class Closure:
    """How far a surface is closed: edges that one triangle alone uses, that three or more use, that two use in one direction;
    triangles without area; parts that hang together; `volume` is signed."""

    open_edges: int
    crowded_edges: int
    flipped_edges: int
    flat_triangles: int
    parts: int
    volume: float

    @property
    def closed(self) -> bool:
        return not (self.open_edges or self.crowded_edges or self.flipped_edges)


def closure(points: Any, triangles: Any, weld: float = 0.0) -> Closure:
    """`weld`: points no further apart than about this count as one (0: as the mesh has them)."""
    soup = soup_of(points, triangles)
    triangles = np.asarray(triangles, np.int64).reshape(-1, 3)
    if weld > 0:
        triangles = _welded(np.asarray(points, np.float64), triangles, weld)
    flat = int((areas(soup) <= 1e-18).sum())
    triangles = triangles[(triangles != np.roll(triangles, 1, 1)).all(1)]
    ways = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    forward = ways[:, 0] < ways[:, 1]
    edges = ways.min(1) * (len(points) + 1) + ways.max(1)
    _, which, uses = np.unique(edges, return_inverse=True, return_counts=True)
    along = np.bincount(which.reshape(-1), forward, len(uses))
    pairs = uses == 2
    return Closure(int((uses == 1).sum()), int((uses > 2).sum()), int((pairs & (along != 1)).sum()), flat,
                   len(set(parts(triangles).tolist())), volume(soup))  # fmt: skip


def _welded(points: Any, triangles: Any, weld: float) -> Any:
    used, triangles = np.unique(triangles, return_inverse=True)
    cell = np.zeros(len(used), np.int64)
    for axis in range(3):  # one number for each cell of a grid, made axis by axis, so that it cannot overflow
        _, along = np.unique(np.round(points[used, axis] / weld), return_inverse=True)
        _, cell = np.unique(cell * (len(used) + 1) + along, return_inverse=True)
    return cell[triangles].reshape(-1, 3)


def parts(triangles: Any) -> Any:
    """For each triangle the number of the part it belongs to: triangles that share a point hang together. Numbers are not in a row."""
    triangles = np.asarray(triangles, np.int64).reshape(-1, 3)
    if not len(triangles):
        return np.zeros(0, np.int64)
    names, corners = np.unique(triangles, return_inverse=True)
    corners = corners.reshape(-1, 3)
    least = np.arange(len(names))
    while True:
        low = least[corners].min(1)
        known = least.copy()
        np.minimum.at(least, corners.ravel(), np.repeat(low, 3))
        least = least[least]
        if (known == least).all():
            return least[corners[:, 0]]


def joined(soups: Sequence[Any]) -> tuple[Any, Any]:
    """One soup of several, and for each triangle the number of the one that it came from."""
    counts = [len(one) for one in soups]
    return np.concatenate([np.zeros((0, 3, 3)), *soups]), np.repeat(np.arange(len(soups)), counts)
