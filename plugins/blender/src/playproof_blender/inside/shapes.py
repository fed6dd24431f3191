"""The evaluated shapes of all that would be rendered: `blender.shapes/1`, an npz file.

`parts.json` (bytes) lists what is drawn: {"object", "mesh": number, "matrix": 16 numbers by rows, "instance": whether something else draws it}.
`v<number>` are a mesh's points in its own space, `t<number>` its triangles (indices of points); each mesh stands there once.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import bpy
import numpy as np

MOST_TRIANGLES = 20_000_000
SOLID = {"MESH", "CURVE", "SURFACE", "FONT", "META"}


def write(options: Mapping[str, Any], place: Path) -> None:
    arrays: dict[str, Any] = {}
    parts, known, left_off, total = list[Mapping[str, Any]](), dict[str, int](), 0, 0
    for drawn in bpy.context.evaluated_depsgraph_get().object_instances:
        one = drawn.object
        original = one.original
        if one.type not in SOLID or original.hide_render:
            continue
        key = f"{one.data.name_full if drawn.is_instance else original.name_full}|{drawn.is_instance}"
        if key not in known:
            points, triangles = _mesh(one)
            total += len(triangles)
            if total > MOST_TRIANGLES:
                left_off += 1
                continue
            known[key] = len(known)
            arrays |= {f"v{known[key]}": points, f"t{known[key]}": triangles}
        parts.append({"object": original.name, "mesh": known[key], "matrix": np.array(drawn.matrix_world).ravel().tolist(),
                      "instance": drawn.is_instance})  # fmt: skip
    told = json.dumps({"parts": parts, "left_off": left_off})
    np.savez(place, index=np.frombuffer(told.encode(), np.uint8), **arrays)


def _mesh(one: Any) -> tuple[Any, Any]:
    mesh = one.to_mesh()
    if mesh is None:
        return np.zeros((0, 3), np.float32), np.zeros((0, 3), np.int32)
    mesh.calc_loop_triangles()
    points, triangles = np.empty(3 * len(mesh.vertices), np.float32), np.empty(3 * len(mesh.loop_triangles), np.int32)
    mesh.vertices.foreach_get("co", points)
    mesh.loop_triangles.foreach_get("vertices", triangles)
    one.to_mesh_clear()
    return points.reshape(-1, 3), triangles.reshape(-1, 3)
