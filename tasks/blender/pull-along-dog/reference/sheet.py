"""Makes the brief's pictures and film: python sheet.py DOG.blend BRIEF, with the module bpy. Shapes and base colours by an even light;
the three plain views are without perspective, 2 pixels a millimetre, before lines 50 mm apart."""

import sys

import bpy
from mathutils import Vector

bpy.ops.wm.open_mainfile(filepath=sys.argv[1])
scene, out = bpy.context.scene, sys.argv[2]
render, shading = scene.render, scene.display.shading
GREY, MM = (0.5, 0.5, 0.5), 0.001
MIDDLE = Vector((0, -25, 115)) * MM
VIEWS = {"front": ((0, -1, 0), 600), "left": ((1, 0, 0), 960), "back": ((0, 1, 0), 600)}  # from where, and how many pixels wide


def plain():
    render.engine, render.resolution_percentage = "BLENDER_WORKBENCH", 100
    shading.light, shading.color_type, shading.show_cavity, shading.cavity_type = "STUDIO", "MATERIAL", True, "WORLD"
    shading.studio_light = "paint.sl"
    shading.background_type, shading.background_color = "VIEWPORT", GREY
    scene.view_settings.view_transform, scene.view_settings.look, scene.view_settings.exposure = "Standard", "None", 0.35
    scene.display.render_aa = "16"
    render.image_settings.file_format, render.image_settings.quality = "JPEG", 92


def camera(toward, away=1.5, lens=None, wide=0):
    made = bpy.data.objects.new("Sheet camera", bpy.data.cameras.new("Sheet camera"))
    scene.collection.objects.link(made)
    toward = Vector(toward).normalized()
    made.location, made.rotation_euler = MIDDLE + toward * away, (-toward).to_track_quat("-Z", "Y").to_euler()
    if lens:
        made.data.lens = lens
    else:
        made.data.type, made.data.ortho_scale = "ORTHO", wide * MM / 2
    scene.camera = made


def lines(toward):
    """Behind the dog, upright ones through the origin's plane and level ones from the ground up; those at 0 are the heavy ones."""
    across, paper = Vector((0, 0, 1)).cross(Vector(toward)), bpy.data.collections.new("Paper")
    scene.collection.children.link(paper)
    ink = bpy.data.materials.new("Ink")
    ink.diffuse_color = (0.3, 0.3, 0.32, 1)
    for at in range(-300, 301, 50):
        for upright in (True, False):
            thick = (1.6 if at == 0 else 0.6) * MM
            side, up = (thick, 1.0) if upright else (1.0, thick)
            middle = -Vector(toward) * 0.4 + (across * at * MM if upright else Vector((0, 0, at * MM)))
            corners = [middle + across * side * a / 2 + Vector((0, 0, up * b / 2)) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            mesh = bpy.data.meshes.new("Line")
            mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
            mesh.materials.append(ink)
            paper.objects.link(bpy.data.objects.new("Line", mesh))
    return paper


plain()
stand = bpy.data.objects["Stand"]
for name, (toward, wide) in VIEWS.items():
    stand.hide_render = True
    paper = lines(toward)
    render.resolution_x, render.resolution_y = wide, 600
    camera(toward, wide=max(wide, 600))
    render.filepath = f"{out}/{name}.jpg"
    bpy.ops.render.render(write_still=True)
    for one in list(paper.objects):
        bpy.data.objects.remove(one)
stand.hide_render = False
shading.show_shadows = True
camera((0.66, -0.78, 0.42), away=1.06, lens=70)
render.resolution_x, render.resolution_y, render.filepath = 900, 700, f"{out}/three-quarter.jpg"
bpy.ops.render.render(write_still=True)
camera((0.75, -0.35, 0.6), away=1.1, lens=74)
render.resolution_x, render.resolution_y = 400, 320
render.image_settings.file_format = "FFMPEG"
render.ffmpeg.format, render.ffmpeg.codec, render.ffmpeg.constant_rate_factor, render.ffmpeg.gopsize = "MPEG4", "H264", "HIGH", 24
render.filepath = f"{out}/wag.mp4"
bpy.ops.render.render(animation=True)
