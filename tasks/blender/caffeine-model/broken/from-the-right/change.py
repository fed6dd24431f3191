"""The picture is taken from the right, and so near that it lacks the plinth."""

import bpy
from mathutils import Vector

eye = bpy.data.objects["Camera"]
eye.location = (0.3, -0.75, 0.42)
eye.rotation_euler = (Vector((0, 0, 0.34)) - eye.location).to_track_quat("-Z", "Y").to_euler()
