"""The shelf's slats are sheets without thickness, seen from above as before."""

import bpy

for one in bpy.data.objects:
    if one.name.startswith("Slat"):
        sheet = bpy.data.meshes.new(one.name)
        half = max(point.co.z for point in one.data.vertices)
        flat = [(x, y, half) for x, y in sorted({(point.co.x, point.co.y) for point in one.data.vertices})]
        sheet.from_pydata(flat, [], [(0, 1, 3, 2)])
        sheet.materials.append(one.data.materials[0])
        one.data = sheet
