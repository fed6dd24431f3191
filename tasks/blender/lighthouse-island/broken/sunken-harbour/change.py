"""The boat lies too deep, and the piles end at the water."""

import bpy

bpy.data.objects["Boat hull"].location.z -= 0.25
for number in range(1, 9):
    pile = bpy.data.objects[f"Jetty pile {number}"].data
    for point in pile.vertices:
        point.co.z = max(point.co.z, 0.0)
