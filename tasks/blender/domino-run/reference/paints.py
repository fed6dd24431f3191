"""Materials: lacquer, wood with a grain, brass, cord."""

import bpy

LACQUERS = {"Red": "c8322b", "Orange": "e07b1f", "Yellow": "e8c22e", "Green": "3b8f4a", "Blue": "2b5fa8"}


def linear(code):
    parts = [int(code[place:place + 2], 16) / 255 for place in (0, 2, 4)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def plain(name, colour, rough=0.45, metal=0.0, coat=0.0):
    made = bpy.data.materials.new(name)
    made.use_nodes, made.diffuse_color = True, (*colour, 1)
    shader = made.node_tree.nodes["Principled BSDF"]
    for socket, value in (("Base Color", (*colour, 1)), ("Roughness", rough), ("Metallic", metal), ("Coat Weight", coat)):
        shader.inputs[socket].default_value = value
    return made


def wood(name, light, dark, scale, stretch=(0.06, 1, 1)):
    """With a grain along x of the object, or along the axis that `stretch` has small."""
    made = plain(name, [(a + b) / 2 for a, b in zip(light, dark, strict=True)], 0.5)
    nodes, links = made.node_tree.nodes, made.node_tree.links
    where, mapping, noise, ramp = (nodes.new(kind) for kind in
                                   ("ShaderNodeTexCoord", "ShaderNodeMapping", "ShaderNodeTexNoise", "ShaderNodeValToRGB"))
    mapping.inputs["Scale"].default_value = [scale * part for part in stretch]
    noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value, noise.inputs["Distortion"].default_value = 5, 8, 0.4
    ramp.color_ramp.elements[0].color, ramp.color_ramp.elements[1].color = (*dark, 1), (*light, 1)
    ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[1].position = 0.35, 0.62
    links.new(where.outputs["Object"], mapping.inputs["Vector"])
    links.new(mapping.outputs["Vector"], noise.inputs["Vector"])
    links.new(noise.outputs["Fac"], ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
    return made


def paints():
    made = {name: plain(f"{name} lacquer", linear(code), 0.3, coat=0.4) for name, code in LACQUERS.items()}
    made["walnut"] = wood("Walnut", (0.20, 0.105, 0.05), (0.10, 0.05, 0.022), 9)
    made["maple"] = wood("Maple", (0.68, 0.50, 0.31), (0.56, 0.38, 0.21), 14)
    made["upright"] = wood("Maple upright", (0.68, 0.50, 0.31), (0.56, 0.38, 0.21), 14, (1, 1, 0.06))
    made["brass"] = plain("Brass", (0.80, 0.55, 0.19), 0.24, 1.0)
    made["steel"] = plain("Polished steel", (0.62, 0.63, 0.65), 0.16, 1.0)
    made["cord"] = plain("Red cord", linear("7d1f1a"), 0.8)
    return made
