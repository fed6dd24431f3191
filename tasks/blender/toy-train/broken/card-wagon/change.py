"""The second wagon's walls and blocks are sheets without thickness: right from the camera's side only."""

import bpy

for one in bpy.data.objects:
    if one.name.startswith(("Wagon 2 wall", "Wagon 2 block")):
        low = [min(point.co[axis] for point in one.data.vertices) for axis in range(3)]
        high = [max(point.co[axis] for point in one.data.vertices) for axis in range(3)]
        card = bpy.data.meshes.new(one.name)
        card.from_pydata([(low[0], 0, low[2]), (high[0], 0, low[2]), (high[0], 0, high[2]), (low[0], 0, high[2])], [], [(0, 1, 2, 3)])
        card.materials.append(one.data.materials[0])
        one.modifiers.clear()
        one.data = card
