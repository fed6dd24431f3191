"""A bolt was not screwed home, and the washer under another lies 2 mm over the base."""

import bpy

bpy.data.objects["Cap bolt left"].location.z += 0.003
bpy.data.objects["Cap bolt right"].location.z += 0.003
for side in ("left", "right"):
    bpy.data.objects[f"Anchor washer {side}"].location.z += 0.002
    bpy.data.objects[f"Anchor bolt {side}"].location.z += 0.002
