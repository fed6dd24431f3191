"""What is there is stretched and moved in place; what is new is made of Blender's own primitives, and the letters stay live texts."""

import math

import bmesh
import bpy
from mathutils import Matrix, Vector

FRONT, SIGN, SHOW = (bpy.data.collections[name] for name in ("Front", "Sign", "Display"))
bpy.context.scene.frame_set(1)
for old in [one for one in bpy.data.objects if one.name.startswith("Old ")]:
    bpy.data.objects.remove(old)


def paint(name, colour, glow=0.0):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = shader.inputs["Emission Color"].default_value = (*colour, 1)
    shader.inputs["Emission Strength"].default_value = glow
    return made


GREEN, CREAM = (0.01298, 0.10224, 0.07227), (0.88792, 0.79130, 0.61721)
green, cream, leaf, lit = paint("Green", GREEN), paint("Cream", CREAM), paint("Bush", (0.05, 0.2, 0.04)), paint("Lit", (1, 0.8, 0.5), 8)
bpy.data.materials["Frame paint"].node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (*GREEN, 1)


def fit(name, left, right):
    """Stretch an object of the front in x, from one place to the other."""
    one = bpy.data.objects[name]
    wide = max(point.co.x for point in one.data.vertices) - min(point.co.x for point in one.data.vertices)
    one.data.transform(Matrix.Diagonal(((right - left) / wide, 1, 1, 1)))
    move(one, (left + right) / 2)


def move(one, x):
    bpy.context.view_layer.update()
    place = one.matrix_world.copy()
    place.translation.x = x
    one.matrix_world = place


def altered():
    move(bpy.data.objects["Frame post"], 1.23)
    move(bpy.data.objects["Door pivot"], 2.22)
    window = (("Stall riser", -2.22, 1.19), ("Frame sill", -2.22, 1.19), ("Frame mullion", -0.555, -0.475),
              ("Window glass 1", -2.22, -0.555), ("Window glass 2", -0.475, 1.19))
    door = (("Frame transom", 1.27, 2.22), ("Fanlight", 1.27, 2.22), ("Door step", 1.21, 2.28), ("Door leaf", 1.274, 2.216),
            ("Door kick plate", 1.31, 2.18), ("Door glass", 1.405, 2.085))
    for name, left, right in (*window, *door):
        fit(name, left, right)
    move(bpy.data.objects["Door handle"], 1.33)
    for number in (1, 2, 3):
        move(bpy.data.objects[f"Door hinge {number}"], 2.216)


def solid(name, make, place, stretch, where, material, **how):
    edited = bmesh.new()
    make(edited, **how)
    mesh = bpy.data.meshes.new(name)
    edited.to_mesh(mesh)
    edited.free()
    mesh.transform(Matrix.Diagonal((*stretch, 1)))
    mesh.materials.append(material)
    made = bpy.data.objects.new(name, mesh)
    made.location = place
    where.objects.link(made)
    return made


def bar(name, start, end, radius, where, material):
    start, end = Vector(start), Vector(end)
    made = solid(name, bmesh.ops.create_cone, (start + end) / 2, (1, 1, 1), where, material, cap_ends=True, segments=10, radius1=radius,
                 radius2=radius, depth=(end - start).length)
    made.rotation_euler = (end - start).to_track_quat("Z", "Y").to_euler()
    return made


def below(child, parent):
    bpy.context.view_layer.update()
    child.parent, child.matrix_parent_inverse = parent, parent.matrix_world.inverted()


