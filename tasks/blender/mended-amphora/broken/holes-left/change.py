"""Two small holes on the side away from the camera were overlooked."""

import bmesh
import bpy

mesh = bpy.data.objects["Amphora"].data
edited = bmesh.new()
edited.from_mesh(mesh)
lost = [one for one in edited.faces if one.calc_center_median().y > 0.11 and 0.40 < one.calc_center_median().z < 0.42][:3]
bmesh.ops.delete(edited, geom=lost, context="FACES")
edited.to_mesh(mesh)
