"""The tower is one body; its stripes are materials of its faces."""

import bpy

bands = [bpy.data.objects[f"Tower band {number}"] for number in range(1, 7)]
bpy.ops.object.select_all(action="DESELECT")
for one in bands:
    one.select_set(True)
bpy.context.view_layer.objects.active = bands[0]
bpy.ops.object.join()
bands[0].name = "Tower"
