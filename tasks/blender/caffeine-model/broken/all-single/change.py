"""Double bonds are drawn as one stick."""

import bpy

for one in [one for one in bpy.data.objects if one.name.startswith("Bond ") and one.name.endswith(" 2")]:
    partner = bpy.data.objects[one.name[:-1] + "1"]
    partner.location = (partner.location + one.location) / 2
    partner.scale = (10 / 6, 10 / 6, 1)
    partner.name = partner.name[:-2]
    bpy.data.objects.remove(one)
