"""What a project holds, as JSON data: `blender.scene/1`. Lengths in metres of the world, whatever units the scene shows; matrices by rows."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from visibility import Visibility

SOLID = {"MESH", "CURVE", "SURFACE", "FONT", "META", "CURVES", "POINTCLOUD", "VOLUME"}


def write(options: Mapping[str, Any], place: Path, visibility: Visibility) -> None:
    place.write_text(json.dumps(_summary(), allow_nan=True), encoding="utf-8")


def _summary() -> Mapping[str, Any]:
    scene = bpy.context.scene
    depsgraph = bpy.context.evaluated_depsgraph_get()
    return {
        "scene": scene.name, "frame": scene.frame_current, "frames": [scene.frame_start, scene.frame_end],
        "fps": scene.render.fps / scene.render.fps_base,
        "units": {"system": scene.unit_settings.system, "scale_length": scene.unit_settings.scale_length},
        "objects": list(_objects(scene, depsgraph)),
    }  # fmt: skip


def _objects(scene: Any, depsgraph: Any) -> Iterator[Mapping[str, Any]]:
    for one in scene.objects:
        now = one.evaluated_get(depsgraph)
        matrix = np.array(now.matrix_world)
        yield {
            "name": one.name, "type": one.type, "data": one.data.name if one.data else None, "parent": one.parent.name if one.parent else None,
            "collections": [each.name for each in one.users_collection], "matrix": matrix.ravel().tolist(),
            "box": _box(now, matrix) if one.type in SOLID else None, "rendered": not one.hide_render,
            "materials": [slot.material.name if slot.material else None for slot in one.material_slots],
            "modifiers": [{"name": each.name, "type": each.type} for each in one.modifiers],
        }


def _box(now: Any, matrix: Any) -> Sequence[float]:
    """World, axis-aligned: smallest corner, largest corner."""
    corners = np.array([tuple(corner) for corner in now.bound_box]) @ matrix[:3, :3].T + matrix[:3, 3]
    return [*corners.min(0).tolist(), *corners.max(0).tolist()]
