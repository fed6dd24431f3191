"""The pillow block of brief/drawing.png, in millimetres, as it is assembled."""

import math

import bpy
import measures as mm
from forms import MM, arc, disc, hexagon, lathe, mesh_of, outward, pipe, prism, put, worked
from looks import cast, light_and_camera, metal
from mathutils import Vector

SIDES = (("left", -1), ("right", 1))
ENDS = (("front", -1), ("back", 1))


def rectangle(x0, y0, x1, y1):
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def base():
    half, deep = mm.BLOCK / 2, mm.BLOCK_DEEP / 2
    seat = arc(mm.SEAT / 2, 360, 180, 48, (0, mm.AXIS))
    low = mm.PLATE / 2
    block = prism([(-half, low), (half, low), (half, mm.AXIS), *seat, (-half, mm.AXIS)], "y", -deep, deep)
    plate = prism(rectangle(-mm.LONG / 2, -mm.DEEP / 2, mm.LONG / 2, mm.DEEP / 2), "z", 0, mm.PLATE)
    rib = [(half - 5, low), (half - 5, mm.RIB_FROM), (half, mm.RIB_FROM), (half + mm.RIB_OUT, mm.PLATE), (half + mm.RIB_OUT, low)]
    ribs = [prism([(side * x, z) for x, z in rib], "y", -mm.RIB_THICK / 2, mm.RIB_THICK / 2) for _, side in SIDES]
    holes = []
    for _, side in SIDES:
        middle, end, radius = side * mm.SLOT_APART / 2, (mm.SLOT_LONG - mm.SLOT_WIDE) / 2, mm.SLOT_WIDE / 2
        outline = arc(radius, -90, 90, 24, (middle + end, 0)) + arc(radius, 90, 270, 24, (middle - end, 0))
        holes.append(prism(outline, "z", -10, mm.PLATE + 10))
        holes.append(prism(disc(mm.TAPPED, (side * mm.BOLT_APART / 2, 0), 48), "z", mm.AXIS - mm.TAPPED_DEEP, mm.AXIS + 10))
    return worked("Base", plate, [block, *ribs], holes)


def cap():
    half, top = mm.BLOCK / 2, mm.AXIS + mm.FLANGE
    start = math.degrees(math.asin(mm.FLANGE / mm.CROWN))
    seat, crown = arc(mm.SEAT / 2, 180, 0, 48, (0, mm.AXIS)), arc(mm.CROWN, start, 180 - start, 48, (0, mm.AXIS))
    outline = [(-half, mm.AXIS), *seat, (half, mm.AXIS), (half, top), *crown, (-half, top)]
    body = prism(outline, "y", -mm.BLOCK_DEEP / 2, mm.BLOCK_DEEP / 2)
    boss = prism(disc(mm.BOSS, sides=48), "z", mm.AXIS + mm.SEAT / 2 + 5, mm.BOSS_TOP)
    holes = [prism(disc(mm.CLEAR_HOLE, (side * mm.BOLT_APART / 2, 0), 48), "z", mm.AXIS - 10, top + 10) for _, side in SIDES]
    return worked("Cap", body, [boss], [*holes, prism(disc(mm.GREASE, sides=32), "z", mm.AXIS + 20, mm.BOSS_TOP + 10)])


def half_ring(up):
    """A bearing shell, which ends half the gap before the joint."""
    lines = []
    for radius in (mm.SEAT / 2, mm.BORE / 2):
        rise = math.degrees(math.asin(mm.SHELL_GAP / 2 / radius))
        lines.append(arc(radius, rise, 180 - rise, 64))
    points = [Vector((x, y, mm.AXIS + up * z)) for y in (-mm.SHELL_LONG / 2, mm.SHELL_LONG / 2) for line in lines for x, z in line]
    n, faces = len(lines[0]), []
    for k in range(n - 1):
        faces += [(k, k + 1, n + k + 1, n + k), (2 * n + k + 1, 2 * n + k, 3 * n + k, 3 * n + k + 1)]
        faces += [(k + 1, k, 2 * n + k, 2 * n + k + 1), (n + k, n + k + 1, 3 * n + k + 1, 3 * n + k)]
    return outward(points, [*faces, (0, n, 3 * n, 2 * n), (2 * n - 1, n - 1, 3 * n - 1, 4 * n - 1)])


