"""The wheels and pins on the side that the camera does not see are missing."""

import bpy

for one in list(bpy.data.objects):
    if (" wheel " in one.name or " pin " in one.name) and one.name.endswith("right"):
        bpy.data.objects.remove(one)
