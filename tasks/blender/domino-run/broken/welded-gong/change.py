"""The gong is a passive body: it is struck and does not move."""

import bpy

bpy.data.objects["Gong"].rigid_body.type = "PASSIVE"
