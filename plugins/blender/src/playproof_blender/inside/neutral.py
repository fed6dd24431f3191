"""What is set before anything is rendered: so that a file runs nothing, writes nothing, and is measured as every other is.

Geometry, lights, materials and world stay as they are. In Blender 4.2 a Freestyle script of the file runs at render time though scripts are
off, and a File Output node of the compositor writes to any path: both were seen to, and neither is left a way.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import bpy

ENGINES = {"workbench": "BLENDER_WORKBENCH", "cycles": "CYCLES"}
STAMPS = ("time", "date", "frame", "frame_range", "camera", "lens", "scene", "note", "marker", "filename", "sequencer_strip", "render_time",
          "memory", "hostname", "labels")  # fmt: skip
BACKGROUND = (0.33, 0.36, 0.4)
MUTED = ("render", "cycles", "eevee", "display", "use_nodes", "camera", "view_layers", "node_tree", "view_settings")
"""Settings of a scene that its own animation could set back; its custom properties, which may drive things, are none of them."""


def make_safe(out: str) -> None:
    """On every scene and every view layer. `out` is where renders go."""
    for scene in bpy.data.scenes:
        _without_scripts(scene)
        _without_animated_settings(scene)
        render = scene.render
        render.filepath = os.path.join(out, "render")
        render.use_border = render.use_crop_to_border = render.use_simplify = render.use_multiview = render.use_motion_blur = False
        for stamp in STAMPS:  # they stand in a PNG even where nothing is burnt in: the same picture would be another every second
            setattr(render, f"use_stamp_{stamp}", False)
        render.use_stamp = render.use_render_cache = render.use_placeholder = render.film_transparent = False
        render.use_file_extension = render.use_overwrite = True
        render.pixel_aspect_x = render.pixel_aspect_y = 1.0
        render.resolution_percentage, render.threads_mode = 100, "AUTO"
        image = render.image_settings
        image.file_format, image.color_mode, image.color_depth, image.compression = "PNG", "RGB", "8", 15
        image.color_management = "FOLLOW_SCENE"
        for marker in scene.timeline_markers:  # one may bring in a camera of its own
            marker.camera = None
        scene.cycles.shading_system = False  # OSL
        scene.cycles.device = "CPU"


def _without_scripts(scene: Any) -> None:
    scene.use_nodes = False
    scene.render.use_compositing = scene.render.use_sequencer = scene.render.use_freestyle = False
    for node in scene.node_tree.nodes if scene.node_tree else ():
        node.mute = True
    for layer in scene.view_layers:
        layer.use_freestyle, layer.samples = False, 0
        with suppress(RuntimeError, TypeError):  # what a broken file holds there may refuse it: it is off all the same
            layer.freestyle_settings.mode = "EDITOR"
            for module in list(layer.freestyle_settings.modules):
                layer.freestyle_settings.modules.remove(module)


def _without_animated_settings(scene: Any) -> None:
    held = scene.animation_data
    if held is None:
        return
    curves = [*held.drivers, *(held.action.fcurves if held.action else ())]
    for curve in curves:
        if curve.data_path.startswith(MUTED):
            curve.mute = True


def use_channel(scene: Any, channel: str, width: int, height: int, samples: int, time_limit: float) -> Mapping[str, Any]:
    """The engine and its settings; gives which engine the project has, and which is used."""
    had = scene.render.engine
    scene.render.engine = ENGINES[channel]
    scene.render.resolution_x, scene.render.resolution_y = width, height
    scene.render.use_persistent_data = True
    if channel == "cycles":
        _cycles(scene.cycles, samples, time_limit)
    else:
        _workbench(scene)
    return {"project": had, "used": ENGINES[channel], "substituted": had != ENGINES[channel]}


def _cycles(cycles: Any, samples: int, time_limit: float) -> None:
    """Blender 4.2: 16 samples and OIDN are clean to the eye at 512 x 512, at about 15 s of CPU."""
    cycles.samples, cycles.time_limit, cycles.seed = samples, time_limit, 0
    cycles.use_adaptive_sampling, cycles.adaptive_threshold, cycles.adaptive_min_samples = True, 0.05, 0
    cycles.use_denoising, cycles.denoiser, cycles.denoising_use_gpu = True, "OPENIMAGEDENOISE", False
    cycles.denoising_quality, cycles.denoising_input_passes, cycles.denoising_prefilter = "FAST", "RGB_ALBEDO_NORMAL", "FAST"
    cycles.max_bounces, cycles.feature_set, cycles.use_animated_seed, cycles.sample_offset = 4, "SUPPORTED", False, 0


def _workbench(scene: Any) -> None:
    """Shapes and base colours by a light of the camera's own: it shows geometry where a scene is dark."""
    shading = scene.display.shading
    shading.light, shading.color_type, shading.background_type = "STUDIO", "MATERIAL", "VIEWPORT"
    shading.background_color = BACKGROUND
    shading.show_shadows, shading.show_xray, shading.show_object_outline = False, False, False
    shading.show_cavity, shading.cavity_type, shading.use_dof = True, "BOTH", False
    shading.show_backface_culling = False
    scene.display.render_aa = "5"
    scene.view_settings.view_transform, scene.view_settings.look = "Standard", "None"
    scene.view_settings.exposure, scene.view_settings.gamma, scene.view_settings.use_curve_mapping = 0.0, 1.0, False
    for material in bpy.data.materials:
        if (colour := _base_colour(material)) is not None:
            material.diffuse_color = colour  # a viewport's colour: no other engine shows it
    for one in scene.objects:
        if one.display_type not in ("TEXTURED", "SOLID"):
            one.display_type = "TEXTURED"


def _base_colour(material: Any) -> Any:
    """What its Principled shader has as a base: the colour itself, or one on the way to it; None where it cannot be told so simply."""
    nodes = material.node_tree.nodes if material.use_nodes and material.node_tree else ()
    shader = next((node for node in nodes if node.type == "BSDF_PRINCIPLED"), None)
    if shader is None:
        return None
    socket = shader.inputs["Base Color"]
    if not socket.is_linked:
        return socket.default_value
    source = socket.links[0].from_node
    if source.type == "VALTORGB":
        return source.color_ramp.evaluate(0.6)
    return source.outputs[0].default_value if source.type == "RGB" else None
