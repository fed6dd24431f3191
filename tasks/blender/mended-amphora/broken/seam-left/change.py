"""The seam around the belly is still there: above and below it are two halves that only seem to be one."""

import bmesh
import bpy

mesh = bpy.data.objects["Amphora"].data
edited = bmesh.new()
edited.from_mesh(mesh)
for height in (0.28, 0.1525):
    flat = [one for one in edited.edges if abs(one.verts[0].co.z - one.verts[1].co.z) < 1e-5 and len(one.link_faces) == 2]
    nearest = min((abs(one.verts[0].co.z - height) for one in flat))
    bmesh.ops.split_edges(edited, edges=[one for one in flat if abs(abs(one.verts[0].co.z - height) - nearest) < 1e-5])
edited.to_mesh(mesh)
