"""Half of the rivets is there, a modifier mirrors the other: an engine that takes the mesh gets half of them."""

import bmesh
import bpy

rivets = bpy.data.objects["SM_Chest_Rivets"]
edited = bmesh.new()
edited.from_mesh(rivets.data)
bmesh.ops.delete(edited, geom=[one for one in edited.verts if one.co.x < 0], context="VERTS")
edited.to_mesh(rivets.data)
rivets.modifiers.new("Mirror", "MIRROR")
