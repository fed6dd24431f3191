"""The toy train of brief/track.json, once round its oval in 96 frames."""

import math
from itertools import pairwise

import bpy
from line import APART, FRAMES, LAP, place
from mathutils import Vector
from shapes import MM, ball, box, rod, roof, strip
from train import block_wagon, engine, link, timber_wagon

RAILS = 12  # their upper side, above the table
scene = bpy.context.scene


def collection(name):
    made = bpy.data.collections.new(name)
    scene.collection.children.link(made)
    return made


def plain(name, colour, rough=0.45, metal=0.0):
    made = bpy.data.materials.new(name)
    made.use_nodes, made.diffuse_color = True, (*colour, 1)
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1)
    shader.inputs["Roughness"].default_value, shader.inputs["Metallic"].default_value = rough, metal
    return made


def wood(name, light, dark, scale):
    """With a grain along x of the object."""
    made = plain(name, light, 0.55)
    nodes, links = made.node_tree.nodes, made.node_tree.links
    where, mapping, noise, ramp = (nodes.new(kind) for kind in
                                   ("ShaderNodeTexCoord", "ShaderNodeMapping", "ShaderNodeTexNoise", "ShaderNodeValToRGB"))
    mapping.inputs["Scale"].default_value = (scale / 12, scale, scale)
    noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = 6, 6
    ramp.color_ramp.elements[0].color, ramp.color_ramp.elements[1].color = (*dark, 1), (*light, 1)
    ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[1].position = 0.35, 0.65
    links.new(where.outputs["Object"], mapping.inputs["Vector"])
    links.new(mapping.outputs["Vector"], noise.inputs["Vector"])
    links.new(noise.outputs["Fac"], ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
    return made


def paints():
    made = {name: plain(f"{name.title()} paint", colour) for name, colour in
            (("red", (0.55, 0.03, 0.02)), ("green", (0.03, 0.22, 0.07)), ("blue", (0.03, 0.14, 0.42)), ("dark", (0.025, 0.025, 0.03)))}
    woods = (("beech", (0.66, 0.47, 0.28), (0.52, 0.34, 0.18), 20), ("oak", (0.40, 0.25, 0.13), (0.28, 0.16, 0.08), 6),
             ("bark", (0.30, 0.17, 0.08), (0.17, 0.09, 0.04), 40), ("walnut", (0.17, 0.085, 0.04), (0.10, 0.05, 0.02), 20))
    for name, light, dark, scale in woods:
        made[name] = wood(name.title(), light, dark, scale)
    return made | {"steel": plain("Steel", (0.5, 0.5, 0.52), 0.35, 1.0), "brass": plain("Brass", (0.75, 0.5, 0.15), 0.3, 1.0)}


def track(where, paint):
    box("Table", (-450, -330, -20), (450, 330, 0), where, paint["oak"], edge=4)
    strip("Bed", -38, 38, 0, 6, where, paint["beech"])
    for name, aside in (("Rail inner", 20), ("Rail outer", -20)):
        strip(name, aside - 4, aside + 4, 6, RAILS, where, paint["walnut"])


def bridge(where, paint):
    for end, y in (("inner", 108), ("outer", 266)):
        box(f"Bridge pier {end}", (-40, y, 0), (40, y + 26, 130), where, paint["beech"])
    box("Bridge deck", (-46, 96, 130), (46, 304, 140), where, paint["red"])
    for side, x in (("left", -46), ("right", 41)):
        box(f"Bridge parapet {side}", (x, 96, 140), (x + 5, 304, 158), where, paint["beech"])


def signal(where, paint):
    x, y = -120, -268
    rod("Signal base", (x, y, 0), (x, y, 6), 15, where, paint["dark"])
    rod("Signal post", (x, y, 6), (x, y, 130), 4, where, paint["beech"])
    box("Signal arm", (x + 2, y - 7, 112), (x + 46, y - 3, 124), where, paint["red"], edge=0.8)
    ball("Signal lamp", (x, y, 135), 7, where, paint["brass"])


def scenery(where, paint):
    bridge(where, paint)
    signal(where, paint)
    for number, (x, y, tall) in enumerate(((-190, 40, 110), (-140, -40, 85), (185, 70, 120), (-400, 280, 95), (400, -270, 100)), 1):
        rod(f"Tree {number} trunk", (x, y, 0), (x, y, tall * 0.3), 6, where, paint["bark"])
        rod(f"Tree {number} crown", (x, y, tall * 0.3), (x, y, tall), tall * 0.3, where, paint["green"], tip=2)
    box("House", (40, -70, 0), (140, 0, 60), where, paint["beech"])
    roof("House roof", (34, -78, 60), (146, 8, 104), where, paint["red"])
    box("House door", (80, -73, 0), (100, -69, 38), where, paint["blue"], edge=0.8)


def keyed(one, path, index, values):
    """Values by frames, with straight lines between them."""
    curve = one.animation_data.action.fcurves.new(path, index=index)
    curve.keyframe_points.add(len(values))
    for point, (frame, value) in zip(curve.keyframe_points, values, strict=True):
        point.co, point.interpolation = (frame, value), "LINEAR"
    curve.extrapolation = "LINEAR"
    curve.update()


def on_the_way(root, behind):
    """Keys for each frame and for the one after the last, where all is again as in the first."""
    places = {frame: place((frame - 1) / FRAMES * LAP - behind) for frame in range(1, FRAMES + 2)}
    root.animation_data_create().action = bpy.data.actions.new(f"{root.name} round the oval")
    keyed(root, "location", 0, [(frame, x * MM) for frame, (x, _, _) in places.items()])
    keyed(root, "location", 1, [(frame, y * MM) for frame, (_, y, _) in places.items()])
    keyed(root, "rotation_euler", 2, [(frame, heading) for frame, (_, _, heading) in places.items()])
    root.location.z = RAILS * MM


def rolling(wheel):
    wheel.animation_data_create().action = bpy.data.actions.new(f"{wheel.name} rolls")
    keyed(wheel, "rotation_euler", 1, [(1, 0.0), (FRAMES + 1, 20 * math.tau)])


def lit():
    world = bpy.data.worlds.new("Nursery")
    scene.world, world.use_nodes = world, True
    world.node_tree.nodes["Background"].inputs[0].default_value = (0.92, 0.95, 1, 1)
    world.node_tree.nodes["Background"].inputs[1].default_value = 0.5
    lamps = (("Key", (-0.9, -1.0, 1.3), 22, 0.6), ("Fill", (1.2, -0.6, 0.9), 8, 0.9), ("Rim", (0.3, 1.3, 1.0), 12, 0.5))
    for name, where, energy, size in lamps:
        lamp = bpy.data.lights.new(name, "AREA")
        lamp.energy, lamp.size = energy, size
        seen_from(name, lamp, where, (0, 0, 0.05))


def seen_from(name, what, where, target):
    made = bpy.data.objects.new(name, what)
    made.location = where
    made.rotation_euler = (Vector(target) - Vector(where)).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(made)
    return made


paint = paints()
train = collection("Train")
track(collection("Track"), paint)
scenery(collection("Scenery"), paint)
vehicles = [engine(train, paint), timber_wagon(train, paint), block_wagon(train, paint)]
for before, after in pairwise(vehicles):
    link(before, after, train, paint)
for number, one in enumerate(vehicles):
    on_the_way(one, number * APART)
for one in train.objects:
    if " wheel " in one.name:
        rolling(one)
lit()
scene.camera = seen_from("Camera", bpy.data.cameras.new("Camera"), (-0.32, -1.15, 0.78), (0.03, 0, 0.01))
scene.camera.data.lens = 44
scene.render.resolution_x, scene.render.resolution_y = 1600, 1200
scene.render.fps, scene.frame_start, scene.frame_end = 24, 1, FRAMES
scene.frame_set(1)
