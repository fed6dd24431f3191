"""Solid bodies by their corners, in millimetres of the world, and letters."""

import math
from itertools import pairwise

import bmesh
import bpy
from mathutils import Vector

MM = 0.001


def collection(name, above):
    made = bpy.data.collections.new(name)
    above.children.link(made)
    return made


def solid(name, points, faces, where, material, smooth=False):
    """One mesh object with its origin in the middle of its box."""
    points = [Vector(point) * MM for point in points]
    low, high = (Vector([reach(point[k] for point in points) for k in range(3)]) for reach in (min, max))
    middle = (low + high) / 2
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([point - middle for point in points], [], faces)
    shape = bmesh.new()
    shape.from_mesh(mesh)
    bmesh.ops.recalc_face_normals(shape, faces=shape.faces)
    shape.to_mesh(mesh)
    shape.free()
    for face in mesh.polygons:
        face.use_smooth = smooth
    mesh.materials.append(material)
    made = bpy.data.objects.new(name, mesh)
    made.location = middle
    where.objects.link(made)
    return made


def box(name, low, high, where, material, edge=0):
    """From corner to corner; `edge` rounds it by a live bevel."""
    points = [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    made = solid(name, points, faces, where, material)
    if edge:
        rounded = made.modifiers.new("Edges", "BEVEL")
        rounded.width, rounded.segments = edge * MM, 3
    return made


def prism(name, outline, low, high, where, material, axis="z"):
    """A flat figure (pairs of coordinates) drawn out along an axis; the pairs are (x, y) along z, (x, z) along y, (y, z) along x."""
    put = {"z": lambda a, b, c: (a, b, c), "y": lambda a, b, c: (a, c, b), "x": lambda a, b, c: (c, a, b)}[axis]
    count = len(outline)
    points = [put(a, b, reach) for reach in (low, high) for a, b in outline]
    faces = [(k, (k + 1) % count, count + (k + 1) % count, count + k) for k in range(count)]
    faces += [tuple(range(count)), tuple(range(count, 2 * count))]
    return solid(name, points, faces, where, material)


def turned(name, profile, at, where, material, sides=48):
    """A body of revolution; profile is (radius, height) from axis to axis, or closed upon itself where it never meets the axis."""
    x, y = at
    points, rows = [], []
    for radius, z in profile:
        rows.append((len(points), sides if radius else 1))
        turns = [math.tau * k / sides for k in range(sides)] if radius else [0]
        points += [(x + radius * math.cos(turn), y + radius * math.sin(turn), z) for turn in turns]
    if profile[0][0] and profile[-1][0]:
        rows.append(rows[0])
    faces = []
    for (low, lows), (high, highs) in pairwise(rows):
        for k in range(sides):
            after = (k + 1) % sides
            faces.append(tuple(dict.fromkeys([low + k % lows, low + after % lows, high + after % highs, high + k % highs])))
    made = solid(name, points, faces, where, material, smooth=True)
    made.data.set_sharp_from_angle(angle=math.radians(40))
    return made


def bar(name, start, end, diameter, where, material, sides=24):
    start, end = Vector(start), Vector(end)
    turn = (end - start).to_track_quat("Z", "Y")
    points = [point + turn @ (Vector((math.cos(math.tau * k / sides), math.sin(math.tau * k / sides), 0)) * diameter / 2)
              for point in (start, end) for k in range(sides)]
    faces = [(k, (k + 1) % sides, sides + (k + 1) % sides, sides + k) for k in range(sides)]
    made = solid(name, points, [*faces, tuple(range(sides)), tuple(range(sides, 2 * sides))], where, material, smooth=True)
    made.data.set_sharp_from_angle(angle=math.radians(40))
    return made


def letters(name, said, size, depth, at, turn, where, material):
    """A text object that stays text; `at` is the middle of its foot on the surface that it stands out from, `turn` its turn about z."""
    text = bpy.data.curves.new(name, "FONT")
    text.body, text.size, text.align_x = said, size * MM, "CENTER"
    text.extrude, text.offset, text.space_character = depth * MM / 2, size * MM * 0.02, 1.08
    text.materials.append(material)
    made = bpy.data.objects.new(name, text)
    made.rotation_euler = (math.pi / 2, 0, turn)
    made.location = (Vector(at) + Vector((math.sin(turn), -math.cos(turn), 0)) * depth / 2) * MM
    where.objects.link(made)
    return made


def rope(name, start, end, sag, where, material):
    """A curve with thickness between two points."""
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions, curve.bevel_depth, curve.bevel_resolution, curve.use_fill_caps = "3D", 0.016, 3, True
    line = curve.splines.new("POLY")
    line.points.add(16)
    for number, point in enumerate(line.points):
        share = number / 16
        where_ = Vector(start).lerp(Vector(end), share) - Vector((0, 0, sag * 4 * share * (1 - share)))
        point.co = (*(where_ * MM), 1)
    curve.materials.append(material)
    made = bpy.data.objects.new(name, curve)
    where.objects.link(made)
    return made
