"""N7 and N9 bear each other's name: the picture is right, and whoever selects N7 has the wrong atom."""

import bpy

one, other = bpy.data.objects["N7"], bpy.data.objects["N9"]
one.name, other.name = "swapping", "N7"
one.name = "N9"
