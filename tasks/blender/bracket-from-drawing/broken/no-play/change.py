"""Collars lie close on the shells, and the upper shell is sunk on the lower one by half a millimetre."""

import bpy

for end, side in (("front", 1), ("back", -1)):
    for what in ("Collar", "Set screw"):
        bpy.data.objects[f"{what} {end}"].location.y += side * 0.001
bpy.data.objects["Shell upper"].location.z -= 0.0004
