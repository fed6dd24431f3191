"""The shop itself as its last owner left it: house, room, goods, sign; and the light."""

import math

import bpy
from front import HALF, HEAD, arms, box_between, door, slope, stripe, window
from kit import MM, box, boxes, collection, hang, plate, rod, rounded, shade, turned
from mathutils import Vector
from street import written

OLD_POST = (-1420, -1340)


def house(where, kept):
    wall = shade("Render", "#d9cfbd", 0.9)
    for side, (left, right) in {"left": (-2700, -2300), "right": (2300, 2700)}.items():
        box(f"Wall {side}", (left, 0, 0), (right, 2400, 2600), where, wall)
    upper = box("Upper wall", (-2700, 0, 2600), (2700, 300, 5800), where, wall)
    cutter = boxes("Window cutter", [((x - 480, -200, 3900), (x + 480, 400, 5300)) for x in (-1500, 0, 1500)], where, wall)
    cutter.hide_render, cutter.display_type = True, "WIRE"
    cut = upper.modifiers.new("Windows", "BOOLEAN")
    cut.object, cut.operation = cutter, "DIFFERENCE"
    for number, x in enumerate((-1500, 0, 1500), 1):
        made = [((x - 480, 80, 3900), (x - 410, 160, 5300)), ((x + 410, 80, 3900), (x + 480, 160, 5300)),
                ((x - 410, 80, 5230), (x + 410, 160, 5300)),
                ((x - 410, 80, 3900), (x + 410, 160, 3970)), ((x - 25, 85, 3970), (x + 25, 155, 5230))]
        boxes(f"Sash {number}", made, where, kept["cream"], 5)
        box(f"Sash {number} pane", (x - 410, 110, 3970), (x + 410, 120, 5230), where, kept["glass"])
        box(f"Window sill {number}", (x - 540, -110, 3850), (x + 540, 80, 3900), where, kept["stone"], 8)
    box("Cornice", (-2700, -180, 5800), (2700, 300, 6000), where, kept["stone"], 24)
    box("Fascia", (-2400, -80, 2720), (2400, 0, 3280), where, shade("Fascia paint", "#efe4cf", 0.5), 10)


def room(where, kept):
    boards = shade("Boards", "#8a6a48", 0.5)
    box("Shop floor", (-2300, 0, -60), (2300, 2400, 0), where, boards)
    box("Back wall", (-2700, 2400, 0), (2700, 2500, 2650), where, shade("Room paint", "#cdbf9f", 0.9))
    box("Ceiling", (-2300, 300, 2600), (2300, 2400, 2650), where, kept["cream"])
    box("Counter", (-2000, 1700, 0), (-600, 2200, 950), where, kept["oak"], 8)
    for number, height in enumerate((900, 1350, 1800), 1):
        box(f"Shelf {number}", (-300, 2120, height), (2000, 2400, height + 30), where, kept["oak"], 4)
        tin = turned(f"Tins {number}", [(70, 0), (78, 10), (78, 190), (70, 200), (60, 200), (55, 225)], (-150, 2260, height + 30), where,
                     (kept["brass"], kept["sage"], kept["terracotta"])[number - 1], 18)
        row = tin.modifiers.new("Row", "ARRAY")
        row.count, row.use_relative_offset, row.use_constant_offset = 9, False, True
        row.constant_offset_displace = (245 * MM, 0, 0)


def goods(where, kept):
    """A table with a tea set: what the window shows."""
    white = shade("Porcelain", "#f3efe6", 0.15)
    table = boxes("Display table", [((-900, 450, 660), (900, 950, 700)), *(((x, y, 0), (x + 60, y + 60, 660))
                                    for x in (-860, 800) for y in (480, 860))], where, kept["oak"], 4)
    belly = [(60, 0), (70, 8), (110, 40), (125, 95), (110, 150), (70, 178), (62, 186), (40, 200), (14, 206), (18, 230), (8, 238)]
    pot = turned("Teapot", belly, (-420, 700, 700), where, white)
    hang(rod("Teapot spout", (-330, 700, 770), (-230, 700, 870), 16, where, white), pot)
    for number, (x, y) in enumerate(((-60, 620), (160, 760), (380, 640)), 1):
        cup = turned(f"Cup {number}", [(26, 6), (34, 10), (52, 60), (56, 84), (50, 82), (44, 58), (20, 18)], (x, y, 703), where, white)
        hang(turned(f"Saucer {number}", [(40, 0), (84, 10), (86, 15), (40, 9)], (x, y, 700), where, white), cup)
    for one in (pot, *(bpy.data.objects[f"Cup {number}"] for number in (1, 2, 3))):
        hang(one, table)
    turned("Sack", [(170, 0), (210, 80), (215, 300), (170, 430), (70, 470), (100, 540), (60, 530)], (1250, 700, 0), where,
           shade("Jute", "#b39a6b", 0.95), 20)


