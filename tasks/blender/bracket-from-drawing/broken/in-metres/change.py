"""A millimetre of the drawing taken for a unit: the bearing is 360 m long."""

import bpy

for one in bpy.data.objects:
    if one.type == "MESH":
        one.scale *= 1000
        one.location *= 1000
