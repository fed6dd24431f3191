"""The booth of QUORVIL, in millimetres; brief/*.jpg are pictures of it (see pictures.py)."""

import math

import bpy
import finish
from bodies import bar, box, collection, letters, prism, rope, solid, turned

scene = bpy.context.scene
booth = collection("Booth", scene.collection)
shell, furniture, display, light_, barrier = (collection(name, booth) for name in ("Shell", "Furniture", "Display", "Light", "Barrier"))

teal = finish.plain("Teal lacquer", (0.012, 0.13, 0.15), 0.4)
cream = finish.plain("Cream lacquer", (0.80, 0.74, 0.62), 0.45)
coral = finish.plain("Coral lacquer", (0.72, 0.14, 0.07), 0.35)
ply = finish.wood("Birch plywood", (0.62, 0.47, 0.30), (0.52, 0.37, 0.22), (1, 1, 9))
oak = finish.wood("Oak floor", (0.47, 0.33, 0.20), (0.34, 0.22, 0.12), (1, 9, 1))
steel = finish.plain("Brushed steel", (0.50, 0.51, 0.53), 0.35, 1.0)
black = finish.plain("Black steel", (0.02, 0.02, 0.022), 0.45, 0.5)
glow = finish.plain("Light of the ring", (1.0, 0.90, 0.74), 0.5, 0.0, 6.0)
grey = finish.plain("Hall concrete", (0.32, 0.32, 0.33), 0.75)
felt = finish.plain("Felt", (0.05, 0.06, 0.07), 0.95)
cord = finish.plain("Coral cord", (0.60, 0.10, 0.05), 0.8)
glazes = [finish.glaze(f"{name} glaze", colour)
          for name, colour in (("Teal", (0.01, 0.20, 0.22)), ("Coral", (0.75, 0.16, 0.08)), ("Cream", (0.82, 0.76, 0.62)))]

UP = 100  # the raised floor
solid("Hall floor", [(-5200, -4300, 0), (5200, -4300, 0), (5200, 3900, 0), (-5200, 3900, 0)], [(0, 1, 2, 3)], booth, grey)
box("Floor", (-3000, -2000, 0), (3000, 2000, UP), shell, oak)
prism("Ramp", [(-2000, 0), (-2000, UP), (-3000, 0)], 1200, 2500, shell, felt, axis="x")
box("Back wall", (-3000, 1850, UP), (3000, 2000, UP + 3000), shell, teal)
box("Back wall skirting", (-2850, 1835, UP), (3000, 1850, UP + 120), shell, cream)
box("Side wall", (-3000, 300, UP), (-2850, 1850, UP + 2400), shell, cream)
for number, x in enumerate((-2900, -1450, 0, 1450, 2900), 1):
    brace = [(2000, UP + 2600), (2000, 0), (2700, 0), (2700, 80), (2080, UP + 2600)]
    prism(f"Wall rib {number}", brace, x - 35, x + 35, shell, ply, axis="x")
box("Wall rail", (-2865, 2000, 1500), (2865, 2040, 1620), shell, ply)
letters("Letters", "QUORVIL", 860, 70, (700, 1850, UP + 1830), 0, shell, cream)
box("Letters line", (-1200, 1835, UP + 1590), (2630, 1850, UP + 1630), shell, coral)

open_behind = [(700, -700), (2500, -700), (2500, -150), (2440, -150), (2440, -640), (760, -640), (760, -150), (700, -150)]
prism("Counter", open_behind, UP, UP + 1050, furniture, teal)
box("Counter top", (650, -760, UP + 1050), (2550, -120, UP + 1100), furniture, cream, edge=8)
box("Counter stripe", (700, -712, UP + 820), (2500, -700, UP + 880), furniture, coral)
box("Counter board", (760, -640, UP + 500), (2440, -170, UP + 525), furniture, ply)
CARAFE = [(0, 0), (62, 0), (84, 50), (80, 120), (34, 210), (34, 270), (48, 290), (42, 290), (28, 268), (28, 210), (0, 200)]
turned("Carafe on the counter", [(r, UP + 1100 + h) for r, h in CARAFE], (2150, -450), furniture, glazes[1])
for number, x in enumerate((1150, 1850), 1):
    at = (x, 330)
    turned(f"Stool {number} foot", [(0, UP), (210, UP), (210, UP + 12), (30, UP + 30), (0, UP + 30)], at, furniture, steel)
    bar(f"Stool {number} post", (*at, UP + 25), (*at, UP + 730), 50, furniture, steel)
    turned(f"Stool {number} ring", [(150, UP + 290), (162, UP + 302), (150, UP + 314), (138, UP + 302)], at, furniture, steel)
    bar(f"Stool {number} spoke 1", (x - 145, 330, UP + 302), (x + 145, 330, UP + 302), 16, furniture, steel)
    bar(f"Stool {number} spoke 2", (x, 185, UP + 302), (x, 475, UP + 302), 16, furniture, steel)
    turned(f"Stool {number} seat", [(0, UP + 725), (150, UP + 725), (185, UP + 745), (190, UP + 775), (170, UP + 800), (0, UP + 790)], at,
           furniture, coral)

