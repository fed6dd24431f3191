"""One object after the other. One that cannot be read says why, and the rest is there all the same."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import bpy
from blocks import collections_by_object
from drawn import Drawn
from levels import rendered
from reading import custom, name_of, name_or_none, rows, settings, text, tidy
from visibility import Visibility

MOST_EACH = 500
"""Of modifiers, constraints, slots and groups of one object."""

LOOSE = {"CURVES", "GPENCIL", "GREASEPENCIL", "MESH", "POINTCLOUD", "VOLUME"}
"""What has a box even where no triangles of it were kept."""

WEIGHED_POINTS = 200_000
"""Of all rigged meshes together: Blender gives weights only point by point, at a microsecond each."""


class Objects:
    def __init__(self, visibility: Visibility, drawn: Drawn) -> None:
        self._visibility, self._drawn = visibility, drawn
        self._boxes, self._own = drawn.boxes(), drawn.own()
        self._rendered = rendered(self._own)
        self._collections = collections_by_object(bpy.context.scene)
        self._weighed = 0

    def told(self, one: Any) -> Mapping[str, Any]:
        try:
            return self._of(one)
        except Exception as fault:  # noqa: BLE001 - a damaged file makes Blender raise anything: one object is no reason to lose the others
            return {"name": name_of(one), "type": one.type, "unreadable": f"{type(fault).__name__}: {fault}"[:300]}

    def _of(self, one: Any) -> Mapping[str, Any]:
        data, motion = one.data, one.animation_data
        now = one.evaluated_get(self._visibility.depsgraph)
        return {
            "name": name_of(one), "type": one.type, "data": name_or_none(data), "library": name_or_none(one.library),
            "missing": bool(getattr(one, "is_missing", False)), "parent": name_or_none(one.parent),
            "parent_bone": text(one, "parent_bone") if one.parent_type == "BONE" else None,
            "collections": self._collections.get(one, []), **self._placed(one, now),
            "rendered": one in self._visibility.rendered, "shown": one in self._visibility.shown,
            "materials": [name_or_none(slot.material) for slot in islice(one.material_slots, MOST_EACH)],
            "modifiers": [_modifier(each) for each in islice(one.modifiers, MOST_EACH)],
            "constraints": [_constraint(each) for each in islice(one.constraints, MOST_EACH)],
            "action": name_or_none(motion.action) if motion else None, "nla_tracks": len(motion.nla_tracks) if motion else 0,
            "drivers": sum(_drivers(owner) for owner in (one, data, getattr(data, "shape_keys", None))),
            "shape_keys": _shape_keys(data), "vertex_groups": [text(each, "name") for each in islice(one.vertex_groups, MOST_EACH)],
            "custom": custom(one), "instances": self._drawn.instances.get(one, 0), "rigid_body": _rigid_body(one.rigid_body),
            **self._evaluated(one), **self._special(one),
        }  # fmt: skip

    def _placed(self, one: Any, now: Any) -> Mapping[str, Any]:
        """In the world: `rotation_deg` is XYZ Euler of the matrix; `dimensions` along the object's own axes."""
        matrix = now.matrix_world
        own = self._boxes.get((one, True))
        box = own if own is not None else _loose_box(now, matrix) if one.type in LOOSE and one not in self._own else None
        return {"matrix": rows(matrix), "location": list(matrix.translation), "scale": list(matrix.to_scale()),
                "rotation_deg": [math.degrees(each) for each in matrix.to_euler()], "box": box, "drawn_box": self._boxes.get((one, False)),
                "dimensions": list(now.dimensions)}  # fmt: skip

    def _evaluated(self, one: Any) -> Mapping[str, Any]:
        """What the viewport makes of it, where that may be other than its data; and what a render would, where that differs."""
        if one not in self._own or (one.type == "MESH" and not len(one.modifiers)):
            return {}
        points, triangles = self._own[one]
        told = {"evaluated": {"vertices": len(points), "triangles": len(triangles), **self._faces(one)}}
        return told | ({"evaluated_render": self._rendered[one]} if one in self._rendered else {})

    def _faces(self, one: Any) -> Mapping[str, Any]:
        now = one.evaluated_get(self._visibility.depsgraph)
        return {"faces": len(now.data.polygons)} if one.type == "MESH" and now.data is not None else {}

    def _special(self, one: Any) -> Mapping[str, Any]:
        told: dict[str, Any] = {}
        if one.type == "FONT":
            told["text"] = text(one.data, "body")
        if one.type in ("CURVE", "FONT", "SURFACE"):
            told["curve"] = {"splines": len(one.data.splines), "bevel_depth": one.data.bevel_depth, "extrude": one.data.extrude,
                             "resolution": one.data.resolution_u}  # fmt: skip
        if one.instance_type != "NONE":
            told["instancing"] = {"type": one.instance_type, "collection": name_or_none(one.instance_collection)}
        if len(one.particle_systems):
            told["particles"] = [{"name": text(each, "name"), "type": each.settings.type, "count": each.settings.count,
                                  "draws": each.settings.render_type} for each in one.particle_systems]  # fmt: skip
        if one.type == "ARMATURE" and one.pose is not None:
            found = ((bone, each) for bone in one.pose.bones for each in bone.constraints)
            told["bone_constraints"] = [{"bone": text(bone, "name"), **_constraint(each)} for bone, each in islice(found, MOST_EACH)]
        if one.type == "MESH" and any(each.type == "ARMATURE" for each in one.modifiers):
            told["weights"] = self._weights(one)
        return told

    def _weights(self, one: Any) -> Mapping[str, Any] | None:
        """How many points each group holds, and how many are in none. None where there are too many points to count."""
        points = one.data.vertices
        self._weighed += len(points)
        if self._weighed > WEIGHED_POINTS:
            return None
        counts, unweighted = dict[int, int](), 0
        for point in points:
            held = [each.group for each in point.groups if each.weight > 0]
            unweighted += not held
            for group in held:
                counts[group] = counts.get(group, 0) + 1
        names = [text(each, "name") for each in one.vertex_groups]
        return {"unweighted": unweighted, "groups": {names[group]: count for group, count in counts.items() if group < len(names)}}


