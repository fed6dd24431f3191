"""The table takes no part in the simulation: everything falls through it."""

import bpy

bpy.context.scene.rigidbody_world.collection.objects.unlink(bpy.data.objects["Table"])
