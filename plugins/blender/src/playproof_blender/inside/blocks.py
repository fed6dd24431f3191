"""What objects stand for and use: armatures, cameras, lights, the world, images, libraries, texts, collections, materials."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import bpy
from nodes import images as images_of
from nodes import surface, tree
from reading import colour, custom, name_of, name_or_none, text, tidy
from sizes import size_of

MOST_BONES = 2000


def armature(held: Any) -> Mapping[str, Any]:
    """Heads and tails in the armature's own space, at rest."""
    bones = [{"name": text(one, "name"), "parent": text(one.parent, "name") if one.parent else None, "head": list(one.head_local),
              "tail": list(one.tail_local), "deform": one.use_deform, "connected": one.use_connect}
             for one in islice(held.bones, MOST_BONES)]  # fmt: skip
    left = max(len(held.bones) - MOST_BONES, 0)
    return {"bones": bones, "rest": held.pose_position == "REST", **({"bones_left_off": left} if left else {})}


def camera(held: Any) -> Mapping[str, Any]:
    return {
        "type": held.type, "lens_mm": held.lens, "angle_deg": math.degrees(held.angle), "clip": [held.clip_start, held.clip_end],
        "ortho_scale": held.ortho_scale, "sensor_mm": [held.sensor_width, held.sensor_height], "sensor_fit": held.sensor_fit,
        "shift": [held.shift_x, held.shift_y],
        "depth_of_field": {"on": held.dof.use_dof, "object": name_or_none(held.dof.focus_object), "distance": held.dof.focus_distance,
                           "fstop": held.dof.aperture_fstop},
    }  # fmt: skip


def light(held: Any) -> Mapping[str, Any]:
    """`energy` in watts, of a sun in watts per square metre; `size` in metres: the radius of a point or spot, the side of an area; of a
    sun in degrees."""
    size = math.degrees(held.angle) if held.type == "SUN" else getattr(held, "size", getattr(held, "shadow_soft_size", None))
    told = {"type": held.type, "energy": held.energy, "colour": list(held.color), "size": size}
    return told | ({"spot_deg": math.degrees(held.spot_size), "blend": held.spot_blend} if held.type == "SPOT" else {})


def material(held: Any) -> Mapping[str, Any]:
    told: dict[str, Any] = {"users": held.users, "library": name_or_none(held.library), "backface_culling": held.use_backface_culling}
    if not held.use_nodes or held.node_tree is None:
        return told | {"nodes": [], "links": 0, "wires": [], "images": [], "shader": None, "base_color": colour(held.diffuse_color),
                       "metallic": tidy(held.metallic), "roughness": tidy(held.roughness), "transmission": 0.0, "emission": None,
                       "alpha": tidy(held.diffuse_color[3])}  # fmt: skip
    return told | {**surface(held.node_tree), "images": images_of(held.node_tree), **tree(held.node_tree)}


def world(held: Any) -> Mapping[str, Any] | None:
    if held is None:
        return None
    told = {"name": name_of(held), "colour": list(held.color)}
    return told | ({**tree(held.node_tree), "images": images_of(held.node_tree)} if held.use_nodes and held.node_tree else {})


def image(held: Any) -> Mapping[str, Any]:
    """`path` as the file says it. `missing`: nothing is packed, and no file is where the path leads. `size` in pixels where known."""
    path, packed = text(held, "filepath"), len(held.packed_files) > 0
    place = _place(path, held.library)
    there = packed or held.source in ("GENERATED", "VIEWER") or place is not None
    return {"name": name_of(held), "path": path, "source": held.source, "packed": packed, "size": size_of(held, place) if there else None,
            "missing": not there, "users": held.users}  # fmt: skip


def library(held: Any) -> Mapping[str, Any]:
    path = text(held, "filepath")
    return {"path": path, "missing": _place(path, getattr(held, "library", None)) is None}


def _place(path: str, library_: Any) -> Path | None:
    """The file that a path of Blender's leads to, if it is there."""
    try:
        place = Path(bpy.path.abspath(path, library=library_))
        return place if path and place.is_file() else None
    except (OSError, ValueError):
        return None


def script(held: Any) -> Mapping[str, Any]:
    return {"name": name_of(held), "auto_run": held.use_module, "lines": len(held.lines)}


def collections(scene: Any, rendered: set[Any]) -> Iterator[Mapping[str, Any]]:
    """Those of the scene, from its root down, then those that only instances use. One that hangs in several places is told of once."""
    seen = set[Any]()
    for held, parent in [*_below(scene.collection, None), *((one, None) for one in bpy.data.collections)]:
        if held not in seen:
            seen.add(held)
            yield {"name": name_of(held), "parent": name_or_none(parent), "objects": [name_of(one) for one in held.objects],
                   "children": [name_of(one) for one in held.children], "rendered": held in rendered}  # fmt: skip


def collections_by_object(scene: Any) -> Mapping[Any, list[str]]:
    """Built once: an object's own `users_collection` looks through the whole file each time."""
    found: dict[Any, list[str]] = {}
    for held in (scene.collection, *bpy.data.collections):
        name = name_of(held)
        for one in held.objects:
            found.setdefault(one, []).append(name)
    return found


def _below(held: Any, parent: Any) -> Sequence[tuple[Any, Any]]:
    return [(held, parent), *(pair for one in held.children for pair in _below(one, held))]


def scene_settings(scene: Any) -> Mapping[str, Any]:
    render, units = scene.render, scene.unit_settings
    cycles, eevee = getattr(scene, "cycles", None), getattr(scene, "eevee", None)
    samples = {"CYCLES": getattr(cycles, "samples", None)}.get(render.engine, getattr(eevee, "taa_render_samples", None))
    return {
        "frame": scene.frame_current, "frames": [scene.frame_start, scene.frame_end], "fps": render.fps / render.fps_base,
        "units": {"system": units.system, "scale_length": units.scale_length, "length_unit": units.length_unit},
        "render": {
            "engine": render.engine, "resolution": [render.resolution_x, render.resolution_y, render.resolution_percentage],
            "samples": samples, "camera": name_or_none(scene.camera), "film_transparent": render.film_transparent,
            "freestyle": render.use_freestyle,
            "compositor": bool(getattr(scene, "use_nodes", False)), "view_transform": scene.view_settings.view_transform,
            "look": scene.view_settings.look, "exposure": scene.view_settings.exposure, "file_format": render.image_settings.file_format,
        },
        "world": world(scene.world), "rigid_body_world": scene.rigidbody_world is not None,
        "gravity": list(scene.gravity) if scene.use_gravity else None, "custom": custom(scene),
        "markers": [{"name": text(one, "name"), "frame": one.frame} for one in islice(scene.timeline_markers, 200)],
    }  # fmt: skip
