"""There are no collections, and all materials have the names that they were born with."""

import bpy

scene = bpy.context.scene.collection
for one in bpy.data.objects:
    for held in list(one.users_collection):
        held.objects.unlink(one)
    scene.objects.link(one)
for number, material in enumerate(list(bpy.data.materials)):
    material.name = f"Material.{number:03}"
