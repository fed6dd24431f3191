"""What the chest is made of, and the light it is shown in."""

import bpy
from mathutils import Vector


def surface(name, colour, metallic, roughness):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1.0)
    shader.inputs["Metallic"].default_value, shader.inputs["Roughness"].default_value = metallic, roughness
    return made


def mottled(made, coordinates, attribute, scale, dark, light, rough=None):
    """Noise between two colours, by an attribute of the mesh or by the object's own coordinates."""
    nodes, links = made.node_tree.nodes, made.node_tree.links
    shader = nodes["Principled BSDF"]
    where = nodes.new("ShaderNodeAttribute" if attribute else "ShaderNodeTexCoord")
    if attribute:
        where.attribute_name = coordinates
    mapping, noise, ramp = (nodes.new(kind) for kind in ("ShaderNodeMapping", "ShaderNodeTexNoise", "ShaderNodeValToRGB"))
    mapping.inputs["Scale"].default_value = scale
    noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = 1.0, 6.0
    ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[1].position = 0.3, 0.7
    ramp.color_ramp.elements[0].color, ramp.color_ramp.elements[1].color = (*dark, 1.0), (*light, 1.0)
    links.new(where.outputs["Vector" if attribute else coordinates], mapping.inputs["Vector"])
    links.new(mapping.outputs["Vector"], noise.inputs["Vector"])
    links.new(noise.outputs["Fac"], ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], shader.inputs["Base Color"])
    if rough:
        spread = nodes.new("ShaderNodeMapRange")
        spread.inputs["To Min"].default_value, spread.inputs["To Max"].default_value = rough
        links.new(noise.outputs["Fac"], spread.inputs["Value"])
        links.new(spread.outputs["Result"], shader.inputs["Roughness"])
    return made


def light_and_camera(target):
    scene = bpy.context.scene
    scene.world = bpy.data.worlds.new("Studio")
    scene.world.use_nodes = True
    back = scene.world.node_tree.nodes["Background"]
    back.inputs[0].default_value, back.inputs[1].default_value = (0.75, 0.82, 1.0, 1.0), 0.5
    lamps = (("Key", (-1.4, -1.8, 1.9), 55, 0.8), ("Fill", (1.8, -1.0, 1.0), 22, 1.2), ("Rim", (0.4, 1.8, 1.6), 40, 0.8))
    for name, where, energy, size in lamps:
        lamp = bpy.data.lights.new(name, "AREA")
        lamp.energy, lamp.size = energy, size
        made = bpy.data.objects.new(name, lamp)
        made.location = where
        made.rotation_euler = (Vector(target) - Vector(where)).to_track_quat("-Z", "Y").to_euler()
        scene.collection.objects.link(made)
    eye = bpy.data.objects.new("Shot", bpy.data.cameras.new("Shot"))
    eye.location = (-0.95, -1.42, 1.12)
    eye.rotation_euler = (Vector(target) - eye.location).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(eye)
    scene.camera = eye
    scene.render.resolution_x, scene.render.resolution_y = 1600, 1200
