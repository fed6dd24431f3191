"""The cables end 120 mm above the ring, which floats."""

import bpy

for one in bpy.data.objects:
    if one.name.startswith("Cable "):
        one.scale.z = 0.75
        one.location.z += 0.066
