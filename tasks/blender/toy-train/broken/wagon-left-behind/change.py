"""The second wagon stays where it is when the train leaves."""

import bpy

bpy.context.scene.frame_set(1)
bpy.data.objects["Wagon 2"].animation_data_clear()
