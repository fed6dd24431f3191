"""The treasure chest of brief/instruction.md, in millimetres. The lid is built shut, about its hinge line, and then turned open."""

import math
import random

import bpy
from forms import MM, box, mesh_of, outward, prism, put, ring, rivet, tube
from looks import light_and_camera, mottled, surface
from mathutils import Matrix, Vector

X, Y, HIGH, WALL, IRON = 300, 200, 300, 20, 4
DOME, OPEN = 120, 70
BANDS, ENDS = (-180, 180), (-285, 285)
PLANKS = 7
RADIUS = (Y * Y + DOME * DOME) / (2 * DOME)
OUTER, INNER = (math.acos((RADIUS - DOME) / (RADIUS - wall)) for wall in (0, WALL))

wood, iron, gold = (surface(*one) for one in (("M_Wood", (0.3, 0.16, 0.07), 0.0, 0.7), ("M_Iron", (0.1, 0.1, 0.11), 0.9, 0.45),
                                              ("M_Gold", (0.95, 0.63, 0.18), 1.0, 0.25)))
mottled(wood, "grain", True, (5, 60, 1), (0.11, 0.05, 0.02), (0.36, 0.19, 0.08), (0.6, 0.85))
mottled(iron, "Object", False, (22, 22, 22), (0.05, 0.05, 0.055), (0.2, 0.19, 0.18), (0.3, 0.6))
mottled(gold, "Object", False, (60, 60, 60), (0.75, 0.42, 0.09), (1.0, 0.72, 0.25), (0.16, 0.35))
dark = surface("M_Dark", (0.01, 0.01, 0.01), 0.0, 0.9)


def board(low, high, groove_below, groove_above):
    """Across a wall: (inside to outside, height), with its outer edges broken towards its neighbours."""
    points = [(0, low), (0, high)]
    points += [(WALL - 5, high), (WALL, high - 5)] if groove_above else [(WALL, high)]
    return points + ([(WALL, low + 5), (WALL - 5, low)] if groove_below else [(WALL, low)])


def body():
    pieces = []
    for number in range(3):
        section = board(100 * number, 100 * number + 100, number > 0, number < 2)
        for side in (-1, 1):
            pieces.append((*prism([(side * (Y - WALL + a), b) for a, b in section], "x", -X, X), 0))
            pieces.append((*prism([(side * (X - WALL + a), b) for a, b in section], "y", WALL - Y, Y - WALL), 0))
    pieces += [(*box((WALL - X, WALL - Y + 90 * k, 0), (X - WALL, WALL - Y + 90 * k + 90, WALL)), 0) for k in range(4)]
    return pieces


def arc(radius, half, count, of=1.0):
    """Points (v, w) on the dome's section, from the hinge to the front."""
    return [(Y + radius * math.sin(half * at), DOME - RADIUS + radius * math.cos(half * at))
            for at in (-of + 2 * of * k / count for k in range(count + 1))]


def shut(points):
    """(v, w), away from the hinge and up, as (y, z) of the pivot."""
    return [(-v, w) for v, w in points]


def lid_planks():
    pieces = []
    out, between, within = arc(RADIUS, OUTER, PLANKS), arc(RADIUS - 4, OUTER, PLANKS), arc(RADIUS - WALL, INNER, PLANKS)
    for k in range(PLANKS):
        first, last = Vector(out[k]), Vector(out[k + 1])
        aside = (last - first).normalized() * 5
        left = [tuple(first + aside), between[k]] if k else [tuple(first)]
        right = [between[k + 1], tuple(last - aside)] if k < PLANKS - 1 else [tuple(last)]
        pieces.append((*prism(shut([*left, within[k], within[k + 1], *right]), "x", -X, X), 0))
    for side in (-1, 1):
        pieces.append((*prism(shut(within), "x", side * (X - WALL), side * X), 0))
    return pieces


