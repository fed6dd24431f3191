"""The same dog by other means: nothing hangs on a bone, every part is weighted to it; eyes, nose and bead
are balls of another mesh, the trunk is smoothed by a modifier; the wag has few keys with easing between them."""

import math

import bmesh
import bpy

scene, rig = bpy.context.scene, bpy.data.objects["Rig"]
scene.frame_set(1)


def weighted(one):
    """Wholly to the bone on which it hung."""
    place, bone = one.matrix_world.copy(), one.parent_bone
    one.parent_type, one.parent = "OBJECT", rig
    one.matrix_parent_inverse.identity()
    one.matrix_world = place
    one.vertex_groups.new(name=bone).add(range(len(one.data.vertices)), 1.0, "REPLACE")
    one.modifiers.new("Armature", "ARMATURE").object = rig


def rounded(one, grow):
    """A ball of triangles of the same size instead, somewhat larger."""
    sides, mesh, shape = one.dimensions / 2 * grow, bpy.data.meshes.new(one.name), bmesh.new()
    bmesh.ops.create_icosphere(shape, subdivisions=3, radius=1)
    for vertex in shape.verts:
        vertex.co = [a * b for a, b in zip(vertex.co, sides, strict=True)]
    shape.to_mesh(mesh)
    shape.free()
    mesh.materials.append(one.data.materials[0])
    one.data = mesh


def keyed(action, bone, axis, keys):
    curve = next(each for each in action.fcurves if f'"{bone}"' in each.data_path and each.array_index == axis)
    curve.keyframe_points.clear()
    for frame, degrees in keys:
        point = curve.keyframe_points.insert(frame, math.radians(degrees))
        point.handle_left_type = point.handle_right_type = "AUTO_CLAMPED"
        point.interpolation = "BEZIER"
    curve.update()


for name in ("Eye.L", "Eye.R", "Nose", "Bead"):
    rounded(bpy.data.objects[name], 1.03)
for one in bpy.data.objects:
    if one.type == "MESH" and one.parent_type == "BONE":
        weighted(one)
body = bpy.data.objects["Body"]
body.modifiers.new("Smooth", "SMOOTH").iterations = 2
for name in ("Wheel front.L", "Wheel front.R", "Wheel hind.L", "Wheel hind.R"):
    bpy.data.objects[name].modifiers.new("Weighted", "WEIGHTED_NORMAL")
wag = bpy.data.actions["Wag"]
for number, width in enumerate((-20, -12, -10, -8), 1):
    keyed(wag, f"Tail.{number}", 2, [(1 + 6 * k, width * (0, 1, 0, -1)[k % 4]) for k in range(9)])
keyed(wag, "Head", 0, [(1, 0), (25, -12), (49, 0)])
for side, width in (("L", 11), ("R", -11)):
    keyed(wag, f"Ear.{side}", 0, [(1 + 6 * k, width * (0, 1, 0, -1)[k % 4]) for k in range(9)])
scene.frame_set(1)
