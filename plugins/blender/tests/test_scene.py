"""The scene summary and the shapes of projects made to be told of, plain ones and damaged ones."""

import json
import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from playproof.errors import SubmissionFault
from playproof.interfaces import Services
from playproof.model import Evidence, Observer
from playproof_blender.exhibits.scene import SceneExhibitor
from playproof_blender.scene import KIND, Scene
from playproof_blender.shapes import Shapes
from playproof_blender.shapes import read as shapes_from
from playproof_blender.stages import Staged

pytestmark = pytest.mark.heavy

TOOLS = """
import bpy, math
scene = bpy.context.scene

def mesh(name, points, faces, edges=()):
    made = bpy.data.meshes.new(name)
    made.from_pydata(points, edges, faces)
    one = bpy.data.objects.new(name, made)
    scene.collection.objects.link(one)
    return one

CUBE = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]

def cube(name, place=(0, 0, 0)):
    one = mesh(name, CUBE, SIDES)
    one.location = place
    return one
"""


@pytest.fixture(scope="session")
def inspected(made: Callable[..., Path], staged: Callable[..., Staged]) -> Callable[..., tuple[Scene, Shapes]]:
    """`inspected(script)`: the scene and the shapes of the project that a script makes; the same script is looked at once."""
    kept: dict[str, tuple[Scene, Shapes]] = {}

    def inspect(script: str, **settings: Any) -> tuple[Scene, Shapes]:
        if script not in kept:
            kept[script] = told(staged("inspect_project", made(TOOLS + script, **settings)))
        return kept[script]

    return inspect


def told(done: Staged) -> tuple[Scene, Shapes]:
    assert done.whole, done.fault()
    return Scene(json.loads(done.named("scene").read()), ["scene"]), shapes_from(done.named("shapes").read(), "shapes")


# --- where things stand -----------------------------------------------------------------------------------------------

PLACES = """
one = cube("Plain", (1, 2, 3))
one.scale = (1, 1, 2)
turned = cube("Turned")
turned.rotation_euler.z = math.radians(45)
cone = mesh("Cone", [(0, 0, 2), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)], [(0, 1, 3), (0, 3, 2), (0, 2, 4), (0, 4, 1), (1, 4, 2, 3)])
cone.rotation_euler.y = math.radians(45)
mirrored = cube("Mirrored", (0, 9, 0))
mirrored.scale.x = -1
child = cube("Child", (0, 0, 5))
child.parent = one
scene.unit_settings.scale_length = 0.01
far = cube("Far", (5, 0, 0))
far.hide_viewport = True
eye = cube("Eye", (6, 0, 0))
unrendered = cube("Unrendered", (7, 0, 0))
unrendered.hide_render = True
closed = bpy.data.collections.new("Closed")
scene.collection.children.link(closed)
inner = bpy.data.collections.new("Inner")
closed.children.link(inner)
excluded = cube("Excluded", (8, 0, 0))
scene.collection.objects.unlink(excluded)
inner.objects.link(excluded)
off = bpy.data.collections.new("Off")
scene.collection.children.link(off)
off.hide_render = True
off.hide_viewport = True
unseen = cube("Unseen", (9, 0, 0))
scene.collection.objects.unlink(unseen)
off.objects.link(unseen)
bpy.context.view_layer.update()
eye.hide_set(True)
bpy.context.view_layer.layer_collection.children["Closed"].exclude = True
"""


def test_boxes_are_of_the_evaluated_points_in_the_world(inspected: Callable[..., Any]) -> None:
    scene, shapes = inspected(PLACES)
    low, high = scene.box_of([scene.one("Plain")])
    assert low == pytest.approx([0, 1, 1]) and high == pytest.approx([2, 3, 5])
    low, high = scene.box_of([scene.one("Turned")])
    assert high == pytest.approx([math.sqrt(2), math.sqrt(2), 1])
    low, high = scene.box_of([scene.one("Cone")])  # the corners of its own box would reach to 2.12
    assert high[0] == pytest.approx(math.sqrt(2)) and high[2] == pytest.approx(math.sqrt(2))
    assert scene.one("Plain")["dimensions"] == pytest.approx([2, 2, 4]) and scene.one("Turned")["rotation_deg"][2] == pytest.approx(45)
    child = scene.one("Child")
    assert child["parent"] == "Plain" and scene.matrix_of(child)[:3, 3] == pytest.approx([1, 2, 13])
    assert scene.value["units"]["scale_length"] == pytest.approx(0.01)
    for name, solid in shapes.of().items():
        assert np.concatenate(solid.box) == pytest.approx(scene.one(name)["box"], abs=1e-5)


def test_what_is_hidden_is_measured_where_it_stands(inspected: Callable[..., Any]) -> None:
    scene, shapes = inspected(PLACES)
    seen = {name: (scene.one(name)["shown"], scene.one(name)["rendered"], scene.one(name)["matrix"][3], scene.one(name)["box"][3])
            for name in ("Plain", "Far", "Eye", "Unrendered", "Excluded", "Unseen")}  # fmt: skip
    assert seen == {"Plain": (True, True, 1, 2), "Far": (False, True, 5, 6), "Eye": (False, True, 6, 7), "Unrendered": (True, False, 7, 8),
                    "Excluded": (False, False, 8, 9), "Unseen": (False, False, 9, 10)}  # fmt: skip
    assert not {"Unrendered", "Excluded", "Unseen"} & set(shapes.objects) and {"Plain", "Far", "Eye"} <= set(shapes.objects)
    held = {one["name"]: (one["parent"], one["rendered"]) for one in scene.value["collections"]}
    assert held == {"Scene Collection": (None, True), "Closed": ("Scene Collection", False), "Inner": ("Closed", False),
                    "Off": ("Scene Collection", False)}  # fmt: skip
    assert [one["name"] for one in scene.objects(collection="Closed")] == ["Excluded"]


