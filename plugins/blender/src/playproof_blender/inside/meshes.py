"""Numbers of a mesh before its modifiers, in its own space: what it is made of, and what is wrong with it."""

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from coverage import coverage
from geometry import Faces, attribute
from islands import pieces
from reading import name_of, name_or_none, text

MOST_ELEMENTS = 5_000_000
"""Corners and points of one mesh beyond which it is only counted."""

UV_TESTS, UV_LEAST = 20_000_000, 4_000
"""Work of all UV maps together, and what each may cost at least."""

NEEDLE = 1e-6
"""A face is degenerate whose area is at most this part of the square on its longest edge."""

ALIKE_BITS = 20
"""Two points are at one place whose coordinates are equal to 1 part in 2^20 of the mesh's largest side."""


class Meshes:
    """Reads each mesh once. `among` is how many there will be: they share the work that UV maps may cost."""

    def __init__(self, among: int) -> None:
        self.found: dict[str, Mapping[str, Any]] = {}
        self._tests = max(UV_LEAST, UV_TESTS // max(among, 1))
        self._maps: dict[bytes, Mapping[str, Any]] = {}

    def add(self, mesh: Any) -> None:
        name = name_of(mesh)
        if name in self.found:
            return
        told = {"vertices": len(mesh.vertices), "edges": len(mesh.edges), "faces": len(mesh.polygons), "users": mesh.users,
                "library": name_or_none(mesh.library), "uv_layers": [text(one, "name") for one in mesh.uv_layers]}  # fmt: skip
        if told["vertices"] + len(mesh.loops) > MOST_ELEMENTS:
            self.found[name] = told | {"unreadable": f"has more than {MOST_ELEMENTS:,} corners and points"}
            return
        try:
            self.found[name] = told | self._looked_at(mesh)
        except (ValueError, IndexError, MemoryError, RuntimeError) as fault:
            self.found[name] = told | {"unreadable": str(fault)[:300]}

    def _looked_at(self, mesh: Any) -> dict[str, Any]:
        faces = Faces(mesh)
        corners = faces.corner_triangles()
        with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
            told = {**_made_of(mesh, faces), **_edges(faces), **_surface(faces, faces.corner_points[corners])}
            told["volume"] = told["volume"] if told["closed"] else None
            told["duplicate_vertices"] = _duplicates(faces.points)
            told["uv"] = self._uv(mesh, corners)
        return told

    def _uv(self, mesh: Any, corners: Any) -> Mapping[str, Any] | None:
        """Of the active map; maps that are equal are looked at once."""
        layer = mesh.uv_layers.active
        if layer is None or not len(corners):
            return None
        flat = np.empty(2 * len(mesh.loops), np.float32)
        layer.uv.foreach_get("vector", flat)
        triangles = flat.reshape(-1, 2)[corners]
        key = hashlib.sha256(triangles.tobytes()).digest()
        if key not in self._maps:
            self._maps[key] = coverage(triangles, self._tests)
        return {"layer": text(layer, "name"), **self._maps[key]}


def _made_of(mesh: Any, faces: Faces) -> Mapping[str, Any]:
    count = len(faces.sizes)
    slots = attribute(mesh, "material_index", count, np.int32)
    slots = np.zeros(count, np.int32) if slots is None else np.clip(slots, 0, 32767)
    sharp = attribute(mesh, "sharp_face", count, bool)
    return {
        "triangles": int((faces.sizes - 2).sum()), "quads": int((faces.sizes == 4).sum()), "ngons": int((faces.sizes > 4).sum()),
        "smooth_faces": count if sharp is None else int(count - sharp.sum()),
        "faces_by_slot": np.bincount(slots, minlength=max(len(mesh.materials), 1)).tolist() if count else [],
        "islands": pieces(len(faces.points), faces.edges),
    }  # fmt: skip


def _edges(faces: Faces) -> Mapping[str, Any]:
    """An edge of two faces is flipped where both run through it in one direction: one of them shows its back."""
    uses = np.bincount(faces.corner_edges, minlength=len(faces.edges))
    along = np.where(faces.edges[faces.corner_edges, 0] == faces.corner_points, 1, -1)
    sums = np.bincount(faces.corner_edges, weights=along, minlength=len(faces.edges))
    used = np.zeros(len(faces.points), bool)
    used[faces.edges] = True
    wire, boundary, more = int((uses == 0).sum()), int((uses == 1).sum()), int((uses > 2).sum())
    return {
        "loose_vertices": int((~used).sum()), "wire_edges": wire, "boundary_edges": boundary, "nonmanifold_edges": more,
        "flipped_edges": int(((uses == 2) & (np.abs(sums) == 2)).sum()), "closed": len(faces.sizes) > 0 and wire + boundary + more == 0,
    }  # fmt: skip


def _surface(faces: Faces, triangles: Any) -> Mapping[str, Any]:
    points = faces.points.astype(np.float64)
    told: dict[str, Any] = {"nonfinite_vertices": int((~np.isfinite(points)).any(1).sum()),
                            "box": [*points.min(0).tolist(), *points.max(0).tolist()] if len(points) else None}  # fmt: skip
    if not len(triangles):
        return told | {"area": 0.0, "volume": 0.0, "degenerate_faces": 0}
    middle = points.mean(0)
    a, b, c = (points[triangles[:, at]] - middle for at in range(3))
    normals = np.cross(b - a, c - a) / 2
    areas = np.sqrt((normals**2).sum(1))
    firsts = (faces.starts[:-1] - 2 * np.arange(len(faces.sizes))).astype(np.int64)
    lengths = ((points[faces.edges[:, 0]] - points[faces.edges[:, 1]]) ** 2).sum(1)[faces.corner_edges]
    longest = np.maximum.reduceat(lengths, faces.starts[:-1])
    thin = np.add.reduceat(areas, firsts) <= NEEDLE * longest
    return told | {"area": float(areas.sum()), "volume": float((a * normals).sum() / 3), "degenerate_faces": int(thin.sum())}


def _duplicates(points: Any) -> int:
    """How many points stand where another stands already."""
    points = points[np.isfinite(points).all(1)].astype(np.float64)
    if len(points) < 2:
        return 0
    low = points.min(0)
    side = float((points.max(0) - low).max())
    if side == 0:
        return len(points) - 1
    cells = np.rint((points - low) / side * (1 << ALIKE_BITS)).astype(np.int64)
    keys = np.sort(cells[:, 0] << 42 | cells[:, 1] << 21 | cells[:, 2])
    return int((np.diff(keys) == 0).sum())
