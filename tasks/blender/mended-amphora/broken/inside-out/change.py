"""Closed, and inside out: normals were made to agree, the wrong way round."""

import bpy

bpy.data.objects["Amphora"].data.flip_normals()