def test_the_triangles_of_a_mirrored_object_still_look_outwards(inspected: Callable[..., Any]) -> None:
    _, shapes = inspected(PLACES)
    for name, volume in (("Plain", 16), ("Turned", 8), ("Mirrored", 8)):
        assert volume_of(shapes, name) == pytest.approx(volume, rel=1e-6)


def volume_of(shapes: Shapes, name: str) -> float:
    a, b, c = np.moveaxis(shapes.of(name)[name].corners, 1, 0)
    return float((a * np.cross(b, c)).sum() / 6)


SCENES = """
cube("Of the first")
second = bpy.data.scenes.new("Second")
bpy.context.window.scene = second
one = bpy.data.objects.new("Of the second", bpy.data.meshes.new("Empty mesh"))
second.collection.objects.link(one)
for name in ("In the other layer", "In an unused layer"):
    held = bpy.data.collections.new(name)
    second.collection.children.link(held)
    one = cube(name + ": cube")
    scene.collection.objects.unlink(one)
    held.objects.link(one)
    layer = second.view_layers.new(name)
    layer.use = name == "In the other layer"
for layer in second.view_layers:
    for held in layer.layer_collection.children:
        held.exclude = held.name != layer.name
"""


def test_the_scene_is_the_active_one_and_every_used_layer_renders(inspected: Callable[..., Any]) -> None:
    scene, shapes = inspected(SCENES)
    assert scene.value["scene"] == "Second" and [one["name"] for one in scene.value["scenes"]] == ["Scene", "Second"]
    assert {one["name"]: (one["shown"], one["rendered"]) for one in scene.objects()} == {
        "Of the second": (True, True), "In the other layer: cube": (False, True), "In an unused layer: cube": (False, False)}  # fmt: skip
    assert scene.one("Of the second")["box"] is None
    assert scene.value["totals"]["objects_in_file"] == 4 and shapes.objects == ("In the other layer: cube",)


# --- meshes -----------------------------------------------------------------------------------------------------------

MESHES = """
cube("Sound")
mesh("Inside out", CUBE, [tuple(reversed(side)) for side in SIDES])
mesh("One flipped", CUBE, [tuple(reversed(SIDES[0])), *SIDES[1:]])
mesh("Open", CUBE, SIDES[1:])
mesh("Book", [(0, 0, 0), (0, 0, 1), (1, 0, 0), (1, 0, 1), (0, 1, 0), (0, 1, 1), (-1, -1, 0), (-1, -1, 1),
              (-1, 1, 0), (-1, 1, 1)], [(0, 1, 3, 2), (0, 1, 5, 4), (0, 1, 7, 6), (1, 0, 8, 9)])
mesh("Bits", [(0, 0, 0), (1, 0, 0), (0, 1, 0), (5, 5, 5), (6, 6, 6), (7, 7, 7), (0, 0, 0), (1, 0, 0), (2, 0, 0)],
     [(0, 1, 2), (6, 7, 8)], [(4, 5)])
mesh("Two", CUBE + [(x + 5, y, z) for x, y, z in CUBE], SIDES + [tuple(at + 8 for at in side) for side in SIDES])
mesh("Nothing", [], [])
bent = mesh("Bent", [(0, 2, 0), (0, 0, 0), (2, 0, 0), (0.2, 0.2, 0)], [(0, 1, 2, 3)])
arrow = mesh("Arrow", [(0, 0, 0), (4, 0, 0), (4, 4, 0), (2, 1, 0), (0, 4, 0)], [(0, 1, 2, 3, 4)])
tall = mesh("Not finite", [(0, 0, 0), (1, 0, 0), (0, 1, float("nan"))], [(0, 1, 2)])
slots = cube("Slots")
for name in "ab":
    slots.data.materials.append(bpy.data.materials.new(name))
slots.data.materials.append(None)
slots.data.polygons[0].material_index = slots.data.polygons[1].material_index = 1
slots.data.polygons[5].use_smooth = True
for name, shift in (("Laid out", 0.5), ("Stacked", 0.0)):
    strip = mesh(name, [(x, y, 0) for x in range(3) for y in range(2)], [(0, 2, 3, 1), (2, 4, 5, 3)])
    strip.data.uv_layers.new(name="Other")
    strip.data.uv_layers.active = strip.data.uv_layers.new(name="Used")
    for corner, at in enumerate([(0, 0), (0.5, 0), (0.5, 1), (0, 1)] * 2):
        strip.data.uv_layers["Used"].uv[corner].vector = (at[0] + shift * (corner > 3), at[1])
same = bpy.data.objects.new("Same", slots.data)
scene.collection.objects.link(same)
"""


def test_a_sound_mesh_has_no_faults(inspected: Callable[..., Any]) -> None:
    scene, _ = inspected(MESHES)
    sound = scene.mesh_of(scene.one("Sound")).value
    assert {key: sound[key] for key in ("vertices", "edges", "faces", "triangles", "quads", "ngons", "islands")} == {
        "vertices": 8, "edges": 12, "faces": 6, "triangles": 12, "quads": 6, "ngons": 0, "islands": 1}  # fmt: skip
    assert [sound[key] for key in FAULTS] == [0] * len(FAULTS) and sound["closed"]
    assert sound["area"] == pytest.approx(24) and sound["volume"] == pytest.approx(8) and sound["box"] == [-1, -1, -1, 1, 1, 1]


