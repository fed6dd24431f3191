"""Screw and guide rods are thin wires, and both rods are on one side of the screw."""

import bpy

for name in ("Vise screw", "Vise rod 1", "Vise rod 2"):
    bpy.data.objects[name].scale = (0.3, 0.3, 1)
bpy.data.objects["Vise rod 2"].location.x -= 0.2
