"""The model of caffeine that brief/molecule.json and brief/display.json describe."""

import json
from pathlib import Path

import bpy
from mathutils import Vector
from parts import ball, box, collection, lamp, principled, put, rod, walnut, words

MM = 0.001
BRIEF = Path("brief")
molecule = json.loads((BRIEF / "molecule.json").read_text(encoding="utf-8"))
display = json.loads((BRIEF / "display.json").read_text(encoding="utf-8"))
elements, sticks = display["elements"], display["sticks"]
scene = bpy.context.scene
scene.unit_settings.length_unit = "MILLIMETERS"

model = collection("Caffeine", scene.collection)
atoms, bonds, stand = (collection(name, model) for name in ("Atoms", "Bonds", "Stand"))
legend = collection("Legend", stand)


def placed(xyz):
    """From the file's angstrom to metres of the world."""
    x, y, z = xyz
    return Vector((x, -z, y)) * display["scale"]["one_angstrom"] * MM + Vector(display["place"]["origin_of_the_file"]) * MM


stick = principled("Stick", sticks["base_color"], roughness=0.45)
brass = principled("Brass", (0.72, 0.48, 0.18), roughness=0.25, metallic=1.0)
ivory = principled("Ivory", (0.80, 0.74, 0.58), roughness=0.5)
balls = {}
for element, told in elements.items():
    paint = principled(told["material"], told["base_color"], roughness=0.28, coat=0.35)
    balls[element] = ball(told["word"].capitalize(), told["diameter"] * MM / 2, paint)
where = {atom["name"]: placed(atom["xyz"]) for atom in molecule["atoms"]}
for atom in molecule["atoms"]:
    put(atom["name"], balls[atom["element"]], atoms).location = where[atom["name"]]

OUT = Vector((0, -1, 0))  # of the plane of the rings
for bond in molecule["bonds"]:
    start, end = (where[name] for name in bond["atoms"])
    if bond["order"] == 1:
        rod(bond["name"], start, end, sticks["single"]["diameter"] * MM, bonds, stick)
        continue
    aside = (end - start).normalized().cross(OUT) * sticks["double"]["axes_apart"] * MM / 2
    for number, away in enumerate((aside, -aside), 1):
        rod(f"{bond['name']} {number}", start + away, end + away, sticks["double"]["diameter"] * MM, bonds, stick)

plinth = display["plinth"]
size = Vector((plinth["width"], plinth["depth"], plinth["height"])) * MM
made = box("Plinth", size, stand, walnut())
made.location.z = size.z / 2
edges = made.modifiers.new("Broken edges", "BEVEL")
edges.width, edges.segments = 0.002, 3
foot = where["O11"].copy()
foot.z = size.z - 0.015
rod("Support rod", foot, where["O11"], display["rod"]["diameter"] * MM, stand, brass)
rod("Rod collar", Vector((foot.x, foot.y, size.z)), Vector((foot.x, foot.y, size.z + 0.008)), 0.024, stand, brass)

front = -size.y / 2
told = display["legend"]["balls"]
for element, x in zip(told["order_from_left"], told["x"], strict=True):
    radius = elements[element]["diameter"] * MM / 2
    put(f"Legend {element}", balls[element], legend).location = (x * MM, told["y"] * MM, size.z + radius)
    words(f"Legend text {element}", f"{element}  {elements[element]['word']}", 0.0135, (x * MM, front, 0.031), legend, ivory)
words("Title", display["legend"]["title"]["text"], 0.018, (0, front, 0.009), legend, ivory)

world = bpy.data.worlds.new("Museum")
scene.world = world
world.use_nodes = True
world.node_tree.nodes["Background"].inputs[0].default_value = (0.86, 0.91, 1, 1)
world.node_tree.nodes["Background"].inputs[1].default_value = 0.45
aim = Vector((0, 0, 0.28))
for name, at, energy, side in (("Key", (-0.7, -0.9, 1.0), 14, 0.5), ("Fill", (0.9, -0.7, 0.5), 5, 0.6), ("Rim", (0.3, 0.9, 0.8), 12, 0.4)):
    lamp(name, Vector(at), aim, energy, side)
eye = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
eye.data.lens = 60
eye.location = (-0.42, -1.12, 0.42)
eye.rotation_euler = (Vector((0, 0, 0.255)) - eye.location).to_track_quat("-Z", "Y").to_euler()
scene.collection.objects.link(eye)
scene.camera = eye
scene.render.resolution_x, scene.render.resolution_y = 1200, 1400
