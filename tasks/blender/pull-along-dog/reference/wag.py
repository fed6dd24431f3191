"""The wag: 48 frames of two beats, for ever. The tail swings, the head nods once, the ears swing one against the other."""

import math

import bpy

FRAMES, BEAT = 48, 24


def keyed(rig, bone, axis, angle):
    """A key for each frame and for the one after the last; `angle` is in degrees, of the frame."""
    rig.pose.bones[bone].rotation_mode = "XYZ"
    action = rig.animation_data.action
    curve = action.fcurves.new(f'pose.bones["{bone}"].rotation_euler', index="XYZ".index(axis), action_group=bone)
    curve.keyframe_points.add(FRAMES + 1)
    for number, point in enumerate(curve.keyframe_points):
        point.co, point.interpolation = (number + 1, math.radians(angle(number))), "LINEAR"
    curve.modifiers.new("CYCLES")
    curve.update()


def beat(width):
    return lambda number: width * math.sin(math.tau * number / BEAT)


def wagged(rig):
    rig.animation_data_create().action = bpy.data.actions.new("Wag")
    for number, width in enumerate((-20, -12, -10, -8), 1):
        keyed(rig, f"Tail.{number}", "Z", beat(width))
    keyed(rig, "Head", "X", lambda number: 6 * (math.cos(math.tau * number / FRAMES) - 1))
    for side in ("L", "R"):
        keyed(rig, f"Ear.{side}", "X", beat(12 if side == "L" else -12))
