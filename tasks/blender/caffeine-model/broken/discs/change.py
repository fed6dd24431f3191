"""Balls are discs that look at the visitor: right from the front alone."""

import bpy

for one in bpy.data.collections["Atoms"].objects:
    one.scale.y = 0.04
