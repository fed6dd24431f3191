"""The lid's planks hang on nothing: they stay behind when the lid is turned."""

import bpy

planks = bpy.data.objects["SM_Chest_Lid_Planks"]
bpy.context.view_layer.update()
kept = planks.matrix_world.copy()
planks.parent = None
planks.matrix_world = kept
