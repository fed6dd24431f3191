"""Two pictures put crosswise for each plant, in planters that stand against the wall."""

import bpy

for side in ("left", "right"):
    one = bpy.data.objects[f"Plant {side}"]
    bpy.data.objects[f"Planter {side}"].location.y += 0.15
    mesh = bpy.data.meshes.new(one.name)
    points = [(-0.3, 0, -0.27), (0.3, 0, -0.27), (0.3, 0, 0.3), (-0.3, 0, 0.3), (0, -0.15, -0.27), (0, 0.15, -0.27), (0, 0.15, 0.3), (0, -0.15, 0.3)]
    mesh.from_pydata(points, [], [(0, 1, 2, 3), (4, 5, 6, 7)])
    mesh.materials.append(one.data.materials[0])
    one.data = mesh
