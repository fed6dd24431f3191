"""Names as Blender gives them, and a material of its own for each part of iron."""

import bpy

for number, one in enumerate(sorted(one.name for one in bpy.data.objects if "Hinge" in one.name or "Handle" in one.name)):
    part = bpy.data.objects[one]
    part.data.materials[0] = part.data.materials[0].copy()
    part.name = f"Cylinder.{number:03}"
