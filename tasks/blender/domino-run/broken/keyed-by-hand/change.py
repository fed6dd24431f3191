"""No simulation: each domino tips over its foot by keys, one after the other, and so do the ball and the gong."""

import math

import bpy
from mathutils import Matrix, Vector

scene = bpy.context.scene
for one in list(scene.rigidbody_world.collection.objects):
    scene.rigidbody_world.collection.objects.unlink(one)
bpy.ops.rigidbody.world_remove()


def keyed(one, frame):
    one.keyframe_insert("location", frame=frame)
    one.keyframe_insert("rotation_euler", frame=frame)


for one in sorted((one for one in bpy.data.objects if one.name.startswith("Domino")), key=lambda one: one.name):
    start = 15 + int(one.name[-2:])
    keyed(one, start)
    foot = one.matrix_basis @ Vector((0.008, 0, -0.048))
    axis = one.matrix_basis.to_3x3() @ Vector((0, 1, 0))
    turn = Matrix.Translation(foot) @ Matrix.Rotation(math.radians(66), 4, axis) @ Matrix.Translation(-foot)
    one.matrix_basis = turn @ one.matrix_basis
    keyed(one, start + 8)
ball, gong = bpy.data.objects["Ball"], bpy.data.objects["Gong"]
keyed(ball, 1)
ball.location = (-0.5, -0.29, 0.062)
keyed(ball, 15)
for frame, degrees in ((60, 0), (66, 12), (74, -8), (82, 0)):
    gong.rotation_euler.y = math.radians(degrees)
    keyed(gong, frame)
scene.frame_set(1)
