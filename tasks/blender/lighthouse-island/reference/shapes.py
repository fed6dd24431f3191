"""Closed bodies, in metres."""

import math

import bpy
from mathutils import Matrix, Vector

SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))


def collection(name, above):
    made = bpy.data.collections.new(name)
    above.children.link(made)
    return made


def put(name, mesh, where, *materials, at=(0, 0, 0), turn=0.0, parent=None):
    made = bpy.data.objects.new(name, mesh)
    where.objects.link(made)
    if not mesh.materials:
        for one in materials:
            mesh.materials.append(one)
    made.location, made.rotation_euler.z = at, turn
    if parent:
        made.parent, made.matrix_parent_inverse = parent, parent.matrix_basis.inverted()
    return made


def mesh_of(name, *pieces, slots=None):
    """One mesh of pieces (points, faces); `slots` are the material's number of each piece."""
    points, faces, numbers = [], [], []
    for number, (some, sides) in enumerate(pieces):
        faces += [tuple(len(points) + corner for corner in side) for side in sides]
        numbers += [slots[number] if slots else 0] * len(sides)
        points += [tuple(point) for point in some]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    mesh.polygons.foreach_set("material_index", numbers)
    return mesh


def box(low, high):
    return [Vector((x, y, z)) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])], SIDES


def turned(piece, angle, at=(0, 0, 0)):
    matrix = Matrix.Translation(at) @ Matrix.Rotation(angle, 4, "Z")
    return [matrix @ Vector(point) for point in piece[0]], piece[1]


def lathe(outline, sides=64):
    """A body of revolution about z. `outline` is (radius, height) from the bottom of the axis to its top, which ends may lie off the axis
    where it closes on itself (a pipe)."""
    pipe = outline[0] == outline[-1]
    rings = outline[:-1] if pipe else outline
    points = [(r * math.cos(math.tau * k / sides), r * math.sin(math.tau * k / sides), z) for r, z in rings for k in range(sides)]
    pairs = [(n, n + 1) for n in range(len(rings) - 1)] + [(len(rings) - 1, 0)] * pipe
    steps = [(k, (k + 1) % sides) for k in range(sides)]
    faces = [(a * sides + k, a * sides + n, b * sides + n, b * sides + k) for a, b in pairs for k, n in steps]
    if not pipe:
        faces += [tuple(reversed(range(sides))), tuple(range((len(rings) - 1) * sides, len(rings) * sides))]
    return points, faces


def rod(start, end, radius, sides=16, thin=None):
    """A round bar from point to point, `thin` at its end."""
    start, end = Vector(start), Vector(end)
    turn = (end - start).to_track_quat("Z", "Y")
    points, faces = lathe([(radius, 0), (radius if thin is None else thin, (end - start).length)], sides)
    return [start + turn @ Vector(point) for point in points], faces


def pipe(line, radius, sides=8):
    """A round tube along points, closed at both ends."""
    line, points = [Vector(point) for point in line], []
    for number, point in enumerate(line):
        ahead = line[min(number + 1, len(line) - 1)] - line[max(number - 1, 0)]
        turn = ahead.to_track_quat("Z", "Y")
        around = [math.tau * k / sides for k in range(sides)]
        points += [point + turn @ Vector((radius * math.cos(angle), radius * math.sin(angle), 0)) for angle in around]
    faces = [(n * sides + k, n * sides + (k + 1) % sides, (n + 1) * sides + (k + 1) % sides, (n + 1) * sides + k)
             for n in range(len(line) - 1) for k in range(sides)]  # fmt: skip
    return points, [*faces, tuple(reversed(range(sides))), tuple(range((len(line) - 1) * sides, len(line) * sides))]


def ring(radius, z, thick, sides=64):
    """A hoop of square section."""
    a, b = radius - thick / 2, radius + thick / 2
    return lathe([(a, z), (b, z), (b, z + thick), (a, z + thick), (a, z)], sides)


def prism(outline, low, high):
    """An outline of (y, z), counter-clockwise as seen from the greatest x, drawn out along x."""
    n = len(outline)
    points = [(x, y, z) for x in (low, high) for y, z in outline]
    faces = [(k, (k + 1) % n, n + (k + 1) % n, n + k) for k in range(n)]
    faces = [tuple(reversed(face)) for face in faces]
    return points, [tuple(reversed(face)) for face in faces] + [tuple(reversed(range(n))), tuple(range(n, 2 * n))]


def soft(mesh, angle=40.0):
    """Smooth but for sharp edges."""
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    mesh.set_sharp_from_angle(angle=math.radians(angle))
    return mesh
