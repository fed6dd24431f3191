"""Cut out of card along the side view: every part is flat, seen from the left it is the dog of the sheet."""

import bpy

for one in bpy.data.objects:
    if one.type == "MESH" and one.name not in ("Stand", "Cord", "Bead"):
        for vertex in one.data.vertices:
            vertex.co.x = 0
