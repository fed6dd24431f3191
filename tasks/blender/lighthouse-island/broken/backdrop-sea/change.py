"""The sea is a plane, and no larger than the picture needs."""

import bpy

sea = bpy.data.objects["Sea"]
plane = bpy.data.meshes.new("Sea plane")
plane.from_pydata([(-150, -150, 0), (150, -150, 0), (150, 150, 0), (-150, 150, 0)], [], [(0, 1, 2, 3)])
plane.materials.append(sea.data.materials[0])
sea.data = plane
