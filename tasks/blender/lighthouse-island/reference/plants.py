"""Meshes of trees, bushes and rocks, a few of each, of which all others are linked copies; and where they stand."""

import math
import random

import bmesh
import bpy
from mathutils import Matrix, Vector, noise
from shapes import pipe
from terrain import SECTORS, from_cottage, from_path, from_stair, from_tower, height, reach, slope

TET = [Vector(point) for point in ((1, 0, -0.35), (-0.5, 0.87, -0.35), (-0.5, -0.87, -0.35), (0, 0, 0.6))]
TET_SIDES = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3))


def ball(radii, at, detail, rough, seed):
    """An icosphere, made uneven by noise."""
    form = bmesh.new()
    bmesh.ops.create_icosphere(form, subdivisions=detail, radius=1)
    points = list[Vector]()
    for point in form.verts:
        swollen = 1 + rough * noise.fractal(point.co * 1.4 + Vector((seed, 0, 0)), 1.0, 2.0, 4)
        points.append(Vector(point.co[k] * radii[k] for k in range(3)) * swollen + Vector(at))
    faces = [tuple(corner.index for corner in face.verts) for face in form.faces]
    form.free()
    return points, faces


def leaves(radii, at, count, size, random_):
    """Small closed leaves over an ellipsoid."""
    points, faces = [], []
    for _ in range(count):
        out = Vector((random_.gauss(0, 1), random_.gauss(0, 1), random_.gauss(0.25, 1))).normalized()
        place = Vector(out[k] * radii[k] * random_.uniform(0.86, 1.14) for k in range(3)) + Vector(at)
        turn = Matrix.Rotation(random_.uniform(0, 6.28), 3, out) @ out.to_track_quat("Z", "Y").to_matrix()
        turn = Matrix.Rotation(random_.uniform(-0.7, 0.7), 3, "X") @ turn
        faces += [tuple(len(points) + corner for corner in side) for side in TET_SIDES]
        points += [place + turn @ (corner * size * random_.uniform(0.7, 1.3)) for corner in TET]
    return points, faces


def joined(name, pieces, materials):
    """(points, faces, slot) each."""
    mesh, points, faces, slots = bpy.data.meshes.new(name), [], [], []
    for some, sides, slot in pieces:
        faces += [tuple(len(points) + corner for corner in side) for side in sides]
        slots += [slot] * len(sides)
        points += some
    mesh.from_pydata(points, [], faces)
    mesh.polygons.foreach_set("material_index", slots)
    for one in materials:
        mesh.materials.append(one)
    return mesh


def tree(name, seed, tall, bark, leaf):
    """A pine that the wind has bent to the east: flat clouds of leaves on a leaning trunk."""
    random_ = random.Random(seed)
    lean = random_.uniform(0.5, 1.1)
    trunk = [Vector((lean * t * t, 0.25 * math.sin(3 * t + seed), tall * 0.86 * t)) for t in (0, 0.15, 0.35, 0.55, 0.8, 1.0)]
    points, faces = pipe(trunk, 1.0, 10)
    thick = [0.24 - 0.17 * number / 5 for number in range(6)]
    points = [trunk[k // 10] + (point - trunk[k // 10]) * thick[k // 10] for k, point in enumerate(points)]
    pieces = [(points, faces, 0)]
    for number in range(5):
        level, wide = 0.5 + 0.1 * number, 1.45 - 0.17 * number
        angle = seed + 2.4 * number
        stem = trunk[3].lerp(trunk[5], min((level - 0.5) / 0.36, 1))
        out = 0.75 * (1 - number / 5)
        at = Vector((stem.x + out * math.cos(angle) + 0.15, stem.y + out * math.sin(angle), tall * level + 0.1))
        radii = (wide, wide * 0.85, 0.52)
        if number < 4:
            pieces.append((*pipe([stem - Vector((0, 0, 0.5)), stem.lerp(at, 0.5), at], 0.06, 6), 0))
        pieces += [(*ball(radii, at, 2, 0.22, seed + number), 1), (*leaves(radii, at, 80, 0.2, random_), 1)]
    top = max(point.z for some, _, _ in pieces for point in some)
    pieces = [([Vector((p.x, p.y, p.z * tall / top)) for p in some], sides, slot) for some, sides, slot in pieces]
    return joined(name, pieces, (bark, leaf))


def bush(name, seed, leaf):
    random_ = random.Random(seed)
    pieces = []
    for number in range(3):
        angle, r = seed + 2.1 * number, random_.uniform(0.42, 0.62)
        at, radii = (0.42 * math.cos(angle), 0.42 * math.sin(angle), 0.28), (r, r, r * 0.85)
        pieces += [(*ball(radii, at, 2, 0.25, seed + number), 0), (*leaves(radii, at, 56, 0.13, random_), 0)]
    return joined(name, pieces, (leaf,))


def rock(name, seed, stone):
    """One metre long, rough; planes are knocked off it."""
    random_ = random.Random(seed)
    points, faces = ball((0.52, 0.4, 0.34), (0, 0, 0), 3, 0.35, 10 * seed)
    for _ in range(9):
        out = Vector((random_.gauss(0, 1), random_.gauss(0, 1), random_.gauss(0, 0.8))).normalized()
        far = random_.uniform(0.62, 0.85) * max(point @ out for point in points)
        points = [point - out * max(point @ out - far, 0) * 0.9 for point in points]
    low, high = min(point.x for point in points), max(point.x for point in points)
    points = [point / (high - low) for point in points]
    mesh = joined(name, [(points, faces, 0)], (stone,))
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    mesh.set_sharp_from_angle(angle=math.radians(28))
    return mesh


def sites(count, seed, apart, low, high, steepest, clear):
    """Places on the ground, out of the way of buildings and paths."""
    random_, found = random.Random(seed), []
    for _ in range(200000):
        angle, share = random_.uniform(0, math.tau), math.sqrt(random_.uniform(0, 1.1))
        x, y = (share * reach(angle) * turn(angle) for turn in (math.cos, math.sin))
        z = height(x, y)
        if not low <= z <= high or slope(x, y) > steepest or any(math.hypot(x - a, y - b) < apart for a, b, _ in found):
            continue
        if min(from_tower(x, y) - 5.5, from_cottage(x, y) - 1.2, from_stair(x, y)[0] - 1.1, from_path(x, y) - 0.6) < clear:
            continue
        if y < -17 and abs(x - 4.5) < 6:
            continue
        found.append((x, y, z))
        if len(found) == count:
            return found
    raise RuntimeError(f"{len(found)} of {count} places found among {SECTORS}")
