"""The roof goes on over the courtyard as a flat deck."""

import bpy

roof = bpy.data.objects["Roof"]
mesh, low = roof.data, 3.16 - roof.location.z
corners = [(x, y, z) for z in (low, low + 0.15) for x, y in ((-1.85, -1.4), (1.85, -1.4), (1.85, 1.4), (-1.85, 1.4))]
points = [point.co[:] for point in mesh.vertices]
faces = [tuple(face.vertices) for face in mesh.polygons]
deck = [(3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
faces += [tuple(len(points) + corner for corner in face) for face in deck]
closed = bpy.data.meshes.new("Roof")
closed.from_pydata(points + corners, [], faces)
closed.materials.append(mesh.materials[0])
roof.data = closed
