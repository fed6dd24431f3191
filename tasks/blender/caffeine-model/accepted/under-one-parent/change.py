"""The same model, built in another way: icospheres, one stick mesh of unit length for all bonds, stretched and turned by quaternions,
the atoms and bonds below an empty, other collections, the rod up to the middle of O11 from the top of the plinth, smaller letters."""

import bmesh
import bpy
from mathutils import Matrix, Vector

objects, scene = bpy.data.objects, bpy.context.scene
root = objects.new("Molecule", None)
scene.collection.objects.link(root)
root.location = (0, 0, 0.36)
bpy.context.view_layer.update()
for mesh in {one.data for one in bpy.data.collections["Atoms"].objects}:
    radius = max(point.co.length for point in mesh.vertices)
    shape = bmesh.new()
    bmesh.ops.create_icosphere(shape, subdivisions=4, radius=radius)
    shape.to_mesh(mesh)
    shape.free()

unit = bpy.data.meshes.new("Unit stick")
shape = bmesh.new()
bmesh.ops.create_cone(shape, cap_ends=True, segments=24, radius1=1, radius2=1, depth=1)
shape.to_mesh(unit)
shape.free()
unit.materials.append(bpy.data.materials["Stick"])
for one in list(bpy.data.collections["Bonds"].objects):
    thick, long = one.dimensions.x / 2, one.dimensions.z
    where, turn = one.matrix_world.translation.copy(), one.matrix_world.to_quaternion()
    one.data, one.rotation_mode, one.rotation_quaternion = unit, "QUATERNION", turn
    one.location, one.scale = where, Vector((thick, thick, long - 0.001))
for collection in ("Atoms", "Bonds"):
    for one in bpy.data.collections[collection].objects:
        one.parent, one.matrix_parent_inverse = root, Matrix.Translation(-root.location)
rod = objects["Support rod"]
rod.scale.z = (0.224 - 0.05) / rod.dimensions.z
rod.location.z = (0.224 + 0.05) / 2
objects.remove(objects["Rod collar"])
for element in "CHNO":
    objects[f"Legend text {element}"].data.size = 0.011
    scene.collection.objects.link(objects[f"Legend text {element}"])
