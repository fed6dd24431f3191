"""Takes the four pictures of brief/ (run by hand: python pictures.py BOOTH.blend FOLDER)."""

import sys
from pathlib import Path

import bpy
import finish

VIEWS = {"front-left": ((-3.7, -9.4, 2.3), (0.1, -0.1, 1.65), 38), "front-right": ((5.0, -7.4, 1.9), (-0.1, 0.0, 1.5), 34),
         "behind": ((7.6, 5.4, 4.2), (0.5, 0.1, 1.3), 34), "above": ((-1.2, -6.4, 8.6), (0.0, -0.3, 0.7), 34)}


def take(project, folder):
    bpy.ops.wm.open_mainfile(filepath=str(project), load_ui=False)
    scene = bpy.context.scene
    render = scene.render
    render.engine, render.use_persistent_data = "CYCLES", True
    render.resolution_x, render.resolution_y, render.resolution_percentage = 640, 480, 100
    scene.cycles.samples, scene.cycles.use_denoising, scene.cycles.max_bounces = 32, True, 4
    scene.cycles.use_adaptive_sampling, scene.cycles.adaptive_threshold = True, 0.05
    render.image_settings.file_format, render.image_settings.quality = "JPEG", 90
    for name, (at, aim, lens) in VIEWS.items():
        scene.camera = finish.seen(scene, name, at, aim, lens)
        render.filepath = str(folder / f"{name}.jpg")
        bpy.ops.render.render(write_still=True)


if __name__ == "__main__":
    take(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
