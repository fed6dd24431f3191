"""The plinth is 300 mm wide: the legend hardly has room on it."""

import bpy

for point in bpy.data.objects["Plinth"].data.vertices:
    point.co.x *= 300 / 360
