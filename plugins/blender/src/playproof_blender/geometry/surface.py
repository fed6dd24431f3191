"""A soup that can be asked for distances: from points to it, and between two of them."""

from functools import cached_property
from typing import Any

import numpy as np
from attrs import frozen

from playproof_blender.geometry.nearness import point_triangle, triangle_triangle
from playproof_blender.geometry.soup import crosses, extent, highest, lowest
from playproof_blender.geometry.tree import CLOSE_ENOUGH, Tree, apart

AT_ONCE = 4096
"""So many pairs of nodes are opened side by side, the nearest first."""

FIRST = 96
"""Points of one surface that give the first answer for a gap."""


@frozen
class Gap:
    """The smallest distance, and the numbers of the two triangles that have it."""

    distance: float
    one: int
    other: int


class Surface:
    """Of a soup with one triangle at least (NotMeasurable)."""

    def __init__(self, soup: Any) -> None:
        self.box = extent(soup)
        self.soup = soup

    @cached_property
    def tree(self) -> Tree:
        return Tree(lowest(self.soup), highest(self.soup))

    @cached_property
    def normals(self) -> Any:
        """(m, 3) of length 1; 0 for a triangle without area."""
        long = crosses(self.soup)
        return long / np.maximum(np.linalg.norm(long, axis=1), 1e-300)[:, None]

    def distances(self, points: Any) -> Any:
        """(k,): from each point to the nearest place of the surface, to 0.1 %."""
        return np.sqrt(self._nearest(points)[0])

    def _nearest(self, points: Any) -> tuple[Any, Any]:
        return self.tree.nearest(points, lambda asked, triangles: point_triangle(points[asked], self.soup[triangles]))

    def gap(self, other: "Surface", enough: float = 0.0) -> Gap:
        """To 0.1 %, 0 where they cross or touch. It may stop at what is no more than `enough`, which need not be the smallest then."""
        return _Search(self, other, enough).found()


class _Search:
    """The pairs of nodes that could still hold something nearer, the most promising always first."""

    def __init__(self, one: Surface, other: Surface, enough: float) -> None:
        self.one, self.other, self.enough = one, other, enough * enough
        points = one.soup.reshape(-1, 3)
        points = points[np.linspace(0, len(points) - 1, min(FIRST, len(points))).astype(int)]
        squares, which = other._nearest(points)
        self.best, self.pair = float(squares.min()), (0, int(which[squares.argmin()]))
        place = np.linspace(0, 3 * len(one.soup) - 1, len(points)).astype(int)[squares.argmin()]
        self.pair = (int(place) // 3, self.pair[1])

    def found(self) -> Gap:
        stack = [(0, np.zeros(1, np.int64), np.zeros(1, np.int64))]
        deepest = max(self.one.tree.depth, self.other.tree.depth)
        while stack and self.best > self.enough:
            level, a, b = stack.pop()
            a, b = self._hopeful(level, a, b)
            if len(a) > AT_ONCE:
                stack.append((level, a[AT_ONCE:], b[AT_ONCE:]))
                a, b = a[:AT_ONCE], b[:AT_ONCE]
            if level == deepest:
                self._measure(a, b)
            elif len(a):
                stack.append((level + 1, *self._opened(level, a, b)))
        return Gap(float(np.sqrt(self.best)), *self.pair)

    def _hopeful(self, level: int, a: Any, b: Any) -> tuple[Any, Any]:
        (low, high), (other_low, other_high) = self._boxes(self.one, level), self._boxes(self.other, level)
        near = apart(low[a], high[a], other_low[b], other_high[b])
        kept = np.flatnonzero(near * CLOSE_ENOUGH < self.best)
        kept = kept[np.argsort(near[kept], kind="stable")]
        return a[kept], b[kept]

    @staticmethod
    def _boxes(surface: Surface, level: int) -> tuple[Any, Any]:
        return surface.tree.boxes[min(level, surface.tree.depth)]

    def _opened(self, level: int, a: Any, b: Any) -> tuple[Any, Any]:
        if level < self.one.tree.depth:
            a, b = (2 * a[:, None] + [0, 1]).ravel(), np.repeat(b, 2)
        if level < self.other.tree.depth:
            a, b = np.repeat(a, 2), (2 * b[:, None] + [0, 1]).ravel()
        return a, b

    def _measure(self, a: Any, b: Any) -> None:
        """Leaves against leaves, some hundred at a time: what is found spares those that come after."""
        for start in range(0, len(a), 256):
            ones, others = self.one.tree.members[a[start : start + 256]], self.other.tree.members[b[start : start + 256]]
            left, right = (each.ravel() for each in np.broadcast_arrays(ones[:, :, None], others[:, None, :]))
            left, right = self._worth_it(left, right)
            if not len(left):
                continue
            squares = triangle_triangle(self.one.soup[left], self.other.soup[right])
            if squares.min() < self.best:
                self.best, self.pair = float(squares.min()), (int(left[squares.argmin()]), int(right[squares.argmin()]))
            if self.best <= self.enough:
                return

    def _worth_it(self, left: Any, right: Any) -> tuple[Any, Any]:
        """Those pairs of triangles of which neither boxes nor planes show already that they are too far apart."""
        one, other = self.one.soup[left], self.other.soup[right]
        kept = np.flatnonzero(apart(lowest(one), highest(one), lowest(other), highest(other)) * CLOSE_ENOUGH < self.best)
        for surface, flat, solid in ((self.one, left, other), (self.other, right, one)):
            plane = flat[kept]
            heights = np.einsum("ki,kci->kc", surface.normals[plane], solid[kept] - surface.soup[plane][:, :1])
            beside = np.maximum(np.maximum(heights.min(1), -heights.max(1)), 0.0)  # 0 where the plane cuts the other
            kept = kept[beside * beside * CLOSE_ENOUGH < self.best]
        return left[kept], right[kept]
