"""The old name is still on the board, in a paint that hides it from afar."""

import math

import bpy

text = bpy.data.curves.new("Old name", "FONT")
text.body, text.size, text.extrude, text.align_x = "MORRIK & SON", 0.38, 0.0075, "CENTER"
text.materials.append(bpy.data.materials["Fascia paint"])
made = bpy.data.objects.new("Old name", text)
made.location, made.rotation_euler.x = (0, -0.0875, 2.87), math.radians(90)
bpy.data.collections["Sign"].objects.link(made)
