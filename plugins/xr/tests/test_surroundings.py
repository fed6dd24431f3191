"""A room that changes while an app runs, as the app is told of it: what moves, goes and comes, lights, another person, the head lost."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from playproof.checks import frames
from playproof.errors import ExpectationFailed, TaskError
from playproof.evidence import Record
from playproof.interfaces import Grading
from playproof.model import case, seconds
from playproof_xr.assertions import always, last, never, on_surface
from playproof_xr.geometry import Vector

pytestmark = pytest.mark.heavy
Play = Callable[..., Any]


def told(xr: Any) -> Any:
    return xr.tab.page.evaluate("told")


def table(xr: Any) -> Any:
    return next((one for one in told(xr)["planes"] if one["label"] == "table" and one["at"][0] < 1), None)


def heights(xr: Any, kind: str) -> list[float]:
    return [round(hit[1], 3) for hit in told(xr)["hits"][kind]]


def mesh(xr: Any, label: str) -> Any:
    return [one for one in told(xr)["meshes"] if one["label"] == label]


def person(xr: Any) -> Any:
    return next(one for one in mesh(xr, "other") if one["high"][1] == pytest.approx(1.8))


def test_planes_meshes_and_hits_agree_about_a_room_that_changes(play: Play) -> None:
    with play(page="room.html") as xr:
        around, first = xr.surroundings, told(xr)
        count, before = len(first["planes"]), table(xr)
        whole = mesh(xr, "global mesh")[0]
        # kinds of hits: of planes and meshes as asked, of points none
        assert heights(xr, "plane") == [0.45, 0.0] and heights(xr, "both") == [0.45, 0.0] and heights(xr, "point") == []
        assert heights(xr, "mesh")[:2] == [0.45, 0.45] and heights(xr, "any")[:3] == [0.45, 0.45, 0.45]

        # moved over time: half way there, everything is half way; the pose is no attribute
        around.move("table", by=(0.0, 0.2, 0.0), turn=90, ticks=seconds(0.5), wait=False)
        xr.wait(seconds(0.25))
        half = table(xr)
        assert 0.5 < half["at"][1] < 0.6 and half["changed"] == before["changed"]
        assert heights(xr, "plane")[0] == heights(xr, "mesh")[0] == round(half["at"][1], 3)
        xr.wait(seconds(0.3))
        assert table(xr)["at"] == [0.0, 0.65, -1.0] and heights(xr, "mesh") == [0.65, 0.65, 0.0]
        assert xr.room.furniture[0].turn == pytest.approx(90) and mesh(xr, "table")[0]["at"][1] == pytest.approx(0.2)
        assert mesh(xr, "global mesh")[0]["changed"] > whole["changed"]

        # taken away: no plane, mesh or hit is left; and brought back, as new ones
        around.take_away("table")
        xr.wait(frames(1))
        assert table(xr) is None and len(told(xr)["planes"]) == count - 1
        assert heights(xr, "any") == [0.0, 0.0] and mesh(xr, "global mesh")[0]["triangles"] < whole["triangles"]
        assert "table" not in [one["id"] for one in xr.scene().value["planes"]]
        around.bring_back("table")
        xr.wait(frames(1))
        assert table(xr)["at"] == before["at"] and table(xr)["changed"] > before["changed"]
        assert heights(xr, "any") == [0.45, 0.45, 0.45, 0.0, 0.0]
        assert mesh(xr, "global mesh")[0]["triangles"] == whole["triangles"]

        # what the headset knows: an outline that grows, a plane that it forgets, a floor that it corrects
        around.outline("table", [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
        xr.wait(frames(1))
        grown = table(xr)
        assert grown["polygon"] == [[-1, -1], [1, -1], [1, 1], [-1, 1]] and grown["changed"] == pytest.approx(told(xr)["now"] - 1000 / 60)
        since = grown["changed"]
        xr.wait(frames(3))
        assert table(xr)["changed"] == since
        around.forget("table")
        around.shift("floor", (0.0, 0.03, 0.0))
        xr.wait(frames(1))
        assert table(xr) is None and heights(xr, "plane") == [0.03] and heights(xr, "mesh")[0] == 0.45
        around.find_again("table")
        with pytest.raises(TaskError, match="stands no 'piano'"):
            around.move("piano")
        with pytest.raises(TaskError, match="knows no 'piano'"):
            around.forget("piano")
        with pytest.raises(TaskError, match="no simple polygon"):
            around.outline("table", [(0, 0), (1, 1)])


def test_what_lies_on_a_table_that_moves_and_who_stands_before_it(
    play: Play, spoil: Callable[..., str], grading: Grading, tmp_path: Path
) -> None:  # fmt: skip
    follows = ("renderer.setAnimationLoop(() => {", """renderer.setAnimationLoop((time, frame) => {
  for (const plane of frame?.detectedPlanes ?? []) {
    const at = frame.getPose(plane.planeSpace, renderer.xr.getReferenceSpace()).transform.position;
    if (plane.semanticLabel === "table" && at.x < 1) cube.position.set(at.x, at.y + 0.05, at.z);
  }""")  # fmt: skip
    page = spoil("cube.html", (follows,))
    with play(page=page) as xr:
        cube = xr.find(name="cube")
        xr.head.look_at(cube)
        free = float(cube.obstructed)
        who = xr.surroundings.enter(at=(0.0, -0.45))
        xr.wait(frames(2))
        assert free < 0.05 and float(cube.obstructed) > 0.9 and float(cube.occluded) < 0.05
        who.leave()
        xr.wait(frames(2))
        assert float(cube.obstructed) == free
        xr.surroundings.move("table", by=(0.1, 0.3, 0.0), ticks=seconds(0.5))
        xr.wait(frames(2))
        xr.expect(always(on_surface(cube, "table", tolerance=0.02)), over=last(seconds(0.5)))
        xr.expect(cube.position, "the cube").close_to([0.1, 0.8, -1.0], 1e-3)
        with pytest.raises(ExpectationFailed):
            xr.expect(never(on_surface(cube, "table", tolerance=0.02)), over=last(seconds(0.5)))
        # recentred, an app that leaves its things in its own space has moved them in the room
        xr.surroundings.forget("table")
        xr.head.move_by((0.2, 0.0, 0.0))
        xr.head.recentre()
        xr.wait(frames(2))
        xr.expect(cube.position, "the cube").close_to([0.3, 0.8, -1.0], 1e-3)
        assert [words["verb"] for _, words in xr.surroundings.happened] == ["enter", "leave", "move", "forget", "recentre"]
    record = play.record  # type: ignore[attr-defined]
    (told_in,) = [entry.value for entry in record.sealed().of("xr.input/1")]
    assert [words["verb"] for _, words in told_in["room"]] == ["enter", "leave", "move", "forget", "recentre"]
    again = grading.runtime.replay(evolve(grading, record=Record(tmp_path / "again")), case(page=page), xr.stage.evidence)
    assert again.differs == [] and again.compared >= 4, "the steps hold what was told of the room, frame by frame"


def test_lights_another_person_and_recentring(play: Play) -> None:
    with play(page="room.html") as xr:
        around = xr.surroundings
        # lights: the lamp above is the strongest, until it is put out
        bright = told(xr)["light"]
        assert bright["way"] == pytest.approx([0.0, 1.0, 0.0], abs=1e-6) and len(bright["harmonics"]) == 27 and min(bright["strength"]) > 4
        around.light("ceiling-light", intensity=0.0)
        xr.wait(frames(1))
        assert told(xr)["light"]["way"][1] < 0.7 and max(told(xr)["light"]["strength"]) == pytest.approx(0.8, abs=1e-3)
        around.dim(0.5)
        xr.wait(frames(1))
        assert max(told(xr)["light"]["strength"]) > 4 and told(xr)["light"]["harmonics"][0] < bright["harmonics"][0]

        # somebody comes in and walks, while the script goes on
        count = len(told(xr)["meshes"])
        who = around.enter(at="door", height=1.8)
        xr.wait(frames(1))
        body = person(xr)
        assert len(told(xr)["meshes"]) == count + 1 and body["at"] == [1.6, 0.0, 1.75]
        assert body["low"][0] == pytest.approx(-0.25) and body["high"][2] == pytest.approx(0.25) and body["triangles"] == 28
        who.walk_to((0.0, 1.2), speed=1.0, wait=False)
        xr.wait(seconds(0.5))
        there = person(xr)["at"]
        assert there == pytest.approx(list(who.position), abs=1e-3)
        assert Vector(*there).distance(Vector(1.6, 0, 1.75)) == pytest.approx(0.5, abs=0.03)
        xr.wait(seconds(2))
        assert who.position.distance(Vector(0.0, 0.0, 1.2)) < 1e-6
        assert not xr.ground.free((0.0, 1.2)) and not xr.ground.clear((0.0, 0.3), (0.0, 2.0)), "nobody walks through a person"
        who.leave()
        xr.wait(frames(1))
        assert len(told(xr)["meshes"]) == count
        with pytest.raises(TaskError, match="has left"):
            who.walk_to("door")

        # recentred: the app's spaces begin anew, and say so
        xr.head.walk_to((0.3, 0.5))
        xr.head.turn(90)
        plane = told(xr)["planes"][0]["at"]
        xr.head.recentre()
        xr.wait(frames(1))
        now = told(xr)
        assert now["viewer"] == [0.0, 1.6, 0.0] and now["aside"] == [-1.0, 1.6, 0.0]
        assert now["local"] == [0.0, 0.0, 0.0] and now["looks"] == [0.0, 1.0]
        resets = [one for one in now["events"] if one.startswith("reset")]
        assert resets == ["reset floor 0.3,0,0.5", "reset local 0.3,0,0.5", "reset aside"]
        assert now["planes"][0]["at"] != plane, "what is real is elsewhere in the app's space"
        assert (xr.head.pose.position.x, xr.head.pose.position.z) == pytest.approx((0.3, 0.5)), "and where it was in ours"


def test_a_head_that_is_lost_and_found_again(play: Play) -> None:
    with play(page="room.html") as xr:
        seen = told(xr)
        assert seen["emulated"] is False and seen["wrist"] and seen["filled"] == [True, False]
        xr.head.lose()
        xr.wait(frames(2))
        lost = told(xr)
        assert lost["viewer"] is None and lost["wrist"] is None and lost["ray"] is None and lost["filled"] == [False, True]
        assert lost["handSeen"] == seen["handSeen"] and lost["planes"] == seen["planes"]
        assert lost["hits"]["eyes"] == [] and lost["hits"]["any"] == seen["hits"]["any"]
        assert xr.user().value["tracking"] == "none" and lost["frames"] == seen["frames"] + 2
        xr.head.lose(keeps="orientation")
        xr.head.turn(90)
        xr.head.move_by((0.3, 0.0, 0.0))
        xr.wait(frames(1))
        held = told(xr)
        assert held["viewer"] == [0.0, 1.6, 0.0] and held["emulated"] is True and held["looks"] == pytest.approx([0.7071, 0.7071], abs=1e-3)
        assert held["wrist"][0] == pytest.approx(seen["wrist"][0] - 0.3, abs=2e-3), "hands are where the head takes itself to be"
        xr.head.regain()
        xr.wait(frames(1))
        assert told(xr)["viewer"] == [0.3, 1.6, 0.0] and told(xr)["emulated"] is False and told(xr)["wrist"] == seen["wrist"]
        with pytest.raises(TaskError, match="keeps 'nothing' or 'orientation'"):
            xr.head.lose(keeps="hope")
