"""What the new owner brings: letters, leaves, planters, lamps; millimetres."""

import math

import bmesh
import bpy
from kit import MM, glow, hang, put, rod, rounded, shade, smooth, turned
from mathutils import Vector
from street import bush


def letter(name, sign, height, depth, where, material):
    """A capital as a mesh, closed, with eased edges, as high as told, its back at y = 0, the left end of its foot at the origin."""
    ease = 3 * MM
    text = bpy.data.curves.new(name, "FONT")
    text.body, text.size, text.extrude, text.bevel_depth, text.bevel_resolution = sign, 1.4 * height * MM, depth * MM / 2 - ease, ease, 1
    text.resolution_u = 6
    drawn = bpy.data.objects.new(name, text)
    where.objects.link(drawn)
    bpy.context.view_layer.update()
    mesh = bpy.data.meshes.new_from_object(drawn.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    bpy.data.objects.remove(drawn)
    bpy.data.curves.remove(text)
    edited = bmesh.new()
    edited.from_mesh(mesh)
    bmesh.ops.remove_doubles(edited, verts=list(edited.verts), dist=1e-6)
    low, high = ([end(one.co[axis] for one in edited.verts) for axis in range(3)] for end in (min, max))
    grown = height * MM / (high[1] - low[1])
    for one in edited.verts:
        x, y, z = one.co
        one.co = ((x - low[0]) * grown, (low[2] - z) * depth * MM / (high[2] - low[2]), (y - low[1]) * grown)
    bmesh.ops.recalc_face_normals(edited, faces=list(edited.faces))
    edited.to_mesh(mesh)
    edited.free()
    mesh.name = name
    mesh.materials.clear()
    mesh.materials.append(material)
    made = bpy.data.objects.new(name, mesh)
    where.objects.link(made)
    return made


def word(told, where, material, face=-80):
    """The letters of the name, with equal gaps, on the board whose face is told."""
    figures = told["letters"]
    made = [letter(f"Letter {sign}", sign, figures["height"], figures["depth"], where, material) for sign in told["brand"]["name"]]
    wide = [max(one.co.x for one in each.data.vertices) for each in made]
    gap = (figures["word_width"] * MM - sum(wide)) / (len(made) - 1)
    at = (figures["middle"]["x"] - figures["word_width"] / 2) * MM
    for one, own in zip(made, wide, strict=True):
        one.location = (at, face * MM, (figures["middle"]["z"] - figures["height"] / 2) * MM)
        at += own + gap


def half_leaf(side, height):
    """The outline of one half of a leaf, a vein's width off the middle."""
    steps = 14
    shares = [k / steps for k in range(steps + 1)]
    edge = [(side * (5 + 0.30 * height * math.sin(math.pi * one) ** 0.8 * (1 - 0.25 * one)), (0.86 * one - 0.36) * height)
            for one in shares]
    return edge if side > 0 else edge[::-1]


def emblem(name, middle, depth, height, where, material):
    """Two halves of a leaf and its stem, as plates from depth[0] to depth[1] in y."""
    stem = [(-5, -0.5 * height), (5, -0.5 * height), (5, -0.30 * height), (-5, -0.30 * height)]
    points, faces = [], []
    for outline in (half_leaf(1, height), half_leaf(-1, height), stem):
        first, count = len(points), len(outline)
        points += [(middle[0] + x, y, middle[1] + z) for y in depth for x, z in outline]
        faces += [(first + k, first + (k + 1) % count, first + count + (k + 1) % count, first + count + k) for k in range(count)]
        faces += [tuple(range(first, first + count)), tuple(range(first + count, first + 2 * count))]
    return put(name, points, faces, where, material)


def planter(side, at, size, where, material, green):
    (x, y), (wide, deep, high) = at, size
    left, right, front, back = x - wide / 2, x + wide / 2, y - deep / 2, y + deep / 2
    walls = [(left, front), (right, front), (right, back), (left, back)]
    inner = [(left + 30, front + 30), (right - 30, front + 30), (right - 30, back - 30), (left + 30, back - 30)]
    points = [(*one, z) for ring, z in ((walls, 0), (walls, high), (inner, high), (inner, high - 60)) for one in ring]
    faces = [(4 * n + k, 4 * n + (k + 1) % 4, 4 * n + 4 + (k + 1) % 4, 4 * n + 4 + k) for n in range(3) for k in range(4)]
    made = put(f"Planter {side}", points, [*faces, (3, 2, 1, 0), (12, 13, 14, 15)], where, material)
    rounded(made, 5)
    plant = bush(f"Plant {side}", (x, y, high + 210), (280, 150, 300), where, green, 4)
    hang(plant, made)
    return made


def pendant(number, at, rim, across, where, brass, white, lit):
    x, y = at
    cord = rod(f"Pendant cord {number}", (x, y, rim + 200), (x, y, 2600), 5, where, brass, 10)
    wide = across / 2
    bell = [(wide - 4, 0), (wide, 0), (wide - 8, 40), (wide - 45, 110), (60, 170), (34, 190), (30, 212),
            (14, 212), (28, 184), (54, 164), (wide - 51, 106), (wide - 13, 40)]
    shape = ring(f"Pendant shade {number}", bell, (x, y, rim), where, white)
    bulb = turned(f"Pendant bulb {number}", [(10, 40), (34, 52), (44, 80), (36, 112), (18, 140), (16, 208)], (x, y, rim), where, lit, 20)
    lamp = bpy.data.lights.new(f"Pendant light {number}", "POINT")
    lamp.energy, lamp.color, lamp.shadow_soft_size = 14, (1.0, 0.8, 0.55), 0.05
    light = bpy.data.objects.new(f"Pendant light {number}", lamp)
    light.location = Vector((x, y, rim - 10)) * MM
    where.objects.link(light)
    for one in (shape, bulb, light):
        hang(one, cord)


def ring(name, profile, at, where, material, sides=32):
    """A closed profile of (radius, height), nowhere on the axis, turned about the upright: a body with a hole."""
    count = len(profile)
    points = [(at[0] + radius * math.cos(math.tau * k / sides), at[1] + radius * math.sin(math.tau * k / sides), at[2] + height)
              for radius, height in profile for k in range(sides)]
    faces = [(n * sides + k, n * sides + (k + 1) % sides, (n + 1) % count * sides + (k + 1) % sides, (n + 1) % count * sides + k)
             for n in range(count) for k in range(sides)]
    return smooth(put(name, points, faces, where, material))


def colours(told):
    green, cream = told["brand"]["green"], told["brand"]["cream"]
    return {
        "green": shade("Tavelo green", green, 0.5), "cream": shade("Tavelo cream", cream, 0.45),
        "green cloth": shade("Green cloth", green, 0.9), "cream cloth": shade("Cream cloth", cream, 0.9),
        "bush": shade("Box tree", "#3f6b35", 0.75), "lit": glow("Lit bulb", "#ffd9a0", 12.0),
    }