def _modifier(each: Any) -> Mapping[str, Any]:
    told = {"name": text(each, "name"), "type": each.type, "shown": each.show_viewport, "rendered": each.show_render}
    inputs = {f"input {key}": value for key, value in custom(each).items()} if each.type == "NODES" else {}
    return told | {"settings": {**settings(each, bpy.types.Modifier), **inputs}}


def _constraint(each: Any) -> Mapping[str, Any]:
    return {"name": text(each, "name"), "type": each.type, "target": name_or_none(getattr(each, "target", None)),
            "influence": tidy(each.influence), "on": not each.mute, "settings": settings(each, bpy.types.Constraint)}  # fmt: skip


def _drivers(owner: Any) -> int:
    motion = getattr(owner, "animation_data", None)
    return len(motion.drivers) if motion else 0


def _shape_keys(data: Any) -> Sequence[Mapping[str, Any]]:
    keys = getattr(data, "shape_keys", None)
    return [{"name": text(each, "name"), "value": each.value} for each in islice(keys.key_blocks, MOST_EACH)] if keys else []


def _rigid_body(held: Any) -> Mapping[str, Any] | None:
    return held and {"type": held.type, "on": held.enabled, "mass": held.mass, "shape": held.collision_shape, "kinematic": held.kinematic,
                     "friction": held.friction, "restitution": held.restitution}  # fmt: skip


def _loose_box(now: Any, matrix: Any) -> Sequence[float]:
    """Around the corners of its own box, where no points are read."""
    from mathutils import Vector

    corners = [matrix @ Vector(corner) for corner in now.bound_box]
    return [reach(corner[axis] for corner in corners) for reach in (min, max) for axis in range(3)]


def all_of(scene: Any, visibility: Visibility, drawn: Drawn, most: int) -> tuple[Sequence[Mapping[str, Any]], int]:
    """The first `most` objects of the scene, and how many were left off."""
    objects = list(scene.objects)
    reading = Objects(visibility, drawn)
    return [reading.told(one) for one in objects[:most]], max(len(objects) - most, 0)


def data_of(objects: Sequence[Any], kind: str) -> Iterator[Any]:
    """What the objects of a type have as their data, each once."""
    yield from dict.fromkeys(one.data for one in objects if one.type == kind and one.data is not None)
