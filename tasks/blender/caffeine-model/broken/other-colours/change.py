"""Colours of another convention, typed in as a screen shows them, and a dull skin."""

import bpy

for name, colour in (("Carbon", (0.2, 0.2, 0.2)), ("Nitrogen", (0.15, 0.25, 0.8)), ("Oxygen", (0.9, 0.1, 0.1))):
    shader = bpy.data.materials[name].node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1)
    shader.inputs["Roughness"].default_value = 0.9
bpy.data.materials["Hydrogen"].name = "Material.001"
