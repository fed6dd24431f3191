"""The house of brief/plan.json, in millimetres."""

import json
import math
from pathlib import Path

import bpy
import finish
from mathutils import Vector
from shapes import MM, around, box, clump, collection, rectangle, ring, solid, together, tube, turned

plan = json.loads(Path("brief/plan.json").read_text(encoding="utf-8"))
levels, roof_plan = plan["levels"], plan["roof"]
FLOOR, COURT, TOP = levels["floor"], levels["courtyard"], levels["top_of_walls"]
scene = bpy.context.scene
house = collection("House", scene.collection)
walls_, openings_, ground_ = (collection(name, house) for name in ("Walls", "Openings", "Ground floor"))
courtyard_, roof_, cutters_ = (collection(name, house) for name in ("Courtyard", "Roof", "Cutters"))

plaster = finish.mottled("Lime plaster", (0.86, 0.83, 0.76), (0.78, 0.74, 0.66), 1.6, bump=0.15)
inner = finish.plain("White paint", (0.85, 0.85, 0.82), 0.8)
painted = finish.plain("Grey-green paint", (0.10, 0.16, 0.14), 0.45)
oak = finish.mottled("Oak", (0.42, 0.26, 0.13), (0.28, 0.16, 0.07), 5, (14, 14, 1), 0.5)
boards = finish.mottled("Oak boards", (0.45, 0.30, 0.17), (0.33, 0.20, 0.10), 3, (1, 10, 1), 0.5)
stone = finish.mottled("Sandstone", (0.52, 0.47, 0.39), (0.40, 0.35, 0.28), 4, roughness=0.85, bump=0.3)
concrete = finish.mottled("Concrete", (0.46, 0.46, 0.44), (0.38, 0.38, 0.37), 3, roughness=0.9)
tiles = finish.coursed("Clay tiles", (0.36, 0.13, 0.07), (0.46, 0.18, 0.09), (0.16, 0.06, 0.035), 0.24, 0.30, (0, 0, 0))
bricks = finish.coursed("Bricks", (0.38, 0.14, 0.09), (0.30, 0.10, 0.07), (0.55, 0.52, 0.47), 0.25, 0.085)
zinc = finish.plain("Zinc", (0.42, 0.45, 0.47), 0.4, 0.9)
clear = finish.glass("Glass")
iron = finish.plain("Black iron", (0.03, 0.03, 0.035), 0.5, 0.6)
leaves = finish.mottled("Leaves", (0.12, 0.26, 0.05), (0.05, 0.13, 0.02), 7, roughness=0.7, bump=0.5)
bark = finish.mottled("Bark", (0.20, 0.14, 0.09), (0.10, 0.07, 0.045), 8, (8, 8, 1), 0.9, 0.5)
clay = finish.mottled("Terracotta", (0.50, 0.22, 0.12), (0.42, 0.17, 0.09), 3, roughness=0.8)
soil = finish.plain("Soil", (0.05, 0.035, 0.025), 1.0)
grass = finish.mottled("Grass", (0.16, 0.26, 0.07), (0.10, 0.18, 0.04), 2, roughness=1.0)


def stretch(wall, start, end, half=None):
    """The corners in plan of a stretch of a wall."""
    (x0, y0), (_, y1) = wall["axis"]
    half = wall["thickness"] / 2 if half is None else half
    return ((start, y0 - half), (end, y0 + half)) if y0 == y1 else ((x0 - half, start), (x0 + half, end))


def made_wall(wall):
    """A whole wall, and beside it what cuts its openings; both stay."""
    along = 0 if wall["axis"][0][1] == wall["axis"][1][1] else 1
    low, high = stretch(wall, wall["axis"][0][along], wall["axis"][1][along])
    made = box(wall["name"], (*low, FLOOR), (*high, TOP), walls_, inner if wall["name"].startswith("Partition") else plaster)
    for one in plan["openings"]:
        if one["wall"] != wall["name"]:
            continue
        low, high = stretch(wall, one["from"], one["to"], wall["thickness"] / 2 + 50)
        bottom = one["bottom"] - 50 * (one["bottom"] == FLOOR)
        cutter = box(f"Cut {one['name']}", (*low, bottom), (*high, one["top"]), cutters_, made.data.materials[0])
        cutter.display_type = "WIRE"
        cut = made.modifiers.new(one["name"], "BOOLEAN")
        cut.object, cut.operation, cut.solver = cutter, "DIFFERENCE", "EXACT"


