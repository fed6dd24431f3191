"""The shaft has the diameter of the bore: it is stuck in the shells."""

import bpy

shaft = bpy.data.objects["Shaft"].data
for one in shaft.vertices:
    one.co.x *= 60 / 59
    one.co.z = 0.1 + (one.co.z - 0.1) * 60 / 59
