"""A solver for the yards, so that whole games can be played from nothing but a snapshot."""

import heapq
from collections import deque
from typing import Any

from _crate_yard import NAMES, Cell, Yard, opposite, stepped, ways_from


def _push_distances(yard: Yard, pad: Cell) -> dict[Cell, int]:
    """Pushes that a lone crate needs to the pad from each cell from which it can get there."""
    found, queue = {pad: 0}, deque([pad])
    while queue:
        at = queue.popleft()
        for direction in NAMES:
            back = stepped(at, direction)
            if back not in found and yard.open(back) and yard.open(stepped(back, direction)):
                found[back] = found[at] + 1
                queue.append(back)
    return found


def solve(yard: Yard, limit: int = 30_000) -> list[str] | None:
    """Moves that clear the yard, cheap but not always the cheapest; None when none is found within `limit` positions."""
    names = sorted(yard.crates)
    far = [_push_distances(yard, yard.pad_of(name)) for name in names]
    start = (yard.robot, tuple(yard.crates[name] for name in names))
    best = {start: 0}
    came: dict[Any, tuple[Any, list[str]]] = {}
    heap: list[tuple[int, int, Any]] = [(0, 0, start)]
    for tick in range(1, limit):
        if not heap:
            return None
        _, _, here = heapq.heappop(heap)
        robot, crates = here
        if all(far[k].get(at) == 0 for k, at in enumerate(crates)):
            return _retrace(came, here)
        ways = ways_from(robot, lambda cell, crates=crates: yard.open(cell) and cell not in crates)
        for k, at in enumerate(crates):
            for direction in NAMES:
                stand, to = stepped(at, opposite(direction)), stepped(at, direction)
                if stand not in ways or to not in far[k] or to in crates:
                    continue
                there = (at, (*crates[:k], to, *crates[k + 1 :]))
                cost = best[here] + len(ways[stand]) + 2
                if cost >= best.get(there, 1 << 30):
                    continue
                best[there], came[there] = cost, (here, [*ways[stand], direction])
                ahead = sum(far[j].get(cell, 99) for j, cell in enumerate(there[1]))
                heapq.heappush(heap, (cost + 5 * ahead, tick, there))
    return None


def _retrace(came: dict[Any, tuple[Any, list[str]]], here: Any) -> list[str]:
    out: list[str] = []
    while here in came:
        here, leg = came[here]
        out = [*leg, *out]
    return out
