"""The camera stands in the street before the entrance: nothing of the courtyard is seen, and the corners of the house are cut off."""

import bpy
from mathutils import Vector

eye = bpy.context.scene.camera
eye.location = (0.5, -11, 1.7)
eye.rotation_euler = (Vector((0, 0, 2)) - eye.location).to_track_quat("-Z", "Y").to_euler()
