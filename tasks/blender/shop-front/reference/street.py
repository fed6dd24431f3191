"""What stands around the shop, in millimetres: the houses beside it, the pavement, trees and lamps. None of it is to be touched."""

import math

import bmesh
import bpy
from kit import MM, box, boxes, collection, glow, hang, laid, put, rounded, shade, smooth, turned
from mathutils import Matrix, Vector, noise


def written(name, body, size, at, where, material):
    """A live text, raised by 15 mm from the wall that it lies on."""
    text = bpy.data.curves.new(name, "FONT")
    text.body, text.size, text.extrude, text.align_x = body, size * MM, 7.5 * MM, "CENTER"
    text.resolution_u = 4
    text.materials.append(material)
    made = bpy.data.objects.new(name, text)
    made.location, made.rotation_euler.x = Vector(at) * MM, math.radians(90)
    where.objects.link(made)
    return made


def opening(name, x, z, where, frame, glass, bars=1):
    """A window on a wall: its frame with bars, and the pane."""
    (left, right), (low, high) = x, z
    parts = [((left, -60, low), (left + 70, 0, high)), ((right - 70, -60, low), (right, 0, high)),
             ((left + 70, -60, high - 70), (right - 70, 0, high)), ((left - 60, -130, low - 60), (right + 60, 0, low))]
    for k in range(bars):
        at = left + (right - left) * (k + 1) / (bars + 1)
        parts.append(((at - 20, -50, low), (at + 20, 0, high - 70)))
    boxes(f"{name} frame", parts, where, frame, 5)
    box(f"{name} pane", (left + 70, -30, low), (right - 70, -8, high - 70), where, glass)


def bookseller(where, paints):
    wall = laid("Brick red", ("#8d4a38", "#7a3d2f"), "#b9aa98", (250, 85))
    oak, dark = shade("Door oak", "#6a4527", 0.5), paints["dark"]
    box("Left house", (-6300, 0, 0), (-2700, 400, 5400), where, wall)
    box("Left house cornice", (-6400, -140, 5400), (-2700, 400, 5600), where, paints["stone"], 20)
    box("Left plinth", (-6300, -40, 0), (-2700, 0, 500), where, paints["stone"], 8)
    opening("Left shop window", (-6000, -4150), (800, 2400), where, dark, paints["glass"], 2)
    opening("Left upper window 1", (-5800, -4900), (3500, 4900), where, paints["cream"], paints["glass"])
    opening("Left upper window 2", (-4100, -3200), (3500, 4900), where, paints["cream"], paints["glass"])
    box("Left door", (-3900, -50, 0), (-2950, 0, 2200), where, oak, 6)
    for number, low in enumerate((200, 1150), 1):
        box(f"Left door panel {number}", (-3780, -70, low), (-3070, -50, low + 850), where, oak, 10)
    turned("Left door knob", [(14, -18), (26, -10), (30, 0), (26, 10), (14, 18)], (-3820, -80, 1060), where, paints["brass"], 16)
    box("Left sign board", (-6000, -60, 2600), (-2950, 0, 3050), where, dark, 8)
    written("Left sign", "WINTER BOOKS", 330, (-4475, -67.5, 2710), where, paints["brass"])
    shutter = box("Left shutter", (-4880, -50, 3520), (-4500, -20, 3560), where, paints["sage"])
    rounded(shutter, 6)
    slats = shutter.modifiers.new("Slats", "ARRAY")
    slats.count, slats.use_relative_offset, slats.use_constant_offset = 29, False, True
    slats.constant_offset_displace = (0, 0, 48 * MM)
    trough = box("Left flower box", (-4200, -330, 3160), (-3100, -130, 3380), where, paints["terracotta"], 10)
    flowers = bush("Left flowers", (-3650, -230, 3420), (520, 110, 130), where, paints["rose"], 3)
    hang(flowers, trough)


def shoemaker(where, paints):
    wall = laid("Brick ochre", ("#b98d58", "#a87c4b"), "#d8cbb5", (250, 85))
    box("Right house", (2700, 0, 0), (6300, 400, 6200), where, wall)
    box("Right house cornice", (2700, -160, 6200), (6400, 400, 6400), where, paints["stone"], 20)
    opening("Right shop window", (3900, 6000), (700, 2350), where, paints["wine"], paints["glass"], 1)
    for number, left in enumerate((3100, 4950), 1):
        opening(f"Right upper window {number}", (left, left + 950), (3700, 5300), where, paints["cream"], paints["glass"])
    box("Right door", (2950, -45, 0), (3750, 0, 2150), where, paints["wine"], 6)
    box("Right door pane", (3100, -60, 1000), (3600, -45, 1950), where, paints["glass"])
    box("Right sign board", (2950, -60, 2550), (6000, 0, 3000), where, paints["wine"], 8)
    written("Right sign", "ODA SHOES", 330, (4475, -67.5, 2660), where, paints["cream"])
    case = turned("Right clock", [(330, -60), (350, -40), (350, 40), (320, 60), (300, 52)], (4475, -70, 3400), where, paints["dark"], 32)
    case.rotation_euler.x = math.radians(90)
    case.location = Vector((4475, -60, 3400)) * MM
    hand = box("Right clock hand", (4463, -145, 3380), (4487, -120, 3660), where, paints["cream"], 3)
    hand.data.transform(Matrix.Translation(Vector((0, 0, 120)) * MM))
    hand.location.z = 3400 * MM
    hand.rotation_euler.y = 0
    hand.keyframe_insert("rotation_euler", index=1, frame=1)
    hand.rotation_euler.y = math.tau / 4
    hand.keyframe_insert("rotation_euler", index=1, frame=121)
    pipe = bpy.data.curves.new("Right downpipe", "CURVE")
    pipe.dimensions, pipe.bevel_depth, pipe.bevel_resolution = "3D", 45 * MM, 2
    line = pipe.splines.new("POLY")
    line.points.add(3)
    for point, at in zip(line.points, ((6150, -60, 60), (6150, -60, 5700), (6150, -120, 5850), (6150, -120, 6200)), strict=True):
        point.co = (*(one * MM for one in at), 1)
    pipe.materials.append(paints["steel"])
    where.objects.link(bpy.data.objects.new("Right downpipe", pipe))


