"""What starter and reference are put together from: boxes, turned and bent bodies, all closed, told in millimetres."""

import math

import bmesh
import bpy
from mathutils import Vector

MM = 0.001


def linear(colour):
    """The three numbers of a shader for a colour as a screen shows it ("#rrggbb")."""
    parts = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    return tuple(one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)


def shade(name, colour, roughness=0.6, metallic=0.0, **inputs):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*linear(colour), 1.0)
    shader.inputs["Roughness"].default_value, shader.inputs["Metallic"].default_value = roughness, metallic
    for key, value in inputs.items():
        shader.inputs[key.replace("_", " ").title().replace("Ior", "IOR")].default_value = value
    return made


def glow(name, colour, strength):
    made = shade(name, colour)
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Emission Color"].default_value, shader.inputs["Emission Strength"].default_value = (*linear(colour), 1.0), strength
    return made


def laid(name, colours, mortar, size, bump=0.0):
    """A wall of bricks, or a floor of boards: two colours and the joint, by the object's own place, size of a brick in millimetres."""
    made = shade(name, colours[0], 0.8)
    nodes, links = made.node_tree.nodes, made.node_tree.links
    where, turn, brick = (nodes.new(kind) for kind in ("ShaderNodeTexCoord", "ShaderNodeMapping", "ShaderNodeTexBrick"))
    turn.inputs["Rotation"].default_value[0] = math.radians(-90)
    for key, colour in zip(("Color1", "Color2", "Mortar"), (*colours, mortar), strict=True):
        brick.inputs[key].default_value = (*linear(colour), 1.0)
    for key, value in (("Scale", 1.0), ("Mortar Size", 0.006), ("Brick Width", size[0] * MM), ("Row Height", size[1] * MM)):
        brick.inputs[key].default_value = value
    links.new(where.outputs["Object"], turn.inputs["Vector"])
    links.new(turn.outputs["Vector"], brick.inputs["Vector"])
    links.new(brick.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
    return made


def put(name, points, faces, where, material, middle=None):
    """An object about its own middle (or the one that is told), the mesh in metres, outside out."""
    points = [Vector(one) * MM for one in points]
    if middle is None:
        middle = [(min(one[axis] for one in points) + max(one[axis] for one in points)) / 2 for axis in range(3)]
    else:
        middle = [one * MM for one in middle]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([one - Vector(middle) for one in points], [], faces)
    edited = bmesh.new()
    edited.from_mesh(mesh)
    bmesh.ops.recalc_face_normals(edited, faces=list(edited.faces))
    edited.to_mesh(mesh)
    edited.free()
    mesh.materials.append(material)
    made = bpy.data.objects.new(name, mesh)
    made.location = middle
    where.objects.link(made)
    return made


def cuboid(low, high, first=0):
    (a, b, c), (d, e, f) = low, high
    points = [(x, y, z) for z in (c, f) for x, y in ((a, b), (d, b), (d, e), (a, e))]
    faces = [(3, 2, 1, 0), (4, 5, 6, 7), *((k, (k + 1) % 4, 4 + (k + 1) % 4, 4 + k) for k in range(4))]
    return points, [tuple(first + corner for corner in face) for face in faces]


def boxes(name, pairs, where, material, bevel=0.0):
    """One object of several boxes, (low, high) each; a bevel, in millimetres, stays a modifier."""
    points, faces = [], []
    for low, high in pairs:
        own, sides = cuboid(low, high, len(points))
        points += own
        faces += sides
    made = put(name, points, faces, where, material)
    if bevel:
        rounded(made, bevel)
    return made


def box(name, low, high, where, material, bevel=0.0):
    return boxes(name, [(low, high)], where, material, bevel)


def rounded(made, width, segments=2):
    edge = made.modifiers.new("Bevel", "BEVEL")
    edge.width, edge.segments, edge.limit_method = width * MM, segments, "ANGLE"
    return edge


def turned(name, profile, at, where, material, sides=24):
    """A profile of (radius, height) from the bottom to the top, turned about the upright through `at`; both ends are closed."""
    points = [(at[0] + radius * math.cos(math.tau * k / sides), at[1] + radius * math.sin(math.tau * k / sides), at[2] + height)
              for radius, height in profile for k in range(sides)]
    faces = [(n * sides + k, n * sides + (k + 1) % sides, (n + 1) * sides + (k + 1) % sides, (n + 1) * sides + k)
             for n in range(len(profile) - 1) for k in range(sides)]
    faces += [tuple(reversed(range(sides))), tuple(range((len(profile) - 1) * sides, len(profile) * sides))]
    return smooth(put(name, points, faces, where, material))


def smooth(made, angle=35):
    made.data.polygons.foreach_set("use_smooth", [True] * len(made.data.polygons))
    made.data.set_sharp_from_angle(angle=math.radians(angle))
    return made


def rod(name, start, end, radius, where, material, sides=14):
    """A round bar between two points."""
    start, end = Vector(start), Vector(end)
    along = (end - start).normalized()
    out = along.cross((0, 0, 1) if abs(along.z) < 0.9 else (1, 0, 0)).normalized()
    side = along.cross(out)
    points = [at + radius * (math.cos(math.tau * k / sides) * out + math.sin(math.tau * k / sides) * side)
              for at in (start, end) for k in range(sides)]
    faces = [(k, (k + 1) % sides, sides + (k + 1) % sides, sides + k) for k in range(sides)]
    return smooth(put(name, points, [*faces, tuple(range(sides)), tuple(range(sides, 2 * sides))], where, material))


def plate(name, outline, depth, where, material):
    """An outline of (x, z) as a plate whose front is at depth[0] in y and whose back at depth[1]."""
    count = len(outline)
    points = [(x, y, z) for y in depth for x, z in outline]
    faces = [(k, (k + 1) % count, count + (k + 1) % count, count + k) for k in range(count)]
    return put(name, points, [*faces, tuple(range(count)), tuple(range(count, 2 * count))], where, material)


def collection(name, above=None):
    made = bpy.data.collections.new(name)
    (above or bpy.context.scene.collection).children.link(made)
    return made


def hang(child, parent):
    """It keeps its place."""
    bpy.context.view_layer.update()
    child.parent = parent
    child.matrix_parent_inverse = parent.matrix_world.inverted()
    return child
