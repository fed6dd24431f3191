"""The name is a picture on a plate that is glued to the wall."""

import bpy

old = bpy.data.objects["Letters"]
low, high = -1.23, 2.66
bpy.data.objects.remove(old)
mesh = bpy.data.meshes.new("Letters")
mesh.from_pydata([(low, 1.849, 1.93), (high, 1.849, 1.93), (high, 1.849, 2.58), (low, 1.849, 2.58)], [], [(0, 1, 2, 3)])
mesh.uv_layers.new(name="UVMap")
print_ = bpy.data.materials.new("Printed name")
print_.use_nodes = True
texture = print_.node_tree.nodes.new("ShaderNodeTexImage")
texture.image = bpy.data.images.new("Printed name", 64, 12)
print_.node_tree.links.new(texture.outputs["Color"], print_.node_tree.nodes["Principled BSDF"].inputs["Base Color"])
mesh.materials.append(print_)
bpy.data.collections["Shell"].objects.link(bpy.data.objects.new("Letters", mesh))
