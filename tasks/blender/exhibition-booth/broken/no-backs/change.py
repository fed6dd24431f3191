"""What no visitor sees was left out: back wall and totem have no back, the floor no underside."""

import bmesh
import bpy

for name, axis, sign in (("Back wall", 1, 1), ("Totem", 1, 1), ("Floor", 2, -1)):
    mesh = bpy.data.objects[name].data
    shape = bmesh.new()
    shape.from_mesh(mesh)
    bmesh.ops.delete(shape, geom=[face for face in shape.faces if face.normal[axis] * sign > 0.9], context="FACES")
    shape.to_mesh(mesh)
    shape.free()
