"""Everything that is round is subdivided until the file is a burden."""

import bpy

for one in bpy.data.objects:
    if one.type == "MESH" and " wheel " in one.name:
        more = one.modifiers.new("Smooth", "SUBSURF")
        more.levels = more.render_levels = 4
        more.subdivision_type = "SIMPLE"
