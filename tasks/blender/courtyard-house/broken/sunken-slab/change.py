"""The slab is drawn down to a depth that belongs to the foundation, and the first step is a kerb of 200 mm."""

import bpy

for point in bpy.data.objects["Slab"].data.vertices:
    if point.co.z < 0:
        point.co.z -= 0.25
step = bpy.data.objects["Step 1"]
step.scale.z = 200 / 150
step.location.z = 0.1
