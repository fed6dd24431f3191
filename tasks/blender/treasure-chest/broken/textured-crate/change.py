"""The body is one hollow box: planks are left to the texture."""

import bpy

body = bpy.data.objects["SM_Chest_Body"].data
edges = [(0.3, 0.2, 0.0, 0.3), (0.28, 0.18, 0.02, 0.3)]
points = [(sx * x, sy * y, z) for x, y, low, high in edges for z in (low, high) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
sides = [(k, (k + 1) % 4, 4 + (k + 1) % 4, 4 + k) for k in range(4)]
faces = [(3, 2, 1, 0), *sides, (8, 9, 10, 11), *(tuple(8 + one for one in reversed(face)) for face in sides)]
faces += [(4 + k, 4 + (k + 1) % 4, 12 + (k + 1) % 4, 12 + k) for k in range(4)]
wood = body.materials[0]
body.clear_geometry()
body.from_pydata(points, [], faces)
body.uv_layers.new()
