"""Statements about shapes: how things meet, and what they are, against what is known of boxes."""

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from playproof.drivers import build
from playproof.errors import ExpectationFailed, SubmissionFault, TaskError
from playproof.interfaces import Assertion, Services
from playproof.model import Outcome, Ref
from playproof_blender.shapes import Shapes
from playproof_blender.testing import CORNERS, SIDES, Toy, cuboid, shapes_bytes, taken

TOP = cuboid("Top", (0, 0, 0.16), (1, 1, 0.02))
LEGS = [cuboid(f"Leg {n}", (x, 0, 0.075), (0.04, 0.04, 0.15)) for n, x in enumerate((-0.4, 0.4))]
SHORT = [LEGS[0], cuboid("Leg 1", (0.4, 0, 0.071), (0.04, 0.04, 0.142)), TOP]
CUP = cuboid("Cup", (0.3, 0, 0.21), 0.1)
CARD = cuboid("Tree", size=(1, 0.001, 1), turned=30)
CROSS = Toy("Crossed", np.concatenate([cuboid("", size=(1, 1e-4, 1), turned=angle).points for angle in (0, 90)]),
            np.concatenate([SIDES, SIDES + 8]), {})  # fmt: skip
OPEN, INSIDE_OUT = Toy("Open", CORNERS, SIDES[1:], {}), Toy("Inside out", CORNERS, SIDES[:, ::-1], {})
SPLIT = Toy("Split", CORNERS[SIDES].reshape(-1, 3), np.arange(36).reshape(-1, 3), {})
TWO = Toy("Two", np.concatenate([np.add(CORNERS, (0, 0, 0.5)), np.add(CORNERS, (0, 0, 3.0))]), np.concatenate([SIDES, SIDES + 8]), {})


def npz(**arrays: Any) -> bytes:
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def obj() -> bytes:
    quads = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (-7, -3, -1, -5)]
    lines = [f"v {x} {y} {z}" for x, y, z in CORNERS] + [f"f {' '.join(f'{corner}/1/1' for corner in quad)}" for quad in quads]
    return "\n".join(["# a box", "o Box", *lines]).encode()


HELD = {("blender.held/1", name): content for name, content in {
    "": b"", "box.npz": npz(points=CORNERS, triangles=SIDES), "box.obj": obj(), "scene.npz": shapes_bytes([cuboid("A"), CUP]),
    "bad.npz": b"no zip", "nan.npz": npz(points=CORNERS * np.nan, triangles=SIDES),
}.items()}  # fmt: skip


@pytest.fixture
def ask(tmp_path: Path) -> Callable[..., str]:
    def asked(name: str, things: Sequence[Toy], **options: Any) -> str:
        assertion: Assertion = build("assertion", Ref(f"blender.{name}", options), Services(Path()))
        evidence = taken(tmp_path, things, blobs=HELD)
        assert assertion.reads <= {one.kind for one in evidence}
        verdict = assertion.check(evidence)
        assert verdict.outcome is Outcome.PASS
        assert verdict.cites
        return verdict.message

    return asked


