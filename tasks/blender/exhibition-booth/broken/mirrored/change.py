"""Left and right are exchanged: totem and shelf stand on the right, counter and ramp on the left. The name reads as it should."""

import bpy

for one in bpy.data.objects:
    if one.type in ("MESH", "FONT", "CURVE"):
        one.location.x = -one.location.x
        if one.type != "FONT":
            one.scale.x = -one.scale.x
