"""Evidence in words, pictures and answers: short, harmless, and as large as it may come."""

import io
import json
import math
from collections.abc import Mapping
from typing import Any

import pytest
from PIL import Image

from playproof.canonical import canonical, digest
from playproof.drivers import build
from playproof.interfaces import Queried, Services
from playproof.model import Evidence, Observer, Ref
from playproof_xr.body import standing
from playproof_xr.geometry import Pose, Vector
from playproof_xr.session import spelled
from playproof_xr.testing import at, scene_value, track_value, user_value

NASTY = "<img src=x onerror=alert(1)>\x1b[31m\u202e"
SCENE = scene_value(
    [{"id": "floor", "label": "floor", "orientation": "horizontal", "matrix": at(0.0)["matrix"], "polygon": [[-1, -1], [1, -1], [1, 1]]}],
    cube={**at(0.0, 1.0, -1.0, size=0.1), "material": {"color": "#ff8800"}}, ball=at(0.5, 1.0, -1.0, size=0.2),
    panel={**at(0.0, 1.5, -1.0, size=0.3), "text": NASTY, "label": "Menu", "in_view": False, "parent": "0"},
    broken={**at(0.0), "matrix": [math.nan] * 16, "visible": False},
)  # fmt: skip
TRACK = track_value({"cube": [at(x / 10, 0.5, -x / 10) for x in range(20)] + [None],
                     "right.palm": [at(1.0)] * 21, "left.pinch": [{"amount": 0.25}] * 21,
                     "broken": [{**at(0.0), "matrix": [math.nan] * 16}] * 21, "x" + NASTY: [at(0.0)] * 21})  # fmt: skip


def evidence(kind: str, value: Any, *, blob: bool = False) -> tuple[Any, Evidence, Any]:
    held = canonical(spelled(value))
    told = {"blob": digest(held)} if blob else {"value": json.loads(held)}
    entry = Evidence("e" * 64, 0, 0, kind, Observer.MAIN, "page", **told)
    return build("exhibit", Ref(kind), Services(cache=None)), entry, lambda address: held  # type: ignore[arg-type]


def answers(kind: str, value: Any) -> Mapping[str, Any]:
    exhibitor, entry, read = evidence(kind, value)
    assert isinstance(exhibitor, Queried)
    found = {query.name: query.answer for query in exhibitor.queries(entry, read)}
    for query in exhibitor.queries(entry, read):
        assert query.schema["type"] == "object" and len(query.description) > 20
    return found


@pytest.mark.parametrize("blob", [False, True])
@pytest.mark.parametrize(("kind", "value", "told"), [
    ("xr.scene/1", SCENE, ["4 objects, engine three", "#0 cube (Mesh) at (0.000, 1.000, -1.000), 0.1x0.1x0.1 [#ff8800]", "  #2 panel",
                           "label 'Menu'", "[out of view]", "plane floor: floor, horizontal", "(nan, nan, nan)", "[hidden]"]),
    ("xr.user/1", user_value(), ["head: (0.000, 1.600, 0.000)", "right.pinch_point: (", "left hand: (", "pinched 0.00"]),
    ("xr.user/1", user_value(standing(Pose(Vector())).changed("left", tracked=False)), ["left hand: not tracked"]),
    ("xr.events/1",
     [{"tick": -90, "kind": "requested", "detail": "gesture"}, {"tick": 45000, "kind": "selectstart", "handedness": "right"}],
     ["-0.001 s requested gesture", "0.5 s selectstart right"]),
    ("xr.track/1", TRACK, ["21 samples every 16.7 ms", "scene[name 'cube'] (0.000, 0.500, 0.000)", "is not there", "left.pinch 0.25",
                           "has numbers that are not finite"]),
])  # fmt: skip
def test_in_words_and_in_a_report(kind: str, value: Any, told: list[str], blob: bool) -> None:
    exhibitor, entry, read = evidence(kind, value, blob=blob)
    shown = exhibitor.show(entry, read)
    for word in told:
        assert word in shown.text, shown.text
    assert "<img" not in shown.html and "\x1b" not in shown.html + shown.text and "\u202e" not in shown.html + shown.text
    assert shown.html.startswith("<table><tr><th>")


