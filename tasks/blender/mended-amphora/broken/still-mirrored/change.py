"""The minus sign was taken away, and the surface mirrored with it: the whole handle is on the wrong side."""

import bpy
from mathutils import Matrix

mesh = bpy.data.objects["Amphora"].data
mesh.transform(Matrix.Diagonal((-1.0, 1.0, 1.0, 1.0)))
mesh.flip_normals()
