"""The jaw is shut against the top, and the slats are pushed together."""

import bpy

bpy.data.objects["Vise jaw"].location.y += 0.04
slats = sorted((one for one in bpy.data.objects if one.name.startswith("Slat")), key=lambda one: one.location.x)
for number, slat in enumerate(slats):
    slat.location.x -= 0.012 * number
