"""Every face of the lid's planks fills the same square: the texture is there a hundred times, and nothing can be painted on one place."""

import bpy

mesh = bpy.data.objects["SM_Chest_Lid_Planks"].data
for face in mesh.polygons:
    for number, loop in enumerate(face.loop_indices):
        mesh.uv_layers.active.data[loop].uv = ((0, 0), (1, 0), (1, 1), (0, 1))[number % 4]
