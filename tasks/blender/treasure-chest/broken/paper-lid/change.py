"""The lid's planks are sheets without an inside: from the front one looks through them."""

import bmesh
import bpy

planks = bpy.data.objects["SM_Chest_Lid_Planks"].data
edited = bmesh.new()
edited.from_mesh(planks)
inward = [one for one in edited.faces if abs(one.normal.x) < 0.5 and one.normal.z < -0.3]
bmesh.ops.delete(edited, geom=inward, context="FACES")
edited.to_mesh(planks)
