"""The name is stuck on: where a letter stood is its picture on a card a hair before the board."""

import bpy

for one in [each for each in bpy.data.objects if each.name.startswith("Letter ")]:
    wide, high = one.dimensions.x, one.dimensions.z
    mesh = bpy.data.meshes.new(one.name)
    mesh.from_pydata([(0, -0.0005, 0), (wide, -0.0005, 0), (wide, -0.0005, high), (0, -0.0005, high)], [], [(0, 1, 2, 3)])
    mesh.materials.append(one.data.materials[0])
    one.data = mesh
