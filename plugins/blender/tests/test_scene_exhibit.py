"""The scene in words, tables and answers: compact, harmless, and right."""

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from playproof.drivers import build
from playproof.interfaces import Queried, Services
from playproof.model import Evidence, Observer, Ref

NASTY = "<img src=x onerror=alert(1)>\x1b[31m\u202e\n"


def thing(name: str, *box: float, **more: Any) -> Mapping[str, Any]:
    return {"name": name, "type": "MESH", "data": name, "parent": None, "matrix": [1.0] * 16, "location": [0.0, 0.0, 1e-9],
            "box": list(box) or None, "drawn_box": None, "rendered": True, "materials": [], "modifiers": [], "instances": 0, "action": None,
            "custom": {}, **more}  # fmt: skip


SCENE = {
    "scene": "Shed", "release": "4.2.23", "units": {"system": "METRIC", "scale_length": 0.01}, "frames": [1, 50], "fps": 24.0,
    "render": {"engine": "CYCLES", "resolution": [640, 480, 100], "camera": "Eye"}, "left_off": {"objects": 2},
    "totals": {"objects": 6, "objects_by_type": {"MESH": 6}, "faces": 1234, "drawn": {"triangles": 99999, "parts": 8, "instances": 2}},
    "collections": [{"name": "All", "parent": None, "objects": ["Bench"], "children": ["Legs"], "rendered": True},
                    {"name": "Legs", "parent": "All", "objects": ["Leg 1", "Leg 2"], "children": [], "rendered": False}],
    "objects": [
        thing("Leg 1", 0, 0, 0, 1, 1, 4, parent="Bench", materials=["Oak"], modifiers=[{"type": "BEVEL"}]),
        thing("Leg 2", 4, 4, 0, 5, 5, 4, parent="Bench", materials=["Oak", None], rendered=False, data="Leg 1"),
        thing("Bench", 0, 0, 4, 6, 6, 5, action="Shake"),
        thing("Trees", type="EMPTY", drawn_box=[10, 0, 0, 12, 1, 1], instances=2, data=None),
        thing("Lost", *[math.nan] * 6, matrix=[math.nan] * 16), thing(NASTY, custom={"note": NASTY}, text=NASTY, type="FONT"),
    ],
    "meshes": {"Leg 1": {"faces": 6, "closed": True, "volume": -4.0, "users": 2, "nonmanifold_edges": 0, "boundary_edges": 3,
                         "uv": {"overlap": 0.5}}, "Bench": {"faces": 6, "closed": True, "volume": 4.0, "uv": None}},
    "materials": {"Oak": {"shader": "BsdfPrincipled", "base_color": [1.0, 0.21404, 0.0, 1.0], "metallic": 0.0, "roughness": None,
                          "users": 2, "emission": [0.0, 0.0, 0.0], "images": ["bark.png"], "nodes": [{"name": "a"}] * 80},
                  NASTY: {"nodes": []}},
    "images": [{"name": "bark.png", "missing": True}], "libraries": [{"path": "//shed.blend", "missing": True}],
    "drivers": [{"owner": "Bench", "path": "location", "valid": False}, {"owner": "Bench", "path": "scale", "valid": True}],
    "texts": [{"name": "run.py", "auto_run": True}],
    "actions": {"Shake": {"frames": [1.0, 50.0], "curves": [{"path": "location", "index": 0, "keys": [[1.0, 0.0], [50.0, math.inf]]}]}},
    "armatures": {"Rig": {"bones": [{}, {}]}}, "cameras": {"Lens": {"type": "PERSP", "lens_mm": 85.0}},
    "lights": {"Sun": {"type": "SUN", "energy": 3.0, "colour": [1.0, 1.0, 1.0]}},
}  # fmt: skip


def exhibited(value: Any = SCENE, raw: bytes | None = None) -> tuple[Any, Evidence, Any]:
    held = json.dumps(value).encode() if raw is None else raw
    entry = Evidence("e" * 64, 0, 0, "blender.scene/1", Observer.OUTSIDE, "inspect_project", blob="b" * 64)
    return build("exhibit", Ref("blender.scene/1"), Services(cache=None)), entry, lambda address: held  # type: ignore[arg-type]


