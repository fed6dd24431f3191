"""The same island by other hands: firs of cones on trunks, boulders cut from boxes, hollow bands with facets, a sea that is a plain
slab, thinner steps, a boat that lies the other way round, all on empties, another place for the camera."""

import math

import bpy
from mathutils import Vector

objects, meshes = bpy.data.objects, bpy.data.meshes


def cone(low, high, wide, narrow, sides=9):
    turns = [(math.cos(math.tau * k / sides), math.sin(math.tau * k / sides)) for k in range(sides)]
    points = [(r * c, r * s, z) for r, z in ((wide, low), (narrow, high)) for c, s in turns]
    faces = [(k, (k + 1) % sides, sides + (k + 1) % sides, sides + k) for k in range(sides)]
    return points, [*faces, tuple(reversed(range(sides))), tuple(range(sides, 2 * sides))]


def swap(old, pieces, slots):
    mesh, points, faces, numbers = meshes.new(old.name + " by other hands"), [], [], []
    for (some, sides), slot in zip(pieces, slots, strict=True):
        faces += [tuple(len(points) + corner for corner in side) for side in sides]
        numbers += [slot] * len(sides)
        points += some
    mesh.from_pydata(points, [], faces)
    mesh.polygons.foreach_set("material_index", numbers)
    for one in old.materials:
        mesh.materials.append(one)
    old.user_remap(mesh)


for number in (1, 2, 3):
    old = meshes[f"Tree form {number}"]
    tall = max(point.co.z for point in old.vertices)
    crown = [cone(tall * a, tall * b, wide, 0.04) for a, b, wide in ((0.25, 0.6, 1.3), (0.45, 0.8, 1.0), (0.65, 1.0, 0.7))]
    swap(old, [cone(0, tall * 0.3, 0.2, 0.15), *crown], [0, 1, 1, 1])
for number in (1, 2, 3, 4):
    old = meshes[f"Rock form {number}"]
    swap(old, [cone(-0.36, 0.34, 0.5, 0.3, 5 + number)], [0])

for number in range(1, 7):
    old = meshes[f"Tower band {number}"]
    low, high = 3 - (number - 1) / 6, 3 - number / 6
    z, sides = 3 * (number - 1), 32
    outline = [(low, z), (high, z + 3), (high - 0.4, z + 3), (low - 0.4, z)]
    points = [(r * math.cos(math.tau * k / sides), r * math.sin(math.tau * k / sides), h) for r, h in outline for k in range(sides)]
    faces = [(a * sides + k, a * sides + (k + 1) % sides, b * sides + (k + 1) % sides, b * sides + k)
             for a, b in ((0, 1), (1, 2), (2, 3), (3, 0)) for k in range(sides)]  # fmt: skip
    swap(old, [(points, faces)], [0])

low, high = (-900.0, -900.0, -6.0), (900.0, 900.0, 0.05)
corners = [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
swap(meshes["Sea"], [(corners, [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])], [0])
for point in objects["Step 1"].data.vertices:
    point.co.z = max(point.co.z, -0.4)

for name in ("Lighthouse", "Keeper"):
    root = objects.new(f"{name} root", None)
    bpy.data.collections[name].objects.link(root)
    for one in list(bpy.data.collections[name].objects):
        if one.type == "MESH":
            one.parent = root
objects.remove(objects["Boat rope"])
objects["Boat hull"].rotation_euler.z = math.pi
eye = bpy.context.scene.camera
eye.location, eye.data.lens, eye.data.shift_y = (-46.0, -92.0, 9.0), 34, 0.08
eye.rotation_euler = (Vector((0, 0, 9)) - eye.location).to_track_quat("-Z", "Y").to_euler()
