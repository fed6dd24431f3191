"""The scan itself mended as one would by hand: strays and flaps go, points are merged, holes are closed by flat patches, and the rest of
the mesh stays what the scanner saw."""

import bmesh
import bpy
from mathutils import Matrix

scan = bpy.data.objects["Amphora"]
mesh = scan.data
mesh.transform(Matrix.Scale(0.001, 4))
scan.scale = (1.0, 1.0, 1.0)
mesh.materials[1] = bpy.data.materials["Black slip"]
edited = bmesh.new()
edited.from_mesh(mesh)


def clean():
    """Flaps hang on an edge of three faces and end freely; a face laid upon another becomes its twin when points are merged."""
    bmesh.ops.remove_doubles(edited, verts=list(edited.verts), dist=1e-5)
    seen, twins = set(), []
    for face in edited.faces:
        key = frozenset(face.verts)
        (twins.append(face) if key in seen else seen.add(key))
    bmesh.ops.delete(edited, geom=twins, context="FACES_ONLY")
    wrong = [face for face in edited.faces if any(len(edge.link_faces) > 2 for edge in face.edges)
             and ((any(len(edge.link_faces) == 1 for edge in face.edges) and len(face.verts) == 3)
                  or sum(len(edge.link_faces) > 2 for edge in face.edges) >= 2)]
    bmesh.ops.delete(edited, geom=wrong, context="FACES_ONLY")
    bmesh.ops.delete(edited, geom=[one for one in edited.edges if not one.link_faces], context="EDGES")
    bmesh.ops.delete(edited, geom=[one for one in edited.verts if not one.link_faces], context="VERTS")


def loops():
    """The rims of the holes, each a list of edges."""
    left = {edge for edge in edited.edges if len(edge.link_faces) == 1}
    while left:
        open_, found = [left.pop()], []
        while open_:
            edge = open_.pop()
            found.append(edge)
            for point in edge.verts:
                for other in point.link_edges:
                    if other in left:
                        left.remove(other)
                        open_.append(other)
        yield found


def close():
    for rim in list(loops()):
        made = bmesh.ops.triangle_fill(edited, edges=rim, use_beauty=True)["geom"]
        faces = [one for one in made if isinstance(one, bmesh.types.BMFace)]
        slots = [face.material_index for edge in rim for face in edge.link_faces if face not in faces]
        for face in faces:
            face.material_index, face.smooth = max(set(slots), key=slots.count), True


clean()
close()
bmesh.ops.recalc_face_normals(edited, faces=list(edited.faces))
edited.to_mesh(mesh)
edited.free()
scan.parent = bpy.data.objects["Stand"]
scan.location = (0.0, 0.0, 0.06)
