"""Lighthouse and cottage."""

import math

import bpy
from mathutils import Vector
from shapes import box, lathe, mesh_of, prism, put, ring, rod, soft, turned
from terrain import COTTAGE, COTTAGE_AT, TOWER, TOWER_AT

BANDS, BAND, FOOT, HEAD = 6, 3.0, 3.0, 2.0  # radii of the tower's ends
SILL = TOWER_AT + BANDS * BAND  # where the gallery begins
DECK = SILL + 0.5


def radius(z):
    return FOOT + (HEAD - FOOT) * (z - TOWER_AT) / (BANDS * BAND)


def lighthouse(where, stuff):
    white, red, iron, glass, glow, stone = (stuff[name] for name in ("white", "red", "iron", "glass", "glow", "granite"))

    def turned_part(name, outline, material, sides=64):
        return put(name, soft(mesh_of(name, lathe([(r, z - TOWER_AT) for r, z in outline], sides))), where, material, at=(*TOWER, TOWER_AT))

    turned_part("Tower plinth", [(4.2, 8.6), (4.2, 9.82), (4.05, 9.88), (3.55, 9.9), (3.5, 10.0)], stone)
    for number in range(BANDS):
        low, high = TOWER_AT + number * BAND, TOWER_AT + (number + 1) * BAND
        turned_part(f"Tower band {number + 1}", [(radius(low), low), (radius(high), high)], red if number % 2 else white)
    turned_part("Gallery", [(2.0, SILL), (2.12, SILL + 0.1), (2.75, SILL + 0.28), (3.1, SILL + 0.32), (3.1, DECK)], white)
    railing(where, iron)
    turned_part("Lantern wall", [(1.62, DECK), (1.55, DECK + 0.1), (1.55, DECK + 0.8), (1.65, DECK + 0.82), (1.65, DECK + 0.9)], white)
    low, high = DECK + 0.9, DECK + 3.1
    turned_part("Lantern glass", [(1.34, low), (1.4, low), (1.4, high), (1.34, high), (1.34, low)], glass, 48)
    bars = [turned(box((1.4, -0.03, 0), (1.48, 0.03, high - low)), math.tau * k / 12) for k in range(12)]
    rings = [ring(1.44, z, 0.06, 48) for z in (0.7, 1.45)]
    put("Lantern frame", mesh_of("Lantern frame", *bars, *rings), where, iron, at=(*TOWER, low))
    turned_part("Lantern roof", [(1.3, high), (1.85, high), (1.85, high + 0.1), (1.5, high + 0.45), (0.95, high + 0.85), (0.3, high + 1.1),
                                 (0.12, high + 1.15)], red)  # fmt: skip
    turned_part("Lantern finial", [(0.08, high + 1.15), (0.08, high + 1.3), (0.24, high + 1.4), (0.24, high + 1.6), (0.05, high + 1.75),
                                   (0.03, TOWER_AT + 24)], iron, 24)  # fmt: skip
    turned_part("Lamp stand", [(0.45, low), (0.3, low + 0.1), (0.25, low + 0.5), (0.4, low + 0.55)], iron, 32)
    turned_part("Lamp", [(0.3, low + 0.55), (0.48, low + 0.75), (0.56, low + 1.1), (0.48, low + 1.45), (0.3, low + 1.65)], glow, 32)
    openings(where, stuff)


def railing(where, iron):
    posts = [turned(rod((2.95, 0, 0), (2.95, 0, 1.07), 0.025, 8), math.tau * k / 40) for k in range(40)]
    hoops = [ring(2.95, z, 0.05) for z in (0.5, 1.05)]
    name = "Gallery railing"
    put(name, mesh_of(name, *posts, *hoops), where, iron, at=(*TOWER, DECK))


def opening(name, wide, high, stuff, door=False):
    """A frame with a leaf or a pane in it, as one mesh that looks to +x, its middle below on the wall's face."""
    edge, deep, face = 0.09, 0.16, 0.06
    low = 0.0 if door else edge
    sides = [box((-deep, -wide / 2, 0), (face, -wide / 2 + edge, high)), box((-deep, wide / 2 - edge, 0), (face, wide / 2, high)),
             box((-deep, -wide / 2 + edge, high - edge), (face, wide / 2 - edge, high))]  # fmt: skip
    fill = box((-deep, -wide / 2 + edge, low), (0.0, wide / 2 - edge, high - edge))
    bars = [box((0.0, -0.025, low), (0.03, 0.025, high - edge))]
    if door:
        bars = [box((0.0, y - 0.11, 0.05), (0.02, y + 0.11, high - edge - 0.05)) for y in (-0.26, 0.0, 0.26)]
    else:
        sides.append(box((-deep, -wide / 2 + edge, 0), (face + 0.06, wide / 2 - edge, edge)))
        bars.append(box((0.0, -wide / 2 + edge, high / 2 - 0.02), (0.025, -0.025, high / 2 + 0.02)))
        bars.append(box((0.0, 0.025, high / 2 - 0.02), (0.025, wide / 2 - edge, high / 2 + 0.02)))
    slots = [0] * len(sides) + [1] + [int(door)] * len(bars)
    mesh = mesh_of(name, *sides, fill, *bars, slots=slots)
    for one in (stuff["trim"], stuff["door" if door else "pane"]):
        mesh.materials.append(one)
    return mesh


