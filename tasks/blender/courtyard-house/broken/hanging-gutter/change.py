"""The eastern gutter hangs beside the roof, 80 mm away from it and from its neighbours."""

import bpy

bpy.data.objects["Gutter east"].location.x += 0.08
bpy.data.objects["Gutter east"].location.z -= 0.08
