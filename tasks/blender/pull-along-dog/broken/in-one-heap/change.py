"""All lies in one collection, and the wheels hang on nothing."""

import bpy

heap = bpy.data.collections["Dog"]
for one in bpy.data.objects:
    if one.type == "MESH":
        for held in list(one.users_collection):
            held.objects.unlink(one)
        heap.objects.link(one)
    if one.name.startswith(("Wheel", "Hub")):
        place = one.matrix_world.copy()
        one.parent = None
        one.matrix_world = place
