"""Where somebody may walk: the floor, less what stands on it, each grown by half a body's width.

Walking is on straight lines. The shortest way runs past corners of what is in the way (a visibility graph), and the walkable
floor is cut into cells along those corners' lines, which share their corners as navigation meshes must."""

import heapq
import math
from collections.abc import Sequence
from functools import lru_cache

from attrs import frozen

from playproof_xr.geometry import Point, Polygon, Rectangle
from playproof_xr.geometry.planar import SKIN, segments_gap
from playproof_xr.rooms.description import Room

AWAY = 0.02
"""How far from a corner a way passes beyond the body's own width; metres."""

CELL = 0.5
FINE = 0.1
"""Cells are at most so wide, and so fine around what stands askew; metres."""


@frozen
class Ground:
    """The walkable floor: `outline` of the room, what is in the way already grown, and how far walls are kept off."""

    outline: Polygon
    blocks: tuple[Rectangle, ...]
    body: float

    def free(self, point: Point) -> bool:
        return self.outline.depth(point) >= self.body - SKIN and not any(block.contains(point) for block in self.blocks)

    def clear(self, a: Point, b: Point) -> bool:
        """One may walk straight from a to b."""
        if not (self.free(a) and self.free(b)) or any(block.meets(a, b) for block in self.blocks):
            return False
        return all(segments_gap(a, b, c, d) >= self.body - SKIN for c, d in self.outline.sides)

    def route(self, start: Point, goal: Point) -> Sequence[Point]:
        """The shortest way, both ends with it; empty where there is none."""
        if self.clear(start, goal):
            return (start, goal)
        if not (self.free(start) and self.free(goal)):
            return ()
        nodes, roads = corners_of(self)
        near = {goal: [node for node in nodes if self.clear(node, goal)]}
        reach: dict[Point, list[Point]] = {start: [node for node in nodes if self.clear(start, node)]}
        best: dict[Point, float] = {start: 0.0}
        came: dict[Point, Point] = {}
        queue = [(math.dist(start, goal), start)]
        while queue:
            _, here = heapq.heappop(queue)
            if here == goal:
                return _back(came, start, goal)
            onward = [*reach.get(here, roads.get(here, ())), *((goal,) if here in near[goal] else ())]
            for there in onward:
                length = best[here] + math.dist(here, there)
                if length < best.get(there, math.inf) - 1e-12:
                    best[there], came[there] = length, here
                    heapq.heappush(queue, (length + math.dist(there, goal), there))
        return ()

    def nearest(self, point: Point) -> Point:
        """The free point nearest to `point`, to a centimetre or so: on the way there, somebody stops here."""
        if self.free(point):
            return point
        xs, zs, cells = cells_of(self)
        inside = ((min(max(point[0], xs[i]), xs[i + 1]), min(max(point[1], zs[j]), zs[j + 1])) for i, j in cells)
        return min(inside, key=lambda one: math.dist(one, point))


def _back(came: dict[Point, Point], start: Point, goal: Point) -> Sequence[Point]:
    way = [goal]
    while way[-1] != start:
        way.append(came[way[-1]])
    return tuple(reversed(way))


@lru_cache(maxsize=32)
def ground_of(room: Room) -> Ground:
    grown = [piece.footprint.grown(room.body) for piece in room.furniture if piece.in_the_way]
    held = [one for one in grown if any(other is not one and all(map(other.contains, one.corners)) for other in grown)]
    return Ground(room.shell.polygon, tuple(one for one in grown if one not in held), room.body)


@lru_cache(maxsize=32)
def corners_of(ground: Ground) -> tuple[Sequence[Point], dict[Point, Sequence[Point]]]:
    """The corners that ways turn at, and for each the others that are in sight."""
    found = [corner for block in ground.blocks for corner in block.grown(AWAY).corners]
    points = ground.outline.points
    found += [_beside(points[i - 1], tip, points[(i + 1) % len(points)], ground.body + AWAY) for i, tip in enumerate(points)]
    nodes = tuple(dict.fromkeys(corner for corner in found if ground.free(corner)))
    return nodes, {a: tuple(b for b in nodes if b != a and ground.clear(a, b)) for a in nodes}


def _beside(before: Point, tip: Point, after: Point, off: float) -> Point:
    """Beside a corner of the room that points inwards, `off` from both its walls; for other corners it lies outside."""
    (ax, az), (bx, bz) = (((p[0] - tip[0]) / math.dist(p, tip), (p[1] - tip[1]) / math.dist(p, tip)) for p in (before, after))
    length = math.hypot(ax + bx, az + bz)
    wide = off / max(math.sqrt(1.0 - (length / 2.0) ** 2), 0.2)  # the sine of half the corner's angle
    return tip[0] - (ax + bx) / length * wide, tip[1] - (az + bz) / length * wide


@lru_cache(maxsize=32)
def cells_of(ground: Ground) -> tuple[Sequence[float], Sequence[float], Sequence[tuple[int, int]]]:
    """The walkable floor in cells: lines in x and in z, and the cells (i, j) between line i and i + 1, j and j + 1.

    Exact for walls and furniture along the axes; beside what stands askew, a cell that is not free everywhere is left out."""
    xs, zs = _lines(ground, 0), _lines(ground, 1)
    cells = tuple((i, j) for i in range(len(xs) - 1) for j in range(len(zs) - 1) if _walkable(ground, xs[i : i + 2], zs[j : j + 2]))
    return xs, zs, cells


def _lines(ground: Ground, axis: int) -> Sequence[float]:
    low, high = (bound[axis] for bound in ground.outline.bounds)
    marks = {round(one[axis] + sign * ground.body, 6) for one in ground.outline.points for sign in (-1, 1)}
    for block in ground.blocks:
        ends = [corner[axis] for corner in block.corners]
        marks |= {round(min(ends), 6), round(max(ends), 6)}
        if block.askew:
            marks |= {round(min(ends) + k * FINE, 6) for k in range(int((max(ends) - min(ends)) / FINE) + 1)}
    ordered = sorted(mark for mark in marks if low <= mark <= high)
    lines = [ordered[0]]
    for mark in ordered[1:]:
        gap = mark - lines[-1]
        if gap < 1e-4:
            continue
        pieces = math.ceil(gap / CELL)
        lines += [round(lines[-1] + gap * k / pieces, 6) for k in range(1, pieces)] + [mark]
    return lines


def _walkable(ground: Ground, xs: Sequence[float], zs: Sequence[float]) -> bool:
    middle, slack = ((xs[0] + xs[1]) / 2, (zs[0] + zs[1]) / 2), 1e-5  # lines are rounded
    cell = Rectangle(middle, (xs[1] - xs[0]) / 2 - slack, (zs[1] - zs[0]) / 2 - slack)
    if any(block.overlaps(cell) for block in ground.blocks) or not ground.outline.contains(cell.centre):
        return False
    corners = cell.corners
    sides = list(zip(corners, corners[1:] + corners[:1], strict=True))
    return all(segments_gap(*side, *wall) >= ground.body - 1e-6 for side in sides for wall in ground.outline.sides)