FAULTS = ("loose_vertices", "wire_edges", "boundary_edges", "nonmanifold_edges", "flipped_edges", "degenerate_faces", "duplicate_vertices",
          "nonfinite_vertices")  # fmt: skip


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("Inside out", {"volume": -8.0, "closed": True}),
        ("One flipped", {"flipped_edges": 4, "closed": True}),
        ("Open", {"boundary_edges": 4, "closed": False, "volume": None}),
        ("Book", {"boundary_edges": 12, "nonmanifold_edges": 1, "flipped_edges": 0, "closed": False}),
        ("Bits", {"loose_vertices": 1, "wire_edges": 1, "boundary_edges": 6, "degenerate_faces": 1, "duplicate_vertices": 2, "islands": 3}),
        ("Two", {"islands": 2, "closed": True, "volume": 16.0}),
        ("Nothing", {"vertices": 0, "faces": 0, "islands": 0, "closed": False, "area": 0.0, "box": None}),
        ("Bent", {"area": pytest.approx(0.4), "quads": 1}),
        ("Arrow", {"area": pytest.approx(10), "ngons": 1, "triangles": 3}),
        ("Not finite", {"nonfinite_vertices": 1}),
        ("Slots", {"faces_by_slot": [4, 2, 0], "smooth_faces": 1, "users": 2}),
    ],
)
def test_what_is_wrong_with_a_mesh_is_counted(inspected: Callable[..., Any], name: str, wanted: Mapping[str, Any]) -> None:
    scene, _ = inspected(MESHES)
    found = scene.value["meshes"][name]
    assert {key: found[key] for key in wanted} == {key: pytest.approx(value) if isinstance(value, float) else value
                                                   for key, value in wanted.items()}  # fmt: skip
    others = [key for key in FAULTS if key not in wanted and key != "boundary_edges"]
    assert {key: found[key] for key in others if found[key]} == {} or name == "Not finite"


def test_uv_maps_that_lie_on_themselves_are_told_from_those_that_do_not(inspected: Callable[..., Any]) -> None:
    scene, _ = inspected(MESHES)
    laid, stacked = (scene.value["meshes"][name] for name in ("Laid out", "Stacked"))
    assert laid["uv_layers"] == ["Other", "Used"] and laid["uv"]["layer"] == "Used" and scene.value["meshes"]["Sound"]["uv"] is None
    assert (laid["uv"]["coverage"], laid["uv"]["overlap"], laid["uv"]["area"]) == (pytest.approx(1, abs=0.002), 0.0, pytest.approx(1))
    assert (stacked["uv"]["coverage"], stacked["uv"]["overlap"]) == (pytest.approx(0.5, abs=0.002), 1.0)


def test_meshes_are_told_of_once_and_totals_count_every_use(inspected: Callable[..., Any]) -> None:
    scene, shapes = inspected(MESHES)
    assert scene.one("Same")["data"] == "Slots" and scene.one("Slots")["materials"] == ["a", "b", None]
    assert [one["name"] for one in scene.objects(material="b")] == ["Slots", "Same"]
    assert scene.value["totals"]["faces"] == sum(scene.value["meshes"][one["data"]]["faces"] for one in scene.objects())
    assert scene.value["totals"]["drawn"]["triangles"] == sum(len(shapes.meshes[part.mesh].triangles) for part in shapes.parts)
    with pytest.raises(SubmissionFault, match=r"scene.meshes\[Not finite\].box\[\d\]: nan"):
        assert scene.mesh_of(scene.one("Not finite")).value
    with pytest.raises(SubmissionFault, match=r"shapes.objects\[Not finite\]: has points that are not finite"):
        shapes.of("Not finite")


# --- what draws other things ------------------------------------------------------------------------------------------

INSTANCES = """
chairs = bpy.data.collections.new("Chairs")
unrendered = bpy.data.collections.new("Unrendered")
unrendered.hide_render = True
chairs.children.link(unrendered)
far = cube("Left out too", (60, 0, 0))
scene.collection.objects.unlink(far)
unrendered.objects.link(far)
for name, spot in (("Seat", (0, 0, 1)), ("Leg", (0, 0, -1)), ("Left out", (50, 0, 0))):
    one = cube(name, spot)
    scene.collection.objects.unlink(one)
    chairs.objects.link(one)
one.hide_render = True
chairs.objects["Leg"].hide_viewport = True
for number in range(2):
    empty = bpy.data.objects.new(f"Chair {number}", None)
    empty.instance_type, empty.instance_collection = "COLLECTION", chairs
    empty.location.x = 10 * number
    scene.collection.objects.link(empty)
tree = cube("Tree")
tree.hide_render = True
ground = mesh("Ground", [(-20, -20, 0), (20, -20, 0), (20, 20, 0), (-20, 20, 0)], [(0, 1, 2, 3)])
group = bpy.data.node_groups.new("Scatter", "GeometryNodeTree")
group.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
group.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
start, end = group.nodes.new("NodeGroupInput"), group.nodes.new("NodeGroupOutput")
what, where, both = (group.nodes.new(f"GeometryNode{kind}") for kind in ("ObjectInfo", "InstanceOnPoints", "JoinGeometry"))
what.inputs["Object"].default_value = tree
what.inputs["As Instance"].default_value = True
group.interface.new_socket("Density", in_out="INPUT", socket_type="NodeSocketFloat")
group.links.new(start.outputs[0], where.inputs["Points"])
group.links.new(what.outputs["Geometry"], where.inputs["Instance"])
group.links.new(start.outputs[0], both.inputs[0])
group.links.new(where.outputs[0], both.inputs[0])
group.links.new(both.outputs[0], end.inputs[0])
scattered = ground.modifiers.new("Scattered", "NODES")
scattered.node_group = group
scattered["Socket_2"] = 0.75
lawn = mesh("Lawn", [(0, 0, 0), (20, -20, 0), (20, 20, 0)], [(0, 1, 2)])  # one thing stands where the lawn itself does
lawn.location.z = 90
copied = group.copy()
copied.nodes["Object Info"].inputs["As Instance"].default_value = False
lawn.modifiers.new("Scattered", "NODES").node_group = copied
"""


