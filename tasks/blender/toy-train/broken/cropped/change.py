"""The camera is so near to the engine that the bends are out of its picture."""

import bpy

bpy.data.objects["Camera"].data.lens = 90
