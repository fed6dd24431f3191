"""All that a render would show, as triangles of the world in one tree that rays are cast into: what views are chosen by.

Lengths in metres. A scene with more triangles than can be held keeps those of its largest things; of the rest the boxes stand there.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from drawn import Drawn, Part
from mathutils.bvhtree import BVHTree
from reading import name_of

MOST_TRIANGLES = 800_000
"""About 1.5 s of CPU and 400 MB while the tree is built (bpy 4.2)."""

MOST_PIECES = 50_000
CORNERS = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], np.float64)
SIDES = np.array([(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
                  (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)])  # fmt: skip
CLOSED = 0.01
"""The areas of a closed surface, as vectors, add up to nothing, however its points are split; so much is left of what is called closed."""


class Scenery:
    """Piece i is one thing that is drawn: `names[i]` is the object that draws it, `kin[i]` the mesh that it has in common with others,
    `lows[i]` and `highs[i]` its box, `turned[i]` 1 where its faces look outward, -1 where inward, 0 where it is no closed surface.
    Triangle j is of the piece `owners[j]`; `normals[j]` has the length 1 and looks outward where the piece is closed."""

    def __init__(self, drawn: Drawn) -> None:
        parts = [part for part in drawn.parts if part.rendered and part.owner.visible_camera and len(drawn.meshes[part.mesh][1])]
        matrices = np.array([part.matrix for part in parts], np.float64).reshape(-1, 4, 4)
        corners = _corners(parts, matrices, drawn)
        finite = np.isfinite(corners).all((1, 2))
        sizes = np.where(finite, np.linalg.norm(np.ptp(corners, axis=1), axis=1), -1)
        order = [int(one) for one in np.argsort(-sizes, kind="stable") if finite[one] and sizes[one] > 0][:MOST_PIECES]
        self.not_finite, self.left_off, self.boxed = int((~finite).sum()), int(finite.sum()) - len(order), 0
        names: dict[Any, str] = {}
        self.names = [names.setdefault(parts[one].owner, name_of(parts[one].owner)) for one in order]
        self.kin = np.array([parts[one].mesh for one in order], np.int64)
        self.turned = _turned(drawn, self.kin, matrices[order])
        self._gather([(parts[one], matrices[one], corners[one]) for one in order], drawn)
        self.tree = self._tree(np.ones(len(order), bool))

    def _gather(self, pieces: Sequence[tuple[Part, Any, Any]], drawn: Drawn) -> None:
        points, triangles, counts, start = [np.zeros((0, 3))], [np.zeros((0, 3), np.int64)], list[int](), 0
        for placed, shape in self._shapes(pieces, drawn):
            points.append(placed)
            triangles.append(shape + start)
            counts.append(len(shape))
            start += len(placed)
        self.points, self.triangles = np.concatenate(points), np.concatenate(triangles)
        self.owners = np.repeat(np.arange(len(counts)), counts)
        self.lows = np.array([one.min(0) for one in points[1:]]).reshape(-1, 3)
        self.highs = np.array([one.max(0) for one in points[1:]]).reshape(-1, 3)
        corner = self.points[self.triangles]
        across = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
        length = np.linalg.norm(across, axis=1, keepdims=True)
        self.normals = across / np.where(length > 0, length, 1) * np.where(self.turned[self.owners] < 0, -1, 1)[:, None]

    def _shapes(self, pieces: Sequence[tuple[Part, Any, Any]], drawn: Drawn) -> Iterator[tuple[Any, Any]]:
        room = MOST_TRIANGLES
        for index, (part, matrix, corners) in enumerate(pieces):
            points, triangles = drawn.meshes[part.mesh]
            if len(triangles) <= room:
                room -= len(triangles)
                placed = points.astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]
                yield placed, triangles
            else:
                self.boxed += 1
                self.turned[index] = 0
                yield corners, SIDES

    def _tree(self, pieces: Any) -> BVHTree:
        self.numbers = np.flatnonzero(pieces[self.owners]) if len(self.owners) else np.zeros(0, np.int64)
        return BVHTree.FromPolygons(self.points.tolist(), self.triangles[self.numbers].tolist(), all_triangles=True)

    def without(self, pieces: Any) -> BVHTree:
        """A tree of the pieces that are not in the mask alone; its hits bear numbers of their own."""
        return BVHTree.FromPolygons(self.points.tolist(), self.triangles[~pieces[self.owners]].tolist(), all_triangles=True)

    def only(self, pieces: Any) -> BVHTree:
        return self.without(~pieces)


def _corners(parts: Sequence[Part], matrices: Any, drawn: Drawn) -> Any:
    """(k, 8, 3): the corners of each one's own box, in the world."""
    boxes: dict[int, Any] = {}
    for part in parts:
        if part.mesh not in boxes:
            points = drawn.meshes[part.mesh][0].astype(np.float64)
            low, high = points.min(0), points.max(0)
            boxes[part.mesh] = low + CORNERS * (high - low)
    local = np.array([boxes[part.mesh] for part in parts]).reshape(-1, 8, 3)
    with np.errstate(invalid="ignore", over="ignore"):
        placed: Any = local @ matrices[:, :3, :3].transpose(0, 2, 1) + matrices[:, None, :3, 3]
    return placed


def _turned(drawn: Drawn, kin: Any, matrices: Any) -> Any:
    own = {int(mesh): _outward(*drawn.meshes[int(mesh)]) for mesh in np.unique(kin)}
    mirrored = np.sign(np.linalg.det(matrices[:, :3, :3])) if len(matrices) else np.zeros(0)
    return np.array([own[int(mesh)] for mesh in kin], np.int64) * mirrored.astype(np.int64)


def _outward(points: Any, triangles: Any) -> int:
    corner = points.astype(np.float64)[triangles] - points.astype(np.float64).mean(0)
    across = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    area = float(np.linalg.norm(across, axis=1).sum())
    if not area > 0 or float(np.linalg.norm(across.sum(0))) > CLOSED * area:
        return 0
    return int(np.sign(np.einsum("ij,ij->i", corner[:, 0], across).sum()))
