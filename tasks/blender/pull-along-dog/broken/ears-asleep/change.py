"""The tail wags and the head lifts, but the ears hang as they are."""

import bpy

action = bpy.data.actions["Wag"]
for curve in [curve for curve in action.fcurves if "Ear." in curve.data_path]:
    action.fcurves.remove(curve)
bpy.context.scene.frame_set(1)
