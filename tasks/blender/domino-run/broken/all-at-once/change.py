"""Gravity leans forward, so that all dominoes of the straights fall at the start, ball or no ball."""

import bpy

bpy.context.scene.gravity = (6, 0, -9)
