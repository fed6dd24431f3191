"""Materials, light and camera of the booth."""

import bpy
from mathutils import Vector


def plain(name, colour, roughness=0.5, metallic=0.0, glow=0.0):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1)
    shader.inputs["Roughness"].default_value, shader.inputs["Metallic"].default_value = roughness, metallic
    if glow:
        shader.inputs["Emission Color"].default_value, shader.inputs["Emission Strength"].default_value = (*colour, 1), glow
    return made


def wood(name, light, dark, stretch):
    made = plain(name, light, 0.45)
    nodes, links = made.node_tree.nodes, made.node_tree.links
    kinds = ("ShaderNodeTexCoord", "ShaderNodeMapping", "ShaderNodeTexNoise", "ShaderNodeValToRGB")
    where, mapping, noise, ramp = (nodes.new(kind) for kind in kinds)
    mapping.inputs["Scale"].default_value = stretch
    noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = 2.5, 7
    ramp.color_ramp.elements[0].color, ramp.color_ramp.elements[1].color = (*dark, 1), (*light, 1)
    ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[1].position = 0.35, 0.65
    links.new(where.outputs["Object"], mapping.inputs["Vector"])
    links.new(mapping.outputs["Vector"], noise.inputs["Vector"])
    links.new(noise.outputs["Fac"], ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
    return made


def glaze(name, colour):
    made = plain(name, colour, 0.12)
    made.node_tree.nodes["Principled BSDF"].inputs["Coat Weight"].default_value = 0.6
    return made


def lit(scene):
    world = bpy.data.worlds.new("Hall")
    scene.world = world
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs[0].default_value = (0.85, 0.9, 1, 1)
    world.node_tree.nodes["Background"].inputs[1].default_value = 0.45
    lamps = (("Key", (-4.5, -6.0, 5.5), 420, 2.0), ("Fill", (5.5, -4.5, 4.0), 160, 3.0), ("Behind", (1.5, 5.5, 4.0), 220, 2.5))
    for name, at, energy, side in lamps:
        lamp = bpy.data.lights.new(name, "AREA")
        lamp.energy, lamp.size = energy, side
        made = bpy.data.objects.new(name, lamp)
        made.location = at
        made.rotation_euler = (Vector((0, 0, 1.2)) - Vector(at)).to_track_quat("-Z", "Y").to_euler()
        scene.collection.objects.link(made)


def seen(scene, name, at, aim, lens):
    eye = bpy.data.objects.new(name, bpy.data.cameras.new(name))
    eye.data.lens, eye.location = lens, at
    eye.rotation_euler = (Vector(aim) - eye.location).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(eye)
    return eye
