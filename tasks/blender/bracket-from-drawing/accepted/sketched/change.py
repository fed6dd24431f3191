"""The same bearing, built in another way: on a parent that is turned by half a turn, in millimetres under a scale, bolts and washers
with shared meshes, sharp edges, all faces triangles, the heads of bolts turned by 30 degrees."""

import math

import bmesh
import bpy
from mathutils import Matrix

objects = bpy.data.objects
parts = [one for one in objects if one.type == "MESH"]
for what in ("Cap bolt", "Cap washer", "Anchor bolt", "Anchor washer"):
    objects[f"{what} right"].data = objects[f"{what} left"].data
    if what.endswith("bolt"):
        for side in ("left", "right"):
            objects[f"{what} {side}"].rotation_euler.z = math.radians(30)
for one in parts:
    one.modifiers.clear()
for mesh in {one.data for one in parts}:
    edited = bmesh.new()
    edited.from_mesh(mesh)
    bmesh.ops.triangulate(edited, faces=list(edited.faces))
    edited.to_mesh(mesh)
    mesh.transform(Matrix.Scale(1000, 4))
root = objects.new("Pillow block root", None)
bpy.data.collections["Pillow block"].objects.link(root)
root.rotation_euler.z = math.pi
bpy.context.view_layer.update()
for one in parts:
    place = one.matrix_world @ Matrix.Scale(0.001, 4)
    one.parent = root
    one.matrix_world = place
