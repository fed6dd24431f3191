"""Meshes by their corners, in millimetres of the world."""

import math
from itertools import pairwise

import bmesh
import bpy
from mathutils import Vector, noise

MM = 0.001


def collection(name, above):
    made = bpy.data.collections.new(name)
    above.children.link(made)
    return made


def solid(name, points, faces, where, material, origin=None):
    """One mesh object; its origin is the middle of its box, or `origin`."""
    points = [Vector(point) * MM for point in points]
    low, high = (Vector([reach(point[k] for point in points) for k in range(3)]) for reach in (min, max))
    middle = (low + high) / 2 if origin is None else Vector(origin) * MM
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([point - middle for point in points], [], faces)
    shape = bmesh.new()
    shape.from_mesh(mesh)
    bmesh.ops.recalc_face_normals(shape, faces=shape.faces)
    shape.to_mesh(mesh)
    shape.free()
    mesh.materials.append(material)
    made = bpy.data.objects.new(name, mesh)
    made.location = middle
    where.objects.link(made)
    return made


def box(name, low, high, where, material, origin=None):
    points = [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return solid(name, points, faces, where, material, origin)


def around(layers, closed_ends=False):
    """Faces between rings of as many points each, one after the other; the last is joined to the first, or both are covered."""
    sides, count = len(layers[0]), len(layers)
    points = [point for layer in layers for point in layer]
    faces = []
    for number in range(count - closed_ends):
        here, there = number * sides, (number + 1) % count * sides
        faces += [(here + k, here + (k + 1) % sides, there + (k + 1) % sides, there + k) for k in range(sides)]
    if closed_ends:
        faces += [tuple(reversed(range(sides))), tuple(range((count - 1) * sides, count * sides))]
    return points, faces


def rectangle(half_x, half_y, z):
    return [(-half_x, -half_y, z), (half_x, -half_y, z), (half_x, half_y, z), (-half_x, half_y, z)]


def ring(name, outer, inner, low, high, where, material):
    """A flat plate around the middle with a hole: outer and inner are half sides (x, y)."""
    layers = [rectangle(*outer, low), rectangle(*outer, high), rectangle(*inner, high), rectangle(*inner, low)]
    return solid(name, *around(layers), where, material)


def turned(name, profile, at, where, material, sides=48, smooth=True):
    """A body of revolution; profile is (radius, height) from below on the outside, radius 0 at both ends."""
    x, y = at
    points, rows = [], []
    for radius, z in profile:
        rows.append((len(points), 1 if radius == 0 else sides))
        turns = [math.tau * k / sides for k in range(sides)] if radius else [0]
        points += [(x + radius * math.cos(turn), y + radius * math.sin(turn), z) for turn in turns]
    faces = []
    for (low, lows), (high, highs) in pairwise(rows):
        for k in range(sides):
            after = (k + 1) % sides
            corners = [low + k % lows, low + after % lows, high + after % highs, high + k % highs]
            faces.append(tuple(dict.fromkeys(corners)))
    made = solid(name, points, faces, where, material)
    for face in made.data.polygons:
        face.use_smooth = smooth
    return made


def tube(points, radii, sides=12):
    """Points and faces of a closed limb along `points`."""
    layers = []
    for number, (point, radius) in enumerate(zip(points, radii, strict=True)):
        ahead = Vector(points[min(number + 1, len(points) - 1)]) - Vector(points[max(number - 1, 0)])
        turn = ahead.to_track_quat("Z", "Y")
        layers.append([Vector(point) + turn @ Vector((radius * math.cos(math.tau * k / sides), radius * math.sin(math.tau * k / sides), 0))
                       for k in range(sides)])
    return around(layers, closed_ends=True)


def clump(middle, radius, seed, rings=10, sides=16):
    """Points and faces of an uneven ball of leaves."""
    middle = Vector(middle)

    def at(direction):
        rough = noise.noise(direction * 2.2 + Vector((seed, 0, 0))) * 0.28 + noise.noise(direction * 6 + Vector((0, seed, 0))) * 0.14
        return middle + direction * radius * (1 + rough)

    layers = []
    for row in range(1, rings):
        tilt = math.pi * row / rings
        z, flat = -math.cos(tilt), math.sin(tilt)
        layers.append([at(Vector((flat * math.cos(math.tau * k / sides), flat * math.sin(math.tau * k / sides), z))) for k in range(sides)])
    return around(layers, closed_ends=True)


def together(pieces):
    """One list of points and faces of several."""
    points, faces = [], []
    for own_points, own_faces in pieces:
        faces += [tuple(len(points) + corner for corner in face) for face in own_faces]
        points += own_points
    return points, faces
