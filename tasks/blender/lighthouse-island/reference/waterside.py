"""Stair, jetty and boat."""

import math

from mathutils import Vector
from shapes import box, lathe, mesh_of, pipe, put, rod, soft
from terrain import DECK_AT, HEAD, STAIR, STEPS, TOWER_AT, height

WIDE, END = 2.4, -34.5
RISE = (TOWER_AT - DECK_AT) / (STEPS + 1)
BESIDE = 2.6  # the boat's middle line, from the jetty's


def steps(where, stone):
    """One mesh for all: a rough slab."""
    slab = box((-0.46, -0.95, -0.5), (0.46, 0.95, 0.0))
    mesh = mesh_of("Step", slab)
    for number in range(1, STEPS + 1):
        part = (number - 0.35) / (STEPS - 0.1) * (len(STAIR) - 1)
        k = min(int(part), len(STAIR) - 2)
        here = STAIR[k][0].lerp(STAIR[k + 1][0], part - k)
        ahead = STAIR[min(k + 4, len(STAIR) - 1)][0] - STAIR[max(k - 4, 0)][0]
        put(f"Step {number}", mesh, where, stone, at=(*here, DECK_AT + RISE * number), turn=math.atan2(ahead.y, ahead.x))


def jetty(where, stuff):
    x, start = HEAD[0], HEAD[1]
    planks = []
    y, count = start, 0
    while y - 0.24 > END:
        out = 0.04 * math.sin(7.3 * count)
        planks.append(box((-WIDE / 2 + out, y - start - 0.24, -0.07), (WIDE / 2 + out * 0.4, y - start, 0.0)))
        y, count = y - 0.255, count + 1
    put("Jetty deck", mesh_of("Jetty deck", *planks), where, stuff["planks"], at=(x, start, DECK_AT))
    for number, side in enumerate((-0.8, 0.8), 1):
        name = f"Jetty beam {number}"
        beam = mesh_of(name, box((-0.09, END - start, -0.25), (0.09, -0.1, 0.0)))
        put(name, beam, where, stuff["timber"], at=(x + side, start, DECK_AT - 0.07))
    rows = (-22.0, -26.0, -30.0, -34.0)
    for number, y in enumerate(rows, 1):
        name = f"Jetty crossbeam {number}"
        put(name, mesh_of(name, box((-1.24, -0.1, -0.2), (1.24, 0.1, 0.0))), where, stuff["timber"], at=(x, y, DECK_AT - 0.32))
        for end, side in (("west", -1.4), ("east", 1.4)):
            low = min(height(x + side, y) - 0.8, -2.2)
            name = f"Jetty pile {2 * number - (end == 'west')}"
            pile = lathe([(0.17, low), (0.17, DECK_AT + 0.85), (0.13, DECK_AT + 0.92)], 20)
            put(name, soft(mesh_of(name, pile)), where, stuff["timber"], at=(x + side, y, 0))
    ladder(where, stuff["iron"], x)


def ladder(where, iron, x):
    sides = [rod((-0.12, y, -1.1 - DECK_AT), (-0.12, y, 0.3), 0.03, 10) for y in (-0.22, 0.22)]
    sides += [rod((-0.12, -0.22, -0.3 - 0.3 * k), (-0.12, 0.22, -0.3 - 0.3 * k), 0.022, 8) for k in range(7)]
    hooks = [box((-0.12, y - 0.03, 0.0), (0.2, y + 0.03, 0.03)) for y in (-0.22, 0.22)]
    put("Jetty ladder", mesh_of("Jetty ladder", *sides, *hooks), where, iron, at=(x - WIDE / 2, -32.0, DECK_AT))


LONG, KEEL, RIM, STATIONS, ACROSS = 4.6, -0.3, 0.42, 28, 17


