"""A coarse remesh over everything: it is closed at once, and stubs, rim, wall and decoration are gone."""

import bpy

scan = bpy.data.objects["Amphora"]
remesh = scan.modifiers.new("Remesh", "REMESH")
remesh.mode, remesh.voxel_size = "VOXEL", 0.014
scan.modifiers.move(1, 0)
scan.modifiers["Scan smoothing"].show_viewport = False
made = bpy.data.meshes.new_from_object(scan.evaluated_get(bpy.context.evaluated_depsgraph_get()))
scan.modifiers.remove(scan.modifiers["Remesh"])
scan.modifiers["Scan smoothing"].show_viewport = True
scan.data = made
made.materials.clear()
made.materials.append(bpy.data.materials["Terracotta"])
