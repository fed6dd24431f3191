"""The same house, built in another way: each outer wall is a scaled unit cube that is cut by the whole collection of cutters at once, the
inner walls are plain meshes, doors are hung at half their height, the roof is made of many small triangles, gutters are below an empty,
collections are named otherwise, the crown is a single ball and the bench has a solid seat."""

import bmesh
import bpy
from mathutils import Matrix, Vector

objects, collections = bpy.data.objects, bpy.data.collections
graph = bpy.context.evaluated_depsgraph_get()
plain = [one for one in objects if one.modifiers and not one.name.startswith("Wall ")]
baked = {one: bpy.data.meshes.new_from_object(one.evaluated_get(graph)) for one in plain}
for one, mesh in baked.items():
    one.modifiers.clear()
    one.data = mesh
for one in [one for one in objects if one.name.startswith(("Cut Window C", "Cut Door")) and one.name != "Cut Door entrance"]:
    objects.remove(one)

shape = bmesh.new()
bmesh.ops.create_cube(shape, size=1)
unit = bpy.data.meshes.new("Unit")
shape.to_mesh(unit)
shape.free()
for name in ("south", "north", "west", "east"):
    wall = objects[f"Wall {name}"]
    paint = wall.data.materials[0]
    low, high = (Vector([reach(corner[k] for corner in wall.bound_box) for k in range(3)]) for reach in (min, max))
    wall.modifiers.clear()
    wall.data = unit.copy()
    wall.data.materials.append(paint)
    wall.scale = high - low
    cut = wall.modifiers.new("All openings", "BOOLEAN")
    cut.operand_type, cut.collection, cut.operation, cut.solver = "COLLECTION", collections["Cutters"], "DIFFERENCE", "EXACT"

for one in objects:
    if one.name.endswith(" leaf"):
        one.data.transform(Matrix.Translation((0, 0, -1)))
        one.location.z += 1
        for child in one.children:
            child.location.z -= 1
roof = objects["Roof"]
shape = bmesh.new()
shape.from_mesh(roof.data)
bmesh.ops.triangulate(shape, faces=shape.faces)
bmesh.ops.subdivide_edges(shape, edges=shape.edges, cuts=1, use_grid_fill=True)
shape.to_mesh(roof.data)
shape.free()
holder = objects.new("Gutters", None)
collections["Roof"].objects.link(holder)
for one in objects:
    if one.name.startswith("Gutter "):
        one.parent = holder
collections["Walls"].name = "Masonry"
collections["Courtyard"].name = "Patio"

seat = objects["Bench seat"]
points = [seat.matrix_world @ point.co for point in seat.data.vertices]
low, high = (Vector([reach(point[k] for point in points) for k in range(3)]) for reach in (min, max))
paint = seat.data.materials[0]
seat.data = unit.copy()
seat.data.materials.append(paint)
seat.location, seat.scale = (low + high) / 2, high - low
crown = objects["Tree crown"]
shape = bmesh.new()
bmesh.ops.create_icosphere(shape, subdivisions=4, radius=0.8)
shape.to_mesh(crown.data)
shape.free()
