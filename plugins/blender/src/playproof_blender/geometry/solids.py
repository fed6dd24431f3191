"""What a closed surface encloses, on a grid of cells: volumes, the share that two have in common, outlines as seen along an axis."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from attrs import frozen

from playproof_blender.geometry.soup import extent, highest, lowest
from playproof_blender.geometry.surface import Surface

MOST_CELLS = 40_000_000
"""Triangles that cover more cells than this together, seen along an axis, are looked at on a coarser grid."""

AT_ONCE = 1_000_000
NUDGE = (1.37e-5, 2.3e-5)
"""Of a cell: columns are taken a little beside its middle, so that none runs along an edge of things that are drawn on a grid."""


@frozen
class Grid:
    """`count` (3) cells from corner `low`, `size` (3) metres in all."""

    low: Any
    size: Any
    count: tuple[int, int, int]

    @property
    def cell(self) -> Any:
        return self.size / np.array(self.count)

    @property
    def middles(self) -> Any:
        """(a, b, c, 3)"""
        axes = [low + (np.arange(count) + 0.5) * cell for low, count, cell in zip(self.low, self.count, self.cell, strict=True)]
        return np.stack(np.meshgrid(*axes, indexing="ij"), -1)


def grid_over(box: Any, cells: int, even: bool = True) -> Grid:
    """A little larger than the box (2, 3). `even`: cubes, `cells` along its longest side; else so many along each side."""
    size = np.maximum(box[1] - box[0], 1e-9 * max(1.0, float(np.abs(box).max())))
    if even:
        cell = float(size.max()) * 1.02 / cells
        counts = np.minimum(np.maximum(np.ceil(size * 1.02 / cell), 1), cells).astype(int)
        whole = counts * cell
        whole = np.maximum(whole, size * 1.0001)
    else:
        counts, whole = np.full(3, cells), size * 1.0001
    return Grid((box[0] + box[1] - whole) / 2.0, whole, (int(counts[0]), int(counts[1]), int(counts[2])))


def enclosed(soup: Any, grid: Grid) -> Any:
    """(a, b, c) bool: the cells whose middle the surface goes round (winding other than 0). Where columns along z leave the surface less
    or more often than they enter it, since it has holes or faces that look the wrong way, columns along x and y decide
    with them, two of three."""
    filled, broken = _columns(soup, grid, 2)
    if not broken:
        return filled
    votes = filled.astype(np.int8)
    for axis in (0, 1):
        votes += _columns(soup, grid, axis)[0]
    return votes >= 2


def _columns(soup: Any, grid: Grid, axis: int) -> tuple[Any, bool]:
    """The cells inside by columns along an axis, and whether there were columns that do not come out even: those are empty."""
    order = [(axis + 1) % 3, (axis + 2) % 3, axis]
    counts = [grid.count[each] for each in order]
    placed = ((soup - grid.low) / grid.cell)[:, :, order]
    turns = np.zeros((counts[0] * counts[1], counts[2] + 1), np.int32)
    for a, b, height, up in _crossings(placed, counts[0], counts[1]):
        into = np.clip(np.ceil(height - 0.5), 0, counts[2]).astype(np.int64)
        np.add.at(turns, (a * counts[1] + b, into), np.where(up, -1, 1))
    turns = np.cumsum(turns, axis=1)
    even = turns[:, -1] == 0
    filled = ((turns[:, :-1] != 0) & even[:, None]).reshape(counts)
    return np.transpose(filled, np.argsort(order)), not bool(even.all())


def _crossings(placed: Any, wide: int, high: int) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Where columns through the middles of cells meet triangles (in cells): column, height, and whether the triangle looks up there."""
    spans = _spans(placed, wide, high)
    for part, which, a, b in _covered(spans):
        p, q, r = (placed[part, corner][which] for corner in range(3))
        x, y = a + 0.5 + NUDGE[0], b + 0.5 + NUDGE[1]
        area = (q[:, 0] - p[:, 0]) * (r[:, 1] - p[:, 1]) - (r[:, 0] - p[:, 0]) * (q[:, 1] - p[:, 1])
        kept = np.abs(area) > 1e-12
        safe = np.where(kept, area, 1.0)
        u = ((x - p[:, 0]) * (r[:, 1] - p[:, 1]) - (r[:, 0] - p[:, 0]) * (y - p[:, 1])) / safe
        v = ((q[:, 0] - p[:, 0]) * (y - p[:, 1]) - (x - p[:, 0]) * (q[:, 1] - p[:, 1])) / safe
        kept &= (u >= 0) & (v >= 0) & (u + v <= 1)
        height = p[:, 2] + u * (q[:, 2] - p[:, 2]) + v * (r[:, 2] - p[:, 2])
        yield a[kept], b[kept], height[kept], area[kept] > 0


