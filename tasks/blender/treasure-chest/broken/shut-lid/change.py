"""The lid is shut: it was modelled, and never opened."""

import bpy

bpy.data.objects["SM_Chest_Lid"].rotation_euler.x = 0.0
