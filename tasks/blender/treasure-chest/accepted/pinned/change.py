"""The same chest, built in another way: an iron pin on the hinge line turns the lid, whose meshes were opened for good; coins are
octagons with meshes of their own, on an empty of theirs; the body is modelled in centimetres and scaled; rivets are little cubes."""

import math

import bpy
from mathutils import Matrix, Vector

objects = bpy.data.objects
bpy.context.view_layer.update()


def unwrap(mesh, scale=1.0):
    """Faces side by side, in rows as high as the largest of them; `scale` is that of the object. Half of the square is a metre."""
    layer, x, y = mesh.uv_layers.new(name="Unwrapped"), 0.0, 0.0
    flats = []
    for face in mesh.polygons:
        u = (mesh.vertices[face.vertices[1]].co - mesh.vertices[face.vertices[0]].co).normalized()
        v = face.normal.cross(u)
        flat = [(mesh.vertices[one].co.dot(u) * scale, mesh.vertices[one].co.dot(v) * scale) for one in face.vertices]
        low = [min(one[k] for one in flat) for k in (0, 1)]
        flats.append([(a - low[0], b - low[1]) for a, b in flat])
    row = max(one[1] for flat in flats for one in flat) + 0.004
    for face, flat in zip(mesh.polygons, flats, strict=True):
        wide = max(one[0] for one in flat) + 0.004
        if x + wide > 1.9:
            x, y = 0.0, y + row
        for loop, (a, b) in zip(face.loop_indices, flat, strict=True):
            layer.data[loop].uv = ((a + x) / 2, (b + y) / 2)
        x += wide


def pin():
    """Takes the empty's place and name; nothing of it is turned."""
    old = objects["SM_Chest_Lid"]
    ring = [(0.004 * math.cos(math.tau * k / 6), 0.004 * math.sin(math.tau * k / 6)) for k in range(6)]
    mesh = bpy.data.meshes.new("Pin")
    sides = [(k, (k + 1) % 6, 6 + (k + 1) % 6, 6 + k) for k in range(6)]
    mesh.from_pydata([(x, y, z) for x in (-0.24, 0.24) for y, z in ring], [], [*sides, tuple(reversed(range(6))), tuple(range(6, 12))])
    unwrap(mesh)
    mesh.materials.append(bpy.data.materials["M_Iron"])
    places = {one: one.matrix_world.copy() for one in old.children}
    at = old.matrix_world.translation.copy()
    objects.remove(old)
    made = objects.new("SM_Chest_Lid", mesh)
    bpy.context.scene.collection.objects.link(made)
    made.location = at
    for one, matrix in places.items():
        one.data.transform(Matrix.Translation(-at) @ matrix)
        one.parent, one.matrix_parent_inverse, one.matrix_basis = made, Matrix(), Matrix()


def coins():
    heap = objects.new("Coins", None)
    bpy.context.scene.collection.objects.link(heap)
    ring = [(1.4 * math.cos(math.tau * k / 8), 1.4 * math.sin(math.tau * k / 8)) for k in range(8)]
    sides = [(k, (k + 1) % 8, 8 + (k + 1) % 8, 8 + k) for k in range(8)]
    for one in [one for one in objects if one.name.startswith("SM_Coin")]:
        mesh, where = bpy.data.meshes.new(one.name), one.matrix_world.copy()
        mesh.from_pydata([(x, y, z) for z in (-0.12, 0.12) for x, y in ring], [], [*sides, tuple(reversed(range(8))), tuple(range(8, 16))])
        unwrap(mesh, 0.02)
        mesh.materials.append(bpy.data.materials["M_Gold"])
        one.data, one.parent = mesh, heap
        one.matrix_world = where @ Matrix.Scale(0.02, 4)


def cubes(name):
    """Each rivet (seven points, its tip the last) as a box about its base."""
    mesh = objects[name].data
    corners = [[one.co.copy() for one in mesh.vertices[at : at + 7]] for at in range(0, len(mesh.vertices), 7)]
    points, faces = [], []
    for base in corners:
        middle = sum(base[:6], Vector()) / 6
        up = base[6] - middle
        side = (base[0] - middle) * 0.9
        other = up.normalized().cross(side)
        start = len(points)
        points += [middle + a * side + b * other + c * up for c in (0, 1) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        faces += [tuple(start + one for one in face) for face in
                  ((3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))]
    mesh.clear_geometry()
    mesh.from_pydata(points, [], faces)
    unwrap(mesh)


pin()
coins()
cubes("SM_Chest_Rivets")
cubes("SM_Chest_Lid_Rivets")
body = objects["SM_Chest_Body"]
for child in list(body.children):
    kept = child.matrix_world.copy()
    child.parent = None
    child.matrix_world = kept
body.data.transform(Matrix.Scale(100, 4))
body.scale = (0.01, 0.01, 0.01)