def bolt(name, place, seat, measures, material):
    diameter, long, flats, high = measures
    mesh = mesh_of(name, [prism(hexagon(flats), "z", 0, high), prism(disc(diameter, sides=48), "z", -long, high / 2)])
    made = put(name, mesh, fasteners, material)
    made.location = Vector((*place, seat)) * MM


def washer(name, place, seat, measures, material):
    outer, inner, thick = measures
    made = put(name, mesh_of(name, [pipe(outer, inner, "z", 0, thick, sides=48)]), fasteners, material)
    made.location = Vector((*place, seat)) * MM


def collection(name, above):
    made = bpy.data.collections.new(name)
    above.children.link(made)
    return made


whole = collection("Pillow block", bpy.context.scene.collection)
housing, bearing, fasteners = (collection(name, whole) for name in ("Housing", "Bearing", "Fasteners"))
paint, bronze = cast("Painted cast iron", (0.05, 0.16, 0.14)), metal("Bronze", (0.72, 0.42, 0.16), 0.35)
brass = metal("Brass", (0.85, 0.62, 0.2), 0.25)
steel, bright = metal("Turned steel", (0.62, 0.63, 0.65), 0.28), metal("Zinc", (0.45, 0.47, 0.5), 0.4)

for name, mesh in (("Base", base()), ("Cap", cap())):
    edges = put(name, mesh, housing, paint).modifiers.new("Broken edges", "BEVEL")
    edges.width, edges.segments, edges.limit_method, edges.harden_normals = 0.8 * MM, 1, "ANGLE", True
put("Shell lower", mesh_of("Shell lower", [half_ring(-1)]), bearing, bronze)
put("Shell upper", worked("Shell upper", half_ring(1), [], [prism(disc(6, sides=32), "z", mm.AXIS + 20, mm.AXIS + 50)]), bearing, bronze)
put("Shaft", mesh_of("Shaft", [prism(disc(mm.SHAFT, (0, mm.AXIS)), "y", -mm.SHAFT_LONG / 2, mm.SHAFT_LONG / 2)]), bearing, steel)
for end, side in ENDS:
    near = side * (mm.SHELL_LONG / 2 + mm.PLAY)
    far = near + side * mm.COLLAR_WIDE
    hole = [(x, y + (near + far) / 2) for x, y in disc(mm.SCREW, sides=32)]
    ring = pipe(mm.COLLAR, mm.SHAFT, "y", min(near, far), max(near, far), (0, mm.AXIS))
    put(f"Collar {end}", worked(f"Collar {end}", ring, [], [prism(hole, "z", mm.AXIS + 20, mm.AXIS + 60)]), bearing, steel)
    screw = prism(hole, "z", mm.AXIS + mm.SHAFT / 2, mm.AXIS + mm.COLLAR / 2 - 0.5)
    put(f"Set screw {end}", mesh_of(f"Set screw {end}", [screw]), fasteners, bright)
for side, sign in SIDES:
    for what, apart, seat, ring, measures in (("Cap", mm.BOLT_APART, mm.AXIS + mm.FLANGE, mm.CAP_WASHER, mm.CAP_BOLT),
                                              ("Anchor", mm.SLOT_APART, mm.PLATE, mm.ANCHOR_WASHER, mm.ANCHOR_BOLT)):
        washer(f"{what} washer {side}", (sign * apart / 2, 0), seat, ring, bright)
        bolt(f"{what} bolt {side}", (sign * apart / 2, 0), seat + ring[2], measures, bright)
nipple = [(0, -12), (mm.GREASE / 2, -12), (mm.GREASE / 2, 2), (3.2, 6), (3.2, 8), (2.2, 11), (3.2, 13.5), (3.2, 15), (2.0, 17), (0, 17)]
greased = put("Grease nipple", mesh_of("Grease nipple", [lathe(nipple), prism(hexagon(11), "z", 0, 6)]), fasteners, brass)
greased.location.z = mm.BOSS_TOP * MM
light_and_camera((0, 0, 0.07))
