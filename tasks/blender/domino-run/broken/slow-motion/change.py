"""The clock of the bodies runs at a third of its speed."""

import bpy

bpy.context.scene.rigidbody_world.time_scale = 0.33