def lid_bands():
    inner, outer = arc(RADIUS, OUTER, PLANKS), arc(RADIUS + IRON, OUTER, PLANKS)
    pieces = []
    for x in (*BANDS, *ENDS):
        points, faces = [], []
        for y, z in (*shut(inner), *reversed(shut(outer))):
            points += [Vector((x - 15, y, z)), Vector((x + 15, y, z))]
        count = len(points) // 2
        faces = [(2 * k, 2 * k + 1, (2 * k + 3) % (2 * count), (2 * k + 2) % (2 * count)) for k in range(count)]
        for side in (0, 1):
            strips = [(2 * k + side, 2 * k + 2 + side, 2 * (count - 2 - k) + side, 2 * (count - 1 - k) + side) for k in range(PLANKS)]
            faces += [tuple(reversed(one)) for one in strips] if side == 1 else strips
        pieces.append((*outward(points, faces), 0))
    return pieces


def lid_rivets():
    outer, pieces = shut(arc(RADIUS + IRON, OUTER, PLANKS)), []
    for x in (*BANDS, *ENDS):
        for k in (1, 3, 5):
            (y0, z0), (y1, z1) = outer[k], outer[k + 1]
            pieces.append((*rivet((x, (y0 + y1) / 2, (z0 + z1) / 2), (0, z0 - z1, y1 - y0) if y1 > y0 else (0, z1 - z0, y0 - y1)), 0))
    return pieces


def bands():
    """Straps up the front and the back, angles about the four corners."""
    pieces = [(*box((x - 15, min(y, y + side * IRON), 0), (x + 15, max(y, y + side * IRON), HIGH)), 0)
              for x in BANDS for side, y in ((-1, -Y), (1, Y))]
    for a in (-1, 1):
        for b in (-1, 1):
            section = [(X, Y - 40), (X + IRON, Y - 40), (X + IRON, Y + IRON), (X - 40, Y + IRON), (X - 40, Y), (X, Y)]
            pieces.append((*prism([(a * x, b * y) for x, y in section], "z", 0, HIGH), 0))
    return pieces


def rivets():
    places = [((x, side * (Y + IRON), z), (0, side, 0)) for x in BANDS for side, z in ((-1, 50), (-1, 150), (-1, 250), (1, 50), (1, 150))]
    for a in (-1, 1):
        for b in (-1, 1):
            places += [((a * (X + IRON), b * (Y - 20), z), (a, 0, 0)) for z in (50, 150, 250)]
            places += [((a * (X - 20), b * (Y + IRON), z), (0, b, 0)) for z in (50, 150, 250)]
    places += [((x, -Y - 6, z), (0, -1, 0)) for x in (-36, 36) for z in (222, 282)]
    return [(*rivet(*one), 0) for one in places]


def lock():
    shield = [(-50, 300), (50, 300), (50, 225), (30, 198), (0, 185), (-30, 198), (-50, 225)]
    hole = [(x, z + 252) for x, z in ring(9, 6)]
    slot = [(-4, 250), (4, 250), (7, 218), (-7, 218)]
    return [(*prism(shield, "y", -Y - 6, -Y), 0), (*prism(hole, "y", -Y - 7, -Y - 6), 1), (*prism(slot, "y", -Y - 7, -Y - 6), 1)]


def hinge(x):
    barrel = prism([(Y + a, HIGH + b) for a, b in ring(8, 6)], "x", x - 30, x + 30)
    return [(*barrel, 0), (*box((x - 22, Y + IRON, 235), (x + 22, Y + 8, 296)), 0)]


def handle(side):
    path = [(300, -62, 190), (328, -62, 190), (341, -48, 160), (341, 48, 160), (328, 62, 190), (300, 62, 190)]
    low, high = sorted((side * X, side * (X + IRON)))
    plates = [(*box((low, y - 20, 168), (high, y + 20, 212)), 0) for y in (-62, 62)]
    points, faces = tube(path, 8)
    turned = [Vector((side * one.x, one.y, one.z)) for one in points]
    return [(turned, faces if side > 0 else [tuple(reversed(one)) for one in faces], 0), *plates]


def level(x, y):
    """How high the hoard lies."""
    return 165 + 70 * math.cos(x / 279 * math.pi / 2) * math.cos(y / 179 * math.pi / 2) + 6 * math.sin(x / 31) * math.cos(y / 23)


