"""The bench on which the amphora was scanned: all that stands about it, in millimetres."""

import math

import bpy
from mathutils import Vector

MM = 0.001


def shade(name, colour, roughness=0.6, metallic=0.0, grain=0.0):
    """Plain, or with a fine grain of darker spots."""
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    shader = nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value, shader.inputs["Roughness"].default_value = (*colour, 1.0), roughness
    shader.inputs["Metallic"].default_value = metallic
    if grain:
        where, noise, ramp = (nodes.new(kind) for kind in ("ShaderNodeTexCoord", "ShaderNodeTexNoise", "ShaderNodeValToRGB"))
        noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = grain, 6.0
        ramp.color_ramp.elements[0].color, ramp.color_ramp.elements[1].color = (*(0.6 * one for one in colour), 1.0), (*colour, 1.0)
        ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[1].position = 0.3, 0.6
        links.new(where.outputs["Object"], noise.inputs["Vector"])
        links.new(noise.outputs["Fac"], ramp.inputs["Fac"])
        links.new(ramp.outputs["Color"], shader.inputs["Base Color"])
    return made


def put(name, points, faces, where, *materials):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([Vector(one) * MM for one in points], [], faces)
    for one in materials:
        mesh.materials.append(one)
    made = bpy.data.objects.new(name, mesh)
    where.objects.link(made)
    return made


def box(name, size, middle, where, material):
    points = [(x * size[0] / 2, y * size[1] / 2, z * size[2] / 2) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    made = put(name, points, [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)], where, material)
    made.location = Vector(middle) * MM
    return made


def turned(name, profile, where, material, sides=48):
    """A closed body of revolution: (radius, height) from below to above."""
    points = [(0, 0, profile[0][1])]
    for radius, height in profile:
        points += [(radius * math.cos(math.tau * k / sides), radius * math.sin(math.tau * k / sides), height) for k in range(sides)]
    points.append((0, 0, profile[-1][1]))
    last, top, rings = len(points) - 1, 1 + (len(profile) - 1) * sides, len(profile)
    faces = []
    for k in range(sides):
        n = (k + 1) % sides
        faces += [(0, 1 + n, 1 + k), (top + k, top + n, last)]
        faces += [(1 + r * sides + k, 1 + r * sides + n, 1 + (r + 1) * sides + n, 1 + (r + 1) * sides + k) for r in range(rings - 1)]
    made = put(name, points, faces, where, material)
    made.data.polygons.foreach_set("use_smooth", [True] * len(faces))
    made.data.set_sharp_from_angle(angle=math.radians(35))
    return made


def sherd(name, turn, size, middle, where, *materials):
    """A piece of a wall: an outline on a curved sheet, 8 mm thick, the broken edge in the second material."""
    corners = [(size * (0.75 + 0.25 * math.sin(3.7 * k + turn)) * math.cos(math.tau * k / 9),
                size * (0.75 + 0.25 * math.cos(2.3 * k + turn)) * math.sin(math.tau * k / 9)) for k in range(9)]
    points = [(x, y, 12 - (x * x + y * y) / 260 - low) for low in (8, 0) for x, y in corners] + [(0, 0, 4), (0, 0, 12)]
    faces = [(18, (k + 1) % 9, k) for k in range(9)] + [(9 + k, 9 + (k + 1) % 9, 19) for k in range(9)]
    faces += [(k, (k + 1) % 9, 9 + (k + 1) % 9, 9 + k) for k in range(9)]
    made = put(name, points, faces, where, *materials)
    made.data.polygons.foreach_set("material_index", [0] * 18 + [1] * 9)
    lowest = min(one[2] for one in points)
    made.location, made.rotation_euler.z = (Vector(middle) - Vector((0, 0, lowest))) * MM, turn
    return made


def collection(name):
    made = bpy.data.collections.new(name)
    bpy.context.scene.collection.children.link(made)
    return made


