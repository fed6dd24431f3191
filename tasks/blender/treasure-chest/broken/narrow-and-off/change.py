"""The body is 40 mm too narrow and 15 mm too low, and its origin is the middle of its box."""

import bpy
from mathutils import Matrix

body = bpy.data.objects["SM_Chest_Body"]
body.data.transform(Matrix.Diagonal((0.56 / 0.6, 1.0, 0.95, 1.0)))
body.data.transform(Matrix.Translation((0.0, 0.0, -0.1425)))
for one in body.children:
    one.matrix_parent_inverse = Matrix.Translation((0.0, 0.0, -0.1425)) @ one.matrix_parent_inverse
body.location.z = 0.1425
