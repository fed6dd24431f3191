"""The picture shows the back, and cuts the anchors off."""

import bpy
from mathutils import Vector

eye = bpy.data.objects["Shot"]
eye.location = (0.2, 0.42, 0.3)
eye.rotation_euler = (Vector((0.0, 0.0, 0.08)) - eye.location).to_track_quat("-Z", "Y").to_euler()
