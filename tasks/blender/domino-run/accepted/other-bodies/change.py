"""The same run by other means: one mesh for all dominoes with paint on the objects, hulls instead of boxes, heavier and smoother bodies in
a finer clock, a gong of more rings on two point joints, and a ball that keys hold back for a moment."""

import bpy
from mathutils import Vector

scene = bpy.context.scene
dominoes = sorted((one for one in bpy.data.objects if one.name.startswith("Domino")), key=lambda one: one.name)
shared = dominoes[0].data.copy()
shared.name = "Domino slab"
for one in dominoes:
    paint = one.data.materials[0]
    one.data = shared
    one.material_slots[0].link = "OBJECT"
    one.material_slots[0].material = paint
    one.modifiers[0].width, one.modifiers[0].segments = 0.0018, 2
    held = one.rigid_body
    held.collision_shape, held.mass, held.friction = "CONVEX_HULL", 0.09, 0.55
    held.collision_margin = 0.0008
scene.rigidbody_world.substeps_per_frame = 24

gong, beam = bpy.data.objects["Gong"], bpy.data.objects["Gong beam"]
bpy.data.objects.remove(bpy.data.objects["Gong hinge"])
for side, aside in (("left", 0.034), ("right", -0.034)):
    joint = bpy.data.objects.new(f"Gong joint {side}", None)
    joint.location = beam.location + Vector((0, aside, 0))
    bpy.data.collections["Finish"].objects.link(joint)
    scene.rigidbody_world.constraints.objects.link(joint)
    held = joint.rigid_body_constraint
    held.type, held.object1, held.object2, held.disable_collisions = "POINT", gong, beam, True

ball = bpy.data.objects["Ball"]
held = ball.rigid_body
held.kinematic = True
held.keyframe_insert("kinematic", frame=1)
held.kinematic = False
held.keyframe_insert("kinematic", frame=5)
for curve in ball.animation_data.action.fcurves:
    for key in curve.keyframe_points:
        key.interpolation = "CONSTANT"
scene.frame_set(1)
