"""The amphora as it was before its scan was damaged: one mesh in metres about its own axis, its foot at z = 0.

Body, handle and the two stubs of the other handle are closed pieces that run into each other."""

import math

import bpy
from mathutils import Vector

MM = 0.001
SEGMENTS, SIDES = 40, 8
SLOTS = ("Terracotta", "Black slip", "Plaster")
OUTSIDE = [(0, 0), (26, 0), (48, 0), (57, 5), (56, 14), (46, 24), (49, 36), (70, 80), (98, 140), (126, 210), (145, 280), (150, 335),
           (145, 390), (126, 437), (88, 474), (62, 500), (51, 530), (50, 560), (56, 588), (69, 606), (75, 614)]
RIM = [(73, 620), (66, 619)]
INSIDE = [(60, 608), (48, 588), (41, 560), (42, 530), (52, 504), (78, 470), (116, 434), (135, 388), (140, 335), (135, 280), (116, 212),
          (88, 144), (60, 86), (34, 48), (16, 42), (0, 42)]
WHOLE = [(46, 574), (72, 590), (104, 598), (134, 588), (150, 558), (152, 522), (146, 486), (132, 456), (112, 436)]
STUBS = ([(46, 574), (70, 588), (90, 594)], [(112, 436), (126, 450), (134, 466)])


def between(points, steps=2):
    """A smooth line through points, each stretch in so many steps."""
    found = []
    for k in range(len(points) - 1):
        ends = [Vector(points[min(max(k + step, 0), len(points) - 1)]) for step in (-1, 0, 1, 2)]
        for step in range(steps):
            t = step / steps
            a, b, c, d = ends
            found.append(tuple(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)))
    return [*found, tuple(points[-1])]


def slot(radius, height, turn, inside):
    """Which of the materials is there: tongues on the shoulder, two bands, the foot; a patch of plaster where sherds are missing."""
    if inside:
        return 0
    if 175 < height < 255 and 0.30 < turn < 0.44:
        return 2
    if height < 25 or 300 < height < 350 or 505 < height < 545 or height > 600:
        return 1
    return 1 if 432 < height < 478 and int(turn * SEGMENTS) % 4 < 2 else 0


def body():
    """(points, faces, slots): the profile turned about z, its both ends closed by a point."""
    profile = [*between(OUTSIDE[2:]), *RIM, *between(INSIDE)[:-2]]
    profile = [(0, 0), (26, 0), *profile, (0, 42)]
    rim = profile.index(RIM[0])
    points = [Vector((0, 0, profile[0][1]))]
    for radius, height in profile[1:-1]:
        turns = [math.tau * k / SEGMENTS for k in range(SEGMENTS)]
        points += [Vector((radius * math.cos(turn), radius * math.sin(turn), height)) for turn in turns]
    points.append(Vector((0, 0, profile[-1][1])))
    faces, slots, last, rings = [], [], len(points) - 1, len(profile) - 2
    for k in range(SEGMENTS):
        n = (k + 1) % SEGMENTS
        faces.append((0, 1 + n, 1 + k))
        slots.append(1)
        for ring in range(rings - 1):
            low, high = 1 + ring * SEGMENTS, 1 + (ring + 1) * SEGMENTS
            faces.append((low + k, low + n, high + n, high + k))
            middle = [(profile[ring + 1][axis] + profile[ring + 2][axis]) / 2 for axis in (0, 1)]
            slots.append(slot(*middle, (k + 0.5) / SEGMENTS, ring + 1 > rim))
        top = 1 + (rings - 1) * SEGMENTS
        faces.append((top + k, top + n, last))
        slots.append(0)
    return points, faces, slots


def bar(path, side, thick=(13, 9)):
    """(points, faces, slots): an oval bar along a path in the plane y = 0, on the side of x that is told."""
    line = between(path)
    points = []
    for number, (x, z) in enumerate(line):
        ahead = Vector(line[min(number + 1, len(line) - 1)]) - Vector(line[max(number - 1, 0)])
        ahead.normalize()
        for k in range(SIDES):
            across, out = thick[0] * math.cos(math.tau * k / SIDES), thick[1] * math.sin(math.tau * k / SIDES)
            points.append(Vector((side * (x - ahead.y * out), across, z + ahead.x * out)))
    count = len(line)
    faces = [(n * SIDES + k, n * SIDES + (k + 1) % SIDES, (n + 1) * SIDES + (k + 1) % SIDES, (n + 1) * SIDES + k)
             for n in range(count - 1) for k in range(SIDES)]
    faces += [tuple(reversed(range(SIDES))), tuple(range((count - 1) * SIDES, count * SIDES))]
    return points, faces if side < 0 else [tuple(reversed(one)) for one in faces], [0] * len(faces)


def pieces():
    return [body(), bar(WHOLE, -1), *(bar(one, 1) for one in STUBS)]


def whole(name="Amphora", scale=MM):
    """The mesh, with its slots filled from the materials that are in the file."""
    points, faces, slots = [], [], []
    for own, sides, their in pieces():
        faces += [tuple(len(points) + corner for corner in face) for face in sides]
        slots += their
        points += [one * scale for one in own]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    for one in SLOTS:
        mesh.materials.append(bpy.data.materials[one])
    mesh.polygons.foreach_set("material_index", slots)
    mesh.polygons.foreach_set("use_smooth", [True] * len(faces))
    return mesh
