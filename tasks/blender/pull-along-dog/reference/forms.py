"""Closed bodies with their outside out, in millimetres; each is an object with its origin in the middle of its box."""

import math

import bpy
from mathutils import Vector

MM = 0.001
ACROSS = Vector((1, 0, 0))


def put(name, points, faces, where, material):
    points = [Vector(point) for point in points]
    middle = Vector([(min(p[k] for p in points) + max(p[k] for p in points)) / 2 for k in range(3)])
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([(point - middle) * MM for point in points], [], faces)
    mesh.polygons.foreach_set("use_smooth", [True] * len(faces))
    mesh.materials.append(material)
    made = bpy.data.objects.new(name, mesh)
    made.location = middle * MM
    where.objects.link(made)
    return made


def skinned(name, first, rings, last, where, material, turned=False):
    """From pole to pole over rings of points, all of one number; `turned` where they run against the clock as seen from the first pole."""
    sides, points = len(rings[0]), [first, *(point for ring in rings for point in ring), last]
    faces, end = [], len(points) - 1
    for k in range(sides):
        after = (k + 1) % sides
        faces.append((0, 1 + after, 1 + k))
        for ring in range(len(rings) - 1):
            near, far = 1 + ring * sides, 1 + (ring + 1) * sides
            faces.append((near + k, near + after, far + after, far + k))
        faces.append((end, end - sides + k, end - sides + after))
    return put(name, points, [tuple(reversed(face)) for face in faces] if turned else faces, where, material)


def smooth(values, at):
    """Through the values, at a place from 0 to their number less one, as a Catmull-Rom spline."""
    k = min(int(at), len(values) - 2)
    t, last = at - k, len(values) - 1
    a, b, c, d = (values[min(max(k + step, 0), last)] for step in (-1, 0, 1, 2))
    return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t)


def rows(stations, steps, round_):
    """Middles and radii along a line: between the stations, and rounded beyond both ends by `round_` of the lesser radius there."""
    columns = [[station[k] for station in stations] for k in range(5)]
    inner = [[smooth(column, k / steps) for column in columns] for k in range(steps * (len(stations) - 1) + 1)]
    lines = [(Vector(row[:3]), row[3], row[4]) for row in inner]
    caps = []
    for end, before in ((lines[0], lines[1]), (lines[-1], lines[-2])):
        away, reach = (end[0] - before[0]).normalized(), round_ * min(end[1], end[2])
        caps.append([(end[0] + away * reach * math.sin(turn), end[1] * math.cos(turn), end[2] * math.cos(turn))
                     for turn in (math.pi / 2 * k / 5 for k in range(1, 5))] + [(end[0] + away * reach, 0, 0)])
    return [*reversed(caps[0]), *lines, *caps[1]]


def loft(name, stations, where, material, steps=4, sides=24, round_=0.9):
    """Oval across a line: each station is (x, y, z, radius across, radius in the plane of x = 0)."""
    lines, rings = rows(stations, steps, round_), []
    for k, (middle, across, upright) in list(enumerate(lines))[1:-1]:
        along = (lines[k + 1][0] - lines[k - 1][0]).normalized()
        side = (ACROSS - along * along.dot(ACROSS)).normalized()
        up = along.cross(side)
        rings.append([middle + side * across * math.cos(turn) + up * upright * math.sin(turn)
                      for turn in (math.tau * n / sides for n in range(sides))])
    return skinned(name, lines[0][0], rings, lines[-1][0], where, material)


def ball(name, middle, radii, where, material, tip=0.0, sides=20):
    """An ellipsoid, tipped about x by degrees."""
    radii = (radii,) * 3 if isinstance(radii, int | float) else radii
    turn, count = math.radians(tip), sides // 2
    unit = [[(math.sin(down) * math.cos(math.tau * s / sides), math.sin(down) * math.sin(math.tau * s / sides), math.cos(down))
             for s in range(sides)] for down in (math.pi * r / count for r in range(1, count))]

    def placed(point):
        x, y, z = (a * b for a, b in zip(point, radii, strict=True))
        return Vector(middle) + Vector((x, y * math.cos(turn) - z * math.sin(turn), y * math.sin(turn) + z * math.cos(turn)))

    rings = [[placed(point) for point in ring] for ring in unit]
    return skinned(name, placed((0, 0, 1)), rings, placed((0, 0, -1)), where, material, True)


def turned_body(name, start, along, profile, where, material, sides=32):
    """Turned on a lathe about a line: the profile is of (way along it, radius), from its first pole to its last."""
    along, start = Vector(along).normalized(), Vector(start)
    side = along.orthogonal().normalized()
    up = along.cross(side)
    rings = [[start + along * way + (side * math.cos(turn) + up * math.sin(turn)) * radius
              for turn in (math.tau * n / sides for n in range(sides))] for way, radius in profile]
    return skinned(name, start + along * profile[0][0], rings, start + along * profile[-1][0], where, material)


def hoop(name, middle, axis, radius, half, thick, where, material, sides=36, section=8):
    """A ring of oval section about an axis: `half` as high along it, `thick` across."""
    axis, middle = Vector(axis).normalized(), Vector(middle)
    side = axis.orthogonal().normalized()
    up = axis.cross(side)
    points = []
    for n in range(sides):
        out = side * math.cos(math.tau * n / sides) + up * math.sin(math.tau * n / sides)
        points += [middle + out * (radius + thick * math.cos(turn)) + axis * half * math.sin(turn)
                   for turn in (math.tau * k / section for k in range(section))]
    faces = []
    for n in range(sides):
        here, there = n * section, (n + 1) % sides * section
        faces += [(here + k, there + k, there + (k + 1) % section, here + (k + 1) % section) for k in range(section)]
    return put(name, points, faces, where, material)
