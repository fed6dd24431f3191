"""Roof and ceiling were left in the collection of the walls: the model cannot be opened."""

import bpy

walls, roof = bpy.data.collections["Walls"], bpy.data.collections["Roof"]
for name in ("Roof", "Ceiling"):
    roof.objects.unlink(bpy.data.objects[name])
    walls.objects.link(bpy.data.objects[name])
