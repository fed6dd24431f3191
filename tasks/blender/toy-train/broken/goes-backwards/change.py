"""The train runs the other way round, tail first, and its wheels with it."""

import bpy

for action in bpy.data.actions:
    for curve in action.fcurves:
        values = [(98 - point.co[0], point.co[1]) for point in curve.keyframe_points]
        for point, value in zip(curve.keyframe_points, reversed(values)):
            point.co = value
        curve.update()
bpy.context.scene.frame_set(1)
