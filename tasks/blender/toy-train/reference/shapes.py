"""Bodies of wood: meshes with their outside out, in millimetres, each an object with its origin in its middle."""

import math

import bmesh
import bpy
from line import place, stations
from mathutils import Vector

MM = 0.001


def put(name, mesh, middle, parent, where, material):
    made = bpy.data.objects.new(name, mesh)
    where.objects.link(made)
    mesh.materials.append(material)
    made.parent, made.location = parent, Vector(middle) * MM
    return made


def meshed(name, points, faces):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([Vector(point) * MM for point in points], [], faces)
    return mesh


def box(name, low, high, where, material, parent=None, edge=1.5):
    """From corner to corner, with live broken edges."""
    half = [(b - a) / 2 for a, b in zip(low, high, strict=True)]
    points = [(x, y, z) for x in (-half[0], half[0]) for y in (-half[1], half[1]) for z in (-half[2], half[2])]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    made = put(name, meshed(name, points, faces), [(a + b) / 2 for a, b in zip(low, high, strict=True)], parent, where, material)
    if edge:
        modifier = made.modifiers.new("Broken edges", "BEVEL")
        modifier.width, modifier.segments = edge * MM, 2
    return made


def rod(name, start, end, radius, where, material, parent=None, tip=None, sides=32):
    """Round, from point to point; with `tip`, of another radius at its end."""
    start, end = Vector(start), Vector(end)
    along, middle = end - start, (start + end) / 2
    turn = along.to_track_quat("Z", "Y")
    points = [turn @ Vector((r * math.cos(math.tau * k / sides), r * math.sin(math.tau * k / sides), z))
              for r, z in ((radius, -along.length / 2), (radius if tip is None else tip, along.length / 2)) for k in range(sides)]
    faces = [(k, (k + 1) % sides, sides + (k + 1) % sides, sides + k) for k in range(sides)]
    mesh = meshed(name, points, [*faces, tuple(reversed(range(sides))), tuple(range(sides, 2 * sides))])
    for face in mesh.polygons[:sides]:
        face.use_smooth = True
    return put(name, mesh, middle, parent, where, material)


def ball(name, middle, radius, where, material, parent=None):
    mesh, shape = bpy.data.meshes.new(name), bmesh.new()
    bmesh.ops.create_uvsphere(shape, u_segments=24, v_segments=14, radius=radius * MM)
    shape.to_mesh(mesh)
    shape.free()
    for face in mesh.polygons:
        face.use_smooth = True
    return put(name, mesh, middle, parent, where, material)


def strip(name, inner, outer, low, high, where, material):
    """All round the oval, from so far to the right of its line to so far (to the left: less than none)."""
    points = []
    for way in stations():
        x, y, heading = place(way)
        right = Vector((math.sin(heading), -math.cos(heading)))
        for aside, z in ((inner, low), (outer, low), (outer, high), (inner, high)):
            points.append((x + right.x * aside, y + right.y * aside, z))
    count = len(points) // 4
    faces = [tuple((4 * ((s + step) % count) + (k + over) % 4) for step, over in ((0, 0), (1, 0), (1, 1), (0, 1)))
             for s in range(count) for k in range(4)]
    return put(name, meshed(name, points, faces), (0, 0, 0), None, where, material)


def roof(name, low, high, where, material):
    """A gable along x."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    y = (y0 + y1) / 2
    points = [(x, *rest) for x in (x0, x1) for rest in ((y0, z0), (y1, z0), (y, z1))]
    faces = [(0, 2, 1), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5)]
    return put(name, meshed(name, points, faces), (0, 0, 0), None, where, material)
