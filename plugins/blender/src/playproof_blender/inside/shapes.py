"""The evaluated shapes of all that would be rendered: `blender.shapes/1`, an npz file.

`points` (n, 3) float32 and `triangles` (m, 3) int32 hold all meshes behind each other, each in its own space and once, however often it is
drawn; mesh i has the points from starts[i, 0] to starts[i + 1, 0] and the triangles from starts[i, 1] to starts[i + 1, 1], whose numbers
count its own points. Thing j that is drawn has parts[j] = (number of the name of the object that draws it, of the object whose shape it is,
mesh, 1 where it is drawn as itself and 0 where by instancing) and matrices[j] (16 numbers by rows). `index` is JSON in bytes: {"names",
"left_off"}.

The viewport's depsgraph is taken: its subdivision levels, and the modifiers that are on there.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from drawn import Drawn
from reading import name_of


def write(options: Mapping[str, Any], place: Path, drawn: Drawn) -> None:
    parts = drawn.rendered()
    used = {number: new for new, number in enumerate(sorted({part.mesh for part in parts}))}
    meshes = [drawn.meshes[number] for number in used]
    names: dict[str, int] = {}
    numbers = {one: names.setdefault(name_of(one), len(names)) for part in parts for one in (part.owner, part.whose)}
    told = json.dumps({"names": list(names), "left_off": drawn.left_off})
    np.savez(
        place, index=np.frombuffer(told.encode(), np.uint8),
        starts=np.cumsum([(0, 0), *((len(points), len(triangles)) for points, triangles in meshes)], axis=0, dtype=np.int64),
        points=np.concatenate([np.zeros((0, 3), np.float32), *(points for points, _ in meshes)]),
        triangles=np.concatenate([np.zeros((0, 3), np.int32), *(triangles for _, triangles in meshes)]),
        parts=np.array([(numbers[part.owner], numbers[part.whose], used[part.mesh], part.own) for part in parts], np.int32).reshape(-1, 4),
        matrices=np.array([part.matrix for part in parts], np.float64).reshape(-1, 16),
    )  # fmt: skip
