"""Half the sizes: 20 mm for one angstrom, the balls in proportion, on a plinth as it should be."""

import bpy
from mathutils import Vector

foot = Vector((0, 0, 0.224))
for collection in ("Atoms", "Bonds"):
    for one in bpy.data.collections[collection].objects:
        one.location = foot + (one.location - foot) / 2
        one.scale = (0.5, 0.5, 0.5)
