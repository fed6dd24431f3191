"""Balls, sticks, words and their materials. Lengths in metres."""

import math

import bmesh
import bpy
from mathutils import Vector


def collection(name, above):
    made = bpy.data.collections.new(name)
    above.children.link(made)
    return made


def put(name, data, where):
    made = bpy.data.objects.new(name, data)
    where.objects.link(made)
    return made


def ball(name, radius, material):
    """A mesh around its own origin."""
    mesh, shape = bpy.data.meshes.new(name), bmesh.new()
    bmesh.ops.create_uvsphere(shape, u_segments=40, v_segments=24, radius=radius)
    shape.to_mesh(mesh)
    shape.free()
    for face in mesh.polygons:
        face.use_smooth = True
    mesh.materials.append(material)
    return mesh


def rod(name, start, end, diameter, where, material, sides=32):
    """A round bar from point to point, its origin in the middle."""
    along, radius = end - start, diameter / 2
    ring = [(radius * math.cos(math.tau * k / sides), radius * math.sin(math.tau * k / sides)) for k in range(sides)]
    points = [(x, y, z) for z in (-along.length / 2, along.length / 2) for x, y in ring]
    faces = [(k, (k + 1) % sides, sides + (k + 1) % sides, sides + k) for k in range(sides)]
    faces += [tuple(reversed(range(sides))), tuple(range(sides, 2 * sides))]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    for face in mesh.polygons[:sides]:
        face.use_smooth = True
    mesh.materials.append(material)
    made = put(name, mesh, where)
    made.location, made.rotation_euler = (start + end) / 2, along.to_track_quat("Z", "Y").to_euler()
    return made


def box(name, size, where, material):
    """Around its own origin."""
    points = [Vector((x, y, z)) * 0.5 for x in (-size.x, size.x) for y in (-size.y, size.y) for z in (-size.z, size.z)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])
    mesh.materials.append(material)
    return put(name, mesh, where)


def words(name, text, size, at, where, material):
    """Letters that stand out from a front by 1.5 mm; `at` is the middle of their line on that front."""
    font = bpy.data.curves.new(name, "FONT")
    font.body, font.size, font.align_x, font.extrude = text, size, "CENTER", 0.00075
    font.materials.append(material)
    made = put(name, font, where)
    made.location, made.rotation_euler = Vector(at) + Vector((0, -0.00075, 0)), (math.pi / 2, 0, 0)
    return made


def principled(name, colour, roughness, metallic=0.0, coat=0.0):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1)
    shader.inputs["Roughness"].default_value, shader.inputs["Metallic"].default_value = roughness, metallic
    shader.inputs["Coat Weight"].default_value = coat
    return made


def walnut():
    """Grain along x."""
    made = principled("Walnut", (0.12, 0.06, 0.03), roughness=0.4, coat=0.2)
    nodes, links = made.node_tree.nodes, made.node_tree.links
    kinds = ("ShaderNodeTexCoord", "ShaderNodeMapping", "ShaderNodeTexNoise", "ShaderNodeValToRGB")
    where, mapping, noise, ramp = (nodes.new(kind) for kind in kinds)
    mapping.inputs["Scale"].default_value = (6, 90, 90)
    noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = 2, 8
    ramp.color_ramp.elements[0].color, ramp.color_ramp.elements[1].color = (0.05, 0.022, 0.012, 1), (0.20, 0.10, 0.05, 1)
    ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[1].position = 0.3, 0.7
    links.new(where.outputs["Object"], mapping.inputs["Vector"])
    links.new(mapping.outputs["Vector"], noise.inputs["Vector"])
    links.new(noise.outputs["Fac"], ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
    return made


def lamp(name, at, aim, energy, side):
    light = bpy.data.lights.new(name, "AREA")
    light.energy, light.size = energy, side
    made = put(name, light, bpy.context.scene.collection)
    made.location, made.rotation_euler = at, (aim - at).to_track_quat("-Z", "Y").to_euler()
    return made
