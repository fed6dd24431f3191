"""Files of other formats, brought into the open project or made of it, by Blender's own operators."""

from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any

import bpy
from reading import name_of

MOST_TOLD = 50


def _operator(group: str, name: str, **settings: Any) -> Callable[..., Any]:
    return partial(getattr(getattr(bpy.ops, group), name), **settings)


IMPORTS: Mapping[str, Callable[..., Any]] = {
    ".glb": _operator("import_scene", "gltf"), ".gltf": _operator("import_scene", "gltf"), ".fbx": _operator("import_scene", "fbx"),
    ".obj": _operator("wm", "obj_import"), ".stl": _operator("wm", "stl_import"), ".ply": _operator("wm", "ply_import"),
    ".usdc": _operator("wm", "usd_import"), ".usda": _operator("wm", "usd_import"), ".usdz": _operator("wm", "usd_import"),
    ".usd": _operator("wm", "usd_import"), ".abc": _operator("wm", "alembic_import"),
}  # fmt: skip
EXPORTS: Mapping[str, tuple[Callable[..., Any], str]] = {
    ".glb": (_operator("export_scene", "gltf", export_format="GLB", export_cameras=True, export_lights=True), "use_selection"),
    ".gltf": (_operator("export_scene", "gltf", export_format="GLTF_SEPARATE", export_cameras=True, export_lights=True), "use_selection"),
    ".fbx": (_operator("export_scene", "fbx"), "use_selection"), ".obj": (_operator("wm", "obj_export"), "export_selected_objects"),
    ".stl": (_operator("wm", "stl_export"), "export_selected_objects"), ".ply": (_operator("wm", "ply_export"), "export_selected_objects"),
    ".usdc": (_operator("wm", "usd_export"), "selected_objects_only"), ".usda": (_operator("wm", "usd_export"), "selected_objects_only"),
    ".usdz": (_operator("wm", "usd_export"), "selected_objects_only"), ".usd": (_operator("wm", "usd_export"), "selected_objects_only"),
    ".abc": (_operator("wm", "alembic_export"), "selected"),
}  # fmt: skip
"""With the name of what restricts each to the selection."""


def carry_out(asked: Mapping[str, Any]) -> tuple[Any, str]:
    """`asked` is {way: import | export | append, path, objects: patterns or null}. What came of it, and why it failed, if it did."""
    try:
        return WAYS[asked["way"]](asked), ""
    except (RuntimeError, ValueError, OSError) as fault:
        return None, str(fault).strip()


def _brought(asked: Mapping[str, Any]) -> Any:
    before = set(bpy.data.objects)
    ended = IMPORTS[Path(asked["path"]).suffix.lower()](filepath=asked["path"])
    return _added(before, ended)


def _added(before: set[Any], ended: set[str]) -> Any:
    added = [name_of(one) for one in bpy.data.objects if one not in before]
    if "FINISHED" not in ended or not added:
        raise ValueError("Blender found no objects in it")
    return {"objects": added[:MOST_TOLD], "objects_in_all": len(added)}


def _appended(asked: Mapping[str, Any]) -> Any:
    """Objects of another project, with all that they use."""
    with bpy.data.libraries.load(asked["path"], link=False) as (there, here):
        here.objects = [name for name in there.objects if _wished(name, asked["objects"])]
    for one in here.objects:
        bpy.context.scene.collection.objects.link(one)
    if not here.objects:
        raise ValueError(f"it holds no object that fits {asked['objects']}" if asked["objects"] else "it holds no objects")
    return {"objects": [name_of(one) for one in here.objects][:MOST_TOLD], "objects_in_all": len(here.objects)}


def _exported(asked: Mapping[str, Any]) -> Any:
    operator, restricted = EXPORTS[Path(asked["path"]).suffix.lower()]
    chosen = [one for one in bpy.context.scene.objects if _wished(name_of(one), asked["objects"])]
    if not chosen:
        raise ValueError("no object of the scene fits" if asked["objects"] else "the scene is empty")
    if asked["objects"]:
        for one in bpy.context.view_layer.objects:
            if one in chosen:
                one.hide_viewport, one.hide_select = False, False
                one.hide_set(False)  # what is hidden cannot be selected; nothing of this is saved
            one.select_set(one in chosen)
    operator(filepath=asked["path"], **({restricted: True} if asked["objects"] else {}))
    place = Path(asked["path"])
    if not place.is_file():
        raise ValueError("Blender wrote no file")
    return {"objects_in_all": len(chosen), "bytes": place.stat().st_size}


def _wished(name: str, patterns: Sequence[str] | None) -> bool:
    return not patterns or any(fnmatchcase(name, one) for one in patterns)


WAYS = {"import": _brought, "append": _appended, "export": _exported}
