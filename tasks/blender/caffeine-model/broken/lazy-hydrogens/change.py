"""The hydrogen atoms of two methyl groups were left out."""

import bpy

for one in list(bpy.data.objects):
    if any(name in one.name for name in ("H12", "H14")):
        bpy.data.objects.remove(one)