def section(t, shrink):
    """Points from rim over keel to rim at a share of the length, bow at 1."""
    wide = 0.82 * (1 - max(t - 0.45, 0) ** 2.2 / 0.55**2.2) ** 0.8 * (0.78 + 0.22 * min(t / 0.45, 1)) + 0.03
    keel = KEEL + 0.42 * max(t - 0.7, 0) ** 2 / 0.09
    rim = RIM + 0.28 * t**3
    points = []
    for k in range(ACROSS):
        u = 2 * k / (ACROSS - 1) - 1
        z = keel + (rim - keel) * abs(u) ** 2.4
        x = wide * math.copysign(abs(u) ** 0.75, u)
        if shrink:
            x *= 1 - 0.055 / max(wide, 0.07)
            z = max(z, 0.06)
        points.append(Vector((x, (t - 0.5) * LONG, z)))
    return points


def hull():
    """A shell: outer skin, inner skin with a flat floor, transom and rims."""
    outer = [section(k / (STATIONS - 1), False) for k in range(STATIONS)]
    inner = [section(0.015 + 0.945 * k / (STATIONS - 1), True) for k in range(STATIONS)]
    points = [point for group in (outer, inner) for row in group for point in row]

    def at(skin, station, k):
        return (skin * STATIONS + station) * ACROSS + k

    faces, last, n = [], ACROSS - 1, STATIONS - 1
    for s in range(n):
        for k in range(last):
            side = (at(0, s, k), at(0, s, k + 1), at(0, s + 1, k + 1), at(0, s + 1, k))
            faces += [side, tuple(reversed([corner + STATIONS * ACROSS for corner in side]))]
        faces.append((at(0, s, 0), at(0, s + 1, 0), at(1, s + 1, 0), at(1, s, 0)))
        faces.append((at(0, s + 1, last), at(0, s, last), at(1, s, last), at(1, s + 1, last)))
    faces.append(tuple(reversed([at(0, 0, k) for k in range(ACROSS)])))
    faces.append(tuple(at(1, 0, k) for k in range(ACROSS)))
    faces.append(tuple(at(0, n, k) for k in range(ACROSS)))
    faces.append(tuple(reversed([at(1, n, k) for k in range(ACROSS)])))
    faces += [(at(0, 0, last), at(0, 0, 0), at(1, 0, 0), at(1, 0, last)), (at(0, n, 0), at(0, n, last), at(1, n, last), at(1, n, 0))]
    return points, [tuple(reversed(face)) for face in faces]


def boat(where, stuff):
    place = Vector((HEAD[0] + BESIDE, -29.4, 0))
    shell = soft(mesh_of("Boat hull", hull()), 35)
    body = put("Boat hull", shell, where, stuff["paint"], at=place)
    for number, (y, wide) in enumerate(((-1.2, 0.70), (0.35, 0.74)), 1):
        name = f"Boat thwart {number}"
        seat = mesh_of(name, box((-wide, -0.13, 0.2), (wide, 0.13, 0.235)))
        put(name, seat, where, stuff["planks"], at=place + Vector((0, y, 0)), parent=body)
    blade = box((-0.07, 1.05, -0.012), (0.07, 1.75, 0.012))
    oar = mesh_of("Boat oar", rod((0, -1.6, 0), (0, 1.08, 0), 0.03, 12), blade)
    for number, x in enumerate((-0.22, 0.25), 1):
        put(f"Boat oar {number}", oar, where, stuff["planks"], at=place + Vector((x, -0.5, 0.265)), parent=body)
    bow, pile = Vector((-0.03, 2.15, 0.62)), Vector((-BESIDE + 1.57, 3.4, DECK_AT + 0.5))
    line = [bow.lerp(pile, t / 12) - Vector((0, 0, 0.5 * math.sin(math.pi * t / 12))) for t in range(13)]
    name = "Boat rope"
    put(name, soft(mesh_of(name, pipe(line, 0.022, 8)), 60), where, stuff["rope"], at=place, parent=body)
