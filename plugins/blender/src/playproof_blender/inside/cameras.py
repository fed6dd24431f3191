"""Our camera, which no scene can hold a claim to, and the submission's own ones."""

from collections.abc import Mapping, Sequence
from math import pi
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix
from reading import name_of

MOST_OWN = 8


def own(scene: Any, depsgraph: Any) -> Sequence[Mapping[str, Any]]:
    """The scene's cameras, the active one first: {"object", "active", "matrix" by rows, "type", "angle_deg" across, "clip"}."""
    cameras = [one for one in scene.objects if one.type == "CAMERA"]
    cameras.sort(key=lambda one: (one != scene.camera, name_of(one)))
    found = []
    for one in cameras[:MOST_OWN]:
        matrix = np.array(one.evaluated_get(depsgraph).matrix_world)
        if np.isfinite(matrix).all() and abs(np.linalg.det(matrix[:3, :3])) > 1e-12:
            found.append({"object": name_of(one), "active": one == scene.camera, "matrix": matrix.ravel().tolist(), "type": one.data.type,
                          "angle_deg": one.data.angle * 180 / pi, "clip": [one.data.clip_start, one.data.clip_end]})  # fmt: skip
    return found


class Eye:
    """A camera of ours in a scene. It has no parent, no constraint and no animation; `look` puts it where a view is."""

    def __init__(self, scene: Any) -> None:
        self.scene = scene
        self.lens = bpy.data.cameras.new("Playproof")
        self.lens.sensor_fit, self.lens.type = "HORIZONTAL", "PERSP"
        self.object = bpy.data.objects.new("Playproof", self.lens)
        scene.collection.objects.link(self.object)

    def look(self, view: Mapping[str, Any]) -> None:
        """`view` has matrix (by rows), angle_deg (across) and clip (metres)."""
        self.lens.angle = view["angle_deg"] * pi / 180
        self.lens.clip_start, self.lens.clip_end = view["clip"]
        self.object.matrix_world = Matrix(np.array(view["matrix"]).reshape(4, 4).tolist())
        self.scene.camera = self.object

    def borrow(self, name: str) -> None:
        """Look through one of the scene's own. Raises KeyError where it is gone."""
        self.scene.camera = next((one for one in self.scene.objects if one.type == "CAMERA" and name_of(one) == name), None)
        if self.scene.camera is None:
            raise KeyError(name)
