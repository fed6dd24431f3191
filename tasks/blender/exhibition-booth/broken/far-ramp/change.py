"""A gap of 70 mm is left between the ramp and the floor to which it should lead: wheels stick in it."""

import bpy

bpy.data.objects["Ramp"].location.y -= 0.07
