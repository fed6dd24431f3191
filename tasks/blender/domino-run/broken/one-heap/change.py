"""Everything lies in one collection, and half of the names are Blender's."""

import bpy

scene = bpy.context.scene
heap = bpy.data.collections["Dominoes"]
for name in ("Start", "Finish", "Table top"):
    for one in list(bpy.data.collections[name].objects):
        heap.objects.link(one)
    bpy.data.collections.remove(bpy.data.collections[name])
bpy.data.materials["Brass"].name = "Material.001"
