"""Points spread evenly over a surface, always the same ones, and what is told by them: symmetry, mean distance, principal axes."""

from typing import Any

import numpy as np
from attrs import frozen

from playproof_blender.geometry.soup import NotMeasurable, areas
from playproof_blender.geometry.surface import Surface

GOLDEN = (0.7548776662466927, 0.5698402909980532)
"""Steps of a sequence that fills the unit square evenly (the powers of 1 / 1.3247..., the plastic number)."""


def spread(soup: Any, count: int) -> Any:
    """(count, 3): on each triangle as many as its area asks for. Raises NotMeasurable for a surface without area."""
    ends = np.cumsum(areas(soup))
    if not len(ends) or ends[-1] <= 0:
        raise NotMeasurable("the surface has no area")
    where = (np.arange(count) + 0.5) / count * ends[-1]
    chosen = soup[np.minimum(np.searchsorted(ends, where), len(soup) - 1)]
    u, v = ((np.arange(1, count + 1) * step) % 1.0 for step in GOLDEN)
    beyond = u + v > 1
    u, v = np.where(beyond, 1 - u, u)[:, None], np.where(beyond, 1 - v, v)[:, None]
    return chosen[:, 0] + u * (chosen[:, 1] - chosen[:, 0]) + v * (chosen[:, 2] - chosen[:, 0])


@frozen
class Apart:
    """How far two surfaces are from each other, by points of each: the mean of both means, and the furthest point of either."""

    mean: float
    furthest: float


def apart(one: Surface, other: Surface, count: int = 4000) -> Apart:
    """The symmetric chamfer distance, from points to the surface itself."""
    there, back = other.distances(spread(one.soup, count)), one.distances(spread(other.soup, count))
    return Apart(float((there.mean() + back.mean()) / 2.0), float(max(there.max(), back.max())))


def mirrored(surface: Surface, axis: int, at: float, count: int = 4000) -> Any:
    """(count,): how far each sample's image in the plane (where coordinate `axis` is `at`) lies from the surface."""
    points = spread(surface.soup, count)
    points[:, axis] = 2.0 * at - points[:, axis]
    return surface.distances(points)


def principal(soup: Any, count: int = 2000) -> tuple[Any, Any]:
    """(3, 3) unit vectors by rows, that of the thinnest spread first, and (3,) how far nine tenths of the surface reach along each."""
    points = spread(soup, count)
    axes = np.linalg.eigh(np.cov((points - points.mean(0)).T))[1].T
    low, high = np.quantile(points @ axes.T, [0.05, 0.95], axis=0)
    return axes, high - low
