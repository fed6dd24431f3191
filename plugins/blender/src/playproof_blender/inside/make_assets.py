"""The stage `make_assets`: a small library of our own, thing by thing, as files that another Blender can bring in."""

from collections.abc import Callable, Mapping
from math import radians
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import surfaces
from cameras import Eye
from candidates import ANGLE
from framing import fit, towards
from mathutils import Vector
from render_films import CORNERS
from wares import BY_ID, WARES, Ware

THUMBNAIL, SAMPLES = 144, 24
FROM = towards(radians(-62), radians(24))
"""Where thumbnails are taken from: the front, somewhat from the right and above."""

PICTURES = (
    ("woven-cloth", "Woven cloth", "texture", ("fabric", "textile", "linen", "beige"), "weave", (1.0, 1.0, 0.0)),
    ("cloudy-sky", "Blue sky with clouds", "world", ("sky", "daylight", "outdoor", "environment"), "sky", None),
)


def run(options: Mapping[str, Any], out: Path, seal: Callable[..., None]) -> None:
    """`options`: only (ids, empty for all). Seals for each thing `asset` {id, title, kind, tags, size} with its file (.glb, .png), and
    `thumbnail` {id} (PNG)."""
    for ware in WARES:
        if not options["only"] or ware.id in options["only"]:
            _model(BY_ID[ware.id], out, seal)
    for id, title, kind, tags, pattern, size in PICTURES:
        if not options["only"] or id in options["only"]:
            bpy.ops.wm.read_factory_settings(use_empty=True)
            image = surfaces.image(pattern)
            image.filepath_raw, image.file_format = str(out / f"{id}.png"), "PNG"
            image.save()
            seal("asset", {"id": id, "title": title, "kind": kind, "tags": tags, "size": size}, file=f"{id}.png")


def _model(ware: Ware, out: Path, seal: Callable[..., None]) -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    ware.make()
    bpy.context.view_layer.update()
    corners = np.array([tuple(one.matrix_world @ Vector(corner)) for one in bpy.context.scene.objects for corner in one.bound_box])
    low, high = corners.min(0), corners.max(0)
    size = [round(float(side), 3) for side in high - low]
    bpy.ops.export_scene.gltf(filepath=str(out / f"{ware.id}.glb"), export_format="GLB", export_apply=True)
    seal("asset", {"id": ware.id, "title": ware.title, "kind": ware.kind, "tags": ware.tags, "size": size}, file=f"{ware.id}.glb")
    _photograph(low + CORNERS * (high - low), out / f"{ware.id}-seen.png")
    seal("thumbnail", {"id": ware.id}, file=f"{ware.id}-seen.png")


def _photograph(hull: Any, place: Path) -> None:
    scene = bpy.context.scene
    scene.world = bpy.data.worlds.new("Studio")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.7, 0.72, 0.75, 1.0)
    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.data.energy, sun.rotation_euler = 2.5, (radians(38), radians(-20), 0)
    scene.collection.objects.link(sun)
    camera = fit(hull, FROM, ANGLE)
    far = float(np.linalg.norm(camera.place)) + float(np.linalg.norm(hull[-1] - hull[0]))
    Eye(scene).look({"matrix": camera.matrix.ravel().tolist(), "angle_deg": float(np.degrees(camera.angle)), "clip": [1e-3, 10 * far]})
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising, scene.cycles.use_adaptive_sampling = SAMPLES, False, False
    scene.render.resolution_x = scene.render.resolution_y = THUMBNAIL
    scene.view_settings.view_transform = "Standard"
    scene.render.image_settings.file_format, scene.render.image_settings.color_mode = "PNG", "RGB"
    scene.render.filepath = str(place)
    bpy.ops.render.render(write_still=True, scene=scene.name)
