"""What a camera would see, by rays and before anything is rendered; and how closed in a place is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from framing import THIN, Camera, Subject
from scenery import Scenery

SIDE = 24
"""Rays across a picture, and up."""

LEAST_COVERAGE, MOST_INSIDE, NEAREST, MOST_OF_ONE, FLAT = 0.03, 0.3, 0.015, 0.97, 0.02
"""A view is refused of which less shows the subject; of which more are backs of closed surfaces, since it stands inside something; whose
nearest tenth is nearer than that share of the diagonal; or of which more is one thing, without depth."""

SEEN, WELL_SEEN = 0.004, 0.03
"""Shares of a picture from which a thing is there at all, and from which its form can be made out."""

VOXELS = 24
UNIT = 27 * VOXELS**3
"""Cells that one piece may have: directions times places."""

FAR = 1e6


@dataclass(frozen=True)
class Sight:
    """What one camera sees. Shares of the whole picture: `coverage` of the subject, `shows` of each object, largest first. `inside` is the
    share of the subject's hits that are backs of closed surfaces; `near` the depth of the nearest tenth, in metres; `depth` how it varies.
    `cells` are bits of surface (piece, direction, place) as numbers, `pieces` the share of each; `target` is what is in the middle."""

    coverage: float
    inside: float
    near: float
    depth: float
    shows: Sequence[tuple[str, float]]
    cells: Any
    pieces: Mapping[int, float]
    target: Any

    def fault(self, diagonal: float, nearest: float = NEAREST) -> str | None:
        """Why the view is no good; None for one that may be rendered."""
        if self.coverage < LEAST_COVERAGE:
            return f"{self.coverage:.1%} of the picture would show the subject"
        if self.inside > MOST_INSIDE:
            return f"the camera stands inside something: {self.inside:.0%} of what it meets are backs of closed surfaces"
        if self.near < nearest * diagonal:
            return f"something stands {self.near:.3g} m before the camera"
        if self.shows[0][1] > MOST_OF_ONE and self.depth < FLAT * diagonal:
            return f"{self.shows[0][0]} fills the picture, without depth"
        return None


class Probes:
    """`shells` is a mask over the pieces that a camera may be in: the walls of a room."""

    def __init__(self, scenery: Scenery, subject: Subject, shells: Any | None = None) -> None:
        self.scenery, self.subject, self.rays = scenery, subject, 0
        self.shells = np.zeros(len(scenery.names), bool) if shells is None else shells

    def cast(self, place: Sequence[float], ways: Sequence[Sequence[float]], far: float = FAR) -> tuple[Any, Any]:
        """The triangle that each ray meets first, or -1, and how far off."""
        tree = self.scenery.tree
        self.rays += len(ways)
        met = [tree.ray_cast(place, way, far) for way in ways]
        hits = np.array([-1 if one[2] is None else one[2] for one in met], np.int64)
        return hits, np.array([np.inf if one[3] is None else one[3] for one in met])

    def sight(self, camera: Camera, side: int = SIDE) -> Sight:
        ways = _ways(camera, side)
        hits, depths = self.cast(camera.place.tolist(), ways.tolist())
        met = hits >= 0
        owners = self.scenery.owners[hits[met]]
        of_subject = ~self.subject.surroundings[owners]
        normals, places = self.scenery.normals[hits[met]], camera.place + ways[met] * depths[met, None]
        away = (normals * ways[met]).sum(1) > 0
        closed = (self.scenery.turned[owners] != 0) & ~self.shells[owners]
        inside = float((away & closed & of_subject).sum() / max(1, of_subject.sum()))
        numbers, counts = np.unique(owners[of_subject], return_counts=True)
        cells = self._cells(owners[of_subject], normals[of_subject], places[of_subject])
        depth = depths[met]
        near, varies = (float(np.percentile(depth, 10)), float(depth.std())) if len(depth) else (np.inf, 0.0)
        target = camera.place + camera.ahead * (float(np.median(depth)) if len(depth) else self.subject.diagonal)
        shares = {int(number): float(count) / len(ways) for number, count in zip(numbers, counts, strict=True)}
        return Sight(float(of_subject.sum()) / len(ways), inside, near, varies, self._shows(owners, len(ways)), cells, shares, target)

    def _cells(self, owners: Any, normals: Any, places: Any) -> Any:
        """Each as one number. The two sides of an open surface are two cells only as far as its normals tell."""
        at = np.clip((places - self.subject.low) / max(self.subject.diagonal, 1e-9) * VOXELS, 0, VOXELS - 1).astype(np.int64)
        octant = np.rint(normals).astype(np.int64) + 1
        spelled = owners
        for column in (octant[:, 0], octant[:, 1], octant[:, 2]):
            spelled = spelled * 3 + column
        for column in (at[:, 0], at[:, 1], at[:, 2]):
            spelled = spelled * VOXELS + column
        return np.unique(spelled)

    def _shows(self, owners: Any, rays: int) -> Sequence[tuple[str, float]]:
        shares: dict[str, float] = {}
        for number, count in zip(*np.unique(owners, return_counts=True), strict=True):
            name = self.scenery.names[int(number)]
            shares[name] = shares.get(name, 0.0) + float(count) / rays
        return sorted(shares.items(), key=lambda one: (-one[1], one[0])) or [("nothing", 0.0)]


def piece_of(cells: Any) -> Any:
    """The pieces that cells belong to."""
    return cells // UNIT


def _ways(camera: Camera, side: int) -> Any:
    reach = np.tan(camera.angle / 2)
    steps = ((np.arange(side) + 0.5) / side * 2 - 1) * reach
    across, up = np.meshgrid(steps, steps)
    ways = np.stack([across.ravel(), up.ravel(), -np.ones(side * side)], axis=1) @ camera.matrix[:3, :3].T
    return ways / np.linalg.norm(ways, axis=1, keepdims=True)


AROUND = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if (x, y, z) != (0, 0, 0)], np.float64)
AROUND = AROUND / np.linalg.norm(AROUND, axis=1, keepdims=True)

MOST_ROOMS = 100
SHUT = 0.8
"""A place is closed in where so many of 26 rays meet something: a room with a door and a window still is."""


@dataclass(frozen=True)
class Enclosure:
    """Places of a grid over the subject that are closed in and free (n, 3), how many of all were (`share`), and the pieces that they are in
    where these are single-sided walls."""

    free: Any
    share: float
    shells: Any


def enclosure(probes: Probes) -> Enclosure:
    """Looked for over the whole subject. Inside a solid thing nobody is in a room: its backs are met, and nothing else lies in it."""
    subject, scenery = probes.subject, probes.scenery
    steps = np.linspace(0.08, 0.92, 7)
    grid = [subject.low + subject.size * (x, y, z) for x in steps for y in steps for z in (0.35, 0.55, 0.75)]
    free, shut, shells = list[Any](), 0, np.zeros(len(scenery.names), bool)
    rooms, extents = _containers(scenery, subject), scenery.highs - scenery.lows
    flat = extents.min(1) < THIN * extents.max(1)  # a wall of one sheet has no inside
    for place in grid:
        hits, depths = probes.cast(place.tolist(), AROUND.tolist(), subject.diagonal)
        met = hits >= 0
        if met.sum() < SHUT * len(AROUND):
            continue
        owners = scenery.owners[hits[met]]
        backs = ((scenery.normals[hits[met]] * AROUND[met]).sum(1) > 0) & ~flat[owners]
        walls = np.unique(owners[backs])
        if backs.mean() > 0.5 and not rooms[walls].all():
            continue
        shut += 1
        shells[walls[rooms[walls]]] = True
        if depths[met].min() > 0.04 * subject.diagonal and not (backs & ~rooms[owners]).any():
            free.append(place)
    return Enclosure(np.array(free).reshape(-1, 3), shut / len(grid), shells)


def _containers(scenery: Scenery, subject: Subject) -> Any:
    """The pieces whose box holds most of the others, and at least two."""
    middles, keep = (scenery.lows + scenery.highs) / 2, ~subject.surroundings
    found = np.zeros(len(scenery.names), bool)
    sizes = np.where(keep, np.linalg.norm(scenery.highs - scenery.lows, axis=1), -1)
    for piece in np.argsort(-sizes, kind="stable")[: min(MOST_ROOMS, int(keep.sum()))]:
        held = ((middles[keep] > scenery.lows[piece]) & (middles[keep] < scenery.highs[piece])).all(1).sum() - 1
        found[piece] = held >= max(2, 0.8 * (keep.sum() - 1))
    return found
