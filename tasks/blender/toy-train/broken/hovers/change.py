"""The whole train is 5 mm too high above the rails: from above nobody sees it."""

import bpy

for name in ("Engine", "Wagon 1", "Wagon 2"):
    bpy.data.objects[name].location.z += 0.005
