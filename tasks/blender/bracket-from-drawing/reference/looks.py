"""What the pillow block is made of, and the light it is shown in."""

import bpy
from mathutils import Vector


def shaded(name, colour, metallic, roughness):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1.0)
    shader.inputs["Metallic"].default_value, shader.inputs["Roughness"].default_value = metallic, roughness
    return made, made.node_tree.nodes, made.node_tree.links, shader


def cast(name, colour):
    """Paint over the rough skin of a casting."""
    made, nodes, links, shader = shaded(name, colour, 0.0, 0.45)
    where, noise, bump = (nodes.new(kind) for kind in ("ShaderNodeTexCoord", "ShaderNodeTexNoise", "ShaderNodeBump"))
    noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = 240.0, 4.0
    bump.inputs["Strength"].default_value, bump.inputs["Distance"].default_value = 0.25, 0.002
    links.new(where.outputs["Object"], noise.inputs["Vector"])
    links.new(noise.outputs["Fac"], bump.inputs["Height"])
    links.new(bump.outputs["Normal"], shader.inputs["Normal"])
    return made


def metal(name, colour, roughness):
    """Machined: its gloss is streaked."""
    made, nodes, links, shader = shaded(name, colour, 1.0, roughness)
    where, noise, spread = (nodes.new(kind) for kind in ("ShaderNodeTexCoord", "ShaderNodeTexNoise", "ShaderNodeMapRange"))
    noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = 90.0, 3.0
    spread.inputs["To Min"].default_value, spread.inputs["To Max"].default_value = roughness * 0.7, roughness * 1.4
    links.new(where.outputs["Object"], noise.inputs["Vector"])
    links.new(noise.outputs["Fac"], spread.inputs["Value"])
    links.new(spread.outputs["Result"], shader.inputs["Roughness"])
    return made


def light_and_camera(target):
    scene = bpy.context.scene
    scene.world = bpy.data.worlds.new("Studio")
    scene.world.use_nodes = True
    back = scene.world.node_tree.nodes["Background"]
    back.inputs[0].default_value, back.inputs[1].default_value = (0.85, 0.9, 1.0, 1.0), 0.6
    lamps = (("Key", (-0.6, -0.8, 0.9), 9, 0.4), ("Fill", (0.9, -0.5, 0.5), 4, 0.6), ("Rim", (0.2, 0.9, 0.7), 7, 0.4))
    for name, where, energy, size in lamps:
        lamp = bpy.data.lights.new(name, "AREA")
        lamp.energy, lamp.size = energy, size
        made = bpy.data.objects.new(name, lamp)
        made.location = where
        made.rotation_euler = (Vector(target) - Vector(where)).to_track_quat("-Z", "Y").to_euler()
        scene.collection.objects.link(made)
    eye = bpy.data.objects.new("Shot", bpy.data.cameras.new("Shot"))
    eye.location = (-0.33, -0.52, 0.36)
    eye.rotation_euler = (Vector(target) - eye.location).to_track_quat("-Z", "Y").to_euler()
    eye.data.clip_start = 0.01
    scene.collection.objects.link(eye)
    scene.camera = eye
    scene.render.resolution_x, scene.render.resolution_y = 1600, 1200
