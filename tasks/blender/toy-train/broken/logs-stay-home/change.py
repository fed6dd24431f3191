"""The timber does not hang on its wagon, and lies in a collection of its own."""

import bpy

bpy.context.scene.frame_set(1)
heap = bpy.data.collections.new("Timber")
bpy.context.scene.collection.children.link(heap)
for one in bpy.data.objects:
    if one.name.startswith("Wagon 1 log"):
        place = one.matrix_world.copy()
        one.parent = None
        one.matrix_world = place
        bpy.data.collections["Train"].objects.unlink(one)
        heap.objects.link(one)
