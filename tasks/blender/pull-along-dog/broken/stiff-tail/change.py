"""The tail is one stiff stick: all its links have a share in every point."""

import bpy

tail = bpy.data.objects["Tail"]
for group in tail.vertex_groups:
    group.add([vertex.index for vertex in tail.data.vertices], 0.25, "REPLACE")
tail.vertex_groups["Tail.4"].add([vertex.index for vertex in tail.data.vertices], 0.4, "REPLACE")
