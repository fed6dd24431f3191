"""The bevels are applied: the edges look the same, and can no longer be changed."""

import bpy

for one in bpy.data.objects:
    if one.type == "MESH" and one.modifiers:
        baked = bpy.data.meshes.new_from_object(one.evaluated_get(bpy.context.evaluated_depsgraph_get()))
        one.modifiers.clear()
        one.data = baked
