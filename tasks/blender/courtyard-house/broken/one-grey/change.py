"""A model of grey card: all is of one material, but for the panes."""

import bpy

grey = bpy.data.materials.new("Grey card")
for one in bpy.data.objects:
    if one.type in ("MESH", "CURVE") and not one.name.endswith(" pane"):
        one.data.materials.clear()
        one.data.materials.append(grey)
