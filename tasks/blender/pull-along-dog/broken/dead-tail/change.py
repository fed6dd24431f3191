"""The tail hangs on the armature and has its modifier, but was never weighted: it wags in the bones alone."""

import bpy

bpy.data.objects["Tail"].vertex_groups.clear()
