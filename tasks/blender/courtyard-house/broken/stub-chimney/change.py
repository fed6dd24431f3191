"""The chimney begins on the ceiling: what is seen from outside was thought to be enough."""

import bpy

chimney = bpy.data.objects["Chimney"]
for point in chimney.data.vertices:
    if point.co.z < 0:
        point.co.z += 2.8
