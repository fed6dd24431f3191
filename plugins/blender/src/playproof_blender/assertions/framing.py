"""`blender.framing`: what a camera has in its picture. By geometry: what hides what is not asked.

    asks = { driver = "blender.framing", objects = "Statue", share_at_least = 0.15 }
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from attrs import field, frozen

from playproof.errors import ExpectationFailed
from playproof.interfaces import Services
from playproof.model import Options
from playproof_blender.assertions.forms import SHARE, percent
from playproof_blender.assertions.selecting import Thing
from playproof_blender.assertions.stating import SCENE, Answer, Finding, Project, ProjectAssertion, every, some, stated


@frozen(kw_only=True)
class Framing:
    """Of the box of each of `objects` (of all `together`) a share `inside_at_least` of its eight corners is in the picture of `camera` (a
    name or pattern; else that of the scene), in front of it, `margin` of the picture away from its edges; and what its corners span covers
    `share_at_least` and `share_at_most` of the picture."""

    objects: Any = some(needed=True)
    camera: str | None = None
    together: bool = False
    inside_at_least: float = field(default=1.0, validator=SHARE)
    margin: float = field(default=0.0, validator=SHARE)
    share_at_least: float = field(default=0.0, validator=SHARE)
    share_at_most: float = field(default=1.0, validator=SHARE)

    reads = SCENE

    def answer(self, project: Project) -> Answer:
        camera = self._camera(project)
        things = project.things(self.objects)
        groups = {str(self.objects): list(things)} if self.together else {one["name"]: [one] for one in things}
        found = []
        for name, group in groups.items():
            low, high = project.scene.box_of(group)
            corners = np.array([[box[axis] for axis, box in enumerate(each)] for each in _sides(low, high)])
            inside, share, where = self._seen(project, camera, corners)
            holds = inside >= self.inside_at_least - 1e-9 and self.share_at_least <= share <= self.share_at_most
            found.append(Finding(name, holds, f"{round(8 * inside)} of 8 corners are in the picture{where}, {percent(share)} of it"))
        wanted = f"{percent(self.inside_at_least)} of the corners inside"
        if self.share_at_least > 0 or self.share_at_most < 1:
            wanted += f", from {percent(self.share_at_least)} to {percent(self.share_at_most)} of the picture"
        return every(found, f"{self.objects} in the picture of {camera['name']!r}", wanted)

    def _camera(self, project: Project) -> Thing:
        name = self.camera or project.scene.value.get("render", {}).get("camera")
        if not isinstance(name, str):
            raise ExpectationFailed("the scene has no camera", "no camera", "a camera", tuple(project.scene.cites))
        return project.scene.one(name, type="CAMERA")

    def _seen(self, project: Project, camera: Thing, corners: Any) -> tuple[float, float, str]:
        """The share of the corners inside, that of the picture which they span, and a word on where the others are."""
        matrix = project.scene.matrix_of(camera)
        turn, place = matrix[:3, :3] / np.maximum(np.linalg.norm(matrix[:3, :3], axis=0), 1e-12), matrix[:3, 3]
        own = (corners - place) @ turn
        lens = project.scene.entry("cameras", str(camera.get("data")))
        ahead = own[:, 2] < -max(float(lens["clip"][0]), 1e-9)
        flat = project_flat(own, lens.value, project.scene.value.get("render", {}))
        edge = 1.0 - 2.0 * self.margin
        inside = ahead & (np.abs(flat) <= edge + 1e-6).all(1)
        if not ahead.all():
            return float(inside.mean()), 0.0, f" ({int((~ahead).sum())} lie behind it)"
        low, high = np.clip(flat.min(0), -1, 1), np.clip(flat.max(0), -1, 1)
        share = float(np.prod(high - low) / 4.0)
        if inside.all():
            return 1.0, share, ""
        (x, y), words = flat[~inside].mean(0).tolist(), list[str]()
        words += ["left"] * (x < -0.5) + ["right"] * (x > 0.5) + ["below"] * (y < -0.5) + ["above"] * (y > 0.5)
        return float(inside.mean()), share, f" (the others: {' '.join(words) or 'at an edge'})"


def _sides(low: Any, high: Any) -> list[tuple[Any, Any, Any]]:
    return [(a, b, c) for a in (low, high) for b in (low, high) for c in (low, high)]


def project_flat(own: Any, lens: Mapping[str, Any], render: Mapping[str, Any]) -> Any:
    """(n, 2): points in the camera's own axes (it looks along -z) in its picture, whose edges are at -1 and 1."""
    wide, high = ((render.get("resolution") or (1920, 1080))[axis] or 1 for axis in (0, 1))
    sensor_x, sensor_y = lens["sensor_mm"]
    along_x = lens["sensor_fit"] == "HORIZONTAL" or (lens["sensor_fit"] == "AUTO" and wide >= high)
    sensor = sensor_y if lens["sensor_fit"] == "VERTICAL" else sensor_x
    half = lens["ortho_scale"] / 2.0 if lens["type"] == "ORTHO" else sensor / (2.0 * lens["lens_mm"])
    halves = np.array([half, half * high / wide] if along_x else [half * wide / high, half])
    flat = own[:, :2] if lens["type"] == "ORTHO" else own[:, :2] / np.maximum(-own[:, 2:3], 1e-12)
    return (flat - 2.0 * half * np.array(lens["shift"])) / halves


def framing(options: Options, services: Services) -> ProjectAssertion:
    return stated("blender.framing", options, Framing)
