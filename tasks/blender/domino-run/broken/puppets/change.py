"""The dominoes are bodies, but keys move them: what the simulation once did is written down frame by frame, and they are kinematic."""

import bpy

scene = bpy.context.scene
dominoes = [one for one in bpy.data.objects if one.name.startswith("Domino")]
seen = {one: [] for one in dominoes}
for frame in range(scene.frame_start, scene.frame_end + 1):
    scene.frame_set(frame)
    for one in dominoes:
        seen[one].append((frame, one.matrix_world.copy()))
for one, moments in seen.items():
    one.rigid_body.kinematic = True
    one.rotation_mode = "QUATERNION"
    for frame, place in moments[::3]:
        one.matrix_world = place
        one.keyframe_insert("location", frame=frame)
        one.keyframe_insert("rotation_quaternion", frame=frame)
scene.frame_set(scene.frame_start)
