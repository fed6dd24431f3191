"""The name is too small, and hovers 60 mm before the wall."""

import bpy

name = bpy.data.objects["Letters"]
name.scale = (0.7, 0.7, 1)
name.location.y -= 0.06
