"""One mesh with everything in it: nothing can be measured, moved or named."""

import bpy

parts = [one for one in bpy.data.objects if one.type == "MESH"]
for one in parts:
    one.select_set(True)
bpy.context.view_layer.objects.active = bpy.data.objects["Top"]
bpy.ops.object.join()
