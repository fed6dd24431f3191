"""The sign stands still: its action was lost when the disc was painted."""

import bpy

bpy.data.objects["Turning sign"].animation_data_clear()
