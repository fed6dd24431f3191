"""The lid's origin is the middle of the lid: turned, it would swing through the chest."""

import bpy
from mathutils import Vector

pivot = bpy.data.objects["SM_Chest_Lid"]
bpy.context.view_layer.update()
kept = {one: one.matrix_world.copy() for one in pivot.children}
middle = pivot.matrix_world @ Vector((0.0, -0.2, 0.06))
pivot.location = middle
bpy.context.view_layer.update()
for one, matrix in kept.items():
    one.matrix_world = matrix
