"""Scenes and shapes as we read them, honest and forged; and the arithmetic of meshes, by hand."""

import io
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from playproof.errors import SubmissionFault, TaskError
from playproof.evidence import Evidences, Record
from playproof.model import Observer
from playproof_blender.scene import Scene, scene_of
from playproof_blender.shapes import Shapes, shapes_of
from playproof_blender.stages import INSIDE


def thing(name: str, **more: Any) -> Mapping[str, Any]:
    return {"name": name, "type": "MESH", "parent": None, "materials": [], "box": [0, 0, 0, 1, 1, 1], "drawn_box": None,
            "matrix": np.eye(4).ravel().tolist(), **more}  # fmt: skip


SCENE = Scene(
    {
        "objects": [thing("Table"), thing("Leg 1", parent="Table", materials=["Oak"], box=[0, 0, 0, 1, 1, 5]),
                    thing("Leg 2", parent="Table", materials=[None, "Steel"], box=[2, 0, -1, 3, 1, 5]),
                    thing("leg 3", type="EMPTY", box=None), thing("Foot", parent="Leg 1"),
                    thing("Leg [old]", box=[0, 0, float("nan"), 1, 1, 1])],
        "collections": [{"name": "All", "objects": ["Table"], "children": ["Legs"]},
                        {"name": "Legs", "objects": ["Leg 1"], "children": ["All"]}],
        "materials": {"Oak": {"roughness": 0.5}}, "meshes": {}, "left_off": {"objects": 3},
    },
    ["entry"],
)  # fmt: skip


def names(found: Sequence[Mapping[str, Any]]) -> list[str]:
    return [one["name"] for one in found]


def test_objects_are_found_by_every_wish() -> None:
    assert names(SCENE.objects("Leg ?")) == ["Leg 1", "Leg 2"] and names(SCENE.objects("*eg*")) == ["Leg 1", "Leg 2", "leg 3", "Leg [old]"]
    assert names(SCENE.objects("Leg [old]")) == ["Leg [old]"]  # a name is a pattern for itself, whatever is in it
    assert names(SCENE.objects(type="EMPTY")) == ["leg 3"] and names(SCENE.objects(material="St*")) == ["Leg 2"]
    assert names(SCENE.objects(parent="Table")) == ["Leg 1", "Leg 2"] and names(SCENE.below("Table")) == ["Leg 1", "Leg 2", "Foot"]
    assert names(SCENE.objects(collection="All")) == ["Table", "Leg 1"] == names(SCENE.objects(collection="L*"))  # a circle of them ends
    assert names(SCENE.objects("Leg*", parent="Table", material="Oak")) == ["Leg 1"] and SCENE.objects(collection="None") == []


def test_a_circle_of_parents_ends() -> None:
    looped = Scene({"objects": [thing("a", parent="b"), thing("b", parent="a")]})
    assert names(looped.below("a")) == ["b"]


def test_one_object_is_one() -> None:
    assert SCENE.one("Leg 1")["name"] == "Leg 1" and SCENE.one("leg*")["name"] == "leg 3"
    with pytest.raises(SubmissionFault, match=r"^scene.objects: wanted one object 'Leg \?'; there are 2: 'Leg 1', 'Leg 2'$") as caught:
        SCENE.one("Leg ?")
    assert caught.value.cites == ("entry",)
    with pytest.raises(SubmissionFault, match=r"has no EMPTY object 'Leg\*'; there are 'Table', .*\(3 more are not looked at\)"):
        SCENE.one("Leg*", type="EMPTY")


def test_boxes_and_their_faults() -> None:
    low, high = SCENE.box_of(SCENE.objects("Leg ?"))
    assert (low.tolist(), high.tolist(), low.dtype) == ([0, 0, -1], [3, 1, 5], np.float64)
    with pytest.raises(SubmissionFault, match=r"^scene.objects\[Leg \[old\]\].box\[2\]: nan is not a number"):
        SCENE.box_of(SCENE.objects())
    with pytest.raises(SubmissionFault, match=r"^scene.objects\[leg 3\].box: has no shape"):
        SCENE.box_of([SCENE.one("leg 3")])
    for broken, wanted in (({"box": 7}, "box: wanted a list"), ({"box": [1, 2]}, "box: wanted 6 numbers, got 2"),
                           ({"box": ["a"] * 6}, r"box\[0\]: wanted a number"), ({"unreadable": "no"}, r"x\]: cannot be read: no")):
        with pytest.raises(SubmissionFault, match=wanted):
            SCENE.box_of([thing("x") | broken])
    with pytest.raises(SubmissionFault, match=r"scene.objects\[x\].box: missing"):
        SCENE.box_of([{"name": "x"}])


