"""Balls of a million triangles."""

import bpy

for one in bpy.data.collections["Atoms"].objects:
    modifier = one.modifiers.new("Smooth", "SUBSURF")
    modifier.levels = modifier.render_levels = 2