box("Totem", (-2750, -1650, UP), (-2050, -1400, UP + 2600), display, coral, edge=12)
box("Totem foot", (-2790, -1690, UP), (-2010, -1360, UP + 60), display, black)
for side, y, turn in (("front", -1650, 0), ("back", -1400, math.pi)):
    for number, letter in enumerate("QVL"):
        letters(f"Totem letter {side} {letter}", letter, 480, 35, (-2400, y, UP + 1950 - 620 * number), turn, display, cream)

LEFT, RIGHT, FRONT = -2500, -900, 1500
for number, x in enumerate((LEFT, RIGHT - 40), 1):
    box(f"Shelf side {number}", (x, FRONT, UP), (x + 40, 1835, UP + 1700), display, ply)
for number, z in enumerate((UP + 120, UP + 560, UP + 1000, UP + 1440), 1):
    box(f"Shelf board {number}", (LEFT + 40, FRONT, z), (RIGHT - 40, 1835, z + 30), display, ply)
number = 0
for row, z in enumerate((UP + 590, UP + 1030, UP + 1470)):
    for column in range(4):
        number += 1
        wide, tall = 1.0 + 0.18 * ((row + column) % 3), 0.86 + 0.12 * ((row * 2 + column) % 3)
        profile = [(r * wide, z + h * tall) for r, h in CARAFE]
        turned(f"Product {number}", profile, (LEFT + 230 + 380 * column, 1670), display, glazes[(row + column) % 3])

HIGH = 3500
posts = [(x, y) for x in (-2950, 2950) for y in (-1950, 2050)]
for number, (x, y) in enumerate(posts, 1):
    box(f"Post {number}", (x - 50, y - 50, UP if y < 0 else 0), (x + 50, y + 50, HIGH), light_, black)
for name, x in (("left", -2950), ("right", 2950)):
    box(f"Beam {name}", (x - 50, -2000, HIGH), (x + 50, 2100, HIGH + 100), light_, black)
for name, y in (("front", -1950), ("back", 2050), ("cross 1", -828), ("cross 2", 728)):
    box(f"Beam {name}", (-2900, y - 50, HIGH), (2900, y + 50, HIGH + 100), light_, black)
RING = (0, -50)
section = [(50 * math.cos(math.tau * k / 4 + math.pi / 4), 50 * math.sin(math.tau * k / 4 + math.pi / 4)) for k in range(4)]
turned("Ring light", [(1100 - 35.36 + r, 2950 + z) for r, z in section], RING, light_, glow, sides=96)
for number, (x, y) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1)), 1):
    reach = 1065 / math.sqrt(2)
    x, y = RING[0] + x * reach, RING[1] + y * reach
    bar(f"Cable {number}", (x, y, 2975), (x, y, HIGH), 12, light_, steel, 12)

POST = [(0, 0), (150, 0), (150, 15), (26, 40), (24, 900), (34, 910), (34, 950), (0, 965)]
stands = [(-1500, -1800), (-450, -1800), (600, -1800)]
for number, at in enumerate(stands, 1):
    turned(f"Barrier post {number}", [(r, UP + h) for r, h in POST], at, barrier, steel)
for number in (1, 2):
    (x0, y0), (x1, y1) = stands[number - 1:number + 1]
    rope(f"Barrier rope {number}", (x0 + 20, y0, UP + 880), (x1 - 20, y1, UP + 880), 170, barrier, cord)

finish.lit(scene)
scene.camera = finish.seen(scene, "Camera front left", (-3.7, -9.4, 2.3), (0.1, -0.1, 1.65), 38)
scene.render.resolution_x, scene.render.resolution_y = 1600, 1200
scene.view_settings.exposure = 0.2
