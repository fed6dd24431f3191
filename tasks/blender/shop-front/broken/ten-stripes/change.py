"""As wide as ordered, and of ten stripes of 440 mm."""

import bpy

bpy.data.objects.remove(bpy.data.objects["Awning stripe 11"])
for number in range(1, 11):
    one = bpy.data.objects[f"Awning stripe {number}"]
    one.scale.x, one.location.x = 1.1, -2.2 + 0.44 * (number - 0.5)