def bush(name, at, size, where, material, level=2):
    """A round crown with lumps, one closed body."""
    edited = bmesh.new()
    bmesh.ops.create_icosphere(edited, subdivisions=level, radius=1)
    points = [at[axis] + size[axis] * one.co[axis] * (1 + 0.28 * noise.noise(one.co * 3.1 + Vector(at) * MM))
              for one in edited.verts for axis in range(3)]
    points = [points[k:k + 3] for k in range(0, len(points), 3)]
    faces = [[corner.index for corner in one.verts] for one in edited.faces]
    edited.free()
    return smooth(put(name, points, faces, where, material), 60)


def pavement(where, paints):
    slab = box("Pavement", (-6300, -600, -80), (-5700, 0, 0), where, paints["slab"])
    rounded(slab, 5, 1)
    for name, count, offset in (("Along", 21, (600, 0, 0)), ("Across", 4, (0, -600, 0))):
        row = slab.modifiers.new(name, "ARRAY")
        row.count, row.use_relative_offset, row.use_constant_offset = count, False, True
        row.constant_offset_displace = Vector(offset) * MM
    box("Kerb", (-6300, -2550, -230), (6300, -2400, 0), where, paints["stone"], 12)
    box("Road", (-6300, -6000, -260), (6300, -2550, -150), where, paints["asphalt"])
    post = [(75, 0), (75, 40), (52, 60), (48, 700), (60, 720), (60, 760), (30, 800)]
    first = turned("Bollard 1", post, (-2600, -2150, 0), where, paints["iron"])
    for number, x in ((2, -900), (3, 800), (4, 2500)):
        copied = bpy.data.objects.new(f"Bollard {number}", first.data)
        copied.location = first.location + Vector((x + 2600, 0, 0)) * MM
        where.objects.link(copied)


def furniture(where, paints):
    trunk = turned("Tree trunk", [(170, 0), (120, 120), (95, 900), (85, 2500), (60, 2900)], (5000, -1900, 0), where, paints["bark"], 12)
    hang(bush("Tree crown", (5000, -1900, 3600), (1100, 1000, 1000), where, paints["leaf"], 4), trunk)
    turned("Tree ring", [(420, 0), (420, 25), (380, 25), (380, 15)], (5000, -1900, 0), where, paints["iron"], 32)
    post = [(110, 0), (110, 180), (60, 240), (45, 900), (40, 3300), (60, 3340), (60, 3380)]
    turned("Street lamp post", post, (-4900, -2100, 0), where, paints["iron"])
    turned("Street lamp head", [(70, 0), (170, 60), (190, 420), (210, 440), (60, 560), (15, 640)], (-4900, -2100, 3380),
           where, paints["milk"])
    seat = boxes("Bench", [((-5900, -600 + 90 * k, 430), (-4300, -530 + 90 * k, 465)) for k in range(5)], where, paints["oak"], 5)
    legs = boxes("Bench legs", [((x, -600, 0), (x + 60, -180, 430)) for x in (-5750, -4510)], where, paints["iron"], 5)
    hang(seat, legs)


def paints():
    return {
        "dark": shade("Slate paint", "#2b3440", 0.45), "cream": shade("Old white", "#e6dcc8", 0.5),
        "glass": shade("Window pane", "#3b4a52", 0.06), "stone": shade("Sandstone", "#b7a98f", 0.85),
        "brass": shade("Brass", "#c79a4b", 0.28, 1.0), "sage": shade("Sage", "#7f8f76", 0.6),
        "terracotta": shade("Terracotta", "#a85a3a", 0.8), "rose": shade("Geranium", "#b93a4a", 0.7),
        "wine": shade("Wine paint", "#5f2430", 0.4), "steel": shade("Zinc", "#8b9196", 0.45, 1.0),
        "slab": shade("Paving", "#a39d92", 0.85), "asphalt": shade("Asphalt", "#3c3c3e", 0.95),
        "iron": shade("Cast iron", "#1c1e20", 0.5, 0.6), "bark": shade("Bark", "#4f3d2c", 0.9), "leaf": shade("Leaves", "#4a7036", 0.7),
        "oak": shade("Oak", "#a0703f", 0.55), "milk": glow("Milk glass", "#fff0d0", 1.5),
    }


def street():
    """All of it; the paints are returned by name."""
    kept = paints()
    bookseller(collection("Left neighbour"), kept)
    shoemaker(collection("Right neighbour"), kept)
    ground = collection("Street")
    pavement(ground, kept)
    furniture(ground, kept)
    return kept
