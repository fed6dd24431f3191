"""The evaluated shapes of all that would be rendered: `blender.shapes/1`, an npz file.

`points` (n, 3) float32 and `triangles` (m, 3) int32 hold all meshes behind each other, each in its own space and once, however often it is
drawn; mesh i has the points from starts[i, 0] to starts[i + 1, 0] and the triangles from starts[i, 1] to starts[i + 1, 1], whose numbers
count its own points. Thing j that is drawn has parts[j] = (name of the object that draws it, name of the object whose shape it is, mesh)
and matrices[j] (16 numbers by rows). `index` is JSON in bytes: {"names", "left_off"}.

The viewport's depsgraph is taken: its subdivision levels, and the modifiers that are on there.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from reading import name_of
from visibility import Visibility

MOST_TRIANGLES = 20_000_000
MOST_PARTS = 1_000_000
SOLID = {"MESH", "CURVE", "SURFACE", "FONT", "META"}


def write(options: Mapping[str, Any], place: Path, visibility: Visibility) -> None:
    shelf = Shelf()
    for drawn in visibility.depsgraph.object_instances:
        if drawn.object.type in SOLID and visibility.draws(drawn):
            shelf.add(drawn)
    shelf.save(place)


class Shelf:
    """Meshes once each, and the things that are drawn of them."""

    def __init__(self) -> None:
        self.points, self.triangles, self.starts = list[Any](), list[Any](), [(0, 0)]
        self.meshes: dict[Any, int | None] = {}
        self.names: dict[str, int] = {}
        self.parts, self.matrices = list[tuple[int, int, int]](), list[list[float]]()
        self.left_off = 0

    def add(self, drawn: Any) -> None:
        one = drawn.object
        key = one.data.as_pointer() if one.type == "MESH" else one.original
        if key not in self.meshes:
            self.meshes[key] = self._kept(one)
        mesh = self.meshes[key]
        if mesh is None or len(self.parts) >= MOST_PARTS:
            self.left_off += 1
            return
        mine = self._name(one.original)
        self.parts.append((self._name(drawn.parent.original) if drawn.is_instance else mine, mine, mesh))
        matrix = drawn.matrix_world
        self.matrices.append([*matrix[0], *matrix[1], *matrix[2], *matrix[3]])

    def _kept(self, one: Any) -> int | None:
        """Its number; None for one with which there would be too many triangles."""
        points, triangles = shape_of(one, MOST_TRIANGLES - self.starts[-1][1])
        if points is None:
            return None
        self.points.append(points)
        self.triangles.append(triangles)
        self.starts.append((self.starts[-1][0] + len(points), self.starts[-1][1] + len(triangles)))
        return len(self.starts) - 2

    def _name(self, one: Any) -> int:
        return self.names.setdefault(name_of(one), len(self.names))

    def save(self, place: Path) -> None:
        told = json.dumps({"names": list(self.names), "left_off": self.left_off})
        np.savez(
            place, index=np.frombuffer(told.encode(), np.uint8), starts=np.array(self.starts, np.int64),
            points=np.concatenate([np.zeros((0, 3), np.float32), *self.points]),
            triangles=np.concatenate([np.zeros((0, 3), np.int32), *self.triangles]),
            parts=np.array(self.parts, np.int32).reshape(-1, 3), matrices=np.array(self.matrices, np.float64).reshape(-1, 16),
        )  # fmt: skip


def shape_of(one: Any, most: int) -> tuple[Any, Any]:
    """The points and triangles of an evaluated object, as it stands in its own space; (None, None) where there are more than `most`."""
    mesh = one.data if one.type == "MESH" else one.to_mesh()
    if mesh is None:
        return np.zeros((0, 3), np.float32), np.zeros((0, 3), np.int32)
    count = len(mesh.loops) - 2 * len(mesh.polygons)
    if count > most:
        return None, None
    mesh.calc_loop_triangles()
    points, triangles = np.empty(3 * len(mesh.vertices), np.float32), np.empty(3 * len(mesh.loop_triangles), np.int32)
    mesh.vertices.foreach_get("co", points)
    mesh.loop_triangles.foreach_get("vertices", triangles)
    if one.type != "MESH":
        one.to_mesh_clear()
    return points.reshape(-1, 3), triangles.reshape(-1, 3)
