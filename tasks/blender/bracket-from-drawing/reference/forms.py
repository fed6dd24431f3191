"""Closed solids from millimetres, cut and joined for good, and how they become objects."""

import math

import bpy
from mathutils import Vector

MM = 0.001
ROUND = 96
ORDER = {"x": (1, 2, 0), "y": (0, 2, 1), "z": (0, 1, 2)}


def outward(points, faces):
    middle = sum(points, Vector()) / len(points)
    volume = sum((points[face[0]] - middle).dot((points[face[k]] - middle).cross(points[face[k + 1]] - middle))
                 for face in faces for k in range(1, len(face) - 1))
    return points, [tuple(reversed(face)) for face in faces] if volume < 0 else faces


def prism(section, axis, start, end):
    """A polygon in the plane across `axis` (its coordinates in the order x, y, z), drawn out from start to end."""
    first, second, along = ORDER[axis]
    points, count = [], len(section)
    for at in (start, end):
        for a, b in section:
            point = Vector()
            point[first], point[second], point[along] = a, b, at
            points.append(point)
    faces = [(k, (k + 1) % count, count + (k + 1) % count, count + k) for k in range(count)]
    return outward(points, [*faces, tuple(reversed(range(count))), tuple(range(count, 2 * count))])


def arc(radius, start, end, count, centre=(0, 0)):
    """Points from one angle to another, in degrees, both ends among them."""
    angles = [math.radians(start + (end - start) * k / count) for k in range(count + 1)]
    return [(centre[0] + radius * math.cos(one), centre[1] + radius * math.sin(one)) for one in angles]


def disc(diameter, centre=(0, 0), sides=ROUND):
    return arc(diameter / 2, 0, 360, sides, centre)[:-1]


def hexagon(flats, centre=(0, 0)):
    return arc(flats / math.sqrt(3), 0, 360, 6, centre)[:-1]


def pipe(outer, inner, axis, start, end, centre=(0, 0), sides=ROUND):
    """A tube as rings of quads."""
    first, second, along = ORDER[axis]
    points = []
    for at in (start, end):
        for diameter in (outer, inner):
            for a, b in disc(diameter, centre, sides):
                point = Vector()
                point[first], point[second], point[along] = a, b, at
                points.append(point)
    faces = []
    for k in range(sides):
        n = (k + 1) % sides
        faces += [(k, n, 2 * sides + n, 2 * sides + k), (3 * sides + k, 3 * sides + n, sides + n, sides + k)]
        faces += [(sides + k, sides + n, n, k), (2 * sides + k, 2 * sides + n, 3 * sides + n, 3 * sides + k)]
    return outward(points, faces)


def lathe(profile, sides=32):
    """A body of revolution about z: (radius, height) from its lower end to its upper one, both ends closed by a point."""
    inner = profile[1:-1]
    points = [Vector((0, 0, profile[0][1]))] + [Vector((x, y, z)) for r, z in inner for x, y in disc(2 * r, sides=sides)]
    points.append(Vector((0, 0, profile[-1][1])))
    last, top = len(points) - 1, 1 + (len(inner) - 1) * sides
    faces = [(0, 1 + (k + 1) % sides, 1 + k) for k in range(sides)]
    faces += [(1 + n * sides + k, 1 + n * sides + (k + 1) % sides, 1 + (n + 1) * sides + (k + 1) % sides, 1 + (n + 1) * sides + k)
              for n in range(len(inner) - 1) for k in range(sides)]
    return outward(points, [*faces, *((top + k, top + (k + 1) % sides, last) for k in range(sides))])


def mesh_of(name, pieces):
    """One mesh of several solids."""
    points, faces = [], []
    for own, sides in pieces:
        faces += [tuple(len(points) + corner for corner in face) for face in sides]
        points += [one * MM for one in own]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    return mesh


def put(name, mesh, where, material, smooth=True):
    made = bpy.data.objects.new(name, mesh)
    where.objects.link(made)
    mesh.materials.clear()
    mesh.materials.append(material)
    if smooth:
        mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
        mesh.set_sharp_from_angle(angle=math.radians(30))
    return made


def worked(name, piece, joined, cut):
    """A mesh: the solid `piece` with others joined to it and others cut from it, for good."""
    body = bpy.data.objects.new(name, mesh_of(name, [piece]))
    scene = bpy.context.scene.collection
    scene.objects.link(body)
    tools = []
    for operation, solids in (("UNION", joined), ("DIFFERENCE", cut)):
        for solid in solids:
            tool = bpy.data.objects.new("tool", mesh_of("tool", [solid]))
            scene.objects.link(tool)
            tools.append(tool)
            change = body.modifiers.new(operation, "BOOLEAN")
            change.object, change.operation, change.solver = tool, operation, "EXACT"
    made = bpy.data.meshes.new_from_object(body.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    for one in [body, *tools]:
        bpy.data.meshes.remove(one.data)
    made.name = name
    return made