@pytest.mark.parametrize(("name", "things", "options", "says"), [
    ("contact", [*LEGS, TOP], {"objects": "Leg*", "to": "Top", "tolerance": "0.5 mm"}, "touches 'Top'"),
    ("contact", SHORT, {"objects": "Leg*", "to": "Top", "any": True}, "Leg 0: touches 'Top'"),
    ("contact", [TOP, cuboid("Nail", (0, 0, 0.16), 0.004)], {"objects": "Nail", "to": "Top"}, "touches"),
    ("gap", SHORT, {"objects": "Leg 1", "to": "Top", "equals": "8 mm", "tolerance": "0.1 mm"}, "8 mm from 'Top'"),
    ("gap", [*LEGS, CUP], {"objects": "Leg 0", "to": "*", "at_least": "0.63 m"}, "630.1 mm from 'Cup'"),
    ("interpenetration", [*LEGS, TOP], {"objects": "*"}, "0 pairs"),
    ("interpenetration", [TOP, CUP], {"objects": "*", "at_most": "11 mm"}, "none shares as much"),
    ("interpenetration", [TOP, CUP], {"objects": "*", "allowed": [["C*", "Top"]]}, "0 pairs"),
    ("interpenetration", [TOP, CUP, *LEGS], {"objects": "Leg*", "others": "Cup"}, "none shares"),
    ("support", [*LEGS, TOP], {"objects": "*"}, "all 3 hold"),
    ("support", [TOP, *LEGS], {"objects": "Leg*", "on": "Top"}, "all 2 hold"),
    ("support", [cuboid("Lamp", (0, 0, 0.1), 0.1), TOP], {"objects": "Lamp", "on": "Top"}, "Lamp: held"),
    ("symmetry", [*LEGS, TOP], {"objects": "*", "axis": "x"}, "off by 0 mm"),
    ("symmetry", [CUP], {"objects": "Cup", "axis": "x", "at": "300 mm"}, "off by"),
    ("watertight", [*LEGS, TOP], {"objects": "*"}, "closed, 240 cm³"),
    ("watertight", [SPLIT], {"objects": "*", "weld": "0.1 mm"}, "closed"),
    ("flat_card", LEGS, {"objects": "*"}, "all 2 hold"),
    ("flat_card", [cuboid("Pole", size=(0.02, 0.02, 3.0), turned=10), cuboid("Board", size=(1, 0.06, 3))], {"objects": "*"}, "all 2 hold"),
    ("iou", [cuboid("A")], {"objects": "A", "reference": "box.npz", "at_least": 0.99}, "1.000"),
    ("iou", [cuboid("A", (5, 5, 5), 2.0)], {"objects": "A", "reference": "checks/box.obj", "at_least": 0.99, "align": "centre",
     "scale": True}, "1.0"),
    ("iou", [cuboid("A", (0, 0, 0.25))], {"objects": "A", "reference": "box.npz", "at_least": 0.59}, "0.59"),
    ("iou", [CUP], {"objects": "Cup", "reference": "scene.npz", "reference_objects": "Cup", "at_least": 0.9}, "1.000"),
    ("chamfer", [cuboid("A", size=1.02)], {"objects": "A", "reference": "box.npz", "at_most": "11 mm", "furthest_at_most": "2 cm"},
     "mean: 10"),
    ("chamfer", [cuboid("A", (7, 3, 2))], {"objects": "A", "reference": "box.npz", "share_at_most": 0.001, "align": "ground"}, "0 %"),
])  # fmt: skip
def test_passes(ask: Callable[..., str], name: str, things: Sequence[Toy], options: Any, says: str) -> None:
    assert says in ask(name, things, **options)


