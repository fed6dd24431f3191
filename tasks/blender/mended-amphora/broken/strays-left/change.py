"""Stray points still hang around it: they are not seen, and it can be neither measured nor printed."""

import bpy

mesh = bpy.data.objects["Amphora"].data
mesh.vertices.add(3)
for number, one in enumerate(list(mesh.vertices)[-3:]):
    one.co = (0.2, 0.1 * number, 0.7 + 0.05 * number)
