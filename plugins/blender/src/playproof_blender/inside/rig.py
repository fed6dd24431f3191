"""The stage `rig`: each bone turned by itself, and what moves along: `blender.rig/1`, JSON.

{"angle_deg", "axis", "threshold" (metres: what moves by less does not), "left_off", "bones": [{"armature", "bone", "parent", "deform",
"restored" (metres that a point is off when the bone is back), "objects": {name: {"points", "moved", "furthest",
"box" (6, at rest, around the moved) | null, "groups": {vertex group: {"points" (whose greatest weight it is), "moved", "furthest"}}}}}]}.
Positions are of the world, in metres; meshes are taken with their armature modifiers alone: their points are those that have weights.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix
from reading import name_of, text
from visibility import Visibility

MOST_BONES, MOST_POINTS, MOST_OBJECTS = 300, 400_000, 200
SHARE = 0.001
"""Of the diagonal around all that hangs on the armature: what moves by less does not."""


def run(options: Mapping[str, Any], out: Path, seal: Callable[..., None]) -> None:
    """Options: `angle_deg` (30), `axis` of the bone ("X": it bends; "Y": it twists; "Z")."""
    angle, axis = float(options.get("angle_deg", 30.0)), str(options.get("axis", "X"))
    Visibility()
    found, left_off = list[Mapping[str, Any]](), 0
    threshold = 0.0
    for one in bpy.context.scene.objects:
        if one.type != "ARMATURE" or one.pose is None:
            continue
        body = Body(one)
        threshold = body.threshold
        for bone in one.pose.bones:
            if len(found) >= MOST_BONES:
                left_off += 1
                continue
            found.append(body.turned(bone, Matrix.Rotation(math.radians(angle), 4, axis)))
    told = {"angle_deg": angle, "axis": axis, "threshold": threshold, "bones": found, "left_off": left_off}
    (out / "rig.json").write_text(json.dumps(told), encoding="ascii")
    seal("rig", file="rig.json")


class Body:
    """An armature and the meshes that hang on it."""

    def __init__(self, armature: Any) -> None:
        self.armature = armature
        armature.data.pose_position = "POSE"
        if armature.animation_data:
            armature.animation_data.action = None
        hanging = (one for one in bpy.context.scene.objects if one.type == "MESH" and self._hangs(one))
        self.objects = list(islice(hanging, MOST_OBJECTS))
        while sum(len(one.data.vertices) for one in self.objects) > MOST_POINTS:
            self.objects.pop()
        for one in self.objects:
            for each in one.modifiers:
                each.show_viewport = each.type == "ARMATURE"
        self.groups = [_dominant(one) for one in self.objects]
        self.rest = self._points()
        all_ = np.concatenate([np.zeros((0, 3)), *self.rest])
        self.threshold = max(SHARE * float(np.linalg.norm(np.ptp(all_, axis=0))), 1e-6) if len(all_) else 1e-6

    def _hangs(self, one: Any) -> bool:
        if any(each.type == "ARMATURE" and each.object == self.armature for each in one.modifiers):
            return True
        above, seen = one.parent, 0
        while above is not None and seen < 100:
            if above == self.armature:
                return True
            above, seen = above.parent, seen + 1
        return any(getattr(each, "target", None) == self.armature for each in one.constraints)

    def _points(self) -> Sequence[Any]:
        bpy.context.view_layer.update()
        depsgraph = bpy.context.evaluated_depsgraph_get()
        found = []
        for one in self.objects:
            now = one.evaluated_get(depsgraph)
            points = np.empty(3 * len(now.data.vertices), np.float32)
            now.data.vertices.foreach_get("co", points)
            matrix = np.array(now.matrix_world)
            found.append(points.reshape(-1, 3).astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3])
        return found

    def turned(self, bone: Any, turn: Any) -> Mapping[str, Any]:
        before = bone.matrix_basis.copy()
        bone.matrix_basis = before @ turn
        there = self._points()
        bone.matrix_basis = before
        back = self._points()
        off = max((float(np.abs(a - b).max()) for a, b in zip(back, self.rest, strict=True) if len(a)), default=0.0)
        objects = {name_of(one): self._moved(number, there[number]) for number, one in enumerate(self.objects)}
        above = text(bone.parent, "name") if bone.parent else None
        return {"armature": name_of(self.armature), "bone": text(bone, "name"), "parent": above,
                "deform": bool(bone.bone.use_deform), "restored": off, "objects": objects}  # fmt: skip

    def _moved(self, number: int, there: Any) -> Mapping[str, Any]:
        rest = self.rest[number]
        if len(there) != len(rest) or not len(rest):
            return {"points": len(rest), "moved": 0, "furthest": 0.0, "box": None, "groups": {}}
        way = np.linalg.norm(there - rest, axis=1)
        moved = way > self.threshold
        names, groups = self.groups[number]
        told = dict[str, Any]()
        for place, name in enumerate(names):
            if len(groups) == len(rest) and (mine := groups == place).any():
                told[name] = {"points": int(mine.sum()), "moved": int((mine & moved).sum()), "furthest": float(way[mine].max())}
        box = [*rest[moved].min(0).tolist(), *rest[moved].max(0).tolist()] if moved.any() else None
        return {"points": len(rest), "moved": int(moved.sum()), "furthest": float(way.max()), "box": box, "groups": told}


def _dominant(one: Any) -> tuple[Sequence[str], Any]:
    """The names of an object's groups, and for each point the number of that in which it weighs most (-1: none)."""
    best = np.full(len(one.data.vertices), -1, np.int32)
    for number, point in enumerate(one.data.vertices):
        held = [(each.weight, each.group) for each in point.groups if each.weight > 0]
        if held:
            best[number] = max(held)[1]
    return [text(each, "name") for each in one.vertex_groups], best
