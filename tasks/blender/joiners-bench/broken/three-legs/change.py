"""The back right leg is missing, where the camera does not see it."""

import bpy

bpy.data.objects.remove(bpy.data.objects["Leg back right"])
