"""All parts lie in the scene's own collection: whoever wants the base alone has to pick it out."""

import bpy

scene = bpy.context.scene.collection
for one in bpy.data.objects:
    if one.type == "MESH":
        for held in list(one.users_collection):
            held.objects.unlink(one)
        scene.objects.link(one)
