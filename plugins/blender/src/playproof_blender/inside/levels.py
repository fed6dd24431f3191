"""What a render would make of objects whose modifiers are set otherwise for it than for the viewport."""

from collections.abc import Mapping, Sequence
from typing import Any

import bpy

MOST_TRIANGLES = 2_000_000
"""That a render's settings may make in one file; beyond that they are foretold, not made."""

DEFORM = {"ARMATURE", "CAST", "CURVE", "CORRECTIVE_SMOOTH", "DECIMATE", "DISPLACE", "HOOK", "LAPLACIANSMOOTH", "LATTICE", "MESH_DEFORM",
          "NORMAL_EDIT", "SHRINKWRAP", "SIMPLE_DEFORM", "SMOOTH", "SURFACE_DEFORM", "TRIANGULATE", "UV_PROJECT", "UV_WARP", "WARP", "WAVE",
          "WEIGHTED_NORMAL", "WELD"}  # fmt: skip

Change = tuple[Any, str, Any, Any]
"""A modifier, the key that the viewport goes by, what it is, and what it is for a render."""


def rendered(own: Mapping[Any, tuple[Any, Any]]) -> Mapping[Any, Mapping[str, Any]]:
    """By object {"triangles": as rendered or None, "made": counted (or foretold)}, of those that a render shows otherwise. `own` has the
    shapes in the viewport. All are changed at once, evaluated, and changed back."""
    changed = {one: changes for one in own if one.type == "MESH" and len(one.modifiers) and (changes := _changes(one))}
    foretold = {one: _foretold(changes, max(len(own[one][1]), 1)) for one, changes in changed.items()}
    found: dict[Any, Mapping[str, Any]] = {one: {"triangles": count, "made": False} for one, count in foretold.items()}
    made, total = list[Any](), 0
    for count, one in sorted(((count, one) for one, count in foretold.items() if count is not None), key=lambda pair: pair[0]):
        total += count
        if total > MOST_TRIANGLES:
            break
        made.append(one)
    return found | _made(made, changed) if made else found


def _made(objects: Sequence[Any], changed: Mapping[Any, Sequence[Change]]) -> dict[Any, Mapping[str, Any]]:
    for one in objects:
        for held, key, _, to in changed[one]:
            setattr(held, key, to)
    try:
        depsgraph = bpy.context.evaluated_depsgraph_get()
        meshes = [one.evaluated_get(depsgraph).data for one in objects]
        counts = [len(mesh.loops) - 2 * len(mesh.polygons) for mesh in meshes]
        return {one: {"triangles": count, "made": True} for one, count in zip(objects, counts, strict=True)}
    finally:
        for one in objects:
            for held, key, was, _ in changed[one]:
                setattr(held, key, was)
        bpy.context.evaluated_depsgraph_get()


def _changes(one: Any) -> Sequence[Change]:
    found: list[Change] = [(each, "show_viewport", each.show_viewport, each.show_render) for each in one.modifiers]
    found += [(each, "levels", each.levels, each.render_levels) for each in one.modifiers if each.type in ("SUBSURF", "MULTIRES")]
    return [change for change in found if change[2] != change[3]]


def _foretold(changes: Sequence[Change], triangles: int) -> int | None:
    """None where what a render alone shows may make any number."""
    for held, key, was, to in changes:
        if key == "levels" and held.show_render and held.show_viewport:
            triangles *= 4 ** max(to - was, 0)
        elif key == "show_viewport" and to:
            if (grown := _growth(held)) is None:
                return None
            triangles *= grown
    return triangles


def _growth(held: Any) -> int | None:
    if held.type in ("SUBSURF", "MULTIRES"):
        return int(4**held.render_levels)
    if held.type == "ARRAY":
        return int(held.count) if held.fit_type == "FIXED_COUNT" else None
    return {"MIRROR": 8, "SOLIDIFY": 4, "BEVEL": 8 * getattr(held, "segments", 1) ** 2, **dict.fromkeys(DEFORM, 1)}.get(held.type)
