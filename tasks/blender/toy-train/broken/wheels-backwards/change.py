"""The wheels turn as far as they should, but against the way."""

import bpy

for one in bpy.data.objects:
    if " wheel " in one.name:
        curve = one.animation_data.action.fcurves[0]
        for point in curve.keyframe_points:
            point.co[1] = -point.co[1]
        curve.update()
bpy.context.scene.frame_set(1)
