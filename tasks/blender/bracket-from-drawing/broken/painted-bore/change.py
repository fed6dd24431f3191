"""The housing is two full blocks: bore, slots and bolt holes are drawn on it in black, and what lies in them hides the rest."""

import bmesh
import bpy

for name in ("Base", "Cap"):
    mesh = bpy.data.objects[name].data
    hull = bmesh.new()
    hull.from_mesh(mesh)
    made = bmesh.ops.convex_hull(hull, input=list(hull.verts))
    bmesh.ops.delete(hull, geom=[one for one in made["geom_interior"] if isinstance(one, bmesh.types.BMVert)], context="VERTS")
    bmesh.ops.delete(hull, geom=[one for one in hull.faces if one not in {each for each in made["geom"] if isinstance(each, bmesh.types.BMFace)}],
                     context="FACES_ONLY")
    bmesh.ops.delete(hull, geom=[one for one in hull.edges if not one.link_faces], context="EDGES")
    bmesh.ops.recalc_face_normals(hull, faces=list(hull.faces))
    hull.to_mesh(mesh)
    bpy.data.objects[name].modifiers.clear()
