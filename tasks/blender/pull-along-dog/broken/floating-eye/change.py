"""The left eye floats before the face: from the front nobody sees it."""

import bpy

eye = bpy.data.objects["Eye.L"]
place = eye.matrix_world.copy()
place.translation.y -= 0.012
eye.matrix_world = place
