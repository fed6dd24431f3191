"""Closed pieces of low-poly meshes, each a pair (points, faces) in millimetres that looks out, and how pieces become an object."""

import math
import random

import bpy
from mathutils import Vector

MM = 0.001
PER_METRE = 0.5
"""Of the UV square: 512 pixels a metre with textures of 1024."""
ORDER = {"x": (1, 2, 0), "y": (0, 2, 1), "z": (0, 1, 2)}


def outward(points, faces):
    """The same piece with its faces turned over if they look in."""
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


def box(low, high):
    return prism([(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])], "z", low[2], high[2])


def ring(radius, sides, turn=0.0):
    return [(radius * math.cos(math.tau * (k + turn) / sides), radius * math.sin(math.tau * (k + turn) / sides)) for k in range(sides)]


def rivet(where, normal, radius=9.0, height=6.0):
    """A flat pyramid of six sides, which smooth shading makes round."""
    turned = Vector(normal).to_track_quat("Z", "Y")
    points = [Vector(where) + turned @ Vector(one) for one in [*((x, y, 0.0) for x, y in ring(radius, 6)), (0.0, 0.0, height)]]
    return outward(points, [*((k, (k + 1) % 6, 6) for k in range(6)), tuple(reversed(range(6)))])


def tube(path, radius, sides=6):
    """A bar along a path of points, cut across at its ends."""
    path = [Vector(one) for one in path]
    points = []
    for number, at in enumerate(path):
        ahead = (path[min(number + 1, len(path) - 1)] - path[max(number - 1, 0)]).normalized()
        side = ahead.cross(Vector((0.0, 0.6, 0.8))).normalized()
        points += [at + x * side + y * ahead.cross(side) for x, y in ring(radius, sides)]
    faces = [(n * sides + k, n * sides + (k + 1) % sides, (n + 1) * sides + (k + 1) % sides, (n + 1) * sides + k)
             for n in range(len(path) - 1) for k in range(sides)]
    return outward(points, [*faces, tuple(reversed(range(sides))), tuple(range(len(points) - sides, len(points)))])


def mesh_of(name, pieces):
    """One mesh of several pieces (points, faces, number of the material). Each piece keeps, for its wood, `grain`: metres along its
    longest side, across it, and a number of its own."""
    points, faces, slots, grain, chance = [], [], [], [], random.Random(name)
    for own, sides, slot in pieces:
        spans = [max(one[k] for one in own) - min(one[k] for one in own) for k in range(3)]
        along, own_number = spans.index(max(spans)), chance.uniform(0.0, 9.0)
        faces += [tuple(len(points) + corner for corner in face) for face in sides]
        slots += [slot] * len(sides)
        points += [one * MM for one in own]
        grain += [(one[along] * MM, one[(along + 1) % 3] * MM + one[(along + 2) % 3] * MM * 1.3, own_number) for one in own]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    mesh.polygons.foreach_set("material_index", slots)
    kept = mesh.attributes.new("grain", "FLOAT_VECTOR", "POINT")
    kept.data.foreach_set("vector", [number for one in grain for number in one])
    unwrap(mesh)
    return mesh


def unwrap(mesh):
    """Every face an island of its own, laid on shelves: no two overlap, and a metre of any mesh is half of the square."""
    islands = []
    for face in mesh.polygons:
        corners = [mesh.vertices[index].co for index in face.vertices]
        edges = [corners[(k + 1) % len(corners)] - corners[k] for k in range(len(corners))]
        u = max(edges, key=lambda one: one.length).normalized()
        v = face.normal.cross(u)
        flat = [(one.dot(u), one.dot(v)) for one in corners]
        low = [min(one[k] for one in flat) for k in (0, 1)]
        size = [max(one[k] for one in flat) - low[k] for k in (0, 1)]
        islands.append((size[1], size[0], face.index, [(a - low[0], b - low[1]) for a, b in flat]))
    islands.sort(reverse=True, key=lambda one: one[0])
    gap = 0.002
    width = max(max(one[1] for one in islands) + gap, math.sqrt(sum((one[0] + gap) * (one[1] + gap) for one in islands)) * 1.05)
    layer, x, y, shelf = mesh.uv_layers.new(name="UVMap"), 0.0, 0.0, islands[0][0]
    placed = {}
    for high, wide, index, flat in islands:
        if x + wide > width:
            x, y, shelf = 0.0, y + shelf + gap, high
        placed[index] = [(a + x, b + y) for a, b in flat]
        x += wide + gap
    for face in mesh.polygons:
        for loop, (a, b) in zip(face.loop_indices, placed[face.index], strict=True):
            layer.data[loop].uv = (a * PER_METRE, b * PER_METRE)


def put(name, mesh, materials, parent=None, smooth=False):
    for one in materials if not mesh.materials else ():
        mesh.materials.append(one)
    if smooth:
        mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    made = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(made)
    made.parent = parent
    return made