def test_entries_of_sections() -> None:
    assert SCENE.entry("materials", "Oak")["roughness"] == 0.5
    with pytest.raises(SubmissionFault, match=r"scene.materials: has no 'oak'; there are 'Oak'"):
        SCENE.entry("materials", "oak")
    with pytest.raises(SubmissionFault, match=r"scene.objects\[leg 3\].type: wanted MESH, got EMPTY"):
        SCENE.mesh_of(SCENE.one("leg 3"))
    with pytest.raises(SubmissionFault, match=r"scene.meshes: has no 'None'; there are none"):
        SCENE.mesh_of(SCENE.one("Table") | {"data": None})


@pytest.fixture
def recorded(tmp_path: Path) -> Callable[..., Evidences]:
    record = Record(tmp_path / "record")

    def add(*blobs: tuple[str, bytes]) -> Evidences:
        for kind, blob in blobs:
            record.add(kind, Observer.OUTSIDE, tick=0, blob=blob)
        return record.sealed()

    return add


def test_the_last_scene_counts_and_one_that_is_none_is_a_fault(recorded: Callable[..., Evidences]) -> None:
    with pytest.raises(TaskError, match=r"no blender.scene/1 was observed; kinds here: none"):
        scene_of(recorded())
    kept = scene_of(recorded(("blender.scene/1", b'{"objects": []}'), ("blender.scene/1", json.dumps({"objects": [thing("a")]}).encode())))
    assert names(kept.objects()) == ["a"] and len(kept.cites) == 1
    for blob in (b"", b"[]", b'{"objects": [{"name": 1}]}', b'{"objects": {}}', b"[" * 100_000):
        with pytest.raises(SubmissionFault, match=r"^scene"):
            scene_of(recorded(("blender.scene/1", blob)))


def packed(**changes: Any) -> bytes:
    """One triangle, drawn by A as itself, and twice as big by B, mirrored, as an instance of A."""
    twice = np.diag([-2.0, 2, 2, 1])
    arrays = {
        "index": np.frombuffer(b'{"names": ["A", "B"], "left_off": 4}', np.uint8), "starts": np.array([[0, 0], [3, 1]]),
        "points": np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.float32), "triangles": np.array([[0, 1, 2]], np.int32),
        "parts": np.array([[0, 0, 0, 1], [1, 0, 0, 0], [1, 0, 0, 0]], np.int32),
        "matrices": np.array([np.eye(4).ravel(), twice.ravel(), np.eye(4).ravel()]),
    }  # fmt: skip
    held = io.BytesIO()
    np.savez(held, **{name: array for name, array in {**arrays, **changes}.items() if array is not None})
    return held.getvalue()


def shapes(recorded: Callable[..., Evidences], **changes: Any) -> Shapes:
    return shapes_of(recorded(("blender.shapes/1", packed(**changes))))


def test_solids_are_of_the_world_and_look_outwards(recorded: Callable[..., Evidences]) -> None:
    held = shapes(recorded)
    assert held.objects == ("A", "B") and held.left_off == 4 and set(held.of("B")) == {"B"} and set(held.of(own=True)) == {"A"}
    solid = held.of()["B"]
    assert solid.points.tolist() == [[0, 0, 0], [-2, 0, 0], [0, 2, 0], [0, 0, 0], [1, 0, 0], [0, 1, 0]]
    assert solid.triangles.tolist() == [[2, 1, 0], [3, 4, 5]] and solid.corners.shape == (2, 3, 3)
    assert [list(corner) for corner in solid.box] == [[-2, 0, 0], [1, 2, 0]]
    assert [(part.owner, part.object, part.own, len(one.triangles)) for part, one in held.instances("B")] == [("B", "A", False, 1)] * 2