@pytest.fixture
def ask() -> Callable[..., Any]:
    exhibitor, entry, read = exhibited()
    assert isinstance(exhibitor, Queried)
    queries = {query.name: query for query in exhibitor.queries(entry, read)}

    def asked(which: str, /, **arguments: Any) -> Any:
        query = queries[which]
        assert set(arguments) <= set(query.schema["properties"]) and len(query.description) > 20
        answer = query.answer(arguments)
        assert not {"\x1b", "\u202e", "\n"} & set(json.dumps(answer, ensure_ascii=False, allow_nan=False))
        return answer

    return asked


@pytest.mark.parametrize("told", [
    "Scene 'Shed': 6 objects (6 MESH), 2 more left off", "1,234 faces", "99,999 triangles in 8 parts, 2 of them by instancing",
    "METRIC, scale 0.01", "Frames 1 to 50 at 24 a second", "CYCLES, (640, 480, 100), camera Eye; Blender 4.2.23",
    "Legs: 2 objects, in All, not rendered",
    "\n  Bench: MESH, at (0, 0, 0), 6 x 6 x 1 m, action Shake\n    Leg 1: MESH, at (0, 0, 0), 1 x 1 x 4 m, materials Oak, modifiers B",
    "Leg 2: MESH, at (0, 0, 0), 1 x 1 x 4 m, materials Oak, None, not rendered",
    "Trees: EMPTY, at (0, 0, 0), 2 x 1 x 1 m, draws 2 instances",
    "Oak: BsdfPrincipled, colour #ff7f00, metallic 0, images bark.png, 80 nodes, 2 users", "Shake: frames (1, 50), 1 curves of location",
    "Rig: 2 bones", "camera Lens: PERSP, 85 mm", "light Sun: SUN, energy 3, colour #ffffff", "image bark.png is missing",
    "library //shed.blend is missing", "driver of Bench, location does not run", "text run.py would run by itself",
    "object Lost: its place or box is not finite", "mesh Leg 1: 3 open edges, inside out, 50% of its UV map lies on itself",
])  # fmt: skip
def test_the_digest_tells(told: str) -> None:
    exhibitor, entry, read = exhibited()
    assert told in exhibitor.show(entry, read).text


def test_nothing_that_a_submission_says_is_markup_or_an_escape() -> None:
    exhibitor, entry, read = exhibited()
    shown = exhibitor.show(entry, read)
    assert "<img" not in shown.html and "&lt;img src=x" in shown.html and shown.html.count("<table>") == 3
    assert not {"\x1b", "\u202e"} & set(shown.html + shown.text) and "\n[31m" not in shown.text
    assert "driver of Bench, scale" not in shown.text and "mesh Bench" not in shown.text.split("Faults")[1]


def test_what_is_sound_has_no_faults() -> None:
    exhibitor, entry, read = exhibited({"objects": [thing("Bench", 0, 0, 0, 1, 1, 1)]})
    shown = exhibitor.show(entry, read)
    assert "Faults" not in shown.text and shown.html.count("<table>") == 2


def test_many_objects_are_told_of_in_groups_the_largest_first() -> None:
    shared = [thing(f"Tree.{number:03}", 0, 0, 0, 1, 1, 2, data="Tree") for number in range(500)]
    stones = [thing(f"{name}", 0, 0, 0, 1 / (number + 1), 0.1, 0.1) for number, name in enumerate("abcdefghij" * 30)]
    hill = thing("Hill", 0, 0, 0, 90, 90, 1)
    value = SCENE | {"objects": [*shared, *stones, hill], "meshes": {"Tree": {"users": 500}}}
    exhibitor, entry, read = exhibited(value)
    text = exhibitor.show(entry, read).text
    lines = text[text.index("Objects:") :].splitlines()
    starts = ["  Hill: MESH", "  500 x like Tree.000: MESH", "  30 x like a: MESH"]
    assert [line[: len(start)] for line, start in zip(lines[1:4], starts, strict=True)] == starts
    assert len(text) < 20_000


def test_ten_thousand_names_of_their_own_stay_a_page() -> None:
    many = [thing("x" * (number % 50) + chr(0x4E00 + number) * 3, 0, 0, 0, 1, 1, 1) for number in range(10_000)]
    exhibitor, entry, read = exhibited({"objects": many})
    shown = exhibitor.show(entry, read)
    assert shown.text.count("\n") < 130 and "... 9,900 more" in shown.text and len(shown.html) < 30_000 and "9,940 more" in shown.html


def names(found: Any) -> list[str]:
    return [one["name"] for one in found]