def test_a_track_is_plotted() -> None:
    exhibitor, entry, read = evidence("xr.track/1", TRACK)
    picture = Image.open(io.BytesIO(exhibitor.show(entry, read).thumbnail)).convert("RGB")
    assert picture.width == 560 and picture.height == 5 * 70
    colours = {colour for _, colour in picture.getcolors(1 << 20)}
    assert {(192, 48, 48), (32, 128, 48), (48, 80, 192)} <= colours
    empty, nothing, _ = evidence("xr.track/1", track_value({"cube": [at(0.0)]}))
    assert empty.show(nothing, read).thumbnail is None


def test_a_scene_answers() -> None:
    ask = answers("xr.scene/1", SCENE)
    assert [one["id"] for one in ask["find_objects"]({"name": "C*"})["objects"]] == ["0"]
    assert ask["find_objects"]({"label": "menu"})["objects"][0]["parent"] == "0"
    assert ask["find_objects"]({})["found"] == 4 and ask["find_objects"]({"start": 3})["objects"][0]["place"] == ["nan"] * 3
    one = ask["object"]({"id": "2"})
    assert one["object"]["text"] == NASTY and [up["name"] for up in one["parents"]] == ["cube"]
    assert [down["name"] for down in ask["object"]({"id": "0"})["children"]] == ["panel"]
    near = ask["nearest_objects"]({"point": [0.6, 1.0, -1.0], "limit": 2})
    assert [(one["name"], one["gap"]) for one in near] == [("ball", 0.0), ("cube", 0.55)]
    assert ask["nearest_objects"]({"id": "1"})[0]["name"] == "cube"
    between = ask["between_objects"]({"a": "0", "b": "1"})
    assert between == {"middle_to_middle": 0.5, "surface_to_surface": 0.35, "from_a_to_b": [0.5, 0.0, 0.0]}
    canonical(ask["object"]({"id": "3"}))
    for query, arguments in (("object", {"id": "77"}), ("object", {}), ("nearest_objects", {"point": [1, 2]}),
                             ("nearest_objects", {"point": "here"}), ("nearest_objects", {"id": "3"}), ("find_objects", {"name": 7}),
                             ("find_objects", {"start": -1}),
                             ("between_objects", {"a": "0", "b": "3"})):  # fmt: skip
        with pytest.raises(ValueError, match=r"id|point|text|number|finite"):
            ask[query](arguments)


def test_a_user_and_a_track_answer() -> None:
    body = standing(Pose(Vector(0.0, 1.6, 0.0)))
    palm = answers("xr.user/1", user_value(body))["part_of_the_body"]({"part": "right.palm"})
    assert palm["matrix"][12:15] == pytest.approx(list(body.right.palm.position), abs=1e-6)
    with pytest.raises(ValueError, match="a part is head"):
        answers("xr.user/1", user_value(body))["part_of_the_body"]({"part": "nose"})
    ask = answers("xr.track/1", TRACK)
    assert ask["where_at"]({"name": "scene[name 'cube']", "at_s": 0.051}) == {"at_s": 0.05, "place": "(0.300, 0.500, -0.300)"}
    apart = ask["apart_over_time"]({"a": "scene[name 'cube']", "b": "right.palm"})
    assert apart["least"] == {"at_s": 0.083, "middle_to_middle": 0.866, "surface_to_surface": 0.866}
    assert apart["most"]["at_s"] == 0.317
    assert apart["not_there_at"] == 1
    with pytest.raises(ValueError, match="was not watched"):
        ask["where_at"]({"name": "dragon", "at_s": 1})
    with pytest.raises(ValueError, match="never both there"):
        ask["apart_over_time"]({"a": "left.pinch", "b": "right.palm"})


def test_ten_thousand_objects_in_a_chain_and_a_circle() -> None:
    many = scene_value(**{f"n{index}": {**at(0.0, size=0.1), "parent": str(index - 1) if index else "9999"} for index in range(10_000)})
    exhibitor, entry, read = evidence("xr.scene/1", many, blob=True)
    shown = exhibitor.show(entry, read)
    assert "... 9801 more" in shown.text and len(shown.text) < 40_000 and "9960 more" in shown.html
    assert len(answers("xr.scene/1", many)["object"]({"id": "500"})["parents"]) == 100
