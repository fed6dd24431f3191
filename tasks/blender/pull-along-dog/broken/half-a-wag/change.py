"""The tail swings to its left alone, and back."""

import bpy

for curve in bpy.data.actions["Wag"].fcurves:
    if "Tail." in curve.data_path:
        for point in curve.keyframe_points:
            point.co[1] = -abs(point.co[1])
        curve.update()
bpy.context.scene.frame_set(1)
