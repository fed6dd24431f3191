"""Statements about what a scene holds: each driver passes, fails, and says what an artist has to look for."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from playproof.drivers import build
from playproof.errors import CheckSignal, ExpectationFailed, SubmissionFault, TaskError
from playproof.interfaces import Assertion, Services
from playproof.model import Outcome, Ref
from playproof_blender.assertions.lengths import metres, spelled
from playproof_blender.testing import Toy, cuboid, taken

FEET = [(-0.4, -0.4), (0.4, -0.4), (-0.4, 0.4), (0.4, 0.4)]
WOOD = {"base_color": [0.5, 0.2, 0.05, 1.0], "images": ["grain"]}


def leg(number: int, height: float = 0.15, **told: Any) -> Toy:
    x, y = FEET[number]
    bevel = {"name": "Bevel", "type": "BEVEL", "shown": True, "rendered": True, "settings": {"width": 0.002, "segments": 3}}
    return cuboid(f"Leg.00{number}", (x, y, height / 2), (0.04, 0.04, height),
                  **{"parent": "Top", "collections": ["Frame"], "materials": ["Oak"], "modifiers": [bevel], **told})  # fmt: skip


TOP = cuboid("Top", (0, 0, 0.16), (1, 1, 0.02), materials=["Oak", None], collections=["Table"])
TABLE = [*(leg(number) for number in range(4)), TOP]
SHORT = [*TABLE[:3], leg(3, 0.142, parent=None, collections=[], modifiers=[]), TOP]
REST = {
    "collections": [{"name": "Table", "objects": ["Top"], "children": ["Frame"]},
                    {"name": "Frame", "objects": [f"Leg.00{n}" for n in range(4)]}],
    "materials": {"Oak": WOOD}, "images": [{"name": "grain", "size": [2048, 1024]}, {"name": "unused", "size": [8192, 8192]}],
}  # fmt: skip


@pytest.fixture
def ask(tmp_path: Path) -> Callable[..., str]:
    """What a driver says of the things: the message of its pass, or its failure."""

    def asked(name: str, things: Sequence[Toy], top: Any = None, **options: Any) -> str:
        assertion: Assertion = build("assertion", Ref(f"blender.{name}", options), Services(Path()))
        evidence = taken(tmp_path, things, **(REST | (top or {})))
        assert assertion.reads <= {one.kind for one in evidence}
        verdict = assertion.check(evidence)
        assert (verdict.outcome, bool(verdict.seen), bool(verdict.wanted)) == (Outcome.PASS, True, True)
        assert verdict.cites, "it says what it rests on"
        return verdict.message

    return asked


LEGS = {"objects": "Leg*"}


@pytest.mark.parametrize(("name", "options", "says"), [
    ("dimension", {**LEGS, "axis": "z", "equals": "150 mm", "tolerance": "1 mm"}, "all 4 hold (Leg.000: 150 mm"),
    ("dimension", {"objects": "*", "together": True, "axis": "z", "equals": "17 cm", "tolerance": 0.001}, "170 mm"),
    ("dimension", {"objects": "Top", "axis": "shortest", "at_most": "0.02 m"}, "Top: 20 mm"),
    ("dimension", {"objects": "Top", "axis": "x", "to": "Leg*", "to_axis": "z", "ratio": 6.667, "ratio_tolerance": 0.01}, "6.66667"),
    ("position", {**LEGS, "point": "bottom", "axis": "z", "equals": 0, "tolerance": "1 mm"}, "all 4 hold"),
    ("position", {**LEGS, "point": "top", "relative_to": "Top", "relative_point": "bottom", "axis": "z", "equals": 0, "tolerance": 1e-6},
     "hold"),
    ("position", {**LEGS, "axis": "level", "equals": 0.56568, "tolerance": "0.1 mm"}, "565.7 mm"),
    ("position", {"objects": ["Leg.000", "Leg.003"], "together": True, "axis": "x", "equals": 0, "tolerance": "1 mm"}, "0 mm"),
    ("position", {"objects": "Leg.001", "point": "origin", "axis": "x", "at_least": "0.4 m"}, "400 mm"),
    ("position", {**LEGS, "within": "*"}, "inside"),
    ("count", {**LEGS, "equals": 4}, "4 objects among 'Leg*'"),
    ("count", {"objects": "Chair*", "equals": 0}, "0 objects"),
    ("count", {"objects": {"collection": "Table", "type": "MESH"}, "at_least": 5}, "5 objects"),
    ("count", {"objects": "*", "of": "materials", "at_most": 1}, "1 materials"),
    ("count", {"objects": "*", "of": "parts", "equals": 5}, "5 parts"),
    ("count", {"objects": {"objects": "*", "but": "Top"}, "of": "instances", "equals": 4}, "4 instances"),
    ("budget", {"of": "triangles", "at_most": 60}, "60"),
    ("budget", {"of": "faces", "measured": "base", "at_most": 30}, "30"),
    ("budget", {**LEGS, "of": "triangles", "each": True, "at_least": 12}, "all 4 hold"),
    ("budget", {"objects": "Top", "of": "pixels", "at_most": 2048 * 1024}, "2,097,152"),
    ("naming", {"patterns": ["Leg*", "Top"]}, "all 5 hold"),
    ("naming", {"of": "materials"}, "Oak"),
    ("naming", {"of": "collections", "patterns": ["Table", "Frame"]}, "Frame"),
    ("hierarchy", {**LEGS, "parent": "Top", "collection": "Table"}, "hold"),
    ("hierarchy", {"objects": "Top", "root": True}, "Top"),
    ("modifier", {**LEGS, "type": "BEVEL", "settings": {"width": "2 mm", "segments": {"at_least": 2}}}, "is as wanted"),
    ("modifier", {"objects": "Top", "type": "BEVEL", "absent": True}, "has none"),
])  # fmt: skip
def test_passes(ask: Callable[..., str], name: str, options: Any, says: str) -> None:
    assert says in ask(name, TABLE, **options)


@pytest.mark.parametrize(("name", "options", "says"), [
    ("dimension", {**LEGS, "axis": "z", "equals": "150 mm", "tolerance": "1 mm"},
     "z of 'Leg*': wanted 150 mm ± 1 mm, but Leg.003: 142 mm (8 mm too little); 3 of 4 hold"),
    ("dimension", {"objects": "leg*", "axis": "z", "at_least": 1}, "no object 'leg*'; near: 'Leg.000', 'Leg.001'"),
    ("dimension", {"objects": "Top", "axis": "x", "to": "Leg.003", "to_axis": "z", "ratio_at_most": 6},
     "x of 'Top' as a share of z of 'Leg.003' (142 mm): wanted at most 6, but Top: 7.04225 (1.04225 too much)"),
    ("position", {**LEGS, "point": "top", "relative_to": "Top", "relative_point": "bottom", "axis": "z", "equals": 0, "tolerance": "1 mm"},
     "z of the top of 'Leg*' from the bottom of 'Top': wanted 0 mm ± 1 mm, but Leg.003: -8 mm (8 mm too little); 3 of 4 hold"),
    ("position", {"objects": "Leg.000", "within": "Top", "tolerance": "2 cm"}, "Leg.000: sticks out by 150 mm along z"),
    ("count", {"objects": "Legs*", "equals": 4}, "0 objects among 'Legs*'; wanted 4 (objects: none; near: 'Leg.00"),
    ("count", {**LEGS, "at_most": 3}, "4 objects among 'Leg*'; wanted at most 3 (objects: 'Leg.000', 'Leg.001', 'Leg.002', 'Leg.003')"),
    ("budget", {"of": "triangles", "at_most": 50}, "the whole scene: 60 (10 too much), most of it 'Leg.000' 12"),
    ("budget", {"of": "longest_side", "at_most": 4096}, "8,192 (4,096 too much), most of it 'unused' 8,192"),
    ("naming", {"patterns": ["Leg*"]}, "names of objects: wanted 'Leg*', no default name, but 'Top': fits none; 4 of 5 hold"),
    ("naming", {"copies": False}, "'Leg.000': ends in the number of a copy"),
    ("hierarchy", {**LEGS, "parent": "Top"}, "wanted parent 'Top', but Leg.003: hangs on nothing; 3 of 4 hold"),
    ("hierarchy", {**LEGS, "root": True}, "Leg.000: hangs on 'Top'"),
    ("hierarchy", {"objects": "Leg.000", "bone": "Spine"}, "Leg.000: follows no bone"),
    ("hierarchy", {"objects": "Top", "collection": "Frame"}, "Top: is in 'Table'"),
    ("modifier", {**LEGS, "type": "BEVEL"}, "wanted a live BEVEL modifier, but Leg.003: has no modifier; 3 of 4 hold"),
    ("modifier", {"objects": "Leg.000", "type": "BEVEL", "settings": {"width": "5 mm", "loops": 2}},
     "Leg.000: 'Bevel' has width 0.002 and has no setting 'loops'"),
    ("modifier", {"objects": "Leg.000", "type": "BEVEL", "absent": True}, "Leg.000: has 'Bevel'"),
])  # fmt: skip
def test_fails(ask: Callable[..., str], name: str, options: Any, says: str) -> None:
    with pytest.raises(ExpectationFailed) as failed:
        ask(name, SHORT, **options)
    assert says in str(failed.value)
    assert failed.value.cites


def test_a_default_name_is_told_from_a_chosen_one(ask: Callable[..., str]) -> None:
    for name in ("Cube", "Cube.001", "Suzanne", "Empty.012"):
        with pytest.raises(ExpectationFailed, match=r"is a default name"):
            ask("naming", [cuboid(name)])
    ask("naming", [cuboid("Cube of ice"), cuboid("Sunflower"), cuboid("CubeMap.001")])


def test_a_modifier_that_is_off_is_not_live(ask: Callable[..., str]) -> None:
    off = [leg(0, modifiers=[{"name": "B", "type": "BEVEL", "shown": True, "rendered": False, "settings": {}}])]
    with pytest.raises(ExpectationFailed, match="'B' is off in renders"):
        ask("modifier", off, objects="*", type="BEVEL")
    ask("modifier", off, objects="*", type="BEVEL", may_be_off=True)


def test_of_what_stands_turned_the_own_axes_can_be_asked(ask: Callable[..., str]) -> None:
    turned = [cuboid("Plank", (0, 0, 0), (2.0, 0.1, 0.1), turned=45)]
    ask("dimension", turned, objects="Plank", axis="x", frame="own", equals="2 m", tolerance="1 mm")
    with pytest.raises(ExpectationFailed, match=r"1.48492 m"):
        ask("dimension", turned, objects="Plank", axis="x", equals="2 m", tolerance="1 mm")


def test_what_hangs_on_what_hangs_on_a_parent_hangs_on_it(ask: Callable[..., str]) -> None:
    line = [cuboid("Car"), cuboid("Axle", parent="Car"), cuboid("Wheel", parent="Axle")]
    ask("hierarchy", line, objects="Wheel", parent="Car")
    with pytest.raises(ExpectationFailed, match="Wheel: hangs on 'Axle'"):
        ask("hierarchy", line, objects="Wheel", parent="Car", deep=False)


def test_parents_in_a_circle_end(ask: Callable[..., str]) -> None:
    with pytest.raises(ExpectationFailed, match="hangs on 'B'"):
        ask("hierarchy", [cuboid("A", parent="B"), cuboid("B", parent="A")], objects="A", parent="Root")


@pytest.mark.parametrize("spoiled", [
    {"box": [0, 0, 0, 1, 1, float("nan")]}, {"box": None}, {"box": [0, 0]}, {"box": "large"}, {"unreadable": "KeyError"},
])  # fmt: skip
def test_what_a_submission_spoiled_is_its_fault(ask: Callable[..., str], spoiled: Any) -> None:
    with pytest.raises(SubmissionFault, match=r"scene.objects\[Odd\]") as fault:
        ask("dimension", [cuboid("Odd", **spoiled)], objects="Odd", axis="z", at_least=0)
    assert fault.value.cites


def test_enormous_and_empty_things_are_measured_or_faulted(ask: Callable[..., str]) -> None:
    ask("dimension", [cuboid("Far", (1e9, 0, 0))], objects="Far", axis="y", equals=1, tolerance="1 mm")
    nothing = Toy("Nothing", np.zeros((0, 3)), np.zeros((0, 3)), {})
    for name, options in (("dimension", {"axis": "z", "at_least": 0}), ("count", {"of": "parts", "at_least": 1})):
        with pytest.raises(CheckSignal, match="Nothing"):
            ask(name, [nothing], objects="*" if name == "dimension" else "Nothing", **options)


@pytest.mark.parametrize(("name", "options", "says"), [
    ("dimension", {**LEGS, "axis": "z", "equals": "150 mn", "tolerance": 1}, r"'150 mn' has the unit 'mn'; known: .* @ \$.equals"),
    ("dimension", {**LEGS, "axis": "z", "equals": 1, "tolerance": "wide"}, r"'wide' is no length; .* @ \$.tolerance"),
    ("dimension", {**LEGS, "axis": "z", "at_least": True}, r"True is no length"),
    ("dimension", {**LEGS, "axis": "w", "at_least": 1}, r"\$.axis"),
    ("dimension", {**LEGS, "axis": "z", "equals": 1}, "equals wants a tolerance"),
    ("dimension", {**LEGS, "axis": "z"}, "say equals with tolerance, at_least, at_most"),
    ("dimension", {**LEGS, "axis": "z", "at_least": 2, "at_most": 1}, "at_least 2 m is more than at_most 1 m"),
    ("dimension", {"axis": "z", "at_least": 2}, r"missing key 'objects'"),
    ("dimension", {"objects": [], "axis": "z", "at_least": 2}, r"names no objects; .* @ \$.objects"),
    ("dimension", {"objects": {"colour": "red"}, "axis": "z", "at_least": 2}, r"unknown key 'colour' @ \$.objects"),
    ("dimension", {**LEGS, "axis": "z", "at_least": 2, "to": "Top"}, "belong to `to`"),
    ("position", {**LEGS}, "say either axis"),
    ("count", {**LEGS, "equals": 1.5}, r"expected int"),
    ("modifier", {**LEGS, "type": "BEVEL", "settings": {"width": {"about": 1}}}, "settings.width"),
    ("hierarchy", {**LEGS}, "say parent, root, bone or collection"),
])  # fmt: skip
def test_options_that_make_no_sense_are_refused_at_once(name: str, options: Any, says: str) -> None:
    with pytest.raises(TaskError, match=says):
        build("assertion", Ref(f"blender.{name}", options), Services(Path()))


def test_lengths() -> None:
    assert [metres(one) for one in ("150 mm", "0.15 m", "15cm", "-2e3 mm", ".5 km", "1 in", 3, 0.25)] == pytest.approx(
        [0.15, 0.15, 0.15, -2.0, 500.0, 0.0254, 3, 0.25])  # fmt: skip
    assert [spelled(one) for one in (0.15, -0.0005, 1.0, 0.99999999, 1500)] == ["150 mm", "-0.5 mm", "1 m", "1 m", "1500 m"]
    for wrong in ("", "mm", "1", "1 mm mm", "1,5 mm", None, float("nan"), float("inf"), [1]):
        with pytest.raises(ValueError, match="is no length"):
            metres(wrong)


def test_what_no_render_shows_is_not_there(ask: Callable[..., str]) -> None:
    hidden = [*TABLE[:3], leg(3, rendered=False), TOP]
    with pytest.raises(ExpectationFailed, match="3 objects among"):
        ask("count", hidden, objects="Leg*", equals=4)
    with pytest.raises(ExpectationFailed, match=r"no object 'Leg\.003'"):
        ask("dimension", hidden, objects="Leg.003", axis="z", equals="150 mm", tolerance="1 mm")
    bulb = cuboid("Bulb", (0, 0, 1), 0.1, type="LIGHT", rendered=False)
    assert "1 objects" in ask("count", [bulb], objects="Bulb", equals=1), "a lamp is never drawn, and is there"
    assert ask("naming", hidden, objects="Leg*", patterns=["Leg.*"]), "how a file is kept is asked of what is hidden, too"
