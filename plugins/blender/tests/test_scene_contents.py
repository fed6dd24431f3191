"""The scene summary: meshes, materials, motion and what else a file holds; damaged and strange files."""

import json
import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from playproof.errors import SubmissionFault
from playproof.interfaces import Services
from playproof.model import Evidence, Observer
from playproof_blender.exhibits.scene import SceneExhibitor
from playproof_blender.scene import KIND
from playproof_blender.stages import INSIDE

pytestmark = pytest.mark.heavy


def test_a_sound_mesh_has_no_faults(inspected: Callable[..., Any]) -> None:
    scene, _ = inspected("meshes")
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
    scene, _ = inspected("meshes")
    found = scene.value["meshes"][name]
    assert {key: found[key] for key in wanted} == {key: pytest.approx(value) if isinstance(value, float) else value
                                                   for key, value in wanted.items()}  # fmt: skip
    others = [key for key in FAULTS if key not in wanted and key != "boundary_edges"]
    assert {key: found[key] for key in others if found[key]} == {} or name == "Not finite"


def test_uv_maps_that_lie_on_themselves_are_told_from_those_that_do_not(inspected: Callable[..., Any]) -> None:
    scene, _ = inspected("meshes")
    laid, stacked = (scene.value["meshes"][name] for name in ("Laid out", "Stacked"))
    assert laid["uv_layers"] == ["Other", "Used"] and laid["uv"]["layer"] == "Used" and scene.value["meshes"]["Sound"]["uv"] is None
    assert (laid["uv"]["coverage"], laid["uv"]["overlap"], laid["uv"]["area"]) == (pytest.approx(1, abs=0.002), 0.0, pytest.approx(1))
    assert (stacked["uv"]["coverage"], stacked["uv"]["overlap"]) == (pytest.approx(0.5, abs=0.002), 1.0)


def test_meshes_are_told_of_once_and_totals_count_every_use(inspected: Callable[..., Any]) -> None:
    scene, shapes = inspected("meshes")
    assert scene.one("Same")["data"] == "Slots" and scene.one("Slots")["materials"] == ["a", "b", None]
    assert [one["name"] for one in scene.objects(material="b")] == ["Slots", "Same"]
    assert scene.value["totals"]["faces"] == sum(scene.value["meshes"][one["data"]]["faces"] for one in scene.objects())
    assert scene.value["totals"]["drawn"]["triangles"] == sum(len(shapes.meshes[part.mesh].triangles) for part in shapes.parts)
    with pytest.raises(SubmissionFault, match=r"scene.meshes\[Not finite\].box\[\d\]: nan"):
        assert scene.mesh_of(scene.one("Not finite")).value
    with pytest.raises(SubmissionFault, match=r"shapes.objects\[Not finite\]: has points that are not finite"):
        shapes.of("Not finite")


# --- materials, motion, and what else a file holds --------------------------------------------------------------------


def test_materials_say_how_they_look(inspected: Callable[..., Any]) -> None:
    scene, _ = inspected("whole")
    wood, glass, plain = (scene.value["materials"][name] for name in ("Wood", "Glass", "Plain"))
    assert (wood["base_color"], wood["metallic"], wood["roughness"], wood["users"]) == ([0.3, 0.2, 0.1, 1.0], 0.25, None, 1)
    assert wood["emission"] == [2.0, 1.0, 0.0] and wood["shader"] == "BsdfPrincipled"
    assert ["Noise Texture", "Fac", "Principled BSDF", "Roughness"] in wood["wires"] and wood["links"] == 2
    noise = next(one for one in wood["nodes"] if one["type"] == "ShaderNodeTexNoise")
    assert noise["settings"]["Scale"] == 5.0 and noise["settings"]["noise_dimensions"] == "3D"
    assert (glass["shader"], glass["transmission"]) == ("BsdfGlass", 1.0)
    assert (plain["base_color"], plain["nodes"]) == ([1.0, 0.0, 0.0, 1.0], [])


def test_images_say_whether_they_are_there(inspected: Callable[..., Any]) -> None:
    scene, _ = inspected("whole")
    assert sorted(scene.value["materials"]["Pictured"]["images"]) == ["Lost", "Made"]
    found = {one["name"]: (one["missing"], one["packed"], one["size"]) for one in scene.value["images"]}
    assert found["Lost"] == (True, False, None) and found["Made"] == (False, False, [8, 4]) and found["Packed"] == (False, True, [4, 4])


def test_actions_have_their_keys_and_drivers_say_whether_they_run(inspected: Callable[..., Any]) -> None:
    scene, _ = inspected("whole")
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
    scene, _ = inspected("whole")
    upper, lower = scene.value["armatures"]["Bones"]["bones"]
    assert (upper["name"], upper["parent"], upper["tail"], upper["deform"]) == ("upper", None, [0, 0, 1], True)
    assert (lower["parent"], lower["deform"]) == ("upper", False)
    assert scene.one("Skin")["weights"] == {"unweighted": 4, "groups": {"upper": 3, "lower": 2}}
    assert scene.one("Skin")["vertex_groups"] == ["upper", "lower"] and scene.one("Handle")["parent_bone"] == "lower"
    assert [(one["bone"], one["type"], one["target"]) for one in scene.one("Rig")["bone_constraints"]] == [("lower", "IK", "Ball")]


def test_everything_else_is_told_of(inspected: Callable[..., Any]) -> None:
    scene, shapes = inspected("whole")
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
    scene, _ = inspected("whole")
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


