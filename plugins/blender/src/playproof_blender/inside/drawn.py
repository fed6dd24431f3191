"""What the depsgraph draws, told once: each mesh, each thing that is drawn of it, and the boxes around them in the world."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from geometry import triangles_of
from reading import rows
from visibility import Visibility

MOST_TRIANGLES = 20_000_000
MOST_PARTS = 1_000_000
MOST_PLACED = 30_000_000
"""Points of one mesh in all its places; for more, the corners of its own box stand for them."""

MADE_OF_MESH = {"CURVE", "SURFACE", "FONT", "META"}
"""Each is told of twice: as itself, and as the mesh that is made of it."""

CHUNK = 2_000_000


class Part:
    """`owner` is the object that draws it, by instancing or (`own`) as itself; `whose` the object whose shape it is. What geometry nodes
    make and instance in place is no other object's: its `whose` is the owner."""

    __slots__ = ("matrix", "mesh", "own", "owner", "rendered", "whose")

    def __init__(self, owner: Any, whose: Any, mesh: int, matrix: list[float], own: bool, rendered: bool) -> None:
        self.owner, self.whose, self.mesh, self.matrix, self.own, self.rendered = owner, whose, mesh, matrix, own, rendered


class Drawn:
    """`meshes[i]` is (points, triangles) in the mesh's own space. `instances` counts for each object what it draws besides itself."""

    def __init__(self, visibility: Visibility) -> None:
        self.meshes, self.parts, self.left_off = list[tuple[Any, Any]](), list[Part](), 0
        self.instances: dict[Any, int] = {}
        self._known: dict[Any, int | None] = {}
        self._triangles = 0
        for one in visibility.depsgraph.object_instances:
            if one.object.type in MADE_OF_MESH:
                continue
            own = _is_own(one)
            if not own:
                owner = one.parent.original
                self.instances[owner] = self.instances.get(owner, 0) + 1
            if one.object.type == "MESH" and visibility.is_on(one):
                self._add(one, own, visibility)

    def _add(self, drawn: Any, own: bool, visibility: Visibility) -> None:
        whose, key = drawn.object.original, drawn.object.data.as_pointer()
        if key not in self._known:
            self._known[key] = self._kept(drawn.object.data)
        mesh = self._known[key]
        if mesh is None or len(self.parts) >= MOST_PARTS:
            self.left_off += 1
            return
        owner = drawn.parent.original if drawn.is_instance else whose
        self.parts.append(Part(owner, whose, mesh, rows(drawn.matrix_world), own, owner in visibility.rendered))

    def _kept(self, mesh: Any) -> int | None:
        """Its number; None for one with which there would be too many triangles."""
        shape = shape_of(mesh, MOST_TRIANGLES - self._triangles)
        if shape is None:
            return None
        self._triangles += len(shape[1])
        self.meshes.append(shape)
        return len(self.meshes) - 1

    def boxes(self) -> Mapping[tuple[Any, bool], Sequence[float]]:
        """By (object, whether it draws that itself): around its own shape, and around what it instances. Six numbers of the world."""
        by_mesh: dict[int, list[Part]] = {}
        for part in self.parts:
            by_mesh.setdefault(part.mesh, []).append(part)
        found: dict[tuple[Any, bool], Any] = {}
        for mesh, parts in by_mesh.items():
            points = self.meshes[mesh][0]
            if not len(points):
                continue
            for part, box in zip(parts, _boxes(points, np.array([part.matrix for part in parts]).reshape(-1, 4, 4)), strict=True):
                key = (part.owner, part.own)
                found[key] = box if key not in found else _around(found[key], box)
        return {key: box.tolist() for key, box in found.items()}

    def rendered(self) -> Sequence[Part]:
        """What a render would show and has triangles."""
        return [part for part in self.parts if part.rendered and len(self.meshes[part.mesh][1])]

    def own(self) -> Mapping[Any, tuple[Any, Any]]:
        """By object its own evaluated shape."""
        return {part.owner: self.meshes[part.mesh] for part in self.parts if part.own}


def _around(one: Any, other: Any) -> Any:
    return np.concatenate([np.minimum(one[:3], other[:3]), np.maximum(one[3:], other[3:])])


def _boxes(points: Any, matrices: Any) -> Any:
    """(k, 6) for k places of one mesh."""
    if len(points) * len(matrices) > MOST_PLACED:
        low, high = points.min(0), points.max(0)
        points = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
    points, found, step = points.astype(np.float64), [], max(1, CHUNK // len(points))
    with np.errstate(invalid="ignore", over="ignore"):
        for start in range(0, len(matrices), step):
            some = matrices[start : start + step]
            placed = points @ some[:, :3, :3].transpose(0, 2, 1) + some[:, None, :3, 3]
            found.append(np.concatenate([placed.min(1), placed.max(1)], axis=1))
    return np.concatenate(found)


def _is_own(drawn: Any) -> bool:
    """Whether an object draws it as itself. The mesh of a curve, a text, a surface or a ball of goo is told as an instance of the object
    in its own place (Blender 4.2)."""
    if not drawn.is_instance:
        return True
    owner = drawn.parent
    whose = drawn.object.original
    return whose == owner.original and whose.type != "MESH" and rows(drawn.matrix_world) == rows(owner.matrix_world)


def shape_of(mesh: Any, most: int) -> tuple[Any, Any] | None:
    """The points (n, 3) and triangles (m, 3) of an evaluated mesh in its own space; None where there are more than `most`."""
    if len(mesh.loops) - 2 * len(mesh.polygons) > most:
        return None
    try:
        return triangles_of(mesh)
    except ValueError:  # its numbers point outside itself: the summary tells of it
        return np.zeros((0, 3), np.float32), np.zeros((0, 3), np.int32)
