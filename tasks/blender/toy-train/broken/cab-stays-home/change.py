"""Cab, roof and driver do not hang on the engine: it drives off without them."""

import bpy

bpy.context.scene.frame_set(1)
for one in bpy.data.objects:
    if one.name.startswith(("Engine cab", "Engine post", "Engine roof", "Engine driver")):
        place = one.matrix_world.copy()
        one.parent = None
        one.matrix_world = place
