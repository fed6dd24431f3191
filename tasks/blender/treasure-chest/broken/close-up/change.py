"""A fine picture of the heap of coins, from straight before it: the chest is left out of it by half."""

import bpy
from mathutils import Vector

eye = bpy.data.objects["Shot"]
eye.location = (0.0, -0.85, 0.55)
eye.rotation_euler = (Vector((0.0, 0.0, 0.28)) - eye.location).to_track_quat("-Z", "Y").to_euler()