def sign(where, kept):
    """The bracket on the wall, and the disc that turns below it, with the old owner's ring on both faces."""
    red = shade("Old red", "#a3352c", 0.5)
    boxes("Sign bracket", [((-2575, -24, 2380), (-2525, 0, 2700)), ((-2565, -800, 2640), (-2535, -24, 2670))], where, kept["iron"], 4)
    axle = bpy.data.objects.new("Turning sign", None)
    axle.empty_display_size, axle.location = 0.2, Vector((-2550, -560, 2330)) * MM
    where.objects.link(axle)
    rod("Sign rod", (-2550, -560, 2570), (-2550, -560, 2645), 8, where, kept["iron"])
    ring = [(math.cos(math.tau * k / 48), math.sin(math.tau * k / 48)) for k in range(48)]
    made = [plate("Sign disc", [(-2550 + 250 * x, 2330 + 250 * z) for x, z in ring], (-580, -540), where, red)]
    rounded(made[0], 4)
    for side, depth in (("front", (-592, -580)), ("back", (-540, -528))):
        made.append(plate(f"Old emblem {side}", [(-2550 + 120 * x, 2330 + 150 * z) for x, z in ring], depth, where, kept["brass"]))
    for one in (*made, bpy.data.objects["Sign rod"]):
        hang(one, axle)
    axle.rotation_euler.z = 0
    axle.keyframe_insert("rotation_euler", index=2, frame=1)
    axle.rotation_euler.z = math.tau
    axle.keyframe_insert("rotation_euler", index=2, frame=121)
    curve = axle.animation_data.action.fcurves[0]
    for key in curve.keyframe_points:
        key.interpolation = "LINEAR"
    curve.modifiers.new("CYCLES")
    axle.rotation_euler.z = 0
    written("Old name", "MORRIK & SON", 380, (0, -87.5, 2870), where, red)


def shopfront(where, kept):
    """The old front: the door on the left, the window beside it, a short awning of eight stripes."""
    paint, glass = shade("Frame paint", "#8c3a2e", 0.45), shade("Clear glass", "#eef5f4", 0.02, transmission_weight=1.0, ior=1.08)
    box_between("Frame left", (-2300, -HALF), (0, 2600), where, paint)
    box_between("Frame right", (HALF, 2300), (0, 2600), where, paint)
    box_between("Frame top", (-HALF, HALF), (HEAD, 2600), where, paint)
    box_between("Frame post", OLD_POST, (0, HEAD), where, paint)
    window((OLD_POST[1], HALF), where, paint, glass, kept["stone"])
    door((-HALF, OLD_POST[0]), -1, where, paint, glass, kept["brass"], kept["stone"])
    red, white = bpy.data.materials["Old red"], shade("Canvas", "#efe6d6", 0.85)
    line = slope(2640, 900, 2300, 2180)
    for number in range(8):
        one = stripe(f"Old stripe {number + 1}", (-1600 + 400 * number, -1200 + 400 * number), line, 0, where, white if number % 2 else red)
        one.modifiers["Cloth"].thickness = 4 * MM
    list(arms(1600, 2640, 900, 2300, where, kept["iron"]))


def light(where, scene):
    scene.world = bpy.data.worlds.new("Sky")
    scene.world.use_nodes = True
    back = scene.world.node_tree.nodes["Background"]
    back.inputs[0].default_value, back.inputs[1].default_value = (0.62, 0.76, 1.0, 1.0), 0.55
    sun = bpy.data.lights.new("Sun", "SUN")
    sun.energy, sun.angle, sun.color = 3.2, math.radians(3), (1.0, 0.93, 0.82)
    inside = bpy.data.lights.new("Room light", "AREA")
    inside.energy, inside.size, inside.color = 70, 2.2, (1.0, 0.86, 0.68)
    for name, data, at, turn in (("Sun", sun, (-4, -6, 8), (48, 0, -32)), ("Room light", inside, (0, 1.6, 2.55), (0, 0, 0))):
        made = bpy.data.objects.new(name, data)
        made.location, made.rotation_euler = at, [math.radians(one) for one in turn]
        made.visible_camera = False
        where.objects.link(made)
    eye = bpy.data.objects.new("Street view", bpy.data.cameras.new("Street view"))
    eye.location = (-2.6, -8.6, 1.7)
    eye.rotation_euler = (Vector((0.0, 0, 1.95)) - eye.location).to_track_quat("-Z", "Y").to_euler()
    eye.data.lens = 32
    where.objects.link(eye)
    scene.camera = eye
    scene.render.resolution_x, scene.render.resolution_y = 1600, 1100
    scene.frame_start, scene.frame_end, scene.render.fps = 1, 121, 24


def furnish(kept):
    shop = collection("Shop")
    built = {name: collection(name, shop) for name in ("House", "Front", "Sign", "Display")}
    house(built["House"], kept)
    room(built["Display"], kept)
    goods(built["Display"], kept)
    sign(built["Sign"], kept)
    shopfront(built["Front"], kept)
    light(collection("Light"), bpy.context.scene)
