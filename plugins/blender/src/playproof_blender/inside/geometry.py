"""A mesh's arrays, read from its attributes.

At 160,000 faces that takes 1 ms for corners and edges; `foreach_get` on loops, edges and loop triangles takes 700 ms (Blender 4.2)."""

from typing import Any

import numpy as np

NGONS_ONE_BY_ONE = 20_000
"""Triangles of faces with five corners or more that are fetched singly; where there are more, Blender is asked for all triangles."""


class Faces:
    """Arrays of one mesh: `points` (n, 3) float32, `edges` (e, 2), `corner_points` and `corner_edges` (c), `starts` (f + 1) of corners.
    Raises ValueError for a mesh whose numbers point outside itself."""

    def __init__(self, mesh: Any) -> None:
        self.mesh = mesh
        self.points = points_of(mesh)
        self.edges = _read(mesh, ".edge_verts", 2 * len(mesh.edges), np.int32, lambda: (mesh.edges, "vertices")).reshape(-1, 2)
        corners = len(mesh.loops)
        self.corner_points = _read(mesh, ".corner_vert", corners, np.int32, lambda: (mesh.loops, "vertex_index"))
        self.corner_edges = _read(mesh, ".corner_edge", corners, np.int32, lambda: (mesh.loops, "edge_index"))
        self.starts = np.full(len(mesh.polygons) + 1, corners, np.int64)
        starts = np.empty(len(mesh.polygons), np.int32)
        mesh.polygons.foreach_get("loop_start", starts)
        self.starts[:-1] = starts
        self.sizes = np.diff(self.starts)
        _check(self.edges, len(self.points), "edges")
        _check(self.corner_points, len(self.points), "corners")
        _check(self.corner_edges, len(self.edges), "corners")
        if len(self.sizes) and (self.sizes.min() < 3 or self.starts[0] != 0):
            raise ValueError("has faces of fewer than three corners")

    def corner_triangles(self) -> Any:
        """(m, 3): the corners of each triangle, face by face, as Blender cuts faces up."""
        first = self.starts[:-1] - 2 * np.arange(len(self.sizes))
        found = np.empty((len(self.corner_points) - 2 * len(self.sizes), 3), np.int64)
        three, four = self.sizes == 3, self.sizes == 4
        found[first[three]] = self.starts[:-1][three][:, None] + np.arange(3)
        fours = self.starts[:-1][four]
        flips = self._flips(fours)
        found[first[four]] = fours[:, None] + np.where(flips[:, None], [0, 1, 3], [0, 1, 2])
        found[first[four] + 1] = fours[:, None] + np.where(flips[:, None], [1, 2, 3], [0, 2, 3])
        if more := np.flatnonzero(self.sizes > 4).tolist():
            self._ngons(found, more, first)
        return found

    def _flips(self, fours: Any) -> Any:
        """Whether the second and fourth corner lie on one side of the line from the first to the third: cut the other way, then."""
        one, two, three, four = (self.points[self.corner_points[fours + at]].astype(np.float64) for at in range(4))
        with np.errstate(invalid="ignore", over="ignore"):
            across = three - one
            return (np.cross(two - one, across) * np.cross(four - one, across)).sum(1) > 0

    def _ngons(self, found: Any, faces: list[int], first: Any) -> None:
        self.mesh.calc_loop_triangles()
        triangles = self.mesh.loop_triangles
        numbers = np.concatenate([np.arange(first[face], first[face] + self.sizes[face] - 2) for face in faces])
        if len(numbers) <= NGONS_ONE_BY_ONE:
            found[numbers] = [tuple(triangles[number].loops) for number in numbers.tolist()]
            return
        all_of_them = np.empty(3 * len(triangles), np.int32)
        triangles.foreach_get("loops", all_of_them)
        found[numbers] = all_of_them.reshape(-1, 3)[numbers]


def points_of(mesh: Any) -> Any:
    """(n, 3) float32."""
    return _read(mesh, "position", 3 * len(mesh.vertices), np.float32, lambda: (mesh.vertices, "co"), "vector").reshape(-1, 3)


def triangles_of(mesh: Any) -> tuple[Any, Any]:
    """Points (n, 3) float32 and triangles (m, 3) int32 of points."""
    faces = Faces(mesh)
    return faces.points, faces.corner_points[faces.corner_triangles()].astype(np.int32).reshape(-1, 3)


def attribute(mesh: Any, name: str, count: int, kind: Any, key: str = "value") -> Any:
    """The numbers of an attribute, or None where the mesh has none of that name and size."""
    held = mesh.attributes.get(name)
    if held is None or count == 0:
        return np.empty(0, kind) if held is not None else None
    array = np.empty(count, kind)
    try:
        held.data.foreach_get(key, array)
    except (TypeError, RuntimeError):  # of another kind, or another domain
        return None
    return array


def _read(mesh: Any, name: str, count: int, kind: Any, slow: Any, key: str = "value") -> Any:
    if (array := attribute(mesh, name, count, kind, key)) is not None:
        return array
    array = np.empty(count, kind)
    owner, attribute_ = slow()
    owner.foreach_get(attribute_, array)
    return array


def _check(numbers: Any, below: int, what: str) -> None:
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < below:
        raise ValueError(f"has {what} of what is not there")
