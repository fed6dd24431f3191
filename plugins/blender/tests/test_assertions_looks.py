"""Statements about materials, UV maps, pictures of cameras, and what an edit was to leave alone."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from playproof.drivers import build
from playproof.errors import ExpectationFailed, SubmissionFault, TaskError
from playproof.interfaces import Assertion, Services
from playproof.model import Outcome, Ref
from playproof_blender.assertions.changes import differs
from playproof_blender.colours import linear
from playproof_blender.testing import Toy, cuboid, scene_value, shapes_bytes, taken

OAK = {"users": 1, "base_color": [0.25, 0.1, 0.025, 1.0], "metallic": 0.0, "roughness": 0.6, "transmission": 0.0, "emission": [0, 0, 0],
       "alpha": 1.0, "nodes": [{"name": "Image", "type": "ShaderNodeTexImage"}], "images": ["grain"]}  # fmt: skip
NEON = {**OAK, "base_color": None, "emission": [0, 4.0, 8.0], "nodes": [], "images": [], "roughness": None}
MATERIALS = {"Oak": OAK, "Neon": NEON}
IMAGES = [{"name": "grain", "size": [1000, 1000]}]
SEAT, SIGN, BARE = (cuboid(name, (x, 5.0, 0), 1.0, materials=materials) for name, x, materials in (
    ("Seat", 0, ["Oak"]), ("Sign", 3, ["Oak", "Neon"]), ("Bare", 1, [None])))  # fmt: skip
LENS = {"type": "PERSP", "lens_mm": 50.0, "clip": [0.1, 100.0], "ortho_scale": 6.0, "sensor_mm": [36.0, 24.0],
        "sensor_fit": "AUTO", "shift": [0, 0]}  # fmt: skip
UPRIGHT = [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1]
"""A camera in the origin that looks along y, z up."""


def camera(name: str = "Camera", lens: str = "Lens", matrix: Sequence[float] = UPRIGHT) -> Toy:
    nothing: Any = np.zeros((0, 3))
    return Toy(name, nothing, nothing, {"type": "CAMERA", "data": lens, "matrix": list(matrix)})


REST: Mapping[str, Any] = {
    "materials": MATERIALS, "images": IMAGES, "render": {"camera": "Camera", "resolution": [1920, 1080, 100]}, "fps": 24,
    "cameras": {"Lens": LENS, "Flat": {**LENS, "type": "ORTHO"}, "Shifted": {**LENS, "shift": [0.5, 0]}},
}  # fmt: skip


def uv(coverage: Any, overlap: Any, area: float = 0.5, lost: float = 0.0) -> Any:
    return {"uv": {"coverage": coverage, "overlap": overlap, "outside": 0.0, "area": area, "lost": lost}}


MESHES = {"Seat mesh": {"faces": 6, **uv(0.5, 0.0)}, "Sign mesh": {"faces": 6, **uv(0.2, 0.4)}, "Bare mesh": {"faces": 6, "uv": None}}


@pytest.fixture
def ask(tmp_path: Path) -> Callable[..., str]:
    def asked(name: str, things: Sequence[Toy], starter: Sequence[Toy] | None = None, top: Any = None, **options: Any) -> str:
        assertion: Assertion = build("assertion", Ref(f"blender.{name}", options), Services(Path()))
        before = scene_value(starter, **REST) if starter is not None else {"none": "there is none"}
        blobs = {("blender.starter/1", "starter"): json.dumps(before).encode(),
                 ("blender.starter-shapes/1", "starter"): shapes_bytes(starter or [])}  # fmt: skip
        verdict = assertion.check(taken(tmp_path, things, blobs=blobs, **{**REST, **(top or {})}))
        assert verdict.outcome is Outcome.PASS
        assert verdict.cites
        return verdict.message

    return asked


MIXED = {"meshes": MESHES}


@pytest.mark.parametrize(("name", "options", "says"), [
    ("material", {"objects": "Seat", "colour": [0.25, 0.1, 0.025], "colour_within": 0.01}, "'Oak' is as wanted"),
    ("material", {"objects": "Seat", "colour": "#895a2b"}, "Oak"),
    ("material", {"objects": ["Seat", "Sign"], "roughness": {"at_least": 0.5}, "metallic": 0, "uses": ["TexImage"], "textured": True},
     "hold"),
    ("material", {"objects": "Sign", "emits": True, "named": "N*"}, "'Neon' is as wanted"),
    ("material", {"objects": ["Seat", "Sign"], "distinct_at_least": 2, "distinct_at_most": 2}, "hold"),
    ("uv", {"objects": "Seat", "overlap_at_most": 0, "coverage_at_least": 0.5, "outside_at_most": 0}, "covers 50 %"),
    ("uv", {"objects": "Seat", "density_at_least": 288, "density_at_most": 289}, "covers 50 %"),
    ("uv", {"objects": "Seat", "density_at_least": 577, "density_at_most": 578, "pixels": 2000}, "covers"),
    ("framing", {"objects": "Seat"}, "8 of 8 corners are in the picture"),
    ("framing", {"objects": "Seat", "share_at_least": 0.13, "share_at_most": 0.18}, "8 of 8"),
    ("framing", {"objects": "*t", "camera": "Camera", "inside_at_least": 1}, "Seat"),
])  # fmt: skip
def test_passes(ask: Callable[..., str], name: str, options: Any, says: str) -> None:
    assert says in ask(name, [SEAT, SIGN, BARE, camera()], top=MIXED, **options)


@pytest.mark.parametrize(("name", "options", "says"), [
    ("material", {"objects": "*a*", "colour": "#ff0000"},
     "materials of '*a*': wanted colour #ff0000 within 0.1, but Seat: 'Oak' has colour #89592c"),
    ("material", {"objects": "Bare"}, "wanted a material, but Bare: has no material"),
    ("material", {"objects": "Sign", "all": True, "roughness": {"at_most": 0.7}},
     "wanted roughness from -inf to 0.7, but Sign: 'Neon' has no one"),
    ("material", {"objects": "Seat", "emits": True, "uses": ["TexNoise"], "named": "Pine"},
     "Seat: 'Oak' is named otherwise, does not glow, has no node TexNoise"),
    ("material", {"objects": "Seat", "distinct_at_least": 3}, "1 different materials on 'Seat' ('Oak'); wanted at least 3"),
    ("uv", {"objects": "S*", "overlap_at_most": 0.01},
     "wanted overlap at most 0.01, but Sign: overlap is 40 % (39 % too much); 1 of 2 hold"),
    ("uv", {"objects": "Bare"}, "Bare: has no UV map"),
    ("uv", {"objects": "Camera"}, "of 1 objects 'Camera' none is of type MESH ('Camera')"),
    ("uv", {"objects": "Seat", "density_at_least": 500}, "Seat: 288.7 pixels per metre (211.3 pixels per metre too little)"),
    ("framing", {"objects": "Sign"},
     "'Sign' in the picture of 'Camera': wanted 100 % of the corners inside, but Sign: 0 of 8 corners are in the "
     "picture (the others: right), 0 % of it"),
    ("framing", {"objects": "Seat", "share_at_least": 0.5},
     "from 50 % to 100 % of the picture, but Seat: 8 of 8 corners are in the picture, 16.9 % of it"),
    ("framing", {"objects": "Seat", "margin": 0.45}, "0 of 8 corners"),
])  # fmt: skip
def test_fails(ask: Callable[..., str], name: str, options: Any, says: str) -> None:
    with pytest.raises(ExpectationFailed) as failed:
        ask(name, [SEAT, SIGN, BARE, camera()], top=MIXED, **options)
    assert says in str(failed.value)
    assert failed.value.cites


def test_a_map_that_was_too_costly_to_look_at_fails_and_says_so(ask: Callable[..., str]) -> None:
    costly = {"meshes": {"Seat mesh": {"faces": 6, **uv(None, None)}}}
    with pytest.raises(ExpectationFailed, match="its overlap is too costly to find out"):
        ask("uv", [SEAT], top=costly, objects="Seat", overlap_at_most=0.1)


def test_a_map_without_area_is_no_map(ask: Callable[..., str]) -> None:
    collapsed = {"meshes": {"Seat mesh": {"faces": 6, **uv(0.0, 0.0, 0.0, lost=1.0)}}}
    with pytest.raises(ExpectationFailed, match="100 % of its triangles have no area on the map"):
        ask("uv", [SEAT], top=collapsed, objects="Seat", overlap_at_most=0.1)


def test_cameras_of_other_kinds(ask: Callable[..., str]) -> None:
    """An orthographic picture 6 m wide takes 3 m to each side and 1.6875 m up and down; a shift of a half moves it by half its width."""
    left, high = cuboid("Left", (-2.4, 5, 0)), cuboid("High", (0, 5, 1.1875))
    for one in (left, high):
        ask("framing", [one, camera(lens="Flat")], objects=one.name)
    with pytest.raises(ExpectationFailed, match=r"4 of 8 corners .* above"):
        ask("framing", [cuboid("Higher", (0, 5, 1.3)), camera(lens="Flat")], objects="Higher")
    ask("framing", [SIGN, camera(lens="Shifted")], objects="Sign", inside_at_least=0.5)
    with pytest.raises(ExpectationFailed, match=r"8 lie behind it"):
        ask("framing", [cuboid("Behind", (0, -5, 0)), camera()], objects="Behind")
    with pytest.raises(ExpectationFailed, match="the scene has no camera"):
        ask("framing", [SEAT], objects="Seat", top={"render": {"camera": None}})
    with pytest.raises(SubmissionFault, match="has no CAMERA object 'Shot 2'"):
        ask("framing", [SEAT, camera()], objects="Seat", camera="Shot 2")


ROOM = [cuboid("Table", (0, 0, 0.5)), cuboid("Lamp", (2, 0, 0.5), materials=["Oak"]), camera()]


def test_what_was_left_alone_is_preserved(ask: Callable[..., str]) -> None:
    edited = [ROOM[0], cuboid("Lamp", (3, 0, 0.5), 2.0), cuboid("Shade", (3, 0, 2)), camera()]
    assert "all 2 hold" in ask("preservation", edited, ROOM, edited=["Lamp"], added=["Shade*"])


@pytest.mark.parametrize(("now", "top", "says"), [
    ([ROOM[0], ROOM[2]], {}, "Lamp: is gone; 2 of 3 hold"),
    ([cuboid("Table", (0.001, 0, 0.5)), *ROOM[1:]], {}, "Table: matrix[3] is 0.001 and was 0; its shape differs by 1 mm"),
    ([Toy("Table", ROOM[0].points * 1.01, ROOM[0].triangles, ROOM[0].told), *ROOM[1:]], {}, "Table: its shape differs by 10 mm"),
    ([Toy("Table", ROOM[0].points, ROOM[0].triangles[1:], ROOM[0].told), *ROOM[1:]], {}, "(12 triangles before, 11 now)"),
    ([Toy("Table", ROOM[0].points, ROOM[0].triangles[:, ::-1], ROOM[0].told), *ROOM[1:]], {}, "Table: it is turned inside out"),
    ([*ROOM, cuboid("Cube")], {}, "Cube: is new; 3 of 4 hold"),
    ([ROOM[0], cuboid("Lamp", (2, 0, 0.5), materials=["Neon"]), ROOM[2]], {}, "Lamp: materials[0] is 'Neon' and was 'Oak'"),
    (ROOM, {"materials": {**MATERIALS, "Oak": {**OAK, "roughness": 0.1}}}, "Lamp: materials[Oak].roughness is 0.1 and was 0.6"),
    (ROOM, {"cameras": {"Lens": {**LENS, "lens_mm": 35.0}}}, "Camera: cameras[Lens].lens_mm is 35 and was 50"),
    (ROOM, {"fps": 30}, "the scene: fps is 30 and was 24"),
    ([ROOM[0], cuboid("Lamp", (2, 0, 0.5), materials=["Oak"], parent="Table"), ROOM[2]], {}, "Lamp: parent is 'Table' and was nothing"),
])  # fmt: skip
def test_what_was_changed_is_named(ask: Callable[..., str], now: Sequence[Toy], top: Any, says: str) -> None:
    with pytest.raises(ExpectationFailed) as failed:
        ask("preservation", now, ROOM, top=top)
    assert "what was not to be changed (all): wanted as it was, but " in str(failed.value)
    assert says in str(failed.value)
    assert len(failed.value.cites) == 4


def test_the_smallest_thing_and_an_open_sheet_are_seen_when_they_turn(ask: Callable[..., str]) -> None:
    small = cuboid("Bead", (0, 0, 0.5), 0.002)
    sheet = Toy("Sheet", small.points * 50, small.triangles[:2], small.told)
    for one in small, sheet:
        ask("preservation", [Toy(one.name, one.points, one.triangles[::-1], one.told)], [one])
        with pytest.raises(ExpectationFailed, match=f"{one.name}: it is turned inside out"):
            ask("preservation", [Toy(one.name, one.points, one.triangles[:, ::-1], one.told)], [one])


def test_who_else_uses_a_material_is_no_change_and_aspects_can_be_left_out(ask: Callable[..., str]) -> None:
    ask("preservation", ROOM, ROOM, top={"materials": {**MATERIALS, "Oak": {**OAK, "users": 7}}})
    ask("preservation", ROOM, ROOM, top={"materials": {**MATERIALS, "Oak": {**OAK, "roughness": 0.1}}}, materials=["Oak"])
    ask("preservation", [cuboid("Table", (1, 0, 0.5)), *ROOM[1:]], ROOM, aspects=["materials"], scene=[])


def test_a_task_without_a_starter_cannot_ask_for_preservation(ask: Callable[..., str]) -> None:
    with pytest.raises(TaskError, match="the task has no starter to hold a submission against: there is none"):
        ask("preservation", ROOM)


def test_the_first_difference_of_two_values() -> None:
    assert differs({"a": [1, {"b": 2.0}]}, {"a": [1.00001, {"b": 2}]}, "x", 1e-4) is None
    assert differs({"a": [1, {"b": 2.0}]}, {"a": [1, {"b": 3}]}, "x", 1e-4) == "x.a[1].b is 3 and was 2"
    assert differs([1, 2], [1], "x", 1) == "x has 1 entries and had 2"
    assert differs({"a": 1}, {}, "x", 1) == "x.a is nothing and was 1"
    assert differs(True, 1, "x", 1) == "x is 1 and was True"
    assert differs(float("nan"), float("nan"), "x", 1) is None
    assert differs(float("nan"), 0.0, "x", 1) == "x is 0 and was nan"
    assert differs(0.0, 1e9, "x", 1e-4) == "x is 1e+09 and was 0"


def test_colours() -> None:
    assert linear("#ff0080") == pytest.approx([1.0, 0.0, 0.2158605], abs=1e-6)
    assert linear([0.1, 0.2, 0.3, 1.0]) == [0.1, 0.2, 0.3]
    for wrong in ("red", "#12345", [1, 2], None, [1, 2, True]):
        with pytest.raises(ValueError, match="is no colour"):
            linear(wrong)


@pytest.mark.parametrize(("name", "options", "says"), [
    ("material", {"objects": "A", "colour": "red"}, r"'red' is no colour; .* @ \$.colour"),
    ("material", {"objects": "A", "roughness": {"about": 1}}, r"is no range; .* @ \$.roughness"),
    ("preservation", {"aspects": ["smell"]}, "aspects has 'smell'; known: "),
    ("preservation", {"scene": ["smell"]}, "scene has 'smell'; known: "),
    ("framing", {"objects": "A", "share_at_least": 2}, "share_at_least"),
    ("uv", {"objects": "A", "overlap": 0.1}, "overlap"),
])  # fmt: skip
def test_options_that_make_no_sense_are_refused_at_once(name: str, options: Any, says: str) -> None:
    with pytest.raises(TaskError, match=says):
        build("assertion", Ref(f"blender.{name}", options), Services(Path()))
