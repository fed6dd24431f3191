"""Jaw and tongue hang on the head: the mouth cannot be opened."""

import bpy

bpy.context.view_layer.update()
for name in ("Jaw", "Tongue"):
    one = bpy.data.objects[name]
    place = one.matrix_world.copy()
    one.parent_bone = "Head"
    bpy.context.view_layer.update()
    one.matrix_world = place
