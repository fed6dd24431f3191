"""The lap takes 104 frames, of which 96 are played: the train leaps over the rest."""

import bpy

for action in bpy.data.actions:
    for curve in action.fcurves:
        for point in curve.keyframe_points:
            point.co[0] = 1 + (point.co[0] - 1) * 104 / 96
        curve.update()
bpy.context.scene.frame_set(1)
