"""Materials, light and camera of the house."""

import bpy
from mathutils import Vector


def plain(name, colour, roughness=0.6, metallic=0.0):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1)
    shader.inputs["Roughness"].default_value, shader.inputs["Metallic"].default_value = roughness, metallic
    return made


def mottled(name, light, dark, scale, stretch=(1, 1, 1), roughness=0.7, bump=0.0):
    """Between two colours by noise in the object's own space."""
    made = plain(name, light, roughness)
    nodes, links = made.node_tree.nodes, made.node_tree.links
    kinds = ("ShaderNodeTexCoord", "ShaderNodeMapping", "ShaderNodeTexNoise", "ShaderNodeValToRGB", "ShaderNodeBump")
    where, mapping, noise, ramp, relief = (nodes.new(kind) for kind in kinds)
    mapping.inputs["Scale"].default_value = stretch
    noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = scale, 6
    ramp.color_ramp.elements[0].color, ramp.color_ramp.elements[1].color = (*dark, 1), (*light, 1)
    ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[1].position = 0.35, 0.65
    relief.inputs["Strength"].default_value, relief.inputs["Distance"].default_value = bump, 0.01
    shader = nodes["Principled BSDF"]
    links.new(where.outputs["Object"], mapping.inputs["Vector"])
    links.new(mapping.outputs["Vector"], noise.inputs["Vector"])
    links.new(noise.outputs["Fac"], ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], shader.inputs["Base Color"])
    links.new(noise.outputs["Fac"], relief.inputs["Height"])
    if bump:
        links.new(relief.outputs["Normal"], shader.inputs["Normal"])
    return made


def coursed(name, one, other, joint, width, height, turn=(1.5708, 0, 0)):
    """Bricks or tiles in courses."""
    made = plain(name, one, 0.75)
    nodes, links = made.node_tree.nodes, made.node_tree.links
    where, mapping, brick = (nodes.new(kind) for kind in ("ShaderNodeTexCoord", "ShaderNodeMapping", "ShaderNodeTexBrick"))
    mapping.inputs["Rotation"].default_value = turn
    for socket, colour in (("Color1", one), ("Color2", other), ("Mortar", joint)):
        brick.inputs[socket].default_value = (*colour, 1)
    brick.inputs["Scale"].default_value, brick.inputs["Mortar Size"].default_value = 1, 0.006
    brick.inputs["Brick Width"].default_value, brick.inputs["Row Height"].default_value = width, height
    links.new(where.outputs["Object"], mapping.inputs["Vector"])
    links.new(mapping.outputs["Vector"], brick.inputs["Vector"])
    links.new(brick.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
    return made


def glass(name):
    made = plain(name, (0.85, 0.93, 0.92), 0.02)
    made.node_tree.nodes["Principled BSDF"].inputs["Transmission Weight"].default_value = 0.9
    return made


def lit(scene):
    world = bpy.data.worlds.new("Sky")
    scene.world = world
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs[0].default_value = (0.55, 0.72, 1.0, 1)
    world.node_tree.nodes["Background"].inputs[1].default_value = 0.6
    sun = bpy.data.lights.new("Sun", "SUN")
    sun.energy, sun.angle, sun.color = 3.2, 0.01, (1, 0.94, 0.84)
    made = bpy.data.objects.new("Sun", sun)
    made.rotation_euler = Vector((-0.35, 0.5, -0.85)).to_track_quat("-Z", "Y").to_euler()
    made.location = (6, -8, 14)
    scene.collection.objects.link(made)


def seen(scene):
    eye = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    eye.data.lens = 46
    eye.location = (10.5, -15.0, 17.0)
    eye.rotation_euler = (Vector((0.1, -0.5, 1.2)) - eye.location).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(eye)
    scene.camera = eye
    scene.render.resolution_x, scene.render.resolution_y = 1600, 1200