def test_objects_are_found(ask: Callable[..., Any]) -> None:
    assert names(ask("find_objects", name="leg*")["objects"]) == ["Leg 1", "Leg 2"] and ask("find_objects")["found"] == 6
    assert names(ask("find_objects", material="oak", parent="bench")["objects"]) == ["Leg 1", "Leg 2"]
    assert names(ask("find_objects", collection="legs")["objects"]) == ["Leg 1", "Leg 2"]
    assert names(ask("find_objects", collection="all", type="mesh")["objects"]) == ["Leg 1", "Leg 2", "Bench"]
    assert ask("find_objects", start=6) == {"found": 6, "objects": []} and ask("find_objects", name="x")["found"] == 0


def test_one_object_with_its_family(ask: Callable[..., Any]) -> None:
    found = ask("object", name="Leg 1")
    assert found["object"]["box"] == [0, 0, 0, 1, 1, 4] and found["parents"] == ["Bench"] and found["children"] == []
    assert names(ask("object", name="Bench")["children"]) == ["Leg 1", "Leg 2"]
    assert ask("object", name="Lost")["object"]["box"] == ["nan"] * 6
    shown = ask("find_objects", type="font")["objects"][0]["name"]
    assert ask("object", name=shown)["object"]["custom"]["note"].startswith("<img")  # by the name as it was shown


def test_collections_materials_meshes_and_actions(ask: Callable[..., Any]) -> None:
    assert ask("collection", name="Legs") == {"name": "Legs", "parent": "All", "objects": ["Leg 1", "Leg 2"], "children": [],
                                              "rendered": False, "objects_in_all": 2}  # fmt: skip
    oak = ask("material", name="Oak")
    assert (len(oak["nodes"]), oak["nodes_left_off"], oak["objects"], oak["objects_in_all"]) == (60, 20, ["Leg 1", "Leg 2"], 2)
    by_object, by_name = ask("mesh", name="Leg 2"), ask("mesh", name="Leg 1")
    assert by_object == by_name and by_name["objects"] == ["Leg 1", "Leg 2"] and by_name["faults"].startswith("3 open edges")
    assert ask("mesh", name="Bench")["faults"] == "none"
    shake = ask("action", name="Shake")
    assert shake["curves"][0]["keys"] == [[1, 0], [50, "inf"]] and shake["objects"] == ["Bench"]


def test_distances_are_between_boxes(ask: Callable[..., Any]) -> None:
    found = ask("between", a="Leg 1", b="Leg 2")
    assert found["gap_of_boxes"] == pytest.approx(math.sqrt(18), abs=1e-4) and found["from_a_to_b"] == [4, 4, 0]
    assert found["gap_on_axis"] == {"x": 3, "y": 3, "z": -4} and found["middle_to_middle"] == pytest.approx(math.sqrt(32), abs=1e-4)
    near = ask("nearest", name="Leg 1")
    assert [(one["name"], one["gap"]) for one in near] == [("Bench", 0), ("Leg 2", pytest.approx(4.2426, abs=1e-4)), ("Trees", 9)]
    assert names(ask("nearest", point=[11, 0.5, 0.5], limit=1)) == ["Trees"]


@pytest.mark.parametrize(("query", "arguments", "why"), [
    ("object", {"name": "Table"}, "no object 'Table'; find_objects gives names"), ("object", {}, "no object ''"),
    ("object", {"name": 7}, "name is a text"), ("collection", {"name": "x"}, "no collection 'x'; there are 'All', 'Legs'"),
    ("material", {"name": "Pine"}, "no material 'Pine'; there are 'Oak'"), ("mesh", {"name": "Trees"}, "no mesh 'Trees'"),
    ("action", {"name": "\x1b"}, "no action ' '"), ("between", {"a": "Lost", "b": "Bench"}, "no box, or one that is not finite"),
    ("nearest", {"point": [1, 2]}, "point is"), ("nearest", {"point": [1, 2, math.nan]}, "point is"),
    ("nearest", {"name": "Bench", "limit": 99}, "limit is a whole number"),
    ("find_objects", {"start": -1}, "start is a whole number"), ("find_objects", {"start": True}, "start is a whole number"),
])  # fmt: skip
def test_bad_questions_are_told_why(ask: Callable[..., Any], query: str, arguments: Mapping[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        ask(query, **arguments)


def test_what_is_no_scene_is_refused() -> None:
    for raw in (b"[]", b"{"):
        exhibitor, entry, read = exhibited(raw=raw)
        with pytest.raises(ValueError):
            exhibitor.show(entry, read)
    exhibitor, entry, read = exhibited({})
    assert exhibitor.show(entry, read).text.startswith("Scene 'None': ? objects")
