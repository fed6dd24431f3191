"""The leaves are where they belong and hang on nothing: the disc turns away under them."""

import bpy

for side in ("front", "back"):
    one = bpy.data.objects[f"Emblem {side}"]
    place = one.matrix_world.copy()
    one.parent = None
    one.matrix_world = place