def _spans(placed: Any, wide: int, high: int) -> Any:
    """(m, 4): first column, columns, first row, rows that each triangle could cover."""
    low, top = lowest(placed)[:, :2], highest(placed)[:, :2]
    limit = np.array([wide, high])
    first = np.clip(np.ceil(low - 0.5 - max(NUDGE)), 0, limit).astype(np.int64)
    count = np.maximum(np.clip(np.floor(top - 0.5), -1, limit - 1).astype(np.int64) - first + 1, 0)
    return np.stack([first[:, 0], count[:, 0], first[:, 1], count[:, 1]], 1)


def _covered(spans: Any) -> Iterator[tuple[Any, Any, Any, Any]]:
    """In turns of bounded size: the triangles of the turn, and for each cell in their spans which of them, column and row."""
    cells = spans[:, 1] * spans[:, 3]
    used = np.flatnonzero(cells)
    ends = np.cumsum(cells[used])
    start = 0
    while start < len(used):
        before = int(ends[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + AT_ONCE, "right")))
        part = used[start:stop]
        count = cells[part]
        which = np.repeat(np.arange(len(part)), count)
        place = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)
        columns = spans[part, 1][which]
        yield part, which, spans[part, 0][which] + place % columns, spans[part, 2][which] + place // columns
        start = stop


def bearable(soup: Any, box: Any, cells: int) -> int:
    """The number of cells for a grid over `box`, made less where too many large triangles lie upon each other."""
    sides = np.maximum((box[1] - box[0]).max(), 1e-12)
    reach = np.clip(highest(soup), box[0], box[1]) - np.clip(lowest(soup), box[0], box[1])
    reach = np.sort(reach, 1)[:, 1:] / sides
    while cells > 16 and float((reach[:, 0] * cells + 1) @ (reach[:, 1] * cells + 1)) > MOST_CELLS:
        cells //= 2
    return cells


def shared(one: Any, other: Any, cells: int = 96) -> float:
    """Volume in common over volume of both together (intersection over union); NaN where neither encloses a cell."""
    both = np.concatenate([one, other]).reshape(-1, 3)
    box = np.array([both.min(0), both.max(0)])
    grid = grid_over(box, min(bearable(one, box, cells), bearable(other, box, cells)))
    inside, within = enclosed(one, grid), enclosed(other, grid)
    together = int((inside | within).sum())
    return float((inside & within).sum() / together) if together else float("nan")


