"""The cords end a hand below the ceiling, and a planter hovers over the pavement."""

import bpy

for number in (1, 2, 3):
    cord = bpy.data.objects[f"Pendant cord {number}"]
    for point in cord.data.vertices:
        if point.co.z > 0:
            point.co.z -= 0.1
bpy.data.objects["Planter left"].location.z += 0.03
