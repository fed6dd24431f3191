"""The file was read into a left-handed world: the model is its own mirror image."""

import bpy

for collection in ("Atoms", "Bonds"):
    for one in bpy.data.collections[collection].objects:
        one.location.x = -one.location.x
        one.rotation_euler.y = -one.rotation_euler.y
        one.rotation_euler.z = -one.rotation_euler.z