def awning():
    iron = bpy.data.materials["Cast iron"]
    for name in ("Awning bar", "Awning arm left", "Awning arm right"):
        bpy.data.objects.remove(bpy.data.objects[name])
    bar("Awning bar", (-2.2, -1.17, 2.22), (2.2, -1.17, 2.22), 0.015, FRONT, iron)
    for side, x in (("left", -2.15), ("right", 2.15)):
        bar(f"Awning arm {side}", (x, 0.01, 2.61), (x, -1.17, 2.22), 0.012, FRONT, iron)
    for number in range(11):
        x = -2.2 + 0.4 * number
        mesh = bpy.data.meshes.new("Stripe")
        line = ((0, 2.68), (-1.2, 2.25), (-1.2, 2.08))
        mesh.from_pydata([(x + a, y, z) for y, z in line for a in (0, 0.4)], [], [(0, 2, 3, 1), (2, 4, 5, 3)])
        mesh.materials.append(cream if number % 2 else green)
        one = bpy.data.objects.new(f"Awning stripe {number + 1}", mesh)
        FRONT.objects.link(one)
        thick = one.modifiers.new("Thickness", "SOLIDIFY")
        thick.thickness = 0.006


def letters():
    made = []
    for sign in "TAVELO":
        text = bpy.data.curves.new(f"Letter {sign}", "FONT")
        text.body, text.extrude, text.size = sign, 0.02, 0.46
        text.materials.append(green)
        one = bpy.data.objects.new(f"Letter {sign}", text)
        one.rotation_euler.x = math.radians(90)
        SIGN.objects.link(one)
        bpy.context.view_layer.update()
        text.size *= 0.322 / one.dimensions.y
        bpy.context.view_layer.update()
        made.append(one)
    gap = (2.3 - sum(one.dimensions.x for one in made)) / 5
    at = -1.15
    for one in made:
        low = [min(corner[axis] for corner in one.bound_box) for axis in (0, 1)]
        one.location = (at - low[0], -0.1, 3.0 - one.dimensions.y / 2 - low[1])
        at += one.dimensions.x + gap


def planters():
    for side, x in (("left", -1.85), ("right", 0.8)):
        solid(f"Planter {side}", bmesh.ops.create_cube, (x, -0.33, 0.21), (0.7, 0.3, 0.42), FRONT, green, size=1)
        solid(f"Plant {side}", bmesh.ops.create_icosphere, (x, -0.33, 0.66), (0.3, 0.16, 0.3), FRONT, leaf, subdivisions=3, radius=1)


def lamps():
    brass = bpy.data.materials["Brass"]
    for number, x in enumerate((-1.7, -0.5, 0.7), 1):
        cord = bar(f"Pendant cord {number}", (x, 0.7, 2.02), (x, 0.7, 2.6), 0.004, SHOW, brass)
        shade = solid(f"Pendant shade {number}", bmesh.ops.create_cone, (x, 0.7, 2.0), (1, 1, 1), SHOW, cream, cap_ends=False, segments=24,
                      radius1=0.16, radius2=0.002, depth=0.2)
        thick = shade.modifiers.new("Sheet", "SOLIDIFY")
        thick.thickness, thick.offset = 0.003, -1
        bulb = solid(f"Pendant bulb {number}", bmesh.ops.create_uvsphere, (x, 0.7, 1.99), (1, 1, 1), SHOW, lit, u_segments=12, v_segments=8,
                     radius=0.04)
        light = bpy.data.objects.new(f"Pendant light {number}", bpy.data.lights.new("Pendant", "POINT"))
        light.location, light.data.energy = (x, 0.7, 1.92), 12
        SHOW.objects.link(light)
        for one in (shade, bulb, light):
            below(one, cord)


def emblems():
    bpy.data.objects["Sign disc"].data.materials[0] = green
    for side, y in (("front", -0.587), ("back", -0.533)):
        one = solid(f"Emblem {side}", bmesh.ops.create_cone, (-2.55, y, 2.33), (0.09, 0.15, 1), SIGN, cream, cap_ends=True, segments=24,
                    radius1=1, radius2=1, depth=0.014)
        one.rotation_euler.x = math.radians(90)
        below(one, bpy.data.objects["Turning sign"])


altered()
awning()
letters()
planters()
lamps()
emblems()