def test_what_an_object_draws_by_instancing_is_its_own(inspected: Callable[..., Any]) -> None:
    scene, shapes = inspected(INSTANCES)
    chair = scene.one("Chair 1")
    assert (chair["type"], chair["box"], chair["instances"]) == ("EMPTY", None, 4)
    assert chair["instancing"] == {"type": "COLLECTION", "collection": "Chairs"}
    low, high = scene.box_of([chair])
    assert low == pytest.approx([9, -1, -2]) and high == pytest.approx([11, 1, 2])  # without what renders leave out
    with pytest.raises(SubmissionFault, match="has no shape"):
        scene.box_of([chair], own=True)
    solid = shapes.of("Chair 1")["Chair 1"]
    assert len(solid.triangles) == 24 and np.concatenate(solid.box) == pytest.approx([9, -1, -2, 11, 1, 2])
    assert shapes.of("Chair 1", own=True) == {}


def test_things_that_geometry_nodes_scatter_are_told_apart_from_the_ground(inspected: Callable[..., Any]) -> None:
    scene, shapes = inspected(INSTANCES)
    ground = scene.one("Ground")
    assert ground["instances"] == 4 and ground["box"] == pytest.approx([-20, -20, 0, 20, 20, 0])
    assert ground["drawn_box"] == pytest.approx([-21, -21, -1, 21, 21, 1])
    assert scene.box_of([ground])[1] == pytest.approx([21, 21, 1]) and scene.box_of([ground], own=True)[1] == pytest.approx([20, 20, 0])
    assert len(shapes.of("Ground")["Ground"].triangles) == 2 + 4 * 12 and len(shapes.of("Ground", own=True)["Ground"].triangles) == 2
    trees = [solid.points.mean(0) for part, solid in shapes.instances("Ground") if part.object == "Tree"]
    assert sorted(map(tuple, np.round(trees).tolist())) == [(-20, -20, 0), (-20, 20, 0), (20, -20, 0), (20, 20, 0)]
    assert "Tree" not in shapes.objects and scene.value["totals"]["drawn"]["instances"] == 4 + 4 + 3  # chairs, ground, lawn
    lawn = [(part.object, part.own, len(solid.triangles)) for part, solid in shapes.instances("Lawn")]
    assert sorted(lawn) == [("Lawn", False, 12)] * 3 + [("Lawn", True, 1)] and scene.one("Lawn")["box"][5] == pytest.approx(90)
    assert scene.value["node_groups"]["Scatter"]["links"] == 5
    settings = ground["modifiers"][0]["settings"]
    assert settings["node_group"] == "Scatter" and settings["input Socket_2"] == 0.75


KINDS = """
for kind in ("metaball", "surface", "curve", "volume", "lattice", "pointcloud", "hair"):
    if kind == "metaball":
        bpy.ops.object.metaball_add(type="BALL", radius=1, location=(0, 0, 10))
    elif kind == "surface":
        bpy.ops.surface.primitive_nurbs_surface_sphere_add(radius=1, location=(0, 0, 20))
    elif kind == "curve":
        bpy.ops.curve.primitive_bezier_circle_add(radius=1, location=(0, 0, 30))
        bpy.context.object.data.bevel_depth = 0.1
    elif kind == "volume":
        bpy.ops.object.volume_add()
    elif kind == "lattice":
        bpy.ops.object.add(type="LATTICE")
    elif kind == "pointcloud":
        scene.collection.objects.link(bpy.data.objects.new(kind, bpy.data.pointclouds.new(kind)))
        continue
    else:
        scene.collection.objects.link(bpy.data.objects.new(kind, bpy.data.hair_curves.new(kind)))
        continue
    bpy.context.object.name = kind
bare = bpy.data.objects["curve"].copy()
bare.name, bare.data, bare.location.z = "bare", bare.data.copy(), 70
bare.data.bevel_depth = 0
scene.collection.objects.link(bare)
copied = bpy.data.collections.new("Copied")
ring = bpy.data.objects["curve"].copy()
ring.location.z = 0
copied.objects.link(ring)
copied.objects.link(bpy.data.objects.new("inner", cube("gone").data))
bpy.data.objects.remove(bpy.data.objects["gone"])
copies = bpy.data.objects.new("Copies", None)
copies.instance_type, copies.instance_collection, copies.location.x = "COLLECTION", copied, 100
scene.collection.objects.link(copies)
part = cube("Part")
part.parent = holder = mesh("Holder", [(0, 0, 40), (9, 0, 40), (9, 9, 40)], [(0, 1, 2)])
holder.instance_type = "VERTS"
holder.show_instancer_for_render = False
bearer = mesh("Bearer", [(0, 0, 80), (9, 0, 80), (9, 9, 80)], [(0, 1, 2)])
cube("Borne").parent = bearer
bearer.instance_type, bearer.show_instancer_for_viewport = "VERTS", False
thrower = mesh("Thrower", [(0, 0, 50), (9, 0, 50), (9, 9, 50)], [(0, 1, 2)])
bpy.context.view_layer.objects.active = thrower
thrower.modifiers.new("Particles", "PARTICLE_SYSTEM")
thrown = thrower.particle_systems[0].settings
thrown.type, thrown.count, thrown.render_type = "HAIR", 7, "OBJECT"
thrown.use_advanced_hair, thrown.instance_object, thrown.particle_size = True, cube("Leaf", (0, 0, 60)), 0.5
"""


