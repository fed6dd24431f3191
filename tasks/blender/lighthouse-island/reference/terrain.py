"""The ground: its height at every place, and the meshes of island and sea."""

import itertools
import math

import bpy
from mathutils import Vector, noise

TOWER, COTTAGE, HEAD = (-9.0, 5.0), (11.0, 4.0), (4.0, -20.2)
TOWER_AT, COTTAGE_AT, DECK_AT, BED = 10.0, 7.0, 1.5, -6.0
STEPS, SECTORS = 32, 160
WAY = [Vector(point) for point in ((4.0, -20.7), (3.6, -15.0), (0.4, -10.2), (-2.2, -4.4), (-5.6, 0.6))]
PROFILE = ((0.0, 7.6), (0.4, 7.1), (0.62, 6.0), (0.8, 4.0), (0.92, 1.7), (1.0, 0.0), (1.12, -2.2), (1.32, -4.6), (1.6, -6.0))


def smooth(low, high, value):
    t = min(max((value - low) / (high - low), 0.0), 1.0)
    return t * t * (3 - 2 * t)


def profile(r):
    for (r0, z0), (r1, z1) in itertools.pairwise(PROFILE):
        if r <= r1:
            return z0 + (z1 - z0) * (r - r0) / (r1 - r0)
    return BED


def reach(angle):
    """How far the shore is from the middle in that direction; steep in the north, shallow in the south."""
    c, s = math.cos(angle), math.sin(angle)
    plain = 1 / math.hypot(c / 40, s / (24 if s > 0 else 25))
    return plain * (1 + 0.16 * noise.noise((1.6 * c + 7, 1.6 * s, 3.1)) + 0.07 * noise.noise((5 * c, 5 * s, 9.0)))


def along_way(part):
    """The place at a share of the way's length."""
    lengths = [(b - a).length for a, b in itertools.pairwise(WAY)]
    left = part * sum(lengths)
    for start, end, length in zip(WAY, WAY[1:], lengths, strict=False):
        if left <= length:
            return start.lerp(end, left / length)
        left -= length
    return WAY[-1]


def stair(samples=120):
    """Points of the stair, rounded at its corners, each with its height."""
    raw = [along_way(k / samples) for k in range(samples + 1)]
    wide = 8
    near = [raw[max(k - wide, 0) : k + wide + 1] for k in range(samples + 1)]
    mild = [sum(some, Vector((0, 0))) / len(some) for some in near]
    return [(point, DECK_AT + (TOWER_AT - DECK_AT) * k / samples) for k, point in enumerate(mild)]


STAIR = stair()


def from_stair(x, y):
    """Distance to the stair, and its height there."""
    here = Vector((x, y))
    return min(((here - point).length, z) for point, z in STAIR)


def from_cottage(x, y):
    return math.hypot(max(abs(x - COTTAGE[0]) - 4.9, 0), max(abs(y - COTTAGE[1]) - 3.4, 0))


def from_tower(x, y):
    return math.hypot(x - TOWER[0], y - TOWER[1])


def height(x, y):
    away = math.hypot(x, y)
    r = away / reach(math.atan2(y, x))
    z = profile(r) + 3.0 * math.exp(-((from_tower(x, y) / 11) ** 2))
    craggy = smooth(0.5, 0.9, r) * (1 - smooth(1.2, 1.55, r))
    z += (0.35 + 0.9 * craggy) * noise.fractal((x * 0.11, y * 0.11, 1.7), 0.8, 2.1, 5)
    z += craggy * (1.9 * (noise.ridged_multi_fractal((x * 0.085, y * 0.085, 0.4), 0.9, 2.2, 5, 1.0, 2.0) - 1.0))
    z += craggy * 0.55 * (noise.ridged_multi_fractal((x * 0.26, y * 0.26, 5.2), 0.9, 2.2, 4, 1.0, 2.0) - 1.0)
    for distance, inner, outer, level in (
        (from_tower(x, y), 5.2, 9.5, TOWER_AT - 0.12), (from_cottage(x, y), 0.8, 5.0, COTTAGE_AT),
        stair_span(x, y), jetty_span(x, y),
    ):  # fmt: skip
        z += (level - z) * (1 - smooth(inner, outer, distance))
    return max(z, BED)


