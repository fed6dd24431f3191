"""The weights of the legs are crossed: bones of the left side bend legs of the right."""

import bpy

for one in bpy.data.objects:
    if one.name.startswith("Leg "):
        for group in one.vertex_groups:
            group.name = f"{group.name[:-1]}{'R' if group.name.endswith('L') else 'L'}"
