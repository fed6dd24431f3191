"""A session that is played again from its record alone is the same; and where it is not, the first difference is told."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from playproof.evidence import Evidences, Record
from playproof.interfaces import Grading, Replayed
from playproof.model import case, seconds
from playproof_xr.looking import comparable
from playproof_xr.runtime import WebXRRuntime

pytestmark = pytest.mark.heavy
Play = Callable[..., Any]
CASE = {"room": "office", "modifier": "jitter:mm=3", "hand": "left"}


def carried(play: Play, *edits: tuple[str, str]) -> Evidences:
    """The record of somebody with a trembling tracker who carries the cube, in a session that is looked at four times."""
    with play(*edits, seed=7, **CASE) as xr:
        cube = xr.find(name="cube")
        xr.left.reach(cube)
        xr.left.pinch()
        xr.left.move_by((0.2, 0.1, 0.0), seconds(0.4))
        xr.find(name="cube")
        xr.user()
        xr.left.release()
        xr.events()
    recorded: Evidences = xr.stage.evidence
    return recorded


def again(grading: Grading, recorded: Evidences, folder: Path, page: str = "cube.html") -> Replayed:
    runtime: WebXRRuntime = grading.runtime
    return runtime.replay(evolve(grading, record=Record(folder), seed=7), case(page=page, **CASE), recorded)


def test_the_same_twice(play: Play, grading: Grading, tmp_path: Path) -> None:
    recorded = carried(play)
    first, second = (again(grading, recorded, tmp_path / name) for name in ("first", "second"))
    assert first.differs == [] and first.compared == 5
    assert first.ticks > seconds(0.4) and (first.digest, first.ticks) == (second.digest, second.ticks)


def test_a_difference_is_told_with_its_moment_and_its_thing(
    play: Play, spoil: Callable[..., str], grading: Grading, tmp_path: Path
) -> None:
    recorded = carried(play)
    other = spoil("cube.html", (("held = hand; offset", "held = hand; cube.position.y += 0.01; offset"),))
    found = again(grading, recorded, tmp_path / "other", other)
    tick, first = found.differs[0]
    assert first.startswith("xr.scene/1.objects[cube].matrix[13]: was "), first
    assert recorded.of("xr.scene/1")[0].tick < tick < found.ticks and found.differs[-1][1].startswith("the scene at the end is ")


def test_what_the_script_did_not_do_is_not_done(play: Play, grading: Grading, tmp_path: Path) -> None:
    """The record decides: without its pinch the cube stays where it was."""
    recorded = carried(play)
    told = recorded.last("xr.input/1")
    assert told is not None
    value = json.loads(recorded.open(told))
    for _, message in value["steps"]:
        for hand in ((message or {}).get("hands") or {}).values():
            hand.pop("pinch", None)
    changed = [evolve(one, value=value, blob=None) if one is told else one for one in recorded]
    differs = again(grading, Evidences(changed, tmp_path), tmp_path / "changed").differs
    assert any("objects[cube].matrix" in what for _, what in differs) and any(what.startswith("xr.events/1") for _, what in differs)


def test_an_engines_own_numbers_are_not_compared_and_everything_else_is() -> None:
    def scene(first: int, parent: int, x: float = 0.0) -> dict[str, object]:
        one, other = {"id": str(first), "parent": None, "matrix": [x]}, {"id": str(first + 4), "parent": str(parent), "matrix": [1.0]}
        return {"objects": [one, other], "planes": []}

    assert comparable(scene(10, 10)) == comparable(scene(131, 131)), "numbered anew, with the same parents"
    assert comparable(scene(10, 10)) != comparable(scene(10, 14)), "on another parent"
    assert comparable(scene(10, 10)) != comparable(scene(10, 10, 0.5)) and comparable([1]) == [1]
