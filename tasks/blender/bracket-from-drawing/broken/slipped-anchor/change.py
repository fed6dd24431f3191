"""One anchor has slipped along its slot by 9 mm."""

import bpy

for what in ("bolt", "washer"):
    bpy.data.objects[f"Anchor {what} left"].location.x -= 0.009
