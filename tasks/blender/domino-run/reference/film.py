"""Makes brief/run.mp4: python film.py DOMINOES.blend FILM.mp4, with the module bpy; shapes and base colours, from the project's camera, for
the four seconds in which anything is seen to move."""

import sys

import bpy

bpy.ops.wm.open_mainfile(filepath=sys.argv[1])
scene = bpy.context.scene
render, shading = scene.render, scene.display.shading
render.engine, render.resolution_x, render.resolution_y, render.resolution_percentage = "BLENDER_WORKBENCH", 480, 300, 100
shading.light, shading.color_type, shading.show_shadows, shading.show_cavity = "STUDIO", "MATERIAL", True, True
scene.display.render_aa = "5"
scene.view_settings.view_transform, scene.view_settings.exposure = "Standard", 0.9
shading.background_type, shading.background_color = "VIEWPORT", (0.35, 0.4, 0.45)
render.image_settings.file_format = "FFMPEG"
render.ffmpeg.format, render.ffmpeg.codec, render.ffmpeg.constant_rate_factor, render.ffmpeg.gopsize = "MPEG4", "H264", "HIGH", 30
render.filepath = sys.argv[2]
scene.frame_end = 120
for frame in range(1, scene.frame_end + 1):  # rendering steps no bodies: it shows what was stepped before
    scene.frame_set(frame)
bpy.ops.render.render(animation=True)
