"""The domino run of brief/run.json: a ball rolls down a ramp, 46 dominoes fall, the last one strikes a gong."""

import math

import bpy
from line import places
from mathutils import Matrix, Vector
from paints import LACQUERS, paints
from physics import body, hinge, world
from shapes import MM, ball, box, prism, rod, trough

THICK, WIDE, TALL = 16, 48, 96
scene = bpy.context.scene


def collection(name):
    made = bpy.data.collections.new(name)
    scene.collection.children.link(made)
    return made


def dominoes(where, paint):
    """One mesh for each colour, each domino turned to look along the line; edges are broken by a live bevel."""
    for number, (x, y, heading) in enumerate(places(), 1):
        lacquer = list(LACQUERS)[(number - 1) % len(LACQUERS)]
        name = f"Domino {number:02d}"
        one = box(name, (-THICK / 2, -WIDE / 2, 0), (THICK / 2, WIDE / 2, TALL), where, paint[lacquer], edge=0)
        bevel = one.modifiers.new("Broken edges", "BEVEL")
        bevel.width, bevel.segments = 1.2 * MM, 3
        one.location = (x * MM, y * MM, TALL / 2 * MM)
        one.rotation_euler.z = heading
        body(one, "ACTIVE", "BOX", mass=0.05)


def table(where, paint):
    body(box("Table", (-830, -430, -36), (560, 430, 0), where, paint["walnut"], edge=5), "PASSIVE", "BOX")


def start(where, paint):
    """The ramp's floor comes down from 200 to 44 mm, 24 mm before the first domino; the ball lies at its upper end."""
    x0, _, _ = places()[0]
    y = places()[0][1]
    top, foot = (x0 - 334, 200), (x0 - 34, 44)
    ramp = trough("Ramp", top, foot, (y, 27), 6, 8, 12, where, paint["maple"])
    body(ramp, "PASSIVE", "MESH")
    slope = math.atan2(top[1] - foot[1], foot[0] - top[0])
    for name, share in (("Ramp leg tall", 0.1), ("Ramp leg short", 0.84)):
        x = top[0] + share * (foot[0] - top[0])
        under = top[1] + share * (foot[1] - top[1]) - 8 / math.cos(slope)
        lean = 9 * math.tan(slope)
        profile = [(x - 9, 0), (x + 9, 0), (x + 9, under - lean), (x - 9, under + lean)]
        body(prism(name, profile, y - 33, y + 33, where, paint["upright"], edge=0.8), "PASSIVE", "CONVEX_HULL")
    along, up = Vector((math.cos(slope), 0, -math.sin(slope))), Vector((math.sin(slope), 0, math.cos(slope)))
    middle = Vector((top[0], y, top[1])) + 26 * along + 25 * up
    body(ball("Ball", middle, 25, where, paint["steel"]), "ACTIVE", "SPHERE", mass=0.25, bounce=0.1, damping=(0.05, 0.4))


def finish(where, paint):
    """The gong hangs across the line, its face 60 mm before the last domino."""
    x, y, _ = places()[-1]
    face = x + THICK / 2 + 60
    middle = face + 4
    for side, aside in (("left", 105), ("right", -105)):
        across = y + aside
        post = box(f"Gong post {side}", (middle - 9, across - 9, 12), (middle + 9, across + 9, 218), where, paint["upright"])
        foot = box(f"Gong foot {side}", (middle - 60, across - 14, 0), (middle + 60, across + 14, 12), where, paint["maple"])
        body(post, "PASSIVE", "BOX")
        body(foot, "PASSIVE", "BOX")
    beam = rod("Gong beam", (middle, y - 96, 200), (middle, y + 96, 200), 7, where, paint["brass"])
    body(beam, "PASSIVE", "CONVEX_HULL")
    gong = rod("Gong", (face, y, 95), (face + 8, y, 95), 65, where, paint["brass"], edge=2.5, sides=96)
    for side, aside in (("left", 34), ("right", -34)):
        low = 95 + math.sqrt(65 ** 2 - 34 ** 2) - 4
        rod(f"Gong cord {side}", (middle, y + aside, low), (middle, y + aside, 193.4), 1.6, where, paint["cord"], sides=16, parent=gong)
    body(gong, "ACTIVE", "CONVEX_HULL", mass=0.15, damping=(0.1, 0.6))
    hinge("Gong hinge", Vector((middle, y, 200)) * MM, gong, beam, Matrix.Rotation(math.radians(-90), 3, "X"), where)


def seen_from(name, what, where, target):
    made = bpy.data.objects.new(name, what)
    made.location = where
    made.rotation_euler = (Vector(target) - Vector(where)).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(made)
    return made


def lit():
    room = bpy.data.worlds.new("Room")
    scene.world, room.use_nodes = room, True
    room.node_tree.nodes["Background"].inputs[0].default_value = (0.80, 0.88, 1, 1)
    room.node_tree.nodes["Background"].inputs[1].default_value = 0.75
    lamps = (("Window", (-1.2, -1.0, 1.6), 55, 0.7, (1, 0.96, 0.9)), ("Fill", (1.5, -0.9, 1.0), 14, 1.0, (0.9, 0.95, 1)),
             ("Rim", (0.3, 1.5, 1.1), 24, 0.6, (1, 0.98, 0.95)))
    for name, where, energy, size, colour in lamps:
        lamp = bpy.data.lights.new(name, "AREA")
        lamp.energy, lamp.size, lamp.color = energy, size, colour
        seen_from(name, lamp, where, (-0.1, 0, 0))


paint = paints()
world(scene)
table(collection("Table top"), paint)
dominoes(collection("Dominoes"), paint)
start(collection("Start"), paint)
finish(collection("Finish"), paint)
lit()
scene.camera = seen_from("Camera", bpy.data.cameras.new("Camera"), (-0.42, -1.62, 1.12), (-0.135, -0.035, 0.0))
scene.camera.data.lens = 40
scene.render.resolution_x, scene.render.resolution_y = 1600, 1000
scene.frame_set(1)
