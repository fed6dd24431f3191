"""The dog holes are black discs on the top instead of holes in it."""

import math

import bpy

top = bpy.data.objects["Top"]
low, high = (-0.9, -0.325, -0.03), (0.9, 0.325, 0.03)
points = [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
mesh = bpy.data.meshes.new("Top whole")
mesh.from_pydata(points, [], [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])
mesh.materials.append(top.data.materials[0])
top.data = mesh
black = bpy.data.materials.new("Black")
black.use_nodes = True
black.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (0.01, 0.01, 0.01, 1)
for number, x in enumerate((-700, -500, -300, -100, 100, 300, 500, 700), 1):
    disc = bpy.data.meshes.new("Hole")
    ring = [(0.0095 * math.cos(math.tau * k / 24), 0.0095 * math.sin(math.tau * k / 24), 0.0) for k in range(24)]
    disc.from_pydata(ring, [], [tuple(range(24))])
    disc.materials.append(black)
    made = bpy.data.objects.new(f"Hole {number}", disc)
    made.location = (x / 1000, -0.245, 0.8602)
    bpy.data.collections["Top"].objects.link(made)