def test_every_kind_of_object_is_told_of(inspected: Callable[..., Any]) -> None:
    scene, shapes = inspected(KINDS)
    assert [one for one in scene.objects() if "unreadable" in one] == []
    assert {one["name"]: one["type"] for one in scene.objects()} == {
        "metaball": "META", "surface": "SURFACE", "curve": "CURVE", "volume": "VOLUME", "lattice": "LATTICE",
        "pointcloud": "POINTCLOUD", "hair": "CURVES", "bare": "CURVE", "Copies": "EMPTY", "Part": "MESH", "Holder": "MESH",
        "Bearer": "MESH", "Borne": "MESH", "Thrower": "MESH", "Leaf": "MESH"}  # fmt: skip
    for name, middle in (("metaball", 10), ("surface", 20), ("curve", 30)):
        low, high = shapes.of(name)[name].box
        assert np.concatenate([low, high]) == pytest.approx(scene.one(name)["box"], abs=1e-5)
        assert (low + high)[2] / 2 == pytest.approx(middle) and scene.one(name)["instances"] == 0
        assert scene.one(name)["evaluated"]["triangles"] == len(shapes.of(name)[name].triangles) > 50
    assert scene.one("bare")["box"] is None and "bare" not in shapes.objects  # a curve without thickness draws nothing
    assert scene.one("Copies")["instances"] == 2 and scene.one("Copies")["box"] is None
    assert [corner[0] for corner in scene.box_of([scene.one("Copies")])] == pytest.approx([98.9, 101.1])
    assert len(shapes.of("Copies")["Copies"].triangles) == 12 + len(shapes.of("curve")["curve"].triangles)
    assert (len(shapes.of("Holder")["Holder"].triangles), scene.one("Holder")["instances"]) == (36, 3)  # it does not show itself
    assert len(shapes.of("Bearer")["Bearer"].triangles) == 1 + 36  # and it does, in a render alone
    assert len(shapes.of("Thrower")["Thrower"].triangles) == 1 + 7 * 12
    assert scene.one("Thrower")["particles"] == [{"name": "Particles", "type": "HAIR", "count": 7, "draws": "OBJECT"}]


MODIFIERS = """
for name, shown, rendered in (("Both", True, True), ("For renders", False, True), ("For the viewport", True, False)):
    modifier = cube(name).modifiers.new("Subdivision", "SUBSURF")
    modifier.levels = modifier.render_levels = 2
    modifier.show_viewport, modifier.show_render = shown, rendered
finer = cube("Finer").modifiers.new("Subdivision", "SUBSURF")
finer.levels, finer.render_levels = 1, 3
bomb = cube("Bomb").modifiers.new("Subdivision", "SUBSURF")
bomb.levels, bomb.render_levels = 0, 11
nodes = cube("Unforeseeable").modifiers.new("Nodes", "NODES")
nodes.node_group = bpy.data.node_groups.new("Empty", "GeometryNodeTree")
nodes.show_viewport = False
bevel = cube("Bevelled").modifiers.new("Edge", "BEVEL")
bevel.width, bevel.segments = 0.05, 3
"""


def test_shapes_are_those_of_the_viewport_and_a_render_that_differs_is_counted(inspected: Callable[..., Any]) -> None:
    scene, shapes = inspected(MODIFIERS)
    level = {0: 12, 1: 48, 2: 192, 3: 768}
    counts = {name: (len(solid.triangles), scene.one(name)["evaluated"]["triangles"], scene.one(name).get("evaluated_render"))
              for name, solid in shapes.of().items()}  # fmt: skip
    assert counts["Both"] == (level[2], level[2], None)
    assert counts["For renders"] == (level[0], level[0], {"triangles": level[2], "made": True})
    assert counts["For the viewport"] == (level[2], level[2], {"triangles": level[0], "made": True})
    assert counts["Finer"] == (level[1], level[1], {"triangles": level[3], "made": True})
    assert counts["Bomb"] == (level[0], level[0], {"triangles": 12 * 4**11, "made": False})
    assert counts["Unforeseeable"][2] == {"triangles": None, "made": False}
    assert scene.value["meshes"]["Finer"]["triangles"] == 12 and scene.one("Finer")["box"][3] < 1


def test_modifiers_are_told_of_with_their_settings(inspected: Callable[..., Any]) -> None:
    scene, _ = inspected(MODIFIERS)
    told = scene.one("Bevelled")["modifiers"][0]
    assert (told["name"], told["type"], told["shown"], told["rendered"]) == ("Edge", "BEVEL", True, True)
    assert told["settings"]["width"] == 0.05 and told["settings"]["segments"] == 3 and told["settings"]["limit_method"] == "ANGLE"
    told = scene.one("Finer")["modifiers"][0]["settings"]
    assert (told["levels"], told["render_levels"]) == (1, 3)  # as the file has them, though both were tried


# --- materials, motion, and what else a file holds --------------------------------------------------------------------

