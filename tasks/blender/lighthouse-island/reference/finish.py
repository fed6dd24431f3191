"""Materials, the low sun and the camera."""

import math

import bpy
from mathutils import Vector

SUN_UP, SUN_FROM = math.radians(9), math.radians(222)  # its height, and where it stands, counted from east to north


def plain(name, colour, roughness=0.6, metallic=0.0, glow=0.0):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"].inputs
    shader["Base Color"].default_value = (*colour, 1)
    shader["Roughness"].default_value, shader["Metallic"].default_value = roughness, metallic
    if glow:
        shader["Emission Color"].default_value, shader["Emission Strength"].default_value = (*colour, 1), glow
    return made


class Graph:
    """Nodes of one material, and their links."""

    def __init__(self, material):
        self.nodes, self.links = material.node_tree.nodes, material.node_tree.links
        self.shader = self.nodes["Principled BSDF"]

    def node(self, kind, inputs=None, **settings):
        made = self.nodes.new("ShaderNode" + kind)
        for key, value in settings.items():
            setattr(made, key, value)
        for key, value in (inputs or {}).items():
            if isinstance(value, bpy.types.NodeSocket):
                self.links.new(value, made.inputs[key])
            else:
                made.inputs[key].default_value = value
        return made

    def noise(self, scale, detail=6, stretch=None):
        where = self.node("TexCoord").outputs["Object"]
        if stretch:
            where = self.node("Mapping", {"Vector": where, "Scale": stretch}).outputs["Vector"]
        return self.node("TexNoise", {"Vector": where, "Scale": scale, "Detail": detail}).outputs["Fac"]

    def ramp(self, factor, *stops):
        made = self.node("ValToRGB", {"Fac": factor})
        elements = made.color_ramp.elements
        while len(elements) < len(stops):
            elements.new(0.5)
        for element, (place, colour) in zip(elements, stops, strict=True):
            element.position, element.color = place, (*colour, 1)
        return made.outputs["Color"]

    def mix(self, factor, one, other):
        made = self.node("Mix", data_type="RGBA")
        for number, value in ((0, factor), (6, one), (7, other)):
            if isinstance(value, bpy.types.NodeSocket):
                self.links.new(value, made.inputs[number])
            else:
                made.inputs[number].default_value = (*value, 1) if number else value
        return made.outputs[2]

    def bump(self, height, strength, distance):
        made = self.node("Bump", {"Height": height, "Strength": strength, "Distance": distance})
        self.links.new(made.outputs["Normal"], self.shader.inputs["Normal"])

    def colour(self, socket):
        self.links.new(socket, self.shader.inputs["Base Color"])


def mottled(name, light, dark, scale, stretch=None, roughness=0.8, bump=0.3, distance=0.03):
    made = plain(name, light, roughness)
    graph = Graph(made)
    noise = graph.noise(scale, stretch=stretch)
    graph.colour(graph.ramp(noise, (0.35, dark), (0.65, light)))
    graph.bump(noise, bump, distance)
    return made


def ground():
    """Grass where it is level, rock where it is steep, earth where people walk, weed and wet stone at the water."""
    made = plain("Ground", (0.2, 0.2, 0.1), 0.9)
    graph = Graph(made)
    fine, coarse = graph.noise(1.5, 12), graph.noise(0.16, 5)
    stone = graph.ramp(fine, (0.3, (0.10, 0.085, 0.07)), (0.5, (0.24, 0.205, 0.17)), (0.7, (0.36, 0.31, 0.255)))
    grass = graph.ramp(coarse, (0.38, (0.075, 0.10, 0.022)), (0.5, (0.13, 0.15, 0.035)), (0.62, (0.24, 0.20, 0.065)))
    earth = graph.ramp(fine, (0.35, (0.22, 0.155, 0.095)), (0.65, (0.34, 0.25, 0.16)))
    place = graph.node("NewGeometry")
    up = graph.node("SeparateXYZ", {0: place.outputs["Normal"]}).outputs["Z"]
    z = graph.node("SeparateXYZ", {0: place.outputs["Position"]}).outputs["Z"]
    uneven = graph.node("Math", {0: fine, 1: 0.22}, operation="MULTIPLY").outputs[0]
    level = graph.node("Math", {0: up, 1: uneven}, operation="ADD").outputs[0]
    flat = graph.node("MapRange", {"Value": level, "From Min": 0.90, "From Max": 1.0}).outputs[0]
    high = graph.node("MapRange", {"Value": z, "From Min": 1.6, "From Max": 3.4}).outputs[0]
    green = graph.node("Math", {0: flat, 1: high}, operation="MULTIPLY").outputs[0]
    trodden = graph.node("Attribute", attribute_name="trodden").outputs["Fac"]
    dry = graph.mix(trodden, graph.mix(green, stone, grass), earth)
    wet = graph.node("MapRange", {"Value": z, "From Min": 0.35, "From Max": 1.0}).outputs[0]
    graph.colour(graph.mix(wet, (0.035, 0.032, 0.022), dry))
    graph.bump(fine, 1.0, 0.45)
    return made