@pytest.mark.parametrize(("name", "things", "options", "says"), [
    ("contact", SHORT, {"objects": "Leg*", "to": "Top"},
     "contact of 'Leg*' with 'Top': wanted a gap of at most 1 mm, but Leg 1: 8 mm from 'Top', the nearest; 1 of 2 hold"),
    ("contact", [TOP], {"objects": "Top", "to": "Top"}, "but Top: there is nothing else to be near to"),
    ("gap", [TOP], {"objects": "Top", "to": "Top", "at_most": "1 mm"}, "but Top: there is nothing else to be near to"),
    ("gap", SHORT, {"objects": "Leg 1", "to": "Top", "at_most": "5 mm"}, "wanted at most 5 mm, but Leg 1: 8 mm (3 mm too much) from 'Top'"),
    ("gap", [TOP, cuboid("Nail", (0, 0, 0.16), 0.004)], {"objects": "Nail", "to": "Top", "at_least": "1 mm"}, "0 mm (1 mm too little)"),
    ("interpenetration", [*LEGS, TOP, CUP], {"objects": "*"}, "Top and Cup: 10 mm deep, 100 cm³ in common"),
    ("interpenetration", [TOP, cuboid("Nail", (0, 0, 0.16), 0.004)], {"objects": "*"}, "Top and Nail: 4 mm deep"),
    ("interpenetration", [TOP, CUP], {"objects": "Top", "others": "Cup"}, "10 mm deep"),
    ("support", [*LEGS, TOP, cuboid("Vase", (0, 0, 0.3), 0.1)], {"objects": "*"}, "Vase: floats, 80 mm from 'Top'; 3 of 4 hold"),
    ("support", [cuboid("Vase", (0, 0, 0.3), 0.1)], {"objects": "*"},
     "wanted contact with the ground at 0 mm, straight or through others, but Vase: "
     "floats, 250 mm from 'the ground'"),
    ("support", [cuboid("Lamp", (0, 0, 0.1), 0.1), TOP], {"objects": "Lamp", "on": "Top", "below": True}, "Lamp: floats, 0 mm from 'Top'"),
    ("support", [TWO], {"objects": "*", "of": "parts"}, "Two: part 2: floats, 1.5 m from 'Two: part 1'"),
    ("symmetry", [*LEGS, TOP, CUP], {"objects": "*", "axis": "x"},
     "symmetry of '*' along x: wanted at most 1 % for 99 % of it, but '*': off by"),
    ("symmetry", [CUP], {"objects": "Cup", "axis": "x", "at": 0}, "Cup': off by"),
    ("watertight", [cuboid("A"), OPEN, INSIDE_OUT], {"objects": "*"}, "but Open: 3 open edges; Inside out: it is inside out; 1 of 3 hold"),
    ("watertight", [SPLIT], {"objects": "*"}, "Split: 36 open edges"),
    ("flat_card", [CUP, CARD], {"objects": "*"},
     "fullness of '*': wanted at least 5 % from every side, but Tree: is 0.105 % as thick as it is wide, along"),
    ("flat_card", [CROSS], {"objects": "*"}, "Crossed: fills 0 % of what it spans, seen along (0, 0, 1)"),
    ("iou", [cuboid("A", (0, 0, 0.25))], {"objects": "A", "reference": "box.npz", "at_least": 0.9}, "have 0.59"),
    ("chamfer", [cuboid("A", size=1.1)], {"objects": "A", "reference": "box.npz", "at_most": "1 mm"}, "mean: 50.67 mm (49.67 mm too much)"),
    ("chamfer", [cuboid("A", size=1.1)], {"objects": "A", "reference": "box.npz", "furthest_at_most": "1 mm"}, "furthest point: "),
    ("contact", [Toy("Nothing", np.zeros((0, 3)), np.zeros((0, 3)), {}), TOP], {"objects": "Nothing", "to": "Top"},
     "no object 'Nothing' has faces"),
])  # fmt: skip
def test_fails(ask: Callable[..., str], name: str, things: Sequence[Toy], options: Any, says: str) -> None:
    with pytest.raises(ExpectationFailed) as failed:
        ask(name, things, **options)
    assert says in str(failed.value)
    assert failed.value.cites


def test_laid_on_the_ground_a_taller_thing_keeps_its_foot_where_the_references_is(ask: Callable[..., str]) -> None:
    """A box thrice as tall stands out by 2 m above where the feet lie upon each other, and by 1 m where the middles do."""
    tall = [cuboid("A", (4, 4, 4), (1, 1, 3))]
    assert "0.33" in ask("iou", tall, objects="A", reference="box.npz", align="ground", at_least=0.3)
    ask("chamfer", tall, objects="A", reference="box.npz", align="centre", furthest_at_most="1.01 m")
    with pytest.raises(ExpectationFailed, match=r"furthest point: (1\.99|2)"):
        ask("chamfer", tall, objects="A", reference="box.npz", align="ground", furthest_at_most="1.9 m")


