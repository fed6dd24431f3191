"""Where a camera stands so that it frames what matters: matrices, exact fits, and what of a scene is no subject but surroundings.

A camera looks along its own -z, y is up; angles in radians; azimuth 0 is +x, 90 degrees +y; the front of a scene is -y.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scenery import Scenery

DOME, BACKDROP, FAR = 4.0, 2.5, 6.0
"""How many times the diagonal of all the rest a dome has at least, and an open backdrop; how much smaller a scene is without what is far
off."""

THIN, WIDE = 0.02, 1.8
"""A ground: so thin beside its width, and so much wider than all the rest."""

MARGIN = 1.08
HULL = 160
UP = np.array((0.0, 0.0, 1.0))


@dataclass(frozen=True)
class Camera:
    """`matrix` (4, 4) places it in the world; `angle` is its field of view, the same up and across."""

    matrix: Any
    angle: float

    @property
    def place(self) -> Any:
        return self.matrix[:3, 3]

    @property
    def ahead(self) -> Any:
        return -self.matrix[:3, 2]


@dataclass(frozen=True)
class Subject:
    """What views frame. `surroundings` is a mask over the pieces of what is left out of framing, and `why` says so by object."""

    surroundings: Any
    why: dict[str, str]
    low: Any
    high: Any
    hull: Any

    @property
    def size(self) -> Any:
        return self.high - self.low

    @property
    def diagonal(self) -> float:
        return float(np.linalg.norm(self.size))

    @property
    def middle(self) -> Any:
        return (self.low + self.high) / 2


def subject_of(scenery: Scenery) -> Subject:
    """Domes, backdrops, grounds and what stands far off are surroundings, if anything is left. Largest first, until nothing changes."""
    left, why, changed = np.zeros(len(scenery.names), bool), dict[str, str](), True
    sizes = np.linalg.norm(scenery.highs - scenery.lows, axis=1)
    while changed:
        changed = False
        for piece in np.argsort(-sizes)[:64]:
            rest = ~left
            rest[piece] = False
            if not left[piece] and rest.any() and (said := _surrounds(scenery, int(piece), rest)):
                left[piece] = changed = True
                why[scenery.names[piece]] = said
    keep = ~left
    low, high = scenery.lows[keep].min(0), scenery.highs[keep].max(0)
    return Subject(left, why, low, high, _hull(scenery, keep))


def _surrounds(scenery: Scenery, piece: int, rest: Any) -> str | None:
    low, high = scenery.lows[rest].min(0), scenery.highs[rest].max(0)
    mine = scenery.highs[piece] - scenery.lows[piece]
    others, size = float(np.linalg.norm(high - low)), float(np.linalg.norm(mine))
    slack = 1e-6 + 0.02 * others
    encloses = bool((scenery.lows[piece] <= low + slack).all() and (scenery.highs[piece] >= high - slack).all())
    if encloses and size > DOME * others:
        return "dome"
    if encloses and size > BACKDROP * others and scenery.turned[piece] == 0:
        return "backdrop"
    across = [axis for axis in range(3) if axis != int(mine.argmin())]
    if mine.min() < THIN * mine.max() and (mine[across] > WIDE * (high - low)[across]).all():
        return "ground"
    whole = float(np.linalg.norm(np.maximum(high, scenery.highs[piece]) - np.minimum(low, scenery.lows[piece])))
    return "far off" if rest.sum() >= 3 and whole > FAR * max(others, size) else None


def _hull(scenery: Scenery, keep: Any) -> Any:
    """The points that lie outermost in many directions: what a camera must have in its picture."""
    points = scenery.points[np.unique(scenery.triangles[keep[scenery.owners]])]
    turn = np.arange(HULL) + 0.5  # a spiral over the sphere, evenly spread
    high, around = np.arccos(1 - 2 * turn / HULL), np.pi * (1 + 5**0.5) * turn
    ways = np.stack([np.cos(around) * np.sin(high), np.sin(around) * np.sin(high), np.cos(high)], axis=1)
    return points[np.unique([int((points @ way).argmax()) for way in ways])]


def look(place: Any, target: Any) -> Any:
    """The matrix of a camera at a place that looks at another, upright; straight down or up its top is +y."""
    ahead = np.asarray(target, np.float64) - place
    ahead = ahead / max(float(np.linalg.norm(ahead)), 1e-12)
    across = np.cross(ahead, UP)
    if np.linalg.norm(across) < 1e-3:
        across = np.array((1.0, 0.0, 0.0))
    across = across / np.linalg.norm(across)
    matrix = np.eye(4)
    matrix[:3, 0], matrix[:3, 1], matrix[:3, 2], matrix[:3, 3] = across, np.cross(across, ahead), -ahead, place
    return matrix


def towards(azimuth: float, elevation: float) -> Any:
    """The direction in which a camera stands."""
    return np.array((np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)))


def fit(points: Any, way: Any, angle: float, most: float = np.inf) -> Camera:
    """The nearest camera in a direction that has all points in its picture, in the middle. Where that is further off than `most` it stands
    there, with as wide an angle as is needed."""
    turned = look(np.zeros(3), -way)[:3, :3]
    x, y, z = (points @ turned[:, axis] for axis in range(3))
    reach = np.tan(angle / 2) / MARGIN
    side = np.array([(x.min() + x.max()) / 2, (y.min() + y.max()) / 2])
    middle = (z.min() + z.max()) / 2
    for _ in range(4):  # in perspective the middle depends on how far off the camera is: this settles
        off = _needed(x - side[0], y - side[1], z - middle, reach)
        ahead = off - (z - middle)
        seen = [(x - side[0]) / ahead, (y - side[1]) / ahead]
        side = side + np.array([one.max() + one.min() for one in seen]) / 2 * off
    off = _needed(x - side[0], y - side[1], z - middle, reach)
    if off > most:
        off = most
        ahead = np.maximum(off - (z - middle), 1e-3 * most)
        angle = float(2 * np.arctan(MARGIN * max((np.abs(x - side[0]) / ahead).max(), (np.abs(y - side[1]) / ahead).max())))
    target = turned @ np.array((side[0], side[1], middle))
    return Camera(look(target + way * off, target), angle)


def _needed(x: Any, y: Any, z: Any, reach: float) -> float:
    return max(float((np.abs(x) / reach + z).max()), float((np.abs(y) / reach + z).max()), 1e-6)