def hoard(wide=6, deep=4):
    across, along = [-279 + 558 * k / wide for k in range(wide + 1)], [-179 + 358 * k / deep for k in range(deep + 1)]
    points = [Vector((x, y, level(x, y))) for y in along for x in across]
    row = wide + 1
    faces = [(k + row * n, k + 1 + row * n, k + 1 + row * (n + 1), k + row * (n + 1)) for n in range(deep) for k in range(wide)]
    rim = [*range(row), *(wide + row * n for n in range(1, deep + 1)), *(k + row * deep for k in reversed(range(wide))),
           *(row * n for n in reversed(range(1, deep)))]
    low = len(points)
    points += [Vector((points[one].x, points[one].y, WALL)) for one in rim]
    faces += [(rim[k], low + k, low + (k + 1) % len(rim), rim[(k + 1) % len(rim)]) for k in range(len(rim))]
    return [(points, [*faces, tuple(reversed(range(low, low + len(rim))))], 0)]


def facet(x, y, wide=6, deep=4):
    """The height of the mound's face there, between the four corners of its cell."""
    a, b = (x + 279) / 558 * wide, (y + 179) / 358 * deep
    k, n = min(int(a), wide - 1), min(int(b), deep - 1)
    corners = [[level(-279 + 558 * (k + i) / wide, -179 + 358 * (n + j) / deep) for i in (0, 1)] for j in (0, 1)]
    lower, upper = ((1 - (a - k)) * one + (a - k) * other for one, other in corners)
    return (1 - (b - n)) * lower + (b - n) * upper


def coins(count=26):
    mesh, chance = mesh_of("SM_Coin", [(*prism(ring(28, 10), "z", -3, 3), 0)]), random.Random(7)
    for number in range(count):
        out, round_ = math.sqrt((number + 0.5) / count), number * 2.399963
        x, y = 238 * out * math.cos(round_), 140 * out * math.sin(round_)
        slope = Vector((level(x - 5, y) - level(x + 5, y), level(x, y - 5) - level(x, y + 5), 10)).normalized()
        lean = slope + Vector((chance.uniform(-0.35, 0.35), chance.uniform(-0.35, 0.35), 0))
        made = put(f"SM_Coin_{number + 1:02}", mesh, [gold], None)
        turned = lean.to_track_quat("Z", "Y").to_matrix().to_4x4() @ Matrix.Rotation(chance.uniform(0, math.tau), 4, "Z")
        made.matrix_world = Matrix.Translation(Vector((x, y, facet(x, y) + 5)) * MM) @ turned
        made.parent = bpy.data.objects["SM_Chest_Body"]


chest = put("SM_Chest_Body", mesh_of("SM_Chest_Body", body()), [wood])
for name, pieces, materials in (
    ("SM_Chest_Bands", bands(), [iron]), ("SM_Chest_Rivets", rivets(), [iron]), ("SM_Chest_Lock", lock(), [iron, dark]),
    ("SM_Chest_Hinge_L", hinge(-180), [iron]), ("SM_Chest_Hinge_R", hinge(180), [iron]), ("SM_Chest_Handle_L", handle(-1), [iron]),
    ("SM_Chest_Handle_R", handle(1), [iron]), ("SM_Chest_Hoard", hoard(), [gold]),
):
    put(name, mesh_of(name, pieces), materials, chest, name.split("_")[2] in ("Rivets", "Handle", "Hoard"))
lid = bpy.data.objects.new("SM_Chest_Lid", None)
bpy.context.scene.collection.objects.link(lid)
lid.empty_display_type, lid.empty_display_size, lid.parent = "ARROWS", 0.1, chest
lid.location, lid.rotation_euler.x = Vector((0, Y, HIGH)) * MM, -math.radians(OPEN)
hasp = [(*box((-18, -412, 0), (18, -394, 16)), 0), (*box((-18, -412, -52), (18, -407, 0)), 0)]
for name, pieces, material in (
    ("Planks", lid_planks(), wood), ("Bands", lid_bands(), iron), ("Rivets", lid_rivets(), iron), ("Hasp", hasp, iron),
):
    put(f"SM_Chest_Lid_{name}", mesh_of(f"SM_Chest_Lid_{name}", pieces), [material], lid, name == "Rivets")
coins()
light_and_camera((0, 0.05, 0.3))
