"""The camera was left behind the back wall, where ribs were last worked at."""

import bpy
from mathutils import Vector

eye = bpy.context.scene.camera
eye.location = (1.5, 6.0, 1.8)
eye.rotation_euler = (Vector((0, 2, 1.5)) - eye.location).to_track_quat("-Z", "Y").to_euler()
