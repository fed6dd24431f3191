"""What a project holds, as JSON data: `blender.scene/1`. Lengths in metres of the world, whatever units the scene shows; matrices by rows.

Every list is bounded, and `left_off` says of what more there was. Numbers that are not finite stay so (NaN, Infinity).
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import blocks
import bpy
from actions import Actions, drivers
from drawn import Drawn
from meshes import Meshes
from nodes import tree
from objects import all_of, data_of
from reading import name_of
from visibility import Visibility

MOST_OBJECTS, MOST_BLOCKS = 20_000, 5_000


def write(options: Mapping[str, Any], place: Path, visibility: Visibility, drawn: Drawn) -> None:
    place.write_text(json.dumps(_summary(visibility, drawn), allow_nan=True), encoding="ascii")


def _summary(visibility: Visibility, drawn: Drawn) -> Mapping[str, Any]:
    scene, left_off = bpy.context.scene, dict[str, int]()
    objects, beyond = all_of(scene, visibility, drawn, MOST_OBJECTS)
    if beyond:
        left_off["objects"] = beyond
    held = list(islice(scene.objects, MOST_OBJECTS))
    actions = Actions()

    def named(section: str, found: Iterable[Any], told: Callable[[Any], Mapping[str, Any]]) -> Mapping[str, Any]:
        kept = list(found)
        if len(kept) > MOST_BLOCKS:
            left_off[section] = len(kept) - MOST_BLOCKS
        return {name_of(one): _safely(told, one) for one in kept[:MOST_BLOCKS]}

    meshes = _meshes(held)
    return {
        "scene": name_of(scene), "scenes": [{"name": name_of(one), "objects": len(one.objects)} for one in bpy.data.scenes],
        "release": ".".join(map(str, bpy.app.version)), "written": list(bpy.data.version), **blocks.scene_settings(scene),
        "totals": _totals(objects, meshes, drawn), "objects": objects, "meshes": meshes,
        "collections": list(islice(blocks.collections(scene, visibility.collections), MOST_BLOCKS)),
        "materials": named("materials", bpy.data.materials, blocks.material),
        "node_groups": named("node_groups", bpy.data.node_groups, lambda one: {"type": one.bl_idname, **tree(one)}),
        "images": list(named("images", (one for one in bpy.data.images if one.source != "VIEWER"), blocks.image).values()),
        "libraries": list(named("libraries", bpy.data.libraries, blocks.library).values()),
        "texts": list(named("texts", bpy.data.texts, blocks.script).values()),
        "armatures": named("armatures", data_of(held, "ARMATURE"), blocks.armature),
        "actions": named("actions", bpy.data.actions, actions.told), "drivers": drivers(),
        "cameras": named("cameras", data_of(held, "CAMERA"), blocks.camera),
        "lights": named("lights", data_of(held, "LIGHT"), blocks.light), "left_off": left_off,
    }  # fmt: skip


def _meshes(objects: Sequence[Any]) -> Mapping[str, Mapping[str, Any]]:
    used = list(data_of(objects, "MESH"))
    reading = Meshes(sum(1 for one in used if len(one.uv_layers)))
    for one in used:
        reading.add(one)
    return reading.found


def _totals(objects: Sequence[Mapping[str, Any]], meshes: Mapping[str, Mapping[str, Any]], drawn: Drawn) -> Mapping[str, Any]:
    """`vertices`, `faces` and `triangles` of mesh objects before modifiers, each as often as an object has it; `drawn` of all that a render
    would show, as the viewport evaluates it, with every instance."""
    own = [meshes[one["data"]] for one in objects if one["type"] == "MESH" and one.get("data") in meshes]
    types: dict[str, int] = {}
    for one in objects:
        types[one["type"]] = types.get(one["type"], 0) + 1
    rendered = drawn.rendered()
    return {
        "objects": len(objects), "objects_by_type": types, "objects_in_file": len(bpy.data.objects), "materials": len(bpy.data.materials),
        "images": len(bpy.data.images), "meshes": len(meshes),
        **{key: sum(one.get(key, 0) for one in own) for key in ("vertices", "faces", "triangles")},
        "drawn": {"parts": len(rendered), "instances": sum(not part.own for part in rendered),
                  "triangles": sum(len(drawn.meshes[part.mesh][1]) for part in rendered), "left_off": drawn.left_off},
    }  # fmt: skip


def _safely(told: Callable[[Any], Mapping[str, Any]], one: Any) -> Mapping[str, Any]:
    try:
        return told(one)
    except Exception as fault:  # noqa: BLE001 - a damaged file makes Blender raise anything: one block is no reason to lose the others
        return {"unreadable": f"{type(fault).__name__}: {fault}"[:300]}
