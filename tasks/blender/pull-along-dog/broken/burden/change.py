"""Every part is divided once more than the toy can bear."""

import bpy

for one in bpy.data.objects:
    if one.type == "MESH":
        more = one.modifiers.new("More", "SUBSURF")
        more.levels = more.render_levels = 1
        more.subdivision_type = "SIMPLE"
