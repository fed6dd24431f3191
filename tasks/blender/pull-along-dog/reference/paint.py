"""Painted wood, and what little is not of wood: materials whose base colour is one colour."""

import bpy


def enamel(name, colour, rough=0.38, coat=0.35, metal=0.0, bump=0.08):
    """Lacquer over a slightly uneven ground."""
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    made.diffuse_color = (*colour, 1)
    nodes, links = made.node_tree.nodes, made.node_tree.links
    shader = nodes["Principled BSDF"]
    values = {"Base Color": (*colour, 1), "Roughness": rough, "Coat Weight": coat, "Coat Roughness": 0.15, "Metallic": metal}
    for socket, value in values.items():
        shader.inputs[socket].default_value = value
    if bump:
        where, noise, uneven = (nodes.new(kind) for kind in ("ShaderNodeTexCoord", "ShaderNodeTexNoise", "ShaderNodeBump"))
        noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = 90, 3
        uneven.inputs["Strength"].default_value, uneven.inputs["Distance"].default_value = bump, 0.002
        links.new(where.outputs["Object"], noise.inputs["Vector"])
        links.new(noise.outputs["Fac"], uneven.inputs["Height"])
        links.new(uneven.outputs["Normal"], shader.inputs["Normal"])
    return made


def linear(text):
    channels = [int(text[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)


def paints():
    return {
        "brown": enamel("Brown paint", linear("#5a3320")),
        "dark": enamel("Dark brown paint", linear("#38201a")),
        "tan": enamel("Tan paint", linear("#d89a56")),
        "black": enamel("Black enamel", linear("#141214"), 0.12, 0.8, bump=0),
        "pink": enamel("Pink paint", linear("#d9707a")),
        "red": enamel("Red paint", linear("#c22a22")),
        "brass": enamel("Brass", linear("#d0a548"), 0.28, 0, 1.0, 0),
        "cream": enamel("Cotton cord", linear("#eadfc4"), 0.8, 0, bump=0.25),
        "beech": enamel("Beech", linear("#d8b483"), 0.55, 0.1),
        "oak": enamel("Smoked oak", linear("#6f5a45"), 0.6, 0.1, bump=0.2),
    }