def openings(where, stuff):
    toward = math.radians(-52)
    out = Vector((math.cos(toward), math.sin(toward)))
    at = Vector(TOWER) + out * (radius(TOWER_AT + 1) + 0.02)
    put("Tower door", opening("Tower door", 1.1, 2.2, stuff, door=True), where, at=(*at, TOWER_AT), turn=toward)
    mesh = opening("Tower window", 0.8, 1.2, stuff)
    for number, (angle, z) in enumerate(((-52, 14.0), (-95, 17.0), (-20, 20.2), (-62, 23.6)), 1):
        toward = math.radians(angle)
        at = Vector(TOWER) + Vector((math.cos(toward), math.sin(toward))) * (radius(z + 0.6) + 0.02)
        put(f"Tower window {number}", mesh, where, at=(*at, z), turn=toward)


def cottage(where, stuff):
    """Its ridge runs along x; the door looks south."""
    at, long, deep, eaves, ridge = (*COTTAGE, COTTAGE_AT), 9.0, 6.0, 2.8, 5.2
    half, pitch = deep / 2, (ridge - eaves) / (deep / 2)
    gable = [(-half, 0.3), (half, 0.3), (half, eaves), (0, ridge), (-half, eaves)]
    put("Cottage walls", mesh_of("Cottage walls", prism(gable, -long / 2, long / 2)), where, stuff["plaster"], at=at)
    base = box((-long / 2 - 0.12, -half - 0.12, -0.7), (long / 2 + 0.12, half + 0.12, 0.3))
    put("Cottage plinth", mesh_of("Cottage plinth", base), where, stuff["granite"], at=at)
    over, thick = 0.45, 0.22
    edge, drop = half + over, eaves - over * pitch
    slab = [(-edge, drop), (0, ridge), (edge, drop), (edge, drop + thick), (0, ridge + thick), (-edge, drop + thick)]
    put("Cottage roof", mesh_of("Cottage roof", prism(slab, -long / 2 - 0.3, long / 2 + 0.3)), where, stuff["slate"], at=at)
    for number, x in enumerate((-long / 2 + 0.5, long / 2 - 0.5), 1):
        stack = [box((x - 0.4, -0.4, ridge - 0.3), (x + 0.4, 0.4, ridge + 1.1))]
        stack.append(box((x - 0.5, -0.5, ridge + 1.1), (x + 0.5, 0.5, ridge + 1.25)))
        pots = [rod((x, y, ridge + 1.25), (x, y, ridge + 1.6), 0.13, 16) for y in (-0.2, 0.2)]
        name = f"Cottage chimney {number}"
        put(name, mesh_of(name, *stack, *pots), where, stuff["granite"], at=at)
    south, north = -math.pi / 2, math.pi / 2
    put("Cottage door", opening("Cottage door", 1.1, 2.1, stuff, door=True), where, at=(at[0], at[1] - half, at[2] + 0.3), turn=south)
    step = box((-0.9, -1.0, -0.5), (0.9, -0.12, 0.15))
    put("Cottage doorstep", mesh_of("Cottage doorstep", step), where, stuff["granite"], at=(at[0], at[1] - half, at[2]))
    mesh = opening("Cottage window", 1.0, 1.3, stuff)
    places = [(x, -half, south) for x in (-3.0, -1.7, 1.7, 3.0)] + [(x, half, north) for x in (-2.4, 2.4)]
    places += [(long / 2, 0.0, 0.0), (-long / 2, 0.0, math.pi)]
    for number, (x, y, turn) in enumerate(places, 1):
        put(f"Cottage window {number}", mesh, where, at=(at[0] + x, at[1] + y, at[2] + 1.1), turn=turn)


def lamp_light(where):
    light = bpy.data.lights.new("Lamp light", "POINT")
    light.energy, light.color, light.shadow_soft_size = 900, (1, 0.78, 0.42), 0.6
    made = bpy.data.objects.new("Lamp light", light)
    made.location = (*TOWER, DECK + 1.9)
    where.objects.link(made)