def test_names_that_are_no_utf8_or_hold_markup_are_told_as_they_are(inspected: Callable[..., Any]) -> None:
    scene, shapes = inspected("odd")
    names = [one["name"] for one in scene.objects()]
    assert {"Ba\\xffname", "Ba\\xffnamf", "Two\nlines <img src=x onerror=alert(1)>"} <= set(names)
    assert [one["name"] for one in scene.objects() if "unreadable" in one] == []
    assert scene.one("Ba\\xffnamf")["data"] == "Ba\\xffmesh" and scene.value["meshes"]["Ba\\xffmesh"]["faces"] == 6
    assert [one["name"] for one in scene.objects(collection="Ba?xffcoll")] == ["Two\nlines <img src=x onerror=alert(1)>"]
    assert scene.one("Two*")["custom"] == {"key": "Ba\\xfftext"} and "Ba\\xffname" in shapes.objects


def test_a_number_that_is_not_finite_is_the_submissions_fault_with_its_path(inspected: Callable[..., Any]) -> None:
    scene, shapes = inspected("odd")
    with pytest.raises(SubmissionFault, match=r"^scene.objects\[Lost\].box\[\d\]: nan is not") as caught:
        scene.box_of(scene.objects())
    assert caught.value.cites == ("scene",)
    with pytest.raises(SubmissionFault, match=r"scene.objects\[Lost\].matrix\[7\]: nan"):
        scene.matrix_of(scene.one("Lost"))
    with pytest.raises(SubmissionFault, match=r"shapes.objects\[Lost\]: has points that are not finite"):
        shapes.of("Lost")
    assert scene.box_of([scene.one("Endless")])[1][0] > 1e38  # Blender holds numbers to those of single precision
    assert scene.box_of([scene.one("Fine")])[1] == pytest.approx([2, 2, 2]) and shapes.of("Fine")["Fine"].points.max() == 2


def test_a_library_that_is_gone_leaves_a_placeholder_that_says_so(inspected: Callable[..., Any]) -> None:
    scene, shapes = inspected("linked")
    found = {one["name"]: (one["type"], one["missing"], one["library"]) for one in scene.objects()}
    assert found == {"Lent": ("MESH", False, None), "Lent [lost.blend]": ("EMPTY", True, "lost.blend"),
                     "Lent [kept.blend]": ("MESH", False, "kept.blend")}  # fmt: skip
    assert {Path(one["path"]).name: one["missing"] for one in scene.value["libraries"]} == {"lost.blend": True, "kept.blend": False}
    assert set(shapes.objects) == {"Lent", "Lent [kept.blend]"} and scene.value["meshes"].keys() >= {"Cube"} - {"Cube"}


def test_an_empty_scene_is_a_scene(inspected: Callable[..., Any]) -> None:
    scene, shapes = inspected("nothing")
    assert (scene.objects(), shapes.of(), scene.value["totals"]["faces"], scene.value["render"]["camera"]) == ([], {}, 0, None)
    with pytest.raises(SubmissionFault, match="none of 0 objects has a shape"):
        scene.box_of(scene.objects())
    with pytest.raises(SubmissionFault, match=r"scene.objects: has no object 'Table'; there are none"):
        scene.one("Table")


@pytest.mark.parametrize("name", ["nothing", "places", "meshes", "instances", "kinds", "modifiers", "whole", "odd", "linked"])
def test_real_scenes_are_told_of_and_answer(inspected: Callable[..., Any], name: str) -> None:
    scene, _ = inspected(name)
    entry = Evidence("e" * 64, 0, 0, KIND, Observer.OUTSIDE, "inspect_project", value=scene.value)
    exhibitor = SceneExhibitor({}, Services(cache=Path()))
    shown = exhibitor.show(entry, bytes)
    assert f"{len(scene.objects())} objects" in shown.text and len(shown.text) < 20_000 and "<img" not in shown.html
    ask = {query.name: query.answer for query in exhibitor.queries(entry, bytes)}
    for one in scene.objects():
        assert json.dumps(ask["object"]({"name": one["name"]}), allow_nan=False)
    for section, query in (("meshes", "mesh"), ("materials", "material"), ("actions", "action")):
        for each in scene.value[section]:
            assert json.dumps(ask[query]({"name": each}), allow_nan=False)


def test_ten_thousand_objects_are_all_there(inspected: Callable[..., Any]) -> None:
    scene, shapes = inspected("many")
    assert len(scene.objects("Thing*")) == 10_000 == len(shapes.objects) and scene.value["left_off"] == {}
    assert scene.box_of(scene.objects())[1] == pytest.approx([9999, 1, 1]) and len(shapes.meshes.starts) == 2


def test_what_is_too_much_is_left_off_and_counted(made: Callable[..., Path], script: Callable[[str], str]) -> None:
    project = made(script("tools") + script("whole"))
    place = made(script("bounded").format(inside=str(INSIDE), project=str(project)))
    scene = json.loads(place.with_suffix(".json").read_text())
    assert [one["name"] for one in scene["objects"]] == ["Mover", "Many keys", "Driven", "Ball", "Eye"]
    drawn = scene["totals"]["drawn"]
    assert scene["left_off"]["objects"] == 6 and (drawn["parts"], drawn["triangles"]) == (2, 24)  # of cubes: a third would be too much
    assert drawn["left_off"] == 6 and scene["objects"][3]["box"] == pytest.approx([-1, -1, 3, 1, 1, 5])  # left off, and yet measured
    assert all("more than 31 corners" in one["unreadable"] for one in scene["meshes"].values()) and scene["totals"]["faces"] == 24
