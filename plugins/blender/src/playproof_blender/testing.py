"""Projects without Blender, for tests of what reads them: scenes of simple solids, as the evidence that a session would have left."""

import io
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen

from playproof.evidence import Evidences, Record
from playproof.model import Observer
from playproof_blender import scene, shapes

CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
SIDES = shapes.BOX


@frozen(eq=False)
class Toy:
    """One object with the points and triangles that it has in the world, and whatever else the scene says of it."""

    name: str
    points: Any
    triangles: Any
    told: Mapping[str, Any]

    @property
    def value(self) -> dict[str, Any]:
        box = [*self.points.min(0).tolist(), *self.points.max(0).tolist()] if len(self.points) else None
        solid = {"name": self.name, "type": "MESH", "data": f"{self.name} mesh", "parent": None, "collections": [], "materials": [],
                 "modifiers": [], "matrix": np.eye(4).ravel().tolist(), "box": box, "rendered": True, "shown": True, "parent_bone": None,
                 "dimensions": np.ptp(self.points, axis=0).tolist() if len(self.points) else [0, 0, 0]}  # fmt: skip
        return solid | dict(self.told)


def cuboid(name: str, at: Any = (0, 0, 0), size: Any = 1.0, turned: float = 0.0, **told: Any) -> Toy:
    """A box about the point `at`, in metres; `turned` about z in degrees."""
    c, s = math.cos(math.radians(turned)), math.sin(math.radians(turned))
    size = np.broadcast_to(np.asarray(size, float), 3)
    points = CORNERS * size @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]) + at
    matrix = np.array([[c, -s, 0, at[0]], [s, c, 0, at[1]], [0, 0, 1, at[2]], [0, 0, 0, 1]], float)
    return Toy(name, points, SIDES, {"matrix": matrix.ravel().tolist(), "dimensions": size.tolist(), **told})


def scene_value(things: Sequence[Toy], **top: Any) -> dict[str, Any]:
    """`blender.scene/1` of the things; `top` are other entries of it."""
    meshes = {one.value["data"]: {"vertices": len(one.points), "faces": len(one.triangles) // 2, "triangles": len(one.triangles)}
              for one in things}
    return {"objects": [one.value for one in things], "collections": [], "meshes": meshes, "materials": {}, "images": [], **top}


def shapes_bytes(things: Sequence[Toy]) -> bytes:
    """`blender.shapes/1` of the things."""
    starts = np.cumsum([[0, 0], *([len(one.points), len(one.triangles)] for one in things)], axis=0)
    told = json.dumps({"names": [one.name for one in things], "left_off": 0})
    out = io.BytesIO()
    np.savez(out, index=np.frombuffer(told.encode(), np.uint8), starts=starts,
             points=np.concatenate([np.zeros((0, 3)), *(one.points for one in things)]).astype(np.float32),
             triangles=np.concatenate([np.zeros((0, 3)), *(one.triangles for one in things)]).astype(np.int32),
             parts=np.array([[number, number, number, 1] for number in range(len(things))], np.int32).reshape(-1, 4),
             matrices=np.tile(np.eye(4).ravel(), (len(things), 1)))  # fmt: skip
    return out.getvalue()


def taken(folder: Path, things: Sequence[Toy], values: Mapping[str, Any] | None = None,
          blobs: Mapping[tuple[str, str], bytes] | None = None, **top: Any) -> Evidences:  # fmt: skip
    """Both kinds as evidence; with them `values` (kind -> JSON) and `blobs` ((kind, source) -> bytes)."""
    record = Record(folder)
    told = json.dumps(scene_value(things, **top)).encode()
    record.add(scene.KIND, Observer.OUTSIDE, tick=0, blob=told)
    record.add(shapes.KIND, Observer.OUTSIDE, tick=0, blob=shapes_bytes(things), media_type="application/x-npz")
    for kind, value in (values or {}).items():
        record.add(kind, Observer.OUTSIDE, tick=0, blob=json.dumps(value).encode())
    for (kind, source), blob in (blobs or {}).items():
        record.add(kind, Observer.HELD, tick=0, source=source, blob=blob, media_type="application/octet-stream")
    record.close()
    return record.sealed()
