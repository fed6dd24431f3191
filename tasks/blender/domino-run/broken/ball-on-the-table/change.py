"""The ball lies at rest beside the ramp: nothing begins."""

import bpy

bpy.data.objects["Ball"].location = (-0.7, -0.36, 0.025)
