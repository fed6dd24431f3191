"""How many pieces a mesh consists of."""

from typing import Any

import numpy as np

ROUNDS = 100


def pieces(count: int, edges: Any) -> int | None:
    """Connected parts among `count` points, of those that an edge uses. None where they are too tangled to tell in bounded time.

    Each round hangs roots under the smallest root that an edge joins them with, then lets all point to their roots; rounds grow with the
    logarithm of the largest piece."""
    root = np.arange(count)
    left, right = edges[:, 0], edges[:, 1]
    for _ in range(ROUNDS):
        one, other = root[left], root[right]
        apart = one != other
        if not apart.any():
            used = np.zeros(count, bool)
            used[edges] = True
            return int((used & (root == np.arange(count))).sum())
        left, right, one, other = left[apart], right[apart], one[apart], other[apart]
        np.minimum.at(root, np.maximum(one, other), np.minimum(one, other))  # the smallest: any other makes a star a staircase
        while not np.array_equal(above := root[root], root):
            root = above
    return None