def furnish():
    """All of it; the collections are returned by name."""
    kept = {name: collection(name) for name in ("Find", "Bench", "Measures", "Lights")}
    clay, black = shade("Terracotta", (0.5, 0.2, 0.085), 0.75, 0, 45), shade("Black slip", (0.018, 0.015, 0.014), 0.35)
    plaster = shade("Plaster", (0.55, 0.47, 0.4), 0.9, 0, 60)
    wood, cloth = shade("Beech", (0.42, 0.27, 0.14), 0.5, 0, 25), shade("Felt", (0.16, 0.17, 0.19), 0.95, 0, 90)
    white, ink, steel = shade("White", (0.8, 0.8, 0.78)), shade("Ink", (0.02, 0.02, 0.02)), shade("Chrome", (0.8, 0.8, 0.8), 0.08, 1.0)
    bench, measures = kept["Bench"], kept["Measures"]
    box("Table", (1300, 800, 40), (0, 0, -20), bench, cloth)
    stand = turned("Stand", [(92, 0), (96, 6), (96, 14), (84, 22), (80, 40), (86, 50), (86, 57), (83, 60)], bench, wood)
    stand.location, stand.rotation_euler.z = Vector((-130, 70, 0)) * MM, math.radians(30)
    box("Stand mark", (14, 3, 8), (0, 0, 0), bench, white).parent = stand
    bpy.data.objects["Stand mark"].location = Vector((-96, 0, 10)) * MM
    sherd("Sherd 1", 0.4, 62, (250, -150, 0), kept["Find"], black, clay)
    sherd("Sherd 2", 1.9, 48, (370, -60, 0), kept["Find"], clay, clay)
    sherd("Sherd 3", 3.1, 40, (330, -230, 0), kept["Find"], clay, plaster)
    for number in range(5):
        box(f"Scale bar {number + 1}", (50, 20, 6), (-100 + 50 * number, -250, 3), measures, ink if number % 2 else white)
    box("Colour card", (170, 60, 3), (-400, -200, 1.5), measures, white)
    tints = ((0.5, 0.02, 0.02), (0.02, 0.3, 0.05), (0.02, 0.06, 0.5), (0.6, 0.5, 0.02), (0.18, 0.18, 0.18))
    for number, tint in enumerate(tints):
        box(f"Colour {number + 1}", (26, 40, 1), (-464 + 32 * number, -200, 3.5), measures, shade(f"Tint {number + 1}", tint))
    for name, x, material in (("Grey ball", 470, shade("Grey", (0.18, 0.18, 0.18))), ("Chrome ball", 550, steel)):
        profile = [(max(30 * math.sin(math.pi * k / 16), 3), 30 - 30 * math.cos(math.pi * k / 16)) for k in range(17)]
        turned(name, profile, measures, material)
        bpy.data.objects[name].location = Vector((x, -40, 0)) * MM
    label(bench, white, ink)
    return kept


def label(where, white, ink):
    plate = box("Label", (150, 4, 60), (160, -60, 30), where, white)
    text = bpy.data.curves.new("Label text", "FONT")
    text.body, text.size, text.extrude = "AMPHORA  K 217\nscan 4, trench C", 0.017, 0.0004
    text.materials.append(ink)
    made = bpy.data.objects.new("Label text", text)
    where.objects.link(made)
    made.parent = plate
    made.location, made.rotation_euler.x = Vector((-66, -2.2, 4)) * MM, math.radians(90)


def light_and_camera(lights):
    scene = bpy.context.scene
    scene.world = bpy.data.worlds.new("Studio")
    scene.world.use_nodes = True
    back = scene.world.node_tree.nodes["Background"]
    back.inputs[0].default_value, back.inputs[1].default_value = (0.8, 0.86, 1.0, 1.0), 0.45
    lamps = (("Key", (-1.1, -1.3, 1.6), 40, 0.7), ("Fill", (1.5, -1.0, 1.0), 14, 1.0), ("Rim", (0.3, 1.3, 1.2), 30, 0.6))
    for name, where, energy, size in lamps:
        lamp = bpy.data.lights.new(name, "AREA")
        lamp.energy, lamp.size = energy, size
        made = bpy.data.objects.new(name, lamp)
        made.location = where
        made.rotation_euler = (Vector((-0.1, 0, 0.3)) - Vector(where)).to_track_quat("-Z", "Y").to_euler()
        lights.objects.link(made)
    eye = bpy.data.objects.new("Shot", bpy.data.cameras.new("Shot"))
    eye.location = (0.25, -1.75, 0.85)
    eye.rotation_euler = (Vector((0.0, 0, 0.27)) - eye.location).to_track_quat("-Z", "Y").to_euler()
    lights.objects.link(eye)
    scene.camera = eye
    scene.render.resolution_x, scene.render.resolution_y = 1600, 1200
