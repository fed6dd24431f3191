"""The frames are right, but play at 30 a second: the train is too fast."""

import bpy

bpy.context.scene.render.fps = 30
