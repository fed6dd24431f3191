"""The pull-along dog of the model sheet, with its rig and its wag."""

import bpy
from dog import head, legs, trimmings, trunk
from forms import turned_body
from mathutils import Vector
from paint import paints
from rig import bound, skeleton
from wag import wagged

scene = bpy.context.scene


def collection(name):
    made = bpy.data.collections.new(name)
    scene.collection.children.link(made)
    return made


def seen_from(name, what, where, target):
    made = bpy.data.objects.new(name, what)
    made.location = where
    made.rotation_euler = (Vector(target) - Vector(where)).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(made)
    return made


def lit():
    world = bpy.data.worlds.new("Studio")
    scene.world, world.use_nodes = world, True
    world.node_tree.nodes["Background"].inputs[0].default_value = (0.86, 0.9, 1, 1)
    world.node_tree.nodes["Background"].inputs[1].default_value = 0.35
    lamps = (("Key", (-0.7, -0.9, 1.0), 15, 0.5), ("Fill", (0.9, -0.7, 0.5), 6, 0.8), ("Rim", (0.4, 0.9, 0.8), 12, 0.4))
    for name, where, energy, size in lamps:
        lamp = bpy.data.lights.new(name, "AREA")
        lamp.energy, lamp.size = energy, size
        seen_from(name, lamp, where, (0, 0, 0.1))


paint = paints()
dog, gear, stage = (collection(name) for name in ("Dog", "Gear", "Stage"))
trunk(dog, paint)
head(dog, paint)
legs(dog, gear, paint)
trimmings(gear, paint)
plate = [(-12, 4), (-12, 216), (-10, 220), (-2, 220), (0, 218), (0, 4)]
flat = turned_body("Stand", (0, -20, 0), (0, 0, 1), plate, stage, paint["oak"], 72)
flat.data.polygons.foreach_set("use_smooth", [False] * len(flat.data.polygons))
rig = skeleton(dog)
bound(rig, [*dog.objects, *gear.objects])
wagged(rig)
lit()
scene.camera = seen_from("Camera", bpy.data.cameras.new("Camera"), (0.52, -0.78, 0.42), (0, -0.015, 0.095))
scene.camera.data.lens = 62
scene.render.resolution_x, scene.render.resolution_y = 1600, 1200
scene.render.fps, scene.frame_start, scene.frame_end = 24, 1, 48
scene.view_settings.look = "AgX - Medium High Contrast"
scene.frame_set(1)
