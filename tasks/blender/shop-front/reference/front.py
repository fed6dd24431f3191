"""The front of the shop between its walls, in millimetres: frame, window and door, wherever a door is, and awnings."""

import math

import bpy
from kit import MM, box, boxes, put, rod, rounded

DEEP = (60, 140)
"""Front and back of the frame, in y."""

HALF, HEAD, WIDE = 2220, 2520, 80
TRANSOM, SILL = (2100, 2160), (450, 530)


def box_between(name, x, z, where, material, deep=DEEP, bevel=4.0):
    return box(name, (x[0], deep[0], z[0]), (x[1], deep[1], z[1]), where, material, bevel)


def window(bay, where, paint, glass, stone):
    """What stands in the window's bay, (left, right) in x."""
    middle = sum(bay) / 2
    box_between("Frame sill", bay, SILL, where, paint, (40, 140))
    box_between("Frame mullion", (middle - 40, middle + 40), (SILL[1], HEAD), where, paint)
    box_between("Stall riser", bay, (0, SILL[0]), where, stone, bevel=6)
    for number, pane in enumerate(((bay[0], middle - 40), (middle + 40, bay[1])), 1):
        box_between(f"Window glass {number}", pane, (SILL[1], HEAD), where, glass, (95, 105), 0)


def leaf(name, x, z, where, paint):
    """A door's leaf: one body with an opening for its pane."""
    (left, right), (low, high) = x, z
    outer = ((left, low), (right, low), (right, high), (left, high))
    inner = ((left + 110, low + 500), (right - 110, low + 500), (right - 110, high - 120), (left + 110, high - 120))
    points = [(x, y, z) for y in (75, 125) for ring in (outer, inner) for x, z in ring]
    faces = []
    for k in range(4):
        n = (k + 1) % 4
        faces += [(k, n, 4 + n, 4 + k), (8 + n, 8 + k, 12 + k, 12 + n), (n, k, 8 + k, 8 + n), (4 + k, 4 + n, 12 + n, 12 + k)]
    made = put(name, points, faces, where, paint)
    rounded(made, 4)
    return made, (inner[0][0], inner[1][0], inner[0][1], inner[2][1])


def door(bay, hinge, where, paint, glass, brass, stone):
    """What stands in the door's bay, hung on the side of `hinge`: -1 left, 1 right."""
    box_between("Frame transom", bay, TRANSOM, where, paint)
    box_between("Fanlight", bay, (TRANSOM[1], HEAD), where, glass, (95, 105), 0)
    box("Door step", (bay[0] - 60, -330, 0), (bay[1] + 60, 60, 10), where, stone, 2)
    side = bay[0] if hinge < 0 else bay[1]
    pivot = bpy.data.objects.new("Door pivot", None)
    pivot.empty_display_size, pivot.location = 0.15, (side * MM, 100 * MM, 10 * MM)
    where.objects.link(pivot)
    made, pane = leaf("Door leaf", (bay[0] + 4, bay[1] - 4), (14, 2096), where, paint)
    parts = [made, box("Door glass", (pane[0], 96, pane[2]), (pane[1], 104, pane[3]), where, glass)]
    at = (bay[1] - 60) if hinge < 0 else (bay[0] + 60)
    parts.append(boxes("Door handle", [((at - 9, 20, 900), (at + 9, 38, 1400)), ((at - 7, 30, 930), (at + 7, 75, 944)),
                                       ((at - 7, 30, 1356), (at + 7, 75, 1370))], where, brass, 3))
    parts.append(box("Door kick plate", (bay[0] + 40, 71, 60), (bay[1] - 40, 75, 300), where, brass))
    for number, height in enumerate((250, 1050, 1850), 1):
        parts.append(rod(f"Door hinge {number}", (side - 4 * hinge, 70, height), (side - 4 * hinge, 70, height + 110), 9, where, brass))
    bpy.context.view_layer.update()
    for one in parts:
        one.parent, one.matrix_parent_inverse = pivot, pivot.matrix_world.inverted()


def stripe(name, x, line, scallop, where, material):
    """One strip of an awning's cloth, a sheet along a line of (y, z) that ends in a valance; with a scallop, it ends in a round."""
    across = [x[0] + (x[1] - x[0]) * k / 8 for k in range(9)]
    points, rows = [], len(line)
    for number, (y, z) in enumerate(line):
        for k, at in enumerate(across):
            lift = scallop * (1 - math.sin(math.pi * k / 8)) if number == rows - 1 else 0
            points.append((at, y, z + lift))
    faces = [(n * 9 + k, n * 9 + k + 1, (n + 1) * 9 + k + 1, (n + 1) * 9 + k) for n in range(rows - 1) for k in range(8)]
    made = put(name, points, faces, where, material)
    if made.data.polygons[0].normal.z < 0:
        made.data.flip_normals()
    thick = made.modifiers.new("Cloth", "SOLIDIFY")
    thick.thickness, thick.offset = 6 * MM, -1
    return made


def slope(top, out, edge, lowest):
    """The line of a cloth: from the wall, sagging a little, over the bar, and down."""
    line = [(-out * k / 6, top + (edge - top) * k / 6 - 14 * math.sin(math.pi * k / 6)) for k in range(7)]
    return [*line, (-out, (edge + lowest) / 2 + 20), (-out, lowest)]


def arms(half, top, out, edge, where, steel):
    """The bar under the front edge, and the two arms from the wall to it."""
    bar = rod("Awning bar", (-half, 24 - out, edge - 30), (half, 24 - out, edge - 30), 16, where, steel)
    for side, at in (("left", 80 - half), ("right", half - 80)):
        arm = rod(f"Awning arm {side}", (at, 4, top - 62), (at, 30 - out, edge - 38), 14, where, steel)
        yield arm
    yield bar