def test_what_draws_the_most_is_boxes_where_all_is_too_much(recorded: Callable[..., Evidences], monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(3)
    points, triangles = random.uniform(-1, 1, (40, 3)).astype(np.float32), random.integers(0, 40, (30, 3)).astype(np.int32)
    places = np.tile(np.eye(4), (4, 1, 1))
    places[:, 0, 3] = [0, 10, 20, 30]
    many = {"starts": np.array([[0, 0], [40, 30]]), "points": points, "triangles": triangles, "matrices": places.reshape(4, 16),
            "parts": np.array([[0, 0, 0, 1], [1, 0, 0, 0], [1, 0, 0, 0], [1, 1, 0, 1]])}  # fmt: skip
    whole = shapes(recorded, **many)
    assert whole.coarse == frozenset() and len(whole.of("B")["B"].triangles) == 90
    monkeypatch.setattr("playproof_blender.shapes.MOST_DRAWN", 159)  # with the 40 points of each part
    coarse = shapes(recorded, **many, index=np.frombuffer(b'{"names": ["A", "B"], "left_off": 5}', np.uint8))
    assert coarse.coarse == {"B"} and len(coarse.of("A")["A"].triangles) == 30
    for own in (False, True):
        held, box = coarse.of("B", own)["B"], whole.of("B", own)["B"].box
        assert [corner.tolist() for corner in held.box] == [corner.tolist() for corner in box]
        assert len(held.triangles) == (12 if own else 36)
    a, b, c = np.moveaxis(coarse.of("B", own=True)["B"].corners, 1, 0)
    assert (a * np.cross(b, c)).sum() / 6 == pytest.approx(np.prod(np.ptp(points.astype(float), axis=0)))  # closed, and looks outwards


@pytest.mark.parametrize(
    "changes",
    [
        {"points": None}, {"index": np.frombuffer(b"{", np.uint8)}, {"index": np.frombuffer(b'{"names": 1, "left_off": 0}', np.uint8)},
        {"parts": np.array([[0, 0, 1, 1]])}, {"parts": np.array([[0, 7, 0, 1]])}, {"parts": np.array([[-1, 0, 0, 1]])},
        {"matrices": np.zeros((1, 16))}, {"starts": np.array(["x"])},
    ],
)  # fmt: skip
def test_forged_shapes_are_a_fault(recorded: Callable[..., Evidences], changes: Mapping[str, Any]) -> None:
    with pytest.raises(SubmissionFault, match=r"^shapes: cannot be read"):
        shapes(recorded, **changes)


def test_forged_numbers_are_a_fault_of_the_object(recorded: Callable[..., Evidences]) -> None:
    for changes in ({"triangles": np.array([[0, 1, 3]])}, {"triangles": np.array([[0, 1, -1]])}, {"starts": np.array([[0, 0], [2, 1]])}):
        with pytest.raises(SubmissionFault, match=r"shapes.objects\[A\]: has triangles of points that are not there"):
            shapes(recorded, **changes).of("A")
    with pytest.raises(SubmissionFault, match=r"shapes.objects\[B\]: has points that are not finite"):
        shapes(recorded, matrices=np.array([np.eye(4).ravel(), np.full(16, np.nan), np.eye(4).ravel()])).of("B")
    with pytest.raises(SubmissionFault, match=r"^shapes: cannot be read"):
        shapes_of(recorded(("blender.shapes/1", b"no zip")))
    with pytest.raises(TaskError, match=r"no blender.shapes/1 was observed"):
        shapes_of(Evidences([], Path()))


class Trap:
    """What runs when it is read."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.place),)


def test_nothing_in_shapes_is_run(recorded: Callable[..., Evidences], tmp_path: Path) -> None:
    with pytest.raises(SubmissionFault, match=r"^shapes: cannot be read"):
        shapes(recorded, points=np.array([[Trap(tmp_path / "sprung"), 0, 0]], object))
    assert not (tmp_path / "sprung").exists()


def test_more_than_a_bound_is_not_unpacked(recorded: Callable[..., Evidences], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("playproof_blender.shapes.MOST_BYTES", 1000)
    held = io.BytesIO()
    np.savez_compressed(held, zeros=np.zeros(10_000))
    assert len(held.getvalue()) < 1000
    with pytest.raises(SubmissionFault, match="bytes when unpacked, more than 1,000"):
        shapes_of(recorded(("blender.shapes/1", held.getvalue())))


# --- what runs inside Blender, but needs none -------------------------------------------------------------------------


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """`inside("coverage")`: a module that imports nothing but numpy."""
    monkeypatch.syspath_prepend(str(INSIDE))

    def load(name: str) -> Any:
        before = set(sys.modules)
        module = __import__(name)
        for fresh in set(sys.modules) - before:
            monkeypatch.delitem(sys.modules, fresh)
        return module

    return load


def square(x: float, y: float, side: float) -> list[list[tuple[float, float]]]:
    a, b, c, d = (x, y), (x + side, y), (x + side, y + side), (x, y + side)
    return [[a, b, c], [a, c, d]]


@pytest.mark.parametrize(
    ("faces", "coverage", "overlap", "outside"),
    [
        (square(0, 0, 1), 1.0, 0.0, 0.0),
        (square(0, 0, 0.5), 0.25, 0.0, 0.0),
        ([face for x in range(8) for y in range(8) for face in square(x / 8, y / 8, 1 / 8)], 1.0, 0.0, 0.0),  # edges are no overlap
        (square(0, 0, 0.5) + square(0, 0, 0.5), 0.25, 1.0, 0.0),
        (square(0, 0, 0.5) + square(0.25, 0, 0.5), 0.375, 1 / 3, 0.0),
        (square(0, 0, 0.5) + [face[::-1] for face in square(0.25, 0, 0.5)], 0.375, 1 / 3, 0.0),  # a mirrored island covers as well
        (square(0.5, 0.5, 1), 0.25, 0.0, 1.0),
        ([[(0, 0), (0, 0), (0, 0)]], 0.0, 0.0, 0.0),
        ([[(0, 0), (1, 1), (float("nan"), 0)]], 0.0, 0.0, 0.0),
    ],
)
def test_uv_coverage_and_overlap(inside: Callable[[str], Any], faces: Any, coverage: float, overlap: float, outside: float) -> None:
    found = inside("coverage").coverage(np.array(faces, np.float32), 10_000_000)
    assert found["coverage"] == pytest.approx(coverage, abs=0.002) and found["overlap"] == pytest.approx(overlap, abs=0.005)
    assert found["outside"] == outside
    assert found["lost"] == (1.0 if coverage == 0 else 0.0), "the share that has no area, or no numbers"


def test_uv_work_is_bounded_by_a_coarser_square(inside: Callable[[str], Any]) -> None:
    cover = inside("coverage").coverage
    faces = np.array(square(0, 0, 1) * 10, np.float32)
    assert [cover(faces, tests)["resolution"] for tests in (10**8, 2_000_000, 400_000, 10_000)] == [512, 256, 128, None]
    assert cover(faces, 10_000)["coverage"] is None and cover(faces, 10_000)["area"] == pytest.approx(10)
    assert cover(faces, 400_000)["overlap"] == pytest.approx(1)


def test_uv_far_outside_costs_nothing(inside: Callable[[str], Any]) -> None:
    for far, covered in ((1e5, 1.0), (1e30, 0.0)):  # beyond what numbers of double precision can tell apart nothing is covered
        found = inside("coverage").coverage(np.array(square(-far, -far, 3 * far), np.float32), 10_000_000)
        assert found["coverage"] == pytest.approx(covered, abs=0.002) and found["resolution"] == 512


def test_pieces_of_chains_stars_and_shuffled_grids(inside: Callable[[str], Any]) -> None:
    pieces = inside("islands").pieces
    random = np.random.default_rng(7)
    chain = np.stack([np.arange(49_999), np.arange(1, 50_000)], axis=1)
    label = random.permutation(50_000)
    assert pieces(50_000, label[chain]) == 1 and pieces(50_000, label[chain[:-1]]) == 1
    assert pieces(50_000, label[np.delete(chain, 777, 0)]) == 2
    star = np.stack([np.full(9_999, 9_999), np.arange(9_999)], axis=1)
    assert pieces(10_000, star) == 1 and pieces(10_000, star[:, ::-1]) == 1 and pieces(10_002, star) == 1
    pairs = label[np.arange(50_000)].reshape(-1, 2)
    assert pieces(50_000, pairs) == 25_000 and pieces(5, np.zeros((0, 2), int)) == 0


@pytest.mark.parametrize(("form", "mode"), [("PNG", "RGBA"), ("JPEG", "RGB")])
def test_a_pictures_size_is_told_by_its_head(inside: Callable[[str], Any], form: str, mode: str) -> None:
    held = io.BytesIO()
    Image.new(mode, (300, 20)).save(held, form, **({"exif": b"Exif\0\0" + bytes(3000)} if form == "JPEG" else {}))
    sizes = inside("sizes")
    assert sizes.told(held.getvalue()) == [300, 20]
    for cut in range(40):
        assert sizes.told(held.getvalue()[:cut]) in (None, [300, 20])
    assert sizes.told(held.getvalue()[:20]) is None


def test_a_panoramas_size_and_what_is_no_picture(inside: Callable[[str], Any]) -> None:
    sizes = inside("sizes")
    assert sizes.told(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 512 +X 1024\n\x00\x01") == [1024, 512]
    for head in (b"", b"#?", b"#?RADIANCE\n-Y x +X 2\n", b"\xff\xd8", b"\xff\xd8\xff\xe0\x00\x00", b"GIF89a", bytes(99)):
        assert sizes.told(head) is None
