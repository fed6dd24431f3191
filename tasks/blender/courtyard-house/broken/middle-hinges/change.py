"""The leaves have their origins in their middles: turned, they would go through their frames."""

import bpy
from mathutils import Matrix

for one in bpy.data.objects:
    if one.name.endswith(" leaf"):
        middle = sum((point.co for point in one.data.vertices), start=one.location * 0) / len(one.data.vertices)
        one.data.transform(Matrix.Translation(-middle))
        one.location += middle
        for child in one.children:
            child.location -= middle