HOSTILE = {
    "a point that is no number": Toy("Odd", np.where(np.arange(24).reshape(8, 3) == 7, np.nan, CORNERS), SIDES, {}),
    "infinite": Toy("Odd", np.where(np.arange(24).reshape(8, 3) == 7, np.inf, CORNERS), SIDES, {}),
    "triangles of points that are not there": Toy("Odd", CORNERS, SIDES + 4, {}),
    "one point": Toy("Odd", CORNERS[:1], np.zeros((1, 3), int), {}),
    "a line": Toy("Odd", np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]]), np.array([[0, 1, 2]]), {}),
    "far away": cuboid("Odd", (1e9, -1e9, 1e9), 64.0),
    "enormous": cuboid("Odd", size=1e9),
    "a mesh without faces": Toy("Odd", CORNERS, np.zeros((0, 3), int), {}),
    "tiny": cuboid("Odd", size=1e-7),
}  # fmt: skip
STATEMENTS = [
    ("contact", {"objects": "Odd", "to": "Top"}), ("gap", {"objects": "Top", "to": "Odd",
     "at_least": 0}), ("interpenetration", {"objects": "*"}),
    ("support", {"objects": "*"}), ("support", {"objects": "*", "of": "parts"}), ("symmetry", {"objects": "Odd", "axis": "x"}),
    ("watertight", {"objects": "Odd", "weld": 1e-6}), ("flat_card", {"objects": "Odd"}), ("count", {"objects": "*", "of": "parts",
     "at_least": 1}),
    ("iou", {"objects": "Odd", "reference": "box.npz", "at_least": 0.5, "align": "centre", "scale": True}),
    ("chamfer", {"objects": "Odd", "reference": "box.npz", "at_most": 1}), ("dimension", {"objects": "Odd", "axis": "x", "at_least": 0}),
]  # fmt: skip


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("which", HOSTILE)
def test_hostile_shapes_end_in_a_verdict(ask: Callable[..., str], which: str) -> None:
    """Pass or fail, by what they are; never an error of ours, and never a number that is none."""
    for name, options in STATEMENTS:
        try:
            assert "nan" not in ask(name, [HOSTILE[which], TOP], **options)
        except (ExpectationFailed, SubmissionFault) as said:
            assert str(said)
            assert said.cites


@pytest.mark.parametrize(("file", "says"), [
    ("chair.npz", "checks/chair.npz was not held; there are: bad.npz, box.npz"), ("bad.npz", "checks/bad.npz cannot be read"),
    ("nan.npz", "cannot be read: 12 of 12 triangles"),
])  # fmt: skip
def test_a_reference_that_cannot_be_read_is_the_tasks_fault(ask: Callable[..., str], file: str, says: str) -> None:
    with pytest.raises(TaskError, match=says):
        ask("iou", [TOP], objects="Top", reference=file, at_least=0.5)


@pytest.mark.parametrize(("name", "options", "says"), [
    ("symmetry", {"objects": "A", "axis": "x", "at_most": 3}, "must be <= 1"),
    ("iou", {"objects": "A", "reference": "b.npz", "at_least": 0.5, "cells": 4000}, "cells"),
    ("chamfer", {"objects": "A", "reference": "b.npz"}, "say at_most, share_at_most or furthest_at_most"),
    ("interpenetration", {"objects": "A", "allowed": [["B"]]}, "wanted pairs"),
    ("contact", {"objects": "A"}, "missing key 'to'"),
])  # fmt: skip
def test_options_that_make_no_sense_are_refused_at_once(name: str, options: Any, says: str) -> None:
    with pytest.raises(TaskError, match=says):
        build("assertion", Ref(f"blender.{name}", options), Services(Path()))


def test_a_part_that_floats_is_not_covered_by_an_object_of_its_name(ask: Callable[..., str]) -> None:
    low, high = cuboid("A", (0, 0, 0.5)), cuboid("A", (0, 0, 5))
    torn = Toy("A", np.concatenate([low.points, high.points]), np.concatenate([low.triangles, high.triangles + len(low.points)]), low.told)
    for twin in ("A: part 1", "A: part 2"):
        with pytest.raises(ExpectationFailed, match="floats"):
            ask("support", [torn, cuboid(twin, (3, 0, 0.5))], objects="*", of="parts")


def test_a_box_in_place_of_a_shape_answers_nothing(ask: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Shapes, "coarse", frozenset({"Cup"}))
    with pytest.raises(SubmissionFault, match=r"shapes.objects\[Cup\]: draws so many triangles that its shape was not kept"):
        ask("watertight", [CUP], objects="Cup")
