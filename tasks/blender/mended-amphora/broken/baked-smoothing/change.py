"""The modifier is applied, together with the mending."""

import bpy

scan = bpy.data.objects["Amphora"]
made = bpy.data.meshes.new_from_object(scan.evaluated_get(bpy.context.evaluated_depsgraph_get()))
scan.modifiers.clear()
scan.data = made