def shore():
    """Rock, dark where the water wets it."""
    made = plain("Shore rock", (0.3, 0.26, 0.21), 0.85)
    graph = Graph(made)
    fine = graph.noise(3.5, 10)
    dry = graph.ramp(fine, (0.3, (0.10, 0.085, 0.07)), (0.52, (0.25, 0.215, 0.18)), (0.72, (0.37, 0.32, 0.265)))
    z = graph.node("SeparateXYZ", {0: graph.node("NewGeometry").outputs["Position"]}).outputs["Z"]
    wet = graph.node("MapRange", {"Value": z, "From Min": 0.35, "From Max": 1.0}).outputs[0]
    graph.colour(graph.mix(wet, (0.035, 0.032, 0.022), dry))
    graph.bump(fine, 0.8, 0.12)
    return made


def water():
    """Deep and mirroring, lighter in the shallows, a line of foam at the shore."""
    made = plain("Sea water", (0.01, 0.05, 0.07), 0.06)
    graph = Graph(made)
    depth = graph.node("Attribute", attribute_name="depth").outputs["Fac"]
    lapping = graph.node("Math", {0: graph.noise(0.9, 4), 1: 0.9}, operation="MULTIPLY").outputs[0]
    broken = graph.node("Math", {0: depth, 1: lapping}, operation="SUBTRACT").outputs[0]
    tint = graph.ramp(graph.node("MapRange", {"Value": depth, "From Min": 0, "From Max": 5}).outputs[0],
                      (0.0, (0.06, 0.17, 0.15)), (0.35, (0.018, 0.09, 0.095)), (1.0, (0.006, 0.035, 0.055)))  # fmt: skip
    foam = graph.node("MapRange", {"Value": broken, "From Min": -0.12, "From Max": -0.34}).outputs[0]
    graph.colour(graph.mix(foam, tint, (0.75, 0.78, 0.76)))
    graph.links.new(graph.node("MapRange", {"Value": foam, "To Min": 0.07, "To Max": 0.7}).outputs[0], graph.shader.inputs["Roughness"])
    swell = graph.node("Math", {0: graph.noise(0.35, 3, (1, 0.45, 1)), 1: graph.noise(2.6, 2, (1, 0.6, 1))}, operation="ADD").outputs[0]
    graph.bump(swell, 0.35, 0.35)
    return made


def slates():
    made = plain("Slate", (0.09, 0.10, 0.115), 0.5)
    graph = Graph(made)
    where = graph.node("Mapping", {"Vector": graph.node("TexCoord").outputs["Object"], "Scale": (1, 1, 1)})
    brick = graph.node("TexBrick", {"Vector": where.outputs["Vector"], "Color1": (0.07, 0.078, 0.09, 1), "Color2": (0.13, 0.14, 0.15, 1),
                                    "Mortar": (0.02, 0.022, 0.025, 1), "Scale": 1, "Mortar Size": 0.012,
                                    "Brick Width": 0.34, "Row Height": 0.22})  # fmt: skip
    graph.colour(brick.outputs["Color"])
    graph.bump(brick.outputs["Fac"], -0.5, 0.02)
    return made


