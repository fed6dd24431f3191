"""A pull hangs in the air before its front."""

import bpy

bpy.data.objects["Pull 1"].location.y -= 0.025