def upright(wall, outline, depth):
    """A figure in (along, z), given as points, brought into the middle of a wall: two layers of points."""
    (x0, y0), (_, y1) = wall["axis"]
    if y0 == y1:
        return [[(u, y0 + side * depth / 2, z) for u, z in outline] for side in (-1, 1)]
    return [[(x0 - side * depth / 2, u, z) for u, z in outline] for side in (-1, 1)]


def rim(low, high, edge):
    (a, b), (c, d) = low, high
    return [(a + edge, b + edge), (c - edge, b + edge), (c - edge, d - edge), (a + edge, d - edge)]


def made_window(one, wall):
    told = plan["windows"]
    low, high, wide = (one["from"], one["bottom"]), (one["to"], one["top"]), told["frame"]["width"]
    (front, back), (near, far) = (upright(wall, rim(low, high, edge), told["frame"]["depth"]) for edge in (0, wide))
    solid(f"{one['name']} frame", *around([front, back, far, near]), openings_, painted)
    pane = upright(wall, rim(low, high, wide), told["pane"]["thickness"])
    solid(f"{one['name']} pane", *around(pane, closed_ends=True), openings_, clear)


def made_door(one, wall):
    told = plan["doors"]
    a, b, low, top, wide, gap = one["from"], one["to"], one["bottom"], one["top"], told["frame"]["width"], 4
    outline = [(a, low), (a + wide, low), (a + wide, top - wide), (b - wide, top - wide), (b - wide, low), (b, low), (b, top), (a, top)]
    solid(f"{one['name']} frame", *around(upright(wall, outline, told["frame"]["depth"]), closed_ends=True), openings_, painted)
    a, b, top = a + wide + gap, b - wide - gap, top - wide - gap
    leaf = upright(wall, [(a, low + gap), (b, low + gap), (b, top), (a, top)], told["leaf"]["thickness"])
    hinge = a if one["hinge"] == "from" else b
    line = wall["axis"][0]
    along_x = line[1] == wall["axis"][1][1]
    origin = (hinge, line[1], low + gap) if along_x else (line[0], hinge, low + gap)
    made = solid(f"{one['name']} leaf", *around(leaf, closed_ends=True), openings_, oak, origin)
    handle(one, made, (b - 90 if hinge == a else a + 90), line, along_x)


def handle(one, leaf, at, line, along_x):
    """A lever on either side, which swings along."""
    pieces = []
    for side in (-1, 1):
        away = [side * (plan["doors"]["leaf"]["thickness"] / 2 + reach) for reach in (-2, 55, 55)]
        shift = (0, 0, -110 if at > (one["from"] + one["to"]) / 2 else 110)
        points = [(at + u, line[1] + v, 1500) if along_x else (line[0] + v, at + u, 1500) for u, v in zip(shift, away, strict=True)]
        pieces += [tube(points[:2], (11, 11)), tube(points[1:], (10, 10))]
    made = solid(f"{one['name']} handle", *together(pieces), openings_, iron)
    bpy.context.view_layer.update()
    made.parent, made.matrix_parent_inverse = leaf, leaf.matrix_world.inverted()


by_name = {wall["name"]: wall for wall in plan["walls"]}
for told in plan["walls"]:
    made_wall(told)
for told in plan["openings"]:
    (made_window if told["name"].startswith("Window") else made_door)(told, by_name[told["wall"]])
cutters_.hide_render = cutters_.hide_viewport = True

slab = ring("Slab", (6000, 5000), (2000, 1500), 0, FLOOR, ground_, concrete)
slab.data.materials.append(boards)
for face in slab.data.polygons:
    face.material_index = int(face.normal.z > 0.5)
box("Courtyard paving", (-2000, -1500, 0), (2000, 1500, COURT), courtyard_, stone)
for number in (1, 2):
    box(f"Step {number}", (-800, -5000 - 300 * (3 - number), 0), (800, -5000 - 300 * (2 - number), 150 * number), ground_, stone)
solid("Lawn", rectangle(8600, 7700, 0), [(0, 1, 2, 3)], ground_, grass)

ring("Ceiling", (6000, 5000), (2000, 1500), TOP, TOP + 100, roof_, inner)
shell, upper = roof_plan["shell"], roof_plan["shell"]["upright_thickness"]
halves = {edge: (shell[edge]["x"], shell[edge]["y"]) for edge in ("outer_edge", "ridge", "inner_edge")}
under = [rectangle(*halves[edge], shell["underside"][edge]) for edge in halves]
over = [rectangle(*halves[edge], shell["underside"][edge] + upper) for edge in halves]
roof = solid("Roof", *around([under[0], *over, under[2], under[1]]), roof_, tiles)
EAVE, RADIUS, HANG = halves["outer_edge"], roof_plan["gutter"]["width"] / 2, shell["underside"]["outer_edge"] + 90
bow = [(RADIUS - math.cos(math.pi * k / 10) * r, HANG - math.sin(math.pi * k / 10) * r)
       for r, turn in ((RADIUS, 1), (RADIUS - 5, -1)) for k in range(11)[::turn]]