def stuff():
    """All materials, by what they are for."""
    glass = plain("Lantern glass", (0.95, 0.98, 0.97), 0.02)
    glass.node_tree.nodes["Principled BSDF"].inputs["Transmission Weight"].default_value = 0.95
    glass.node_tree.nodes["Principled BSDF"].inputs["IOR"].default_value = 1.05
    pane = plain("Lit window", (0.75, 0.36, 0.09), 0.12, glow=0.55)
    return {
        "ground": ground(), "sea": water(), "slate": slates(), "glass": glass, "pane": pane,
        "white": plain("Tower white", (0.86, 0.84, 0.79), 0.55), "red": plain("Tower red", (0.50, 0.035, 0.022), 0.5),
        "iron": plain("Black iron", (0.025, 0.027, 0.03), 0.45, 0.6), "glow": plain("Lamp light", (1.0, 0.72, 0.30), 0.3, glow=14.0),
        "trim": plain("White trim", (0.78, 0.76, 0.71), 0.5), "door": plain("Blue door", (0.035, 0.11, 0.19), 0.45),
        "granite": mottled("Granite", (0.42, 0.38, 0.33), (0.22, 0.20, 0.18), 5.0),
        "stone": shore(),
        "plaster": mottled("Lime wash", (0.82, 0.79, 0.72), (0.72, 0.68, 0.60), 1.2, bump=0.12),
        "planks": mottled("Weathered planks", (0.40, 0.33, 0.25), (0.24, 0.19, 0.14), 2.5, (1, 14, 14), bump=0.25, distance=0.01),
        "timber": mottled("Tarred timber", (0.16, 0.115, 0.08), (0.075, 0.055, 0.04), 3.0, (6, 6, 1)),
        "paint": plain("Boat green", (0.03, 0.17, 0.14), 0.35), "rope": plain("Rope", (0.5, 0.4, 0.24), 0.9),
        "bark": mottled("Bark", (0.20, 0.12, 0.07), (0.10, 0.06, 0.035), 6.0, (1, 1, 0.3)),
        "needles": mottled("Needles", (0.085, 0.13, 0.03), (0.03, 0.06, 0.014), 1.7, roughness=0.7, bump=0.0),
        "heath": mottled("Gorse", (0.15, 0.17, 0.035), (0.06, 0.085, 0.018), 3.0, roughness=0.7, bump=0.0),
    }  # fmt: skip


def toward_sun():
    return Vector((math.cos(SUN_FROM) * math.cos(SUN_UP), math.sin(SUN_FROM) * math.cos(SUN_UP), math.sin(SUN_UP)))


def evening(tree):
    """A sky by height above the horizon, with a glow around the sun."""
    nodes, links = tree.nodes, tree.links
    where, apart, ramp, dot = (nodes.new("ShaderNode" + kind) for kind in ("TexCoord", "SeparateXYZ", "ValToRGB", "VectorMath"))
    links.new(where.outputs["Generated"], apart.inputs[0])
    links.new(apart.outputs["Z"], ramp.inputs["Fac"])
    stops = ((0.0, (0.90, 0.50, 0.26)), (0.07, (0.78, 0.52, 0.36)), (0.18, (0.50, 0.47, 0.46)),
             (0.4, (0.20, 0.30, 0.44)), (1.0, (0.07, 0.15, 0.30)))  # fmt: skip
    while len(ramp.color_ramp.elements) < len(stops):
        ramp.color_ramp.elements.new(0.5)
    for element, (place, colour) in zip(ramp.color_ramp.elements, stops, strict=True):
        element.position, element.color = place, (*colour, 1)
    dot.operation = "DOT_PRODUCT"
    dot.inputs[1].default_value = toward_sun()
    links.new(where.outputs["Generated"], dot.inputs[0])
    near, glow, both = (nodes.new("ShaderNode" + kind) for kind in ("Math", "VectorMath", "VectorMath"))
    near.operation, near.inputs[1].default_value, near.use_clamp = "POWER", 14, True
    clamp = nodes.new("ShaderNodeClamp")
    links.new(dot.outputs["Value"], clamp.inputs["Value"])
    links.new(clamp.outputs[0], near.inputs[0])
    glow.operation, glow.inputs[0].default_value = "SCALE", (2.2, 1.0, 0.35)
    links.new(near.outputs[0], glow.inputs["Scale"])
    both.operation = "ADD"
    links.new(ramp.outputs["Color"], both.inputs[0])
    links.new(glow.outputs[0], both.inputs[1])
    links.new(both.outputs[0], nodes["Background"].inputs["Color"])
    nodes["Background"].inputs["Strength"].default_value = 0.75


def lit(scene):
    world = bpy.data.worlds.new("Evening sky")
    scene.world = world
    world.use_nodes = True
    evening(world.node_tree)
    sun = bpy.data.lights.new("Sun", "SUN")
    sun.energy, sun.angle, sun.color = 7.0, 0.012, (1.0, 0.56, 0.25)
    made = bpy.data.objects.new("Sun", sun)
    toward = toward_sun()
    made.rotation_euler, made.location = (-toward).to_track_quat("-Z", "Y").to_euler(), toward * 90
    scene.collection.objects.link(made)
    scene.view_settings.view_transform, scene.view_settings.exposure = "AgX", 0.3
    scene.view_settings.look = "AgX - Medium High Contrast"


def seen(scene):
    eye = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    eye.data.lens, eye.data.shift_y, eye.data.clip_end = 36, 0.12, 5000
    eye.location = (40.0, -84.0, 6.5)
    ahead = Vector((1.5, 0.0, 6.5)) - eye.location
    eye.rotation_euler = ahead.to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(eye)
    scene.camera = eye
    scene.render.resolution_x, scene.render.resolution_y = 1600, 1000
