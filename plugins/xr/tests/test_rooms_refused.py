"""What is no room is refused with its file and place; what may be is read, a task's own room included."""

import copy
import math
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from playproof.errors import TaskError
from playproof_xr.geometry import UP, Polygon, Vector
from playproof_xr.rooms import (
    Room,
    find_room,
    parse_room,
    planes_of,
    read_room,
)
from playproof_xr.rooms.reading import LIBRARY


def room_with(change: Callable[[dict[str, Any]], None]) -> Room:
    written = copy.deepcopy(tomllib.loads((LIBRARY / "living-room.toml").read_text()))
    change(written)
    return parse_room(written, "cellar.toml")


def table(written: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in written["furniture"] if one["id"] == "table")
    return found


@pytest.mark.parametrize(("change", "said"), [
    (lambda w: w.update(schema=2), "schema is 2, this version reads 1"),
    (lambda w: w.update(colour="red"), r"unknown key 'colour' @ \$"),
    (lambda w: w["shell"].pop("height"), r"missing key 'height' @ \$.shell"),
    (lambda w: w["shell"].update(height=math.nan), r"height: nan is no length @ \$.shell"),
    (lambda w: w["shell"].update(height=1.5), r"a ceiling at 1.5 m; 1.9 at least @ \$.shell.height"),
    (lambda w: w["shell"].update(outline=[[0, 0], [2, 2], [2, 0], [0, 2]]), r"no simple polygon.* @ \$.shell.outline"),
    (lambda w: w["shell"].update(outline=[[0, 0], [1, 0], [1, 1], [0, 1]]), r"1.00 square metres are no room"),
    (lambda w: w["shell"].update(walls="red"), r"walls: 'red' is no colour like #8a6a45"),
    (lambda w: table(w).update(label="throne"), r"label: 'throne' is none of desk.* @ \$.furniture\[0\]"),
    (lambda w: table(w).update(kind="sphere"), r"kind: 'sphere' is none of block"),
    (lambda w: table(w).update(size=[1, 0, 1]), r"size: \(1.0, 0.0, 1.0\) is not above 0"),
    (lambda w: table(w).update(size="big"), r"@ \$.furniture\[0\].size"),
    (lambda w: table(w).update(at=[-2.5, 1.5]), r"cellar.toml: reaches 0.45 m through a wall: 'table' @ \$.furniture\[0\]"),
    (lambda w: table(w).update(at=[0, -1.6]), r"'table' and 'couch' stand in each other @ \$.furniture"),
    (lambda w: table(w).update(lift=2.2), r"not between floor and ceiling: 'table'"),
    (lambda w: table(w).update(top=0.6), r"its top, 0.6 m, is not within it \(0 to 0.45 m\): 'table'"),
    (lambda w: table(w).update(kind="seat"), r"a seat needs `top`.*: 'table'"),
    (lambda w: table(w).update(id="couch"), r"2 things are named 'couch'"),
    (lambda w: table(w).update(id="wall-1"), r"2 things are named 'wall-1'"),
    (lambda w: table(w).update(id="Big table"), r"id: 'Big table' is not lower-case letters"),
    (lambda w: w["openings"][0].update(wall=4), r"wall 4: the outline has sides 0 to 3: 'window' @ \$.openings\[0\]"),
    (lambda w: w["openings"][0].update(along=0.5), r"beyond the ends of its wall, which is 5.2 m long: 'window'"),
    (lambda w: w["openings"][0].update(sill=1.8), r"not between floor and ceiling: 'window'"),
    (lambda w: w["openings"].append({**w["openings"][0], "id": "other"}), r"'window' and 'other' overlap on wall 0"),
    (lambda w: w["start"].update(at=[0, -1]), r"nobody can stand at \[0.0, -1.0\]: within 0.25 m of 'table' @ \$.start.at"),
    (lambda w: w["start"].update(at=[0, 9]), r"nobody can stand at \[0.0, 9.0\]: outside the room @ \$.start.at"),
    (lambda w: w["start"].update(eyes=2.6), r"eyes at 2.6 m; 0.8 to 2.2 @ \$.start.eyes"),
    (lambda w: w["places"][0].update(of="throne"), r"there is no 'throne' in the room: 'table' @ \$.places\[0\]"),
    (lambda w: w["places"][0].update(point=[0, 1, 0]), r"either `of`, a thing in the room, or `point`"),
    (lambda w: w["places"][0].update(stand=[2.5, 0]), r"nobody can stand at \[2.5, 0.0\]: within 0.25 m of a wall: 'table'"),
    (lambda w: w["lights"][1].update(towards=[0, 0, 0]), r"'daylight' shines nowhere @ \$.lights\[1\].towards"),
    (lambda w: w["lights"][1].update(intensity=-1), r"intensity: -1.0 is not above 0 @ \$.lights\[1\]"),
])  # fmt: skip
def test_what_is_no_room_is_refused_with_its_place(change: Callable[[dict[str, Any]], None], said: str) -> None:
    def changed(written: dict[str, Any]) -> None:
        written["start"] = {}
        change(written)

    with pytest.raises(TaskError, match=said) as refused:
        room_with(changed)
    assert str(refused.value).startswith("cellar.toml: ")


