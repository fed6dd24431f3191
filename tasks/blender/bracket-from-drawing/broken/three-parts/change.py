"""What is small is joined to what is large: no bolt, no washer, no collar can be taken off."""

import bpy

for owner, parts in (("Shaft", ("Collar front", "Collar back", "Set screw front", "Set screw back")),
                     ("Anchor bolt left", ("Anchor bolt right", "Anchor washer left", "Anchor washer right"))):
    for one in bpy.data.objects:
        one.select_set(one.name in (owner, *parts))
    bpy.context.view_layer.objects.active = bpy.data.objects[owner]
    bpy.ops.object.join()