WHOLE = """
def linked(block, *pairs):
    block.use_nodes = True
    return block.node_tree

wood = bpy.data.materials.new("Wood")
tree = linked(wood)
shader = tree.nodes["Principled BSDF"]
shader.inputs["Base Color"].default_value = (0.3, 0.2, 0.1, 1)
shader.inputs["Metallic"].default_value = 0.25
shader.inputs["Emission Color"].default_value = (1, 0.5, 0, 1)
shader.inputs["Emission Strength"].default_value = 2
noise = tree.nodes.new("ShaderNodeTexNoise")
tree.links.new(noise.outputs["Fac"], shader.inputs["Roughness"])
pictured = bpy.data.materials.new("Pictured")
tree = linked(pictured)
inner = bpy.data.node_groups.new("Inner", "ShaderNodeTree")
inner.nodes.new("ShaderNodeTexImage").image = bpy.data.images.new("Made", 8, 4)
tree.nodes.new("ShaderNodeGroup").node_tree = inner
lost = bpy.data.images.new("Lost", 4, 4)
lost.source, lost.filepath = "FILE", "//nowhere.png"
tree.nodes.new("ShaderNodeTexImage").image = lost
packed = bpy.data.images.new("Packed", 4, 4)
packed.filepath_raw, packed.file_format = place + ".png", "PNG"
packed.save()
packed.pack()
__import__("os").unlink(place + ".png")
glass = bpy.data.materials.new("Glass")
tree = linked(glass)
pane = tree.nodes.new("ShaderNodeBsdfGlass")
tree.links.new(pane.outputs[0], tree.nodes["Material Output"].inputs["Surface"])
plain = bpy.data.materials.new("Plain")
plain.use_nodes = False
plain.diffuse_color = (1, 0, 0, 1)
for block in (pictured, packed, glass, plain):
    block.use_fake_user = True

mover = cube("Mover")
mover.data.materials.append(wood)
for frame, x in ((1, 0), (13, 2), (25, 0)):
    mover.location.x = x
    mover.keyframe_insert("location", frame=frame)
for curve in mover.animation_data.action.fcurves:
    curve.modifiers.new("CYCLES")
    for key in curve.keyframe_points:
        key.interpolation = "LINEAR"
mover.animation_data.action.name = "Back and forth"
many = cube("Many keys")
many["energy"] = 0.0
for frame in range(250):
    many["energy"] = float(frame)
    many.keyframe_insert('["energy"]', frame=frame)
driven = cube("Driven")
for path, expression in (("scale", "__import__('os').getpid()"), ("location", "frame / 2")):
    driven.driver_add(path, 2).driver.expression = expression
driven["note"] = "<b>bold</b>"
driven["sizes"] = [1.5, 2.5]
driven["nested"] = {"deep": {"deeper": {"deepest": {"end": {"over": 1}}}}}
driven["odd"] = float("inf")
ball = cube("Ball", (0, 0, 4))
bpy.ops.rigidbody.world_add()
bpy.context.view_layer.objects.active = ball
ball.select_set(True)
bpy.ops.rigidbody.object_add()
ball.rigid_body.mass = 3
watcher = bpy.data.objects.new("Eye", bpy.data.cameras.new("Lens"))
scene.collection.objects.link(watcher)
watcher.data.lens, watcher.data.dof.use_dof, watcher.data.dof.focus_object = 85, True, ball
watcher.constraints.new("TRACK_TO").target = ball
scene.camera = watcher
lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Bulb", "AREA"))
lamp.data.energy, lamp.data.size = 120, 0.5
scene.collection.objects.link(lamp)
shaped = cube("Shaped")
shaped.shape_key_add(name="Basis")
shaped.shape_key_add(name="Smile").value = 0.4
words = bpy.data.objects.new("Words", bpy.data.curves.new("Letters", "FONT"))
words.data.body = "OPEN"
scene.collection.objects.link(words)
bones = bpy.data.objects.new("Rig", bpy.data.armatures.new("Bones"))
scene.collection.objects.link(bones)
bpy.context.view_layer.objects.active = bones
bpy.ops.object.mode_set(mode="EDIT")
upper = bones.data.edit_bones.new("upper")
upper.head, upper.tail = (0, 0, 0), (0, 0, 1)
lower = bones.data.edit_bones.new("lower")
lower.head, lower.tail, lower.parent, lower.use_deform = (0, 0, 1), (0, 0, 2), upper, False
bpy.ops.object.mode_set(mode="OBJECT")
bones.pose.bones["lower"].constraints.new("IK").target = ball
skin = cube("Skin")
skin.modifiers.new("Armature", "ARMATURE").object = bones
skin.vertex_groups.new(name="upper").add([0, 1, 2], 0.5, "REPLACE")
skin.vertex_groups.new(name="lower").add([2, 3], 1, "REPLACE")
handle = cube("Handle")
handle.parent, handle.parent_type, handle.parent_bone = bones, "BONE", "lower"
run = bpy.data.texts.new("run.py")
run.write("print(1)")
run.use_module = True
world = bpy.data.worlds.new("Sky")
world.use_nodes = True
scene.world = world
scene.render.engine, scene.cycles.samples = "CYCLES", 77
scene.render.fps, scene.render.fps_base = 30000, 1001
scene.frame_start, scene.frame_end = 1, 25
scene["brief"] = "v2"
"""


def test_materials_say_how_they_look(inspected: Callable[..., Any]) -> None:
    scene, _ = inspected(WHOLE)
    wood, glass, plain = (scene.value["materials"][name] for name in ("Wood", "Glass", "Plain"))
    assert (wood["base_color"], wood["metallic"], wood["roughness"], wood["users"]) == ([0.3, 0.2, 0.1, 1.0], 0.25, None, 1)
    assert wood["emission"] == [2.0, 1.0, 0.0] and wood["shader"] == "BsdfPrincipled"
    assert ["Noise Texture", "Fac", "Principled BSDF", "Roughness"] in wood["wires"] and wood["links"] == 2
    noise = next(one for one in wood["nodes"] if one["type"] == "ShaderNodeTexNoise")
    assert noise["settings"]["Scale"] == 5.0 and noise["settings"]["noise_dimensions"] == "3D"
    assert (glass["shader"], glass["transmission"]) == ("BsdfGlass", 1.0)
    assert (plain["base_color"], plain["nodes"]) == ([1.0, 0.0, 0.0, 1.0], [])


def test_images_say_whether_they_are_there(inspected: Callable[..., Any]) -> None:
    scene, _ = inspected(WHOLE)
    assert sorted(scene.value["materials"]["Pictured"]["images"]) == ["Lost", "Made"]
    found = {one["name"]: (one["missing"], one["packed"], one["size"]) for one in scene.value["images"]}
    assert found["Lost"] == (True, False, None) and found["Made"] == (False, False, [8, 4]) and found["Packed"] == (False, True, [4, 4])


def test_actions_have_their_keys_and_drivers_say_whether_they_run(inspected: Callable[..., Any]) -> None:
    scene, _ = inspected(WHOLE)
    action = scene.value["actions"]["Back and forth"]
    assert scene.one("Mover")["action"] == "Back and forth" and action["frames"] == [1.0, 25.0]
    x = action["curves"][0]
    assert (x["path"], x["index"], x["keys"]) == ("location", 0, [[1.0, 0.0], [13.0, 2.0], [25.0, 0.0]])
    assert (x["interpolation"], x["extrapolation"], x["modifiers"]) == (["LINEAR"], "CONSTANT", ["CYCLES"])
    [energy] = scene.value["actions"][scene.one("Many keys")["action"]]["curves"]
    assert len(energy["keys"]) == 200 and energy["keys_left_off"] == 50
    valid = {one["path"]: (one["owner"], one["simple"], one["valid"]) for one in scene.value["drivers"]}
    assert valid == {"scale": ("Driven", False, False), "location": ("Driven", True, True)} and scene.one("Driven")["drivers"] == 2


