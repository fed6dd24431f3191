"""The Booleans are applied and the cutters thrown away: no window can be moved any more."""

import bpy

graph = bpy.context.evaluated_depsgraph_get()
walls = [one for one in bpy.data.objects if one.modifiers]
baked = {one: bpy.data.meshes.new_from_object(one.evaluated_get(graph)) for one in walls}
for one, mesh in baked.items():
    one.modifiers.clear()
    one.data = mesh
for one in list(bpy.data.collections["Cutters"].objects):
    bpy.data.objects.remove(one)
