"""The scene ends at frame 80: a sixth of the lap is never played."""

import bpy

bpy.context.scene.frame_end = 80
