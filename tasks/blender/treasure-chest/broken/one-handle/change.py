"""What the camera does not see is not there: the right handle, and half of the coins."""

import bpy

bpy.data.objects.remove(bpy.data.objects["SM_Chest_Handle_R"])
for number in range(10, 27):
    bpy.data.objects.remove(bpy.data.objects[f"SM_Coin_{number:02}"])
