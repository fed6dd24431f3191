"""Another builder's booth: letters turned into meshes and set in another weight, the masses some centimetres off, all products from one
mesh, the ring with a round section, the bevels applied, all below one empty."""

import math

import bmesh
import bpy
from mathutils import Matrix

objects = bpy.data.objects
root = objects.new("QUORVIL booth", None)
bpy.context.scene.collection.objects.link(root)
objects["Letters"].data.offset = 0.0
objects["Letters"].scale = (0.96, 0.96, 0.5)
objects["Letters"].location.y += 0.0175
bpy.context.view_layer.update()
graph = bpy.context.evaluated_depsgraph_get()
solid = [one for one in objects if one.type == "FONT" or (one.type == "MESH" and one.modifiers)]
meshes = {one.name: bpy.data.meshes.new_from_object(one.evaluated_get(graph)) for one in solid}
for name, mesh in meshes.items():
    old = objects[name]
    place, where = old.matrix_world.copy(), old.users_collection[0]
    objects.remove(old)
    made = objects.new(name, mesh)
    made.matrix_world = place
    where.objects.link(made)

products = [one for one in objects if one.name.startswith("Product ")]
foot = min(point.co.z for point in products[0].data.vertices)
for one in products[1:]:
    bottom = one.location.z + min(point.co.z for point in one.data.vertices)
    one.data, one.location.z = products[0].data, bottom - foot
for one in objects:
    if one.name.startswith("Totem"):
        one.location.x += 0.06
        one.location.y += 0.05
    elif one.name.startswith(("Shelf", "Product")):
        one.location.x -= 0.05
    elif one.name.startswith(("Counter", "Carafe", "Stool")):
        one.location.x += 0.05

ring = objects["Ring light"]
shape = bmesh.new()
count, around = 128, 12
rows = []
for step in range(count):
    turn = Matrix.Rotation(math.tau * step / count, 4, "Z")
    rows.append([shape.verts.new(turn @ Matrix.Translation((1.065 + 0.035 * math.cos(math.tau * k / around), 0,
                                                           0.035 * math.sin(math.tau * k / around))).translation) for k in range(around)])
for step in range(count):
    for k in range(around):
        here, there, after = rows[step], rows[(step + 1) % count], (k + 1) % around
        shape.faces.new((here[k], there[k], there[after], here[after]))
bmesh.ops.recalc_face_normals(shape, faces=shape.faces)
shape.to_mesh(ring.data)
shape.free()
for one in objects:
    if one is not root and one.parent is None and one.type in ("MESH", "CURVE"):
        one.parent = root