def test_armatures_weights_and_what_hangs_on_bones(inspected: Callable[..., Any]) -> None:
    scene, _ = inspected(WHOLE)
    upper, lower = scene.value["armatures"]["Bones"]["bones"]
    assert (upper["name"], upper["parent"], upper["tail"], upper["deform"]) == ("upper", None, [0, 0, 1], True)
    assert (lower["parent"], lower["deform"]) == ("upper", False)
    assert scene.one("Skin")["weights"] == {"unweighted": 4, "groups": {"upper": 3, "lower": 2}}
    assert scene.one("Skin")["vertex_groups"] == ["upper", "lower"] and scene.one("Handle")["parent_bone"] == "lower"
    assert [(one["bone"], one["type"], one["target"]) for one in scene.one("Rig")["bone_constraints"]] == [("lower", "IK", "Ball")]


def test_everything_else_is_told_of(inspected: Callable[..., Any]) -> None:
    scene, shapes = inspected(WHOLE)
    value = scene.value
    assert (value["render"]["engine"], value["render"]["samples"], value["render"]["camera"]) == ("CYCLES", 77, "Eye")
    assert value["fps"] == pytest.approx(29.97, abs=0.01) and value["frames"] == [1, 25] and value["custom"] == {"brief": "v2"}
    lens = value["cameras"]["Lens"]
    assert (lens["lens_mm"], lens["depth_of_field"]["object"]) == (85.0, "Ball")
    constraint = scene.one("Eye")["constraints"][0]
    assert (constraint["type"], constraint["target"], constraint["on"]) == ("TRACK_TO", "Ball", True)
    assert (value["lights"]["Bulb"]["type"], value["lights"]["Bulb"]["energy"], value["lights"]["Bulb"]["size"]) == ("AREA", 120.0, 0.5)
    assert [one["name"] for one in scene.one("Shaped")["shape_keys"]] == ["Basis", "Smile"]
    assert (scene.one("Words")["text"], scene.one("Words")["type"]) == ("OPEN", "FONT") and len(shapes.of("Words")["Words"].triangles) > 20
    assert scene.one("Ball")["rigid_body"]["mass"] == 3.0 and value["rigid_body_world"]
    assert value["texts"] == [{"name": "run.py", "auto_run": True, "lines": 1}] and value["world"]["name"] == "Sky"
    custom = scene.one("Driven")["custom"]
    assert (custom["note"], custom["sizes"], custom["odd"]) == ("<b>bold</b>", [1.5, 2.5], math.inf)
    assert custom["nested"]["deep"]["deeper"]["deepest"] == {"end": "..."} and [one for one in scene.objects() if "unreadable" in one] == []


