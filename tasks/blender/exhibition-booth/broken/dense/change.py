"""Carafes are smoothed until a million triangles are drawn."""

import bpy

for one in bpy.data.objects:
    if one.name.startswith("Product "):
        modifier = one.modifiers.new("Smooth", "SUBSURF")
        modifier.subdivision_type, modifier.levels, modifier.render_levels = "SIMPLE", 3, 3
