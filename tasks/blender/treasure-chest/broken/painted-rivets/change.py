"""Rivets are spots of a texture on the bands, and one row of real ones stands for the camera."""

import bmesh
import bpy

bpy.data.objects.remove(bpy.data.objects["SM_Chest_Lid_Rivets"])
rivets = bpy.data.objects["SM_Chest_Rivets"].data
edited = bmesh.new()
edited.from_mesh(rivets)
bmesh.ops.delete(edited, geom=[one for one in edited.verts if one.co.y > -0.2], context="VERTS")
edited.to_mesh(rivets)
iron = bpy.data.materials["M_Iron"].node_tree
dots, mix = iron.nodes.new("ShaderNodeTexVoronoi"), iron.nodes.new("ShaderNodeMath")
dots.inputs["Scale"].default_value, mix.operation = 20.0, "LESS_THAN"
iron.links.new(dots.outputs["Distance"], mix.inputs[0])
iron.links.new(mix.outputs[0], iron.nodes["Principled BSDF"].inputs["Base Color"])