def outline(soup: Any, direction: Any, cells: int = 96) -> tuple[float, float]:
    """What is seen of it along a direction, from far away: the area, and its share of the smallest rectangle around it (of 16 that are
    turned step by step)."""
    forward = np.asarray(direction, np.float64) / np.linalg.norm(direction)
    side = np.cross(forward, [0.0, 0.0, 1.0] if abs(forward[2]) < 0.9 else [1.0, 0.0, 0.0])
    side /= np.linalg.norm(side)
    flat = soup.reshape(-1, 3) @ np.stack([side, np.cross(forward, side), np.zeros(3)], 1)
    low, high = (np.array([reach(flat[:, 0]), reach(flat[:, 1]), 0.0]) for reach in (np.min, np.max))
    cell = np.maximum((high - low) / cells, 1e-12 * max(1.0, float(np.abs(low).max()), float(np.abs(high).max())))
    seen = np.zeros((cells, cells), bool)
    for a, b, _, _ in _crossings(((flat - low) / cell).reshape(-1, 3, 3), cells, cells):
        seen[a, b] = True
    area, angles = float(seen.sum() * cell[0] * cell[1]), np.arange(16) * np.pi / 32
    sides = [np.ptp(flat[:, 0] * c + flat[:, 1] * s) * np.ptp(flat[:, 1] * c - flat[:, 0] * s)
             for c, s in zip(np.cos(angles), np.sin(angles), strict=True)]  # fmt: skip
    return area, min(area / max(float(min(sides)), 1e-300), 1.0)


def goes_round(soup: Any, point: Any) -> bool:
    """Whether a closed surface goes round the point: by the angles under which its triangles are seen from there."""
    a, b, c = (soup[:, corner] - point for corner in range(3))
    la, lb, lc = (np.linalg.norm(each, axis=1) for each in (a, b, c))
    above = np.einsum("ij,ij->i", a, np.cross(b, c))
    below = la * lb * lc + np.einsum("ij,ij->i", a, b) * lc + np.einsum("ij,ij->i", b, c) * la + np.einsum("ij,ij->i", c, a) * lb
    return bool(abs(np.arctan2(above, below).sum() / (2 * np.pi)) > 0.5)


class Block:
    """A soup, with the box of each triangle: to be held against many others, of which each meets a small part of it."""

    def __init__(self, soup: Any) -> None:
        self.soup, self.low, self.high = soup, lowest(soup), highest(soup)
        self.box = extent(soup)

    def across(self, box: Any) -> Any:
        """The triangles that a column through the box along any axis can meet."""
        return self.soup[((self.high >= box[0]) & (self.low <= box[1])).sum(1) >= 2]

    def about(self, box: Any) -> Any:
        """The triangles that bound what is thinner than the box: no further from it than its diagonal."""
        reach = np.linalg.norm(box[1] - box[0])
        return self.soup[((self.high >= box[0] - reach) & (self.low <= box[1] + reach)).all(1)]


def common(one: Block, other: Block, cells: int = 40, most: int = 1000) -> tuple[float, float]:
    """Of what two solids have in common the thickness (the diameter of the largest ball in it) and the volume, both by cells of the box
    that their boxes share; 0 and 0 where there is nothing."""
    low = np.maximum(one.box[0], other.box[0])
    box = np.array([low, np.maximum(np.minimum(one.box[1], other.box[1]), low)])
    soups = [one.across(box), other.across(box)]
    if not all(len(soup) for soup in soups):
        return 0.0, 0.0
    grid = grid_over(box, min(cells, *(bearable(soup, box, cells) for soup in soups)), even=False)
    both = enclosed(soups[0], grid)
    both &= enclosed(soups[1], grid) if both.any() else both
    places = grid.middles[both]
    if not len(places):
        return 0.0, 0.0
    surfaces = [Surface(near) for near in (one.about(box), other.about(box)) if len(near)]
    some = places[np.linspace(0, len(places) - 1, min(most, len(places))).astype(int)]
    depths = _depths(surfaces, some)
    if len(some) < len(places):  # and once more all about the deepest of these
        away = np.abs((places - some[depths.argmax()]) / grid.cell).max(1)
        some = places[np.argsort(away, kind="stable")[:most]]
        depths = np.append(_depths(surfaces, some), depths.max())
    thickness = float(2 * depths.max() + grid.cell.min())  # the middle of the ball lies up to half a cell beside that of the cell
    return min(thickness, float((box[1] - box[0]).min())), float(both.sum() * np.prod(grid.cell))


def _depths(surfaces: Sequence[Surface], places: Any) -> Any:
    return np.min([np.full(len(places), np.inf), *(surface.distances(places) for surface in surfaces)], axis=0)
