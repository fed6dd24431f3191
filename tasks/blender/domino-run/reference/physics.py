"""The rigid body world: 240 frames of 30 a second, and what takes part in it."""

import bpy
from mathutils import Matrix

FPS, FRAMES = 30, 240


def world(scene):
    bpy.ops.rigidbody.world_add()
    held = scene.rigidbody_world
    held.collection = bpy.data.collections.new("Rigid bodies")
    held.constraints = bpy.data.collections.new("Rigid body constraints")
    held.substeps_per_frame, held.solver_iterations = 20, 30
    held.point_cache.frame_start, held.point_cache.frame_end = 1, FRAMES
    scene.render.fps, scene.frame_start, scene.frame_end = FPS, 1, FRAMES


def body(one, kind, shape, mass=1.0, friction=0.6, bounce=0.0, damping=(0.15, 0.25)):
    """Margins are small since things are: Blender's own of 40 mm is thicker than a domino. Bodies that have all become slow fall asleep
    (a heap never quite stops creeping otherwise), at speeds above those of the solver's own trembling."""
    scene = bpy.context.scene
    scene.rigidbody_world.collection.objects.link(one)
    held = one.rigid_body
    held.type, held.collision_shape, held.mass = kind, shape, mass
    held.friction, held.restitution = friction, bounce
    held.linear_damping, held.angular_damping = damping
    held.use_margin, held.collision_margin = True, 0.0005
    held.use_deactivation, held.deactivate_linear_velocity, held.deactivate_angular_velocity = True, 1.5, 3.0
    return held


def hinge(name, where, one, other, axis, collection):
    """`one` swings on `other` about `axis` (a matrix that turns z there)."""
    made = bpy.data.objects.new(name, None)
    made.empty_display_size = 0.02
    made.matrix_world = Matrix.Translation(where) @ axis.to_4x4()
    collection.objects.link(made)
    bpy.context.scene.rigidbody_world.constraints.objects.link(made)
    held = made.rigid_body_constraint
    held.type, held.object1, held.object2, held.disable_collisions = "HINGE", one, other, True
    return made