def test_the_guide_tells_of_what_is_there(inspected: Callable[..., Any]) -> None:
    guide = (Path(__file__).parents[3] / "docs" / "blender.md").read_text("utf-8")
    guide = guide.partition("## The scene and the shapes\n")[2].partition("\n## ")[0]
    scene, _ = inspected(WHOLE)
    section, told = "", dict[str, set[str]]()
    for row in re.findall(r"^\| (.*) \|$", guide, re.M)[1:]:
        name, _, keys = row.partition("|")
        section = name.strip().strip("`") or section
        told.setdefault(section, set()).update(re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", keys)))
    for section, keys in told.items():
        held = scene.value[section]
        there = set().union(*(held.values() if isinstance(held, dict) else held))
        assert keys - there <= {"evaluated_render", "unreadable"} and len(keys) > 2, section
    assert set(re.findall(r"`(\w+)`", guide.partition("\nAnd ")[2].partition("\n\n")[0])) | set(told) == set(scene.value)


# --- damaged and strange files ----------------------------------------------------------------------------------------

ODD = """
lost = cube("Lost")
lost.location.y = float("nan")
endless = cube("Endless")
endless.scale.x = float("inf")
lines = cube("Two\\nlines <img src=x onerror=alert(1)>")
cube("Badname")
cube("Badnamf").data.name = "Badmesh"
held = bpy.data.collections.new("Badcoll")
scene.collection.children.link(held)
held.objects.link(lines)
lines["key"] = "Badtext"
loop = cube("Fine", (1, 1, 1))
bpy.ops.wm.save_as_mainfile(filepath=place, compress=False)
with open(place, "rb") as file:
    raw = file.read()
for word in (b"name", b"namf", b"mesh", b"coll", b"text"):
    assert b"Bad" + word in raw
    raw = raw.replace(b"Bad" + word, b"Ba\\xff" + word)
with open(place, "wb") as file:
    file.write(raw)
"""


def test_names_that_are_no_utf8_or_hold_markup_are_told_as_they_are(inspected: Callable[..., Any]) -> None:
    scene, shapes = inspected(ODD)
    names = [one["name"] for one in scene.objects()]
    assert {"Ba\\xffname", "Ba\\xffnamf", "Two\nlines <img src=x onerror=alert(1)>"} <= set(names)
    assert [one["name"] for one in scene.objects() if "unreadable" in one] == []
    assert scene.one("Ba\\xffnamf")["data"] == "Ba\\xffmesh" and scene.value["meshes"]["Ba\\xffmesh"]["faces"] == 6
    assert [one["name"] for one in scene.objects(collection="Ba?xffcoll")] == ["Two\nlines <img src=x onerror=alert(1)>"]
    assert scene.one("Two*")["custom"] == {"key": "Ba\\xfftext"} and "Ba\\xffname" in shapes.objects


def test_a_number_that_is_not_finite_is_the_submissions_fault_with_its_path(inspected: Callable[..., Any]) -> None:
    scene, shapes = inspected(ODD)
    with pytest.raises(SubmissionFault, match=r"^scene.objects\[Lost\].box\[\d\]: nan is not") as caught:
        scene.box_of(scene.objects())
    assert caught.value.cites == ("scene",)
    with pytest.raises(SubmissionFault, match=r"scene.objects\[Lost\].matrix\[7\]: nan"):
        scene.matrix_of(scene.one("Lost"))
    with pytest.raises(SubmissionFault, match=r"shapes.objects\[Lost\]: has points that are not finite"):
        shapes.of("Lost")
    assert scene.box_of([scene.one("Endless")])[1][0] > 1e38  # Blender holds numbers to those of single precision
    assert scene.box_of([scene.one("Fine")])[1] == pytest.approx([2, 2, 2]) and shapes.of("Fine")["Fine"].points.max() == 2


LINKED = """
import os
lent = cube("Lent")
for name in ("lost.blend", "kept.blend"):
    bpy.data.libraries.write(os.path.join(os.path.dirname(place), name), {lent}, fake_user=True)
bpy.data.objects.remove(lent)
cube("Lent")
for name in ("lost.blend", "kept.blend"):
    with bpy.data.libraries.load(os.path.join(os.path.dirname(place), name), link=True, relative=False) as (_, wanted):
        wanted.objects = ["Lent"]
    scene.collection.objects.link(wanted.objects[0])
bpy.ops.wm.save_as_mainfile(filepath=place)
os.unlink(os.path.join(os.path.dirname(place), "lost.blend"))
"""


def test_a_library_that_is_gone_leaves_a_placeholder_that_says_so(inspected: Callable[..., Any]) -> None:
    scene, shapes = inspected(LINKED)
    found = {one["name"]: (one["type"], one["missing"], one["library"]) for one in scene.objects()}
    assert found == {"Lent": ("MESH", False, None), "Lent [lost.blend]": ("EMPTY", True, "lost.blend"),
                     "Lent [kept.blend]": ("MESH", False, "kept.blend")}  # fmt: skip
    assert {Path(one["path"]).name: one["missing"] for one in scene.value["libraries"]} == {"lost.blend": True, "kept.blend": False}
    assert set(shapes.objects) == {"Lent", "Lent [kept.blend]"} and scene.value["meshes"].keys() >= {"Cube"} - {"Cube"}


def test_an_empty_scene_is_a_scene(inspected: Callable[..., Any]) -> None:
    scene, shapes = inspected("")
    assert (scene.objects(), shapes.of(), scene.value["totals"]["faces"], scene.value["render"]["camera"]) == ([], {}, 0, None)
    with pytest.raises(SubmissionFault, match="none of 0 objects has a shape"):
        scene.box_of(scene.objects())
    with pytest.raises(SubmissionFault, match=r"scene.objects: has no object 'Table'; there are none"):
        scene.one("Table")


@pytest.mark.parametrize("script", ["", PLACES, MESHES, INSTANCES, KINDS, MODIFIERS, WHOLE, ODD, LINKED])
def test_real_scenes_are_told_of_and_answer(inspected: Callable[..., Any], script: str) -> None:
    scene, _ = inspected(script)
    entry = Evidence("e" * 64, 0, 0, KIND, Observer.OUTSIDE, "inspect_project", value=scene.value)
    exhibitor = SceneExhibitor({}, Services(cache=Path()))
    shown = exhibitor.show(entry, bytes)
    assert f"{len(scene.objects())} objects" in shown.text and len(shown.text) < 20_000 and "<img" not in shown.html
    ask = {query.name: query.answer for query in exhibitor.queries(entry, bytes)}
    for one in scene.objects():
        assert json.dumps(ask["object"]({"name": one["name"]}), allow_nan=False)
    for section, query in (("meshes", "mesh"), ("materials", "material"), ("actions", "action")):
        for name in scene.value[section]:
            assert json.dumps(ask[query]({"name": name}), allow_nan=False)


MANY = """
first = cube("Thing")
for number in range(9999):
    one = bpy.data.objects.new("Thing", first.data)
    one.location.x = number
    scene.collection.objects.link(one)
"""


def test_ten_thousand_objects_are_all_there(inspected: Callable[..., Any]) -> None:
    scene, shapes = inspected(MANY)
    assert len(scene.objects("Thing*")) == 10_000 == len(shapes.objects) and scene.value["left_off"] == {}
    assert scene.box_of(scene.objects())[1] == pytest.approx([9999, 1, 1]) and len(shapes.meshes.starts) == 2


BOUNDED = """
import json, sys
from pathlib import Path
sys.path.insert(0, {inside!r})
bpy.ops.wm.open_mainfile(filepath={project!r}, load_ui=False, use_scripts=False)
import drawn, meshes, objects, summary
from visibility import Visibility
summary.MOST_OBJECTS, drawn.MOST_TRIANGLES, meshes.MOST_ELEMENTS, objects.WEIGHED_POINTS = 5, 30, 31, 7
seen = Visibility()
summary.write({{}}, Path(place).with_suffix(".json"), seen, drawn.Drawn(seen))
"""


def test_what_is_too_much_is_left_off_and_counted(made: Callable[..., Path]) -> None:
    from playproof_blender.stages import INSIDE

    project = made(TOOLS + WHOLE)
    place = made(BOUNDED.format(inside=str(INSIDE), project=str(project)))
    scene = json.loads(place.with_suffix(".json").read_text())
    assert [one["name"] for one in scene["objects"]] == ["Mover", "Many keys", "Driven", "Ball", "Eye"]
    drawn = scene["totals"]["drawn"]
    assert scene["left_off"]["objects"] == 6 and (drawn["parts"], drawn["triangles"]) == (2, 24)  # of cubes: a third would be too much
    assert drawn["left_off"] == 6 and scene["objects"][3]["box"] == pytest.approx([-1, -1, 3, 1, 1, 5])  # left off, and yet measured
    assert all("more than 31 corners" in one["unreadable"] for one in scene["meshes"].values()) and scene["totals"]["faces"] == 24
