"""Bodies: meshes with their outside out, in millimetres, each an object with its origin in the middle of its box."""

import math

import bmesh
import bpy
from mathutils import Matrix, Vector

MM = 0.001


def put(name, shape, where, material, parent=None):
    """A new object of a bmesh (which is used up) that lies at its place already."""
    low, high = (Vector(side(point.co[axis] for point in shape.verts) for axis in range(3)) for side in (min, max))
    middle = (low + high) / 2
    bmesh.ops.translate(shape, vec=-middle, verts=shape.verts)
    bmesh.ops.scale(shape, vec=(MM, MM, MM), verts=shape.verts)
    bmesh.ops.recalc_face_normals(shape, faces=shape.faces)
    mesh = bpy.data.meshes.new(name)
    shape.to_mesh(mesh)
    shape.free()
    mesh.materials.append(material)
    made = bpy.data.objects.new(name, mesh)
    where.objects.link(made)
    made.location = middle * MM
    if parent:
        made.parent, made.location = parent, made.location - parent.location
    return made


def box(name, low, high, where, material, edge=1.0, parent=None):
    """From corner to corner, its edges rounded in the mesh."""
    shape = bmesh.new()
    size = [b - a for a, b in zip(low, high, strict=True)]
    middle = [(a + b) / 2 for a, b in zip(low, high, strict=True)]
    bmesh.ops.create_cube(shape, size=1, matrix=Matrix.Translation(middle) @ Matrix.Diagonal((*size, 1)))
    if edge:
        bmesh.ops.bevel(shape, geom=list(shape.edges), offset=edge, segments=3, profile=0.5, affect="EDGES")
    return put(name, shape, where, material, parent)


def rod(name, start, end, radius, where, material, edge=0.0, sides=48, parent=None):
    """Round, from point to point."""
    start, end = Vector(start), Vector(end)
    turn = (end - start).to_track_quat("Z", "Y").to_matrix().to_4x4()
    shape = bmesh.new()
    bmesh.ops.create_cone(shape, cap_ends=True, segments=sides, radius1=radius, radius2=radius, depth=(end - start).length,
                          matrix=Matrix.Translation((start + end) / 2) @ turn)
    if edge:
        rims = [one for one in shape.edges if any(len(face.verts) > 4 for face in one.link_faces)]
        bmesh.ops.bevel(shape, geom=rims, offset=edge, segments=3, profile=0.5, affect="EDGES")
    made = put(name, shape, where, material, parent)
    smooth(made)
    return made


def smooth(made):
    """All but the flat ends."""
    for face in made.data.polygons:
        face.use_smooth = len(face.vertices) <= 4


def ball(name, middle, radius, where, material):
    shape = bmesh.new()
    bmesh.ops.create_icosphere(shape, subdivisions=4, radius=radius, matrix=Matrix.Translation(middle))
    made = put(name, shape, where, material)
    smooth(made)
    return made


def prism(name, profile, low, high, where, material, edge=0.0):
    """A profile in x and z, from y to y."""
    shape = bmesh.new()
    face = shape.faces.new([shape.verts.new((x, low, z)) for x, z in profile])
    bmesh.ops.recalc_face_normals(shape, faces=[face])
    out = bmesh.ops.extrude_face_region(shape, geom=[face])
    bmesh.ops.translate(shape, vec=(0, high - low, 0), verts=[one for one in out["geom"] if isinstance(one, bmesh.types.BMVert)])
    bmesh.ops.recalc_face_normals(shape, faces=shape.faces)
    if edge:
        sharp = [one for one in shape.edges if one.calc_face_angle(0) > math.radians(30)]
        bmesh.ops.bevel(shape, geom=sharp, offset=edge, segments=2, profile=0.5, affect="EDGES")
    return put(name, shape, where, material)


def trough(name, start, end, half, wall, thick, rim, where, material):
    """A sloping board with a rim on either side: the floor's upper side runs from `start` to `end` (x, z); `half` is the y of
    its middle and half its width."""
    (x0, z0), (x1, z1), (y, reach) = start, end, half
    along = Vector((x1 - x0, 0, z1 - z0)).normalized()
    up = Vector((-along.z, 0, along.x))
    section = [(-reach - wall, -thick), (reach + wall, -thick), (reach + wall, rim), (reach, rim), (reach, 0), (-reach, 0), (-reach, rim),
               (-reach - wall, rim)]
    shape = bmesh.new()
    ends = [[shape.verts.new(Vector((px, y + aside, pz)) + up * high) for aside, high in section] for px, pz in (start, end)]
    for number in range(len(section)):
        after = (number + 1) % len(section)
        shape.faces.new((ends[0][number], ends[0][after], ends[1][after], ends[1][number]))
    for loop in ends:
        shape.faces.new(loop)
    return put(name, shape, where, material)