def stair_span(x, y):
    distance, z = from_stair(x, y)
    return distance, 1.2, 3.6, z - 0.22


def jetty_span(x, y):
    """The ground under the jetty falls away to the south."""
    level = 1.0 + (y - HEAD[1]) * 0.36
    away = abs(x - HEAD[0]) if y < HEAD[1] else math.hypot(x - HEAD[0], y - HEAD[1])
    return away, 1.5 if y < HEAD[1] else 0.2, 7.0 if y < HEAD[1] else 1.6, max(min(level, 1.0), -4.5)


def slope(x, y):
    return math.hypot(height(x + 0.5, y) - height(x - 0.5, y), height(x, y + 0.5) - height(x, y - 0.5))


def disc(name, rings, level, bed):
    """A closed body: rings of points (from the middle out, as shares of the way to the shore, or beyond 2 as metres), on a flat bed."""
    points, faces = [(0, 0, level(0, 0))], []
    for r in rings:
        for k in range(SECTORS):
            angle = math.tau * k / SECTORS
            away = r * reach(angle) if r <= 2 else r
            x, y = away * math.cos(angle), away * math.sin(angle)
            points.append((x, y, level(x, y)))
    first = [1 + number * SECTORS for number in range(len(rings))]
    faces += [(0, first[0] + k, first[0] + (k + 1) % SECTORS) for k in range(SECTORS)]
    for inner, outer in itertools.pairwise(first):
        faces += [(inner + k, outer + k, outer + (k + 1) % SECTORS, inner + (k + 1) % SECTORS) for k in range(SECTORS)]
    last, under = first[-1], len(points)
    points += [(x, y, bed) for x, y, _ in points[last : last + SECTORS]] + [(0, 0, bed)]
    for k in range(SECTORS):
        n = (k + 1) % SECTORS
        faces += [(last + k, under + k, under + n, last + n), (under + n, under + k, len(points) - 1)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    return mesh


def island():
    rings = [0.02 + 0.98 * k / 46 for k in range(47)] + [1.0 + 0.6 * k / 11 for k in range(1, 12)]
    mesh = disc("Island", rings, height, BED - 0.2)
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    trodden = mesh.attributes.new("trodden", "FLOAT", "POINT")
    for number, point in enumerate(mesh.vertices):
        x, y, _ = point.co
        near = min(from_stair(x, y)[0] - 0.8, from_tower(x, y) - 4.0, from_cottage(x, y) - 0.3, from_path(x, y))
        trodden.data[number].value = 1 - smooth(0.1, 1.3, near + 0.5 * noise.noise((x, y, 0)))
    return mesh


def from_path(x, y):
    """The foot path from tower to cottage, a slight curve."""
    t = min(max((x - TOWER[0]) / (COTTAGE[0] - TOWER[0]), 0.0), 1.0)
    line = TOWER[1] + (COTTAGE[1] - TOWER[1]) * t - 4.6 * math.sin(math.pi * t)
    return math.hypot(max(TOWER[0] - x, 0, x - COTTAGE[0]), y - line) - 0.2


def sea():
    """Flat; how deep it is at each point tells its material where the shallows and the foam are."""
    rings = [0.5, 0.7, *(0.8 + 0.8 * k / 46 for k in range(47)), 90, 140, 240, 480, 900, 1400]
    mesh = disc("Sea", rings, lambda x, y: 0.0, BED)
    depth = mesh.attributes.new("depth", "FLOAT", "POINT")
    for number, point in enumerate(mesh.vertices):
        depth.data[number].value = -height(point.co.x, point.co.y) if point.co.length < 88 else 6.0
    return mesh
