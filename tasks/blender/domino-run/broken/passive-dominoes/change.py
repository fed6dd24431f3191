"""The dominoes are passive bodies: the ball bounces off a wall."""

import bpy

for one in bpy.data.objects:
    if one.name.startswith("Domino"):
        one.rigid_body.type = "PASSIVE"
