"""The camera was left where the vise was worked at: the right half of the bench is out of its picture."""

import bpy

eye = bpy.data.objects["Camera"]
eye.location = (-1.1, -1.6, 1.2)
