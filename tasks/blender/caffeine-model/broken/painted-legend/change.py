"""The words are a plate with a picture, and the legend's balls are sunk into the plinth by half."""

import bpy

for one in [one for one in bpy.data.objects if one.type == "FONT"]:
    bpy.data.objects.remove(one)
mesh = bpy.data.meshes.new("Label")
mesh.from_pydata([(-0.17, 0, 0.006), (0.17, 0, 0.006), (0.17, 0, 0.044), (-0.17, 0, 0.044)], [], [(0, 1, 2, 3)])
mesh.uv_layers.new(name="UVMap")
paint = bpy.data.materials.new("Printed words")
paint.use_nodes = True
texture = paint.node_tree.nodes.new("ShaderNodeTexImage")
texture.image = bpy.data.images.new("Printed words", 64, 8)
paint.node_tree.links.new(texture.outputs["Color"], paint.node_tree.nodes["Principled BSDF"].inputs["Base Color"])
mesh.materials.append(paint)
label = bpy.data.objects.new("Legend text", mesh)
label.location.y = -0.0802
bpy.data.collections["Legend"].objects.link(label)
for element in "CHNO":
    bpy.data.objects[f"Legend {element}"].location.z = 0.05
