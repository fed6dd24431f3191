"""The scene summary and the shapes: where things stand, what is hidden, and what draws other things."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from playproof.errors import SubmissionFault
from playproof_blender.shapes import Shapes

pytestmark = pytest.mark.heavy


def test_boxes_are_of_the_evaluated_points_in_the_world(inspected: Callable[..., Any]) -> None:
    scene, shapes = inspected("places")
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
    scene, shapes = inspected("places")
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
    _, shapes = inspected("places")
    for name, volume in (("Plain", 16), ("Turned", 8), ("Mirrored", 8)):
        assert volume_of(shapes, name) == pytest.approx(volume, rel=1e-6)


def volume_of(shapes: Shapes, name: str) -> float:
    a, b, c = np.moveaxis(shapes.of(name)[name].corners, 1, 0)
    return float((a * np.cross(b, c)).sum() / 6)


def test_the_scene_is_the_active_one_and_every_used_layer_renders(inspected: Callable[..., Any]) -> None:
    scene, shapes = inspected("layers")
    assert scene.value["scene"] == "Second" and [one["name"] for one in scene.value["scenes"]] == ["Scene", "Second"]
    assert {one["name"]: (one["shown"], one["rendered"]) for one in scene.objects()} == {
        "Of the second": (True, True), "In the other layer: cube": (False, True), "In an unused layer: cube": (False, False)}  # fmt: skip
    assert scene.one("Of the second")["box"] is None
    assert scene.value["totals"]["objects_in_file"] == 4 and shapes.objects == ("In the other layer: cube",)


# --- what draws other things ------------------------------------------------------------------------------------------


def test_what_an_object_draws_by_instancing_is_its_own(inspected: Callable[..., Any]) -> None:
    scene, shapes = inspected("instances")
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
    scene, shapes = inspected("instances")
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


def test_every_kind_of_object_is_told_of(inspected: Callable[..., Any]) -> None:
    scene, shapes = inspected("kinds")
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


def test_shapes_are_those_of_the_viewport_and_a_render_that_differs_is_counted(inspected: Callable[..., Any]) -> None:
    scene, shapes = inspected("modifiers")
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
    scene, _ = inspected("modifiers")
    told = scene.one("Bevelled")["modifiers"][0]
    assert (told["name"], told["type"], told["shown"], told["rendered"]) == ("Edge", "BEVEL", True, True)
    assert told["settings"]["width"] == 0.05 and told["settings"]["segments"] == 3 and told["settings"]["limit_method"] == "ANGLE"
    told = scene.one("Finer")["modifiers"][0]["settings"]
    assert (told["levels"], told["render_levels"]) == (1, 3)  # as the file has them, though both were tried
