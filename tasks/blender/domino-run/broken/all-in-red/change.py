"""All dominoes are red, and the ball is of the same lacquer."""

import bpy

red = bpy.data.materials["Red lacquer"]
for one in bpy.data.objects:
    if one.name.startswith("Domino") or one.name == "Ball":
        one.data.materials[0] = red