def test_a_place_behind_furniture_that_nobody_gets_past_is_refused() -> None:
    def wall_off(written: dict[str, Any]) -> None:
        written["furniture"] = [{"id": "bar", "label": "other", "at": [1.0, 0.0], "size": [0.1, 1.1, 4.4]}]
        written["openings"], written["places"] = [], [{"id": "beyond", "point": [2, 1, 0], "stand": [2.0, 0.0]}]

    with pytest.raises(TaskError, match=r"no way leads from the start to \[2.0, 0.0\]: 'beyond' @ \$.places\[0\]"):
        room_with(wall_off)


def test_what_may_stand_together_does() -> None:
    """A chair under a table, a box on a table, a lamp above it, a cushion on a couch."""
    def furnish(written: dict[str, Any]) -> None:
        written["furniture"] = [one for one in written["furniture"] if one["id"] in ("dining-table", "couch")]
        written["places"] = []
        written["furniture"] += [
            {"id": "stool", "label": "other", "at": [1.7, 0.6], "size": [0.4, 0.45, 0.4]},
            {"id": "box", "label": "other", "at": [1.7, 0.6], "size": [0.2, 0.2, 0.2], "lift": 0.74},
            {"id": "hanging-lamp", "label": "lamp", "at": [1.7, 0.6], "size": [0.4, 0.3, 0.4], "lift": 1.9},
            {"id": "cushion", "label": "other", "at": [0.0, -1.7], "size": [0.4, 0.1, 0.4], "lift": 0.42},
        ]

    assert len(room_with(furnish).furniture) == 6


def test_a_task_brings_a_room_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "checks" / "rooms").mkdir(parents=True)
    own = (LIBRARY / "bare-hall.toml").read_text().replace('"bare-hall"', '"cellar"').replace("height = 4.5", "height = 2.3")
    (tmp_path / "checks" / "rooms" / "cellar.toml").write_text(own.replace("at = [0.0, 4.2, -1.0]", "at = [0.0, 2.1, -1.0]"))
    (tmp_path / "checks" / "rooms" / "torn.toml").write_text("[shell\n")
    room = find_room("checks/rooms/cellar.toml", tmp_path)
    assert (room.id, room.shell.height) == ("cellar", 2.3)
    for name, said in (("no-room", "no room named 'no-room'; the library has bare-hall, living-room"),
                       ("../x.toml", "within the task's folder"), ("checks/rooms/attic.toml", "attic.toml: there is no such file"),
                       ("checks/rooms/torn.toml", "torn.toml: ")):
        with pytest.raises(TaskError, match=said):
            find_room(name, tmp_path)
    with pytest.raises(TaskError, match="within the task's folder"):
        find_room("checks/rooms/cellar.toml")


def test_a_room_is_read_once() -> None:
    assert read_room(LIBRARY / "office.toml") is read_room(LIBRARY / "office.toml")


def test_an_outline_may_run_either_way() -> None:
    """Sides are numbered along it; walls, floor and ceiling face inwards all the same."""
    def reverse(written: dict[str, Any]) -> None:
        written["shell"]["outline"].reverse()
        written["openings"] = []
        written["places"] = []

    for plane in planes_of(room_with(reverse))[:6]:
        assert (Vector(0, 1, 0) - plane.pose.position).dot(plane.pose.orientation.rotate(UP)) > 0, plane.id
        assert Polygon(plane.polygon).signed_area > 0
