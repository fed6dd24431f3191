"""The joiner's bench of brief/bench.json, in millimetres."""

import math

import bpy
from mathutils import Vector

MM = 0.001
TOP, THICK, LENGTH, DEPTH = 860, 60, 1800, 650
LEG, UNDER = 90, TOP - THICK
X, Y = 700, 245  # middles of the legs
FRONT = -DEPTH / 2
HOLES = [-700, -500, -300, -100, 100, 300, 500, 700]


def collection(name, above):
    made = bpy.data.collections.new(name)
    above.children.link(made)
    return made


def put(name, mesh, where, material):
    made = bpy.data.objects.new(name, mesh)
    where.objects.link(made)
    mesh.name = name
    mesh.materials.append(material)
    return made


def box(name, low, high, where, material):
    """From corner to corner."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    middle = Vector(((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2)) * MM
    points = [Vector((x, y, z)) * MM - middle for x in (x0, x1) for y in (y0, y1) for z in (z0, z1)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    made = put(name, mesh, where, material)
    made.location = middle
    return made


def rod(name, start, end, diameter, where, material, sides=48):
    """A round bar from point to point."""
    start, end = Vector(start) * MM, Vector(end) * MM
    along, radius = end - start, diameter * MM / 2
    ring = [(radius * math.cos(math.tau * k / sides), radius * math.sin(math.tau * k / sides)) for k in range(sides)]
    points = [(x, y, z) for z in (0, along.length) for x, y in ring]
    faces = [(k, (k + 1) % sides, sides + (k + 1) % sides, sides + k) for k in range(sides)]
    faces += [tuple(reversed(range(sides))), tuple(range(sides, 2 * sides))]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    for face in mesh.polygons[:sides]:
        face.use_smooth = True
    made = put(name, mesh, where, material)
    made.location, made.rotation_euler = start, along.to_track_quat("Z", "Y").to_euler()
    return made


def bevel(made, width=3):
    modifier = made.modifiers.new("Broken edges", "BEVEL")
    modifier.width, modifier.segments, modifier.limit_method = width * MM, 2, "ANGLE"


def wood(name, light, dark, scale):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    shader = nodes["Principled BSDF"]
    where, mapping, noise, ramp = (nodes.new(kind) for kind in
                                   ("ShaderNodeTexCoord", "ShaderNodeMapping", "ShaderNodeTexNoise", "ShaderNodeValToRGB"))
    mapping.inputs["Scale"].default_value = scale
    noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = 9, 8
    ramp.color_ramp.elements[0].color, ramp.color_ramp.elements[1].color = (*dark, 1), (*light, 1)
    ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[1].position = 0.35, 0.65
    links.new(where.outputs["Object"], mapping.inputs["Vector"])
    links.new(mapping.outputs["Vector"], noise.inputs["Vector"])
    links.new(noise.outputs["Fac"], ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], shader.inputs["Base Color"])
    shader.inputs["Roughness"].default_value = 0.55
    return made


def steel():
    made = bpy.data.materials.new("Steel")
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value, shader.inputs["Metallic"].default_value = (0.45, 0.46, 0.48, 1), 1
    shader.inputs["Roughness"].default_value = 0.35
    return made


scene = bpy.context.scene
bench = collection("Bench", scene.collection)
top_, base, vise, drawers = (collection(name, bench) for name in ("Top", "Base", "Vise", "Drawers"))
ALONG, ACROSS, UPRIGHT = (1, 12, 12), (12, 1, 12), (12, 12, 1)
light, dark = (0.62, 0.43, 0.25), (0.44, 0.27, 0.13)
beech = {axis: wood(f"Beech {name}", light, dark, axis) for name, axis in (("along x", ALONG), ("along y", ACROSS), ("upright", UPRIGHT))}
walnut, iron = wood("Walnut", (0.16, 0.08, 0.04), (0.07, 0.035, 0.02), ALONG), steel()


def made_top():
    """The holes are cut for good by a boolean; the bevel stays live."""
    top = box("Top", (-LENGTH / 2, FRONT, UNDER), (LENGTH / 2, -FRONT, TOP), top_, beech[ALONG])
    cutters = [rod(f"cutter {x}", (x, FRONT + 80, UNDER - 20), (x, FRONT + 80, TOP + 20), 19, top_, iron, 32) for x in HOLES]
    for cutter in cutters:
        cut = top.modifiers.new("Dog hole", "BOOLEAN")
        cut.object, cut.operation, cut.solver = cutter, "DIFFERENCE", "EXACT"
    holed = bpy.data.meshes.new_from_object(top.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    top.modifiers.clear()
    old, top.data = top.data, holed
    bpy.data.meshes.remove(old)
    holed.name = "Top"
    for cutter in cutters:
        bpy.data.meshes.remove(cutter.data)
    bevel(top)


made_top()
for side, x in (("left", -X), ("right", X)):
    for end, y in (("front", -Y), ("back", Y)):
        bevel(box(f"Leg {end} {side}", (x - LEG / 2, y - LEG / 2, 0), (x + LEG / 2, y + LEG / 2, UNDER), base, beech[UPRIGHT]))
    box(f"Rail {side}", (x - 20, -Y + LEG / 2, 120), (x + 20, Y - LEG / 2, 220), base, beech[ACROSS])
for end, y in (("front", -Y), ("back", Y)):
    box(f"Rail {end}", (-X + LEG / 2, y - 20, 120), (X - LEG / 2, y + 20, 220), base, beech[ALONG])
SLATS, GAP = 7, 12
wide = (2 * (X - 60) - (SLATS - 1) * GAP) / SLATS
for number in range(SLATS):
    x = -(X - 60) + number * (wide + GAP)
    box(f"Slat {number + 1}", (x, -Y - 20, 220), (x + wide, Y + 20, 238), base, beech[ACROSS])

JAW, OPEN, MIDDLE, DEEP = 60, 40, -400, TOP - 90
near = FRONT - OPEN
box("Vise jaw", (MIDDLE - 200, near - JAW, TOP - 180), (MIDDLE + 200, near, TOP), vise, beech[ALONG])
rod("Vise screw", (MIDDLE, near - JAW - 70, DEEP), (MIDDLE, 60, DEEP), 32, vise, iron)
for number, x in enumerate((MIDDLE - 130, MIDDLE + 130), 1):
    rod(f"Vise rod {number}", (x, near - JAW, DEEP), (x, 60, DEEP), 20, vise, iron)
rod("Vise handle", (MIDDLE, near - JAW - 45, DEEP - 140), (MIDDLE, near - JAW - 45, DEEP + 140), 16, vise, iron)
box("Vise block", (MIDDLE - 180, FRONT, DEEP - 40), (MIDDLE + 180, FRONT + 70, UNDER), vise, beech[ALONG])

W, D, H, T = 500, 450, 280, 18
x0, x1, y0, y1, z1 = 110, 110 + W, -220, -220 + D, UNDER
z0 = z1 - H


def hollow(name, low, high, wall, open_to, where, material):
    """A box without one side, with walls of that thickness, as one closed mesh."""
    (ax, ay, az), (bx, by, bz) = low, high
    inner_low, inner_high = [ax + wall, ay + wall, az + wall], [bx - wall, by - wall, bz - wall]
    if open_to == "front":
        inner_low[1] = ay
    else:
        inner_high[2] = bz
    middle = Vector(((ax + bx) / 2, (ay + by) / 2, (az + bz) / 2)) * MM
    corners = [[(x, y, z) for x in (one[0], two[0]) for y in (one[1], two[1]) for z in (one[2], two[2])]
               for one, two in ((low, high), (inner_low, inner_high))]
    points = [Vector(point) * MM - middle for group in corners for point in group]
    sides = {"left": (0, 1, 3, 2), "right": (4, 6, 7, 5), "front": (0, 4, 5, 1), "back": (2, 3, 7, 6), "bottom": (0, 2, 6, 4),
             "top": (1, 5, 7, 3)}
    faces = [face for side, face in sides.items() if side != open_to]
    faces += [tuple(8 + corner for corner in reversed(face)) for side, face in sides.items() if side != open_to]
    rim = sides[open_to]
    faces += [(rim[k], rim[(k + 1) % 4], 8 + rim[(k + 1) % 4], 8 + rim[k]) for k in range(4)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    made = put(name, mesh, where, material)
    made.location = middle
    return made


hollow("Carcass", (x0, y0, z0), (x1, y1, z1), T, "front", drawers, beech[ALONG])
CLEAR = 2
high = (H - 2 * T - 3 * CLEAR) / 2
for number, (low, out) in enumerate(((z0 + T + 2 * CLEAR + high, 0), (z0 + T + CLEAR, 120)), 1):
    front = y0 - out
    hollow(f"Drawer {number}", (x0 + T + CLEAR, front, low), (x1 - T - CLEAR, front + D - 40, low + high), 12, "top", drawers, walnut)
    rod(f"Pull {number}", ((x0 + x1) / 2, front, low + high / 2), ((x0 + x1) / 2, front - 30, low + high / 2), 28, drawers, walnut)

world = bpy.data.worlds.new("Studio")
scene.world = world
world.use_nodes = True
world.node_tree.nodes["Background"].inputs[0].default_value = (0.9, 0.93, 1, 1)
world.node_tree.nodes["Background"].inputs[1].default_value = 0.55
LAMPS = (("Key", (-2.2, -2.6, 2.6), 160, 1.5), ("Fill", (2.6, -1.8, 1.6), 60, 2.0), ("Rim", (0.5, 2.4, 2.4), 90, 1.0))
for name, where, energy, size in LAMPS:
    lamp = bpy.data.lights.new(name, "AREA")
    lamp.energy, lamp.size = energy, size
    made = bpy.data.objects.new(name, lamp)
    made.location = where
    made.rotation_euler = (Vector((0, 0, 0.5)) - Vector(where)).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(made)
eye = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
eye.location = (-1.7, -2.9, 1.7)
eye.rotation_euler = (Vector((0, 0, 0.42)) - eye.location).to_track_quat("-Z", "Y").to_euler()
scene.collection.objects.link(eye)
scene.camera = eye
scene.render.resolution_x, scene.render.resolution_y = 1600, 1200
