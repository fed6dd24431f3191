"""The lantern's glass is painted, its lamp is out, and the gallery has no railing."""

import bpy

glass = bpy.data.objects["Lantern glass"].data.materials[0].node_tree.nodes["Principled BSDF"].inputs
glass["Transmission Weight"].default_value = 0.0
lamp = bpy.data.objects["Lamp"].data.materials[0].node_tree.nodes["Principled BSDF"].inputs
lamp["Emission Strength"].default_value = 0.0
bpy.data.objects.remove(bpy.data.objects["Gallery railing"])
