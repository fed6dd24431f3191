"""The same bench, built in another way: one mesh for all four legs and one for all slats, rails with tenons in the legs, pulls on their
drawers, all on an empty, with a narrower bevel and thinner pulls."""

import bpy

objects = bpy.data.objects
legs = [one for one in objects if one.name.startswith("Leg")]
for one in legs[1:]:
    one.data = legs[0].data
slats = [one for one in objects if one.name.startswith("Slat")]
for one in slats[1:]:
    one.data = slats[0].data
for name in ("Rail left", "Rail right"):
    objects[name].scale.y *= (400 + 60) / 400
for name in ("Rail front", "Rail back"):
    objects[name].scale.x *= (1310 + 60) / 1310
for one in [objects["Top"], *legs]:
    one.modifiers[0].width = 0.002
    one.modifiers[0].segments = 3

root = objects.new("Bench root", None)
bpy.context.scene.collection.objects.link(root)
for one in list(objects):
    if one.type == "MESH":
        one.parent = root
for number in (1, 2):
    pull, drawer = objects[f"Pull {number}"], objects[f"Drawer {number}"]
    pull.scale = (0.7, 0.7, 1.0)
    pull.parent = drawer
    pull.matrix_parent_inverse = drawer.matrix_basis.inverted()
