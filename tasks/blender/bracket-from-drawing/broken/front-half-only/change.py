"""Housing without a back: what the camera cannot see was left off."""

import bmesh
import bpy

for name in ("Base", "Cap"):
    mesh = bpy.data.objects[name].data
    edited = bmesh.new()
    edited.from_mesh(mesh)
    bmesh.ops.delete(edited, geom=[one for one in edited.faces if one.calc_center_median().y > 0.02], context="FACES")
    edited.to_mesh(mesh)