for name, quarter in (("south", 0), ("east", 1), ("north", 2), ("west", 3)):
    long, deep = EAVE if quarter % 2 == 0 else EAVE[::-1]
    c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarter]
    ends = [[(side * (long + out) * c + (deep + out) * s, side * (long + out) * s - (deep + out) * c, z) for out, z in bow]
            for side in (-1, 1)]
    solid(f"Gutter {name}", *around(ends[::-1], closed_ends=True), roof_, zinc)
for number, (x, side) in enumerate(((-5800, -1), (5800, 1)), 1):
    drop = side * (EAVE[1] + RADIUS)
    path = [(x, drop, HANG - RADIUS + 10), (x, drop, 2880), (x, side * 5070, 2650), (x, side * 5070, 0)]
    curve = bpy.data.curves.new(f"Downpipe {number}", "CURVE")
    curve.dimensions, curve.bevel_depth, curve.bevel_resolution, curve.use_fill_caps = "3D", 0.04, 4, True
    line = curve.splines.new("POLY")
    line.points.add(len(path) - 1)
    for point, at in zip(line.points, path, strict=True):
        point.co = (*(Vector(at) * MM), 1)
    curve.materials.append(zinc)
    roof_.objects.link(bpy.data.objects.new(f"Downpipe {number}", curve))

x, y = plan["chimney"]["middle"]
box("Chimney", (x - 300, y - 300, FLOOR), (x + 300, y + 300, plan["chimney"]["to"]), ground_, bricks)

tub = plan["courtyard"]["tub"]
(x, y), wide, rim_z = tub["middle"], tub["diameter"] / 2, COURT + tub["height"]
turned("Tub", [(0, COURT), (wide * 0.76, COURT), (wide * 0.96, rim_z - 70), (wide, rim_z - 65), (wide, rim_z), (wide - 55, rim_z),
               (wide * 0.72, COURT + 60), (0, COURT + 60)], (x, y), courtyard_, clay, smooth=False)
turned("Tree soil", [(0, COURT + 60), (wide * 0.72, COURT + 60), (wide * 0.86, rim_z - 60), (0, rim_z - 40)], (x, y), courtyard_, soil)
fork = rim_z + 900
limbs = [tube([(x, y, rim_z - 120), (x + 20, y, rim_z + 300), (x - 10, y + 15, fork)], (75, 60, 50))]
tips = [(x - 330, y - 180, fork + 480), (x + 300, y - 240, fork + 560), (x + 20, y + 340, fork + 620), (x - 30, y + 20, fork + 850)]
limbs += [tube([(x - 10, y + 15, fork - 60), ((x + a) / 2, (y + b) / 2, fork + 250), (a, b, c)], (46, 34, 18)) for a, b, c in tips]
solid("Tree trunk", *together(limbs), courtyard_, bark)
heads = [(*tip, 400 - 30 * number) for number, tip in enumerate(tips)]
heads += [(x + 60, y - 30, fork + 330, 330), (x - 260, y + 260, fork + 560, 300)]
solid("Tree crown", *together([clump((a, b, c), r, number * 3.7) for number, (a, b, c, r) in enumerate(heads)]), courtyard_, leaves)

seat = COURT + plan["courtyard"]["bench"]["seat"]["top_above_courtyard"]
for number, y in enumerate((-600, 600), 1):
    box(f"Bench end {number}", (1500, y - 50, COURT), (1860, y + 50, seat - 40), courtyard_, stone)
    box(f"Bench stay {number}", (1865, y - 25, COURT), (1905, y + 25, seat + 400), courtyard_, iron)
plank = [(1450 + 140 * k, 1450 + 140 * k + 125) for k in range(3)]
faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
solid("Bench seat", *together([([(u, v, z) for u in ends for v in (-800, 800) for z in (seat - 40, seat)], faces) for ends in plank]),
      courtyard_, oak)
box("Bench back", (1830, -800, seat + 180), (1865, 800, seat + 400), courtyard_, oak)

finish.lit(scene)
finish.seen(scene)
