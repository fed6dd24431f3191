"""The dominoes are sheets without thickness."""

import bpy

for mesh in {one.data for one in bpy.data.objects if one.name.startswith("Domino")}:
    paint = mesh.materials[0]
    points = [(0, y, z) for y in (-0.024, 0.024) for z in (-0.048, 0.048)]
    mesh.clear_geometry()
    mesh.from_pydata(points, [], [(0, 1, 3, 2)])
    if not mesh.materials:
        mesh.materials.append(paint)
