"""The post stands 50 mm too far to the right: the clear width is 900 mm, and the leaf runs into the post."""

import bpy

bpy.data.objects["Frame post"].location.x += 0.05
