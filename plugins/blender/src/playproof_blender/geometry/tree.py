"""A balanced tree of boxes, all of a level in one array, so that many questions go down it side by side."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

LEAF = 6
"""At most so many primitives in a leaf; at least half as many."""

MOST_OPEN = 1 << 19
"""So many pairs of a question and a node are looked at side by side; more are dealt with in turns."""

CLOSE_ENOUGH = 1.002
"""A node whose box is nearer than the best so far by less than 0.1 % (0.2 % of the square) is not opened."""


class Tree:
    """Over primitives whose boxes are `low` and `high` (m, 3), m from 1 on."""

    def __init__(self, low: Any, high: Any) -> None:
        count = len(low)
        self.depth = max(0, int(np.ceil(np.log2(count / LEAF)))) if count > LEAF else 0
        self.leaf = -(-count // (1 << self.depth))
        size = self.leaf << self.depth
        order = np.linspace(0, count - 1, size).round().astype(np.int64)  # some stand twice, so that all leaves are full
        middles = (low + high) / 2.0
        for level in range(self.depth):
            order = _halved(order.reshape(1 << level, -1), middles)
        self.members = order.reshape(-1, self.leaf)
        lows, highs = low[self.members].min(1), high[self.members].max(1)
        self.boxes = [(lows, highs)]
        for _ in range(self.depth):
            lows, highs = lows.reshape(-1, 2, 3).min(1), highs.reshape(-1, 2, 3).max(1)
            self.boxes.append((lows, highs))
        self.boxes.reverse()

    def nearest(self, points: Any, measure: Callable[[Any, Any], Any]) -> tuple[Any, Any]:
        """Squared distances and primitives, for each of the points (k, 3), to 0.1 % of the distance. `measure(questions, primitives)`
        gives the squared distances of pairs, by number."""
        best, which = np.full(len(points), np.inf), np.zeros(len(points), np.int64)
        for part in _turns(len(points), 8192):
            self._descend(points, part, measure, best, which)
            self._search(points, part, measure, best, which)
        return best, which

    def _descend(self, points: Any, part: Any, measure: Callable[[Any, Any], Any], best: Any, which: Any) -> None:
        """A first answer for each: down to the leaf whose boxes are nearest on the way."""
        node = np.zeros(len(part), np.int64)
        for lows, highs in self.boxes[1:]:
            left, right = (apart(points[part], points[part], lows[2 * node + side], highs[2 * node + side]) for side in (0, 1))
            node = 2 * node + (right < left)
        self._settle(part, node, measure, best, which)

    def _search(self, points: Any, part: Any, measure: Callable[[Any, Any], Any], best: Any, which: Any) -> None:
        stack = [(0, part, np.zeros(len(part), np.int64))]
        while stack:
            level, asked, node = stack.pop()
            lows, highs = self.boxes[level]
            near = apart(points[asked], points[asked], lows[node], highs[node]) * CLOSE_ENOUGH < best[asked]
            asked, node = asked[near], node[near]
            if len(asked) > MOST_OPEN:
                half = len(asked) // 2
                stack += [(level, asked[:half], node[:half]), (level, asked[half:], node[half:])]
            elif level == self.depth:
                self._leaves(points, asked, node, measure, best, which)
            elif len(asked):
                stack.append((level + 1, np.repeat(asked, 2), (2 * node[:, None] + [0, 1]).ravel()))

    def _leaves(self, points: Any, asked: Any, node: Any, measure: Callable[[Any, Any], Any], best: Any, which: Any) -> None:
        """Of each question the nearest leaf first, since that spares it most of the others."""
        near = apart(points[asked], points[asked], self.boxes[-1][0][node], self.boxes[-1][1][node])
        starts = np.flatnonzero(np.diff(asked, prepend=-1))
        least = np.repeat(np.minimum.reduceat(near, starts), np.diff(starts, append=len(asked))) if len(asked) else near
        first = near <= least
        self._settle(asked[first], node[first], measure, best, which)
        rest = np.flatnonzero(~first & (near * CLOSE_ENOUGH < best[asked]))
        for turn in _turns(len(rest), MOST_OPEN // 4):
            turn = rest[turn]
            turn = turn[near[turn] * CLOSE_ENOUGH < best[asked[turn]]]
            self._settle(asked[turn], node[turn], measure, best, which)

    def _settle(self, asked: Any, node: Any, measure: Callable[[Any, Any], Any], best: Any, which: Any) -> None:
        """Measure whole leaves; `asked` is in order, so that one question's leaves lie side by side."""
        if not len(asked):
            return
        members = self.members[node]
        found = measure(np.repeat(asked, self.leaf), members.ravel()).reshape(members.shape)
        place = found.argmin(1)
        least, primitive = np.take_along_axis(found, place[:, None], 1)[:, 0], np.take_along_axis(members, place[:, None], 1)[:, 0]
        order = np.lexsort((-least, asked))  # the least of each question comes last, and what is written last stands
        order = order[least[order] < best[asked[order]]]
        best[asked[order]], which[asked[order]] = least[order], primitive[order]


def _halved(groups: Any, middles: Any) -> Any:
    """Each group's primitives so that the first half lies before the second along the axis in which the group is longest."""
    places = middles[groups]
    axis = (places.max(1) - places.min(1)).argmax(1)
    along = np.take_along_axis(places, axis[:, None, None], 2)[:, :, 0]
    return np.take_along_axis(groups, np.argpartition(along, groups.shape[1] // 2, axis=1), 1)


def _turns(count: int, most: int) -> Iterator[Any]:
    for start in range(0, count, most):
        yield np.arange(start, min(start + most, count))


def apart(low: Any, high: Any, other_low: Any, other_high: Any) -> Any:
    """Squared distances between boxes (k, 3), 0 where they touch or overlap."""
    away = np.maximum(np.maximum(other_low - high, low - other_high), 0.0)
    return (away * away).sum(-1)
