"""The drivers, as a rubric asks them: options in, a verdict or a reason why there is none out, from stored evidence alone."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from playproof.drivers import build
from playproof.errors import ExpectationFailed, TaskError
from playproof.evidence import Record, read
from playproof.interfaces import Assertion, Services
from playproof.model import Observer, Outcome, Ref, Verdict
from playproof_xr.body import standing
from playproof_xr.geometry import Matrix, Pose, Quaternion, Vector
from playproof_xr.looking import spelled
from playproof_xr.testing import FRAME, at, of, scene_value, track_value, user_value

Taken = Mapping[str, Any]
NAMES = ("attached", "contact", "distance", "facing", "inside", "on_surface", "reachable", "readable")
BODY = standing(Pose(Vector(0.0, 1.6, 0.0)))
TABLE = {"id": "t", "label": "table", "orientation": "horizontal", "matrix": list(Matrix.compose(Pose(Vector(0.0, 0.75, -1.0))).values),
         "polygon": [[-0.6, -0.4], [0.6, -0.4], [0.6, 0.4], [-0.6, 0.4]]}  # fmt: skip
SCENE = scene_value(
    [TABLE], cube=at(0.0, 0.80, -1.0, size=0.1), floating=at(0.3, 0.9, -1.0, size=0.1),
    sign=of(Pose(Vector(0.0, 1.6, -1.0)), (0.4, 0.03, 0.0)), small=of(Pose(Vector(0.0, 1.6, -1.0)), (0.4, 0.003, 0.0)),
    back=of(Pose(Vector(0.0, 1.6, -1.0), Quaternion.yaw(3.0)), (0.4, 0.3, 0.0)),
    near=at(0.2, 1.4, -0.4, size=0.1), broken={**at(0.0), "matrix": [math.nan] * 16},
)  # fmt: skip


def driver(name: str, **options: Any) -> Assertion:
    made: Assertion = build("assertion", Ref(f"xr.{name}", options), Services(Path()))
    return made


def asked(tmp_path: Path, name: str, taken: Taken, **options: Any) -> Verdict:
    """Evidence is written, read again from its folder, and asked."""
    record = Record(tmp_path)
    for kind, value in taken.items():
        record.add(kind, Observer.MAIN, tick=FRAME, value=spelled(value))
    record.close()
    assertion = driver(name, **options)
    assert assertion.reads <= set(taken), "what it reads was taken"
    return assertion.check(read(tmp_path))


END = {"xr.scene/1": SCENE, "xr.user/1": user_value(BODY)}
CUBE, POINT = {"name": "cube"}, "right.pinch_point"


@pytest.mark.parametrize(("name", "options"), [
    ("distance", {"a": CUBE, "b": {"name": "sign"}, "at_most": 0.81, "at_least": 0.79}),
    ("distance", {"a": "head", "b": CUBE, "frame": "viewer", "along": "z", "at_most": -0.99}),
    ("distance", {"a": POINT, "b": list(BODY.right.pinch_point), "at_most": 1e-6}),
    ("facing", {"a": {"name": "sign"}}),
    ("on_surface", {"a": CUBE, "surface": "table"}),
    ("reachable", {"a": {"name": "near"}, "arm": "right"}),
    ("readable", {"a": {"name": "sign"}}),
    ("inside", {"a": CUBE, "box": [-1, 0, -2, 1, 1, 0]}),
    ("inside", {"a": CUBE, "polygon": [[-1, -2], [1, -2], [1, 0], [-1, 0]], "whole": True}),
    ("contact", {"a": {"name": "sign"}, "b": {"name": "small"}}),
])  # fmt: skip
def test_what_holds_at_the_end(tmp_path: Path, name: str, options: Taken) -> None:
    verdict = asked(tmp_path, name, END, **options)
    assert verdict.outcome is Outcome.PASS and len(verdict.cites) == 2
    assert verdict.message.endswith(verdict.seen or "?") and "at the end: it held" in verdict.message


@pytest.mark.parametrize(("name", "options", "seen"), [
    ("distance", {"a": CUBE, "b": {"name": "sign"}, "at_most": 0.79}, r"was 0\.8 m"),
    ("distance", {"a": "head", "b": CUBE, "frame": "viewer", "along": "z", "at_least": 0}, r"was -1 m"),
    ("distance", {"a": CUBE, "b": {"name": "dragon"}, "at_most": 99}, r"scene\[name 'dragon'\] is not there"),
    ("distance", {"a": CUBE, "b": {"name": "broken"}, "at_most": 99}, r"numbers that are not finite"),
    ("facing", {"a": {"name": "back"}}, r"was 171\.9 °"),
    ("on_surface", {"a": {"name": "floating"}, "surface": "table"}, r"floats by 0\.1 m"),
    ("on_surface", {"a": {"name": "near"}, "surface": "table"}, r"lies beside it"),
    ("reachable", {"a": CUBE}, r"gap\(left\.shoulder, .*\) was 1\.175 m and gap\(right\.shoulder, .*\) was 1\.175 m$"),
    ("readable", {"a": {"name": "small"}}, r"letter size of scene\[name 'small'\] was 0\.1203 °"),
    ("inside", {"a": CUBE, "of": {"name": "sign"}}, r"was at \(0, 0\.8, -1\)"),
    ("contact", {"a": CUBE, "b": {"name": "floating"}}, r"the gap between .* was 0\.2\d* m"),
])  # fmt: skip
def test_what_does_not(tmp_path: Path, name: str, options: Taken, seen: str) -> None:
    with pytest.raises(ExpectationFailed, match=seen) as failed:
        asked(tmp_path, name, END, **options)
    assert len(failed.value.cites) == 2


def test_a_hand_that_is_not_tracked_has_no_places(tmp_path: Path) -> None:
    lost = {**END, "xr.user/1": user_value(BODY.changed("right", tracked=False))}
    with pytest.raises(ExpectationFailed, match=r"right\.pinch_point is not tracked"):
        asked(tmp_path, "distance", lost, a=CUBE, b=POINT, at_most=99)


# --- over time ---

COMING = {"xr.track/1": track_value({"cube": [at(x) for x in (3.0, 2.0, 0.5, 0.5, 0.5)], "right.palm": [at(0.0)] * 5}),
          "xr.events/1": [{"kind": "selectstart", "handedness": "right", "tick": 2 * FRAME}]}  # fmt: skip
APART = {"a": CUBE, "b": "right.palm", "at_most": 1.0}


@pytest.mark.parametrize(("options", "holds"), [
    ({"when": "always"}, False), ({"when": "always", "last_s": 0.03}, True), ({"when": "always", "last_s": 0.06}, False),
    ({"when": "eventually"}, True), ({"when": "eventually", "within_s": 0.0334}, True), ({"when": "eventually", "within_s": 0.02}, False),
    ({"when": "never"}, False), ({"when": "never", "to_s": 0.02}, True),
    ({"when": "stable", "stable_s": 0.033}, True), ({"when": "stable", "stable_s": 0.05}, False),
    ({"when": "always", "since": "selectstart", "hand": "right"}, True),
    ({"when": "always", "since": "selectstart", "hand": "left"}, False),
    ({"when": "always", "from_s": 0.0333}, True),
])  # fmt: skip
def test_windows_and_operators(tmp_path: Path, options: Taken, holds: bool) -> None:
    if holds:
        assert asked(tmp_path, "distance", COMING, **APART, **options).outcome is Outcome.PASS
        return
    with pytest.raises(ExpectationFailed, match=r"there was no|was 3 m|was 2 m|was 0\.5 m|at the longest"):
        asked(tmp_path, "distance", COMING, **APART, **options)


def test_attached_is_about_time_itself(tmp_path: Path) -> None:
    turns = [Quaternion.turn(Vector(1.0, 0.0, 0.3), index / 20) for index in range(20)]
    palms = [Pose(Vector(index / 100, 1.0, 0.0), turn) for index, turn in enumerate(turns)]
    columns = {"right.palm": [of(one) for one in palms], "right.wrist": [of(one * Pose(Vector(0.0, 0.0, 0.08))) for one in palms]}
    worn = {"xr.track/1": track_value({**columns, "cube": [of(one * Pose(Vector(0.0, -0.03))) for one in palms]})}
    assert asked(tmp_path / "worn", "attached", worn, a=CUBE, to="right.palm").outcome is Outcome.PASS
    apart = {"xr.track/1": track_value({**columns, "cube": [of(Pose(one.position + Vector(0.0, -0.03))) for one in palms]})}
    with pytest.raises(ExpectationFailed, match="its offset does not turn along"):
        asked(tmp_path / "apart", "attached", apart, a=CUBE, to="right.palm")


def test_what_nobody_watched_is_the_tasks_error(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"scene\[name 'ball'\] was not watched"):
        asked(tmp_path, "distance", COMING, a={"name": "ball"}, b="right.palm", at_most=1, when="always")
    with pytest.raises(TaskError, match=r"no evidence of the kind 'xr\.track/1'"):
        driver("distance", **APART, when="always").check(read(tmp_path / "nothing"))


@pytest.mark.parametrize(("name", "options", "wrong"), [
    ("distance", {"a": CUBE, "b": POINT}, "say at_most, at_least or both"),
    ("distance", {"a": CUBE, "b": "right.elbow", "at_most": 1}, "'right.elbow' is no part of the body"),
    ("distance", {"a": CUBE, "b": POINT, "at_most": 1, "wen": "always"}, "wen"),
    ("distance", {"a": CUBE, "b": POINT, "at_most": 1, "when": "sometimes"}, "sometimes|when"),
    ("distance", {"a": CUBE, "b": [0, 0], "at_most": 1}, "a vector is 3 finite numbers"),
    ("facing", {"a": CUBE, "axis": "front"}, "an axis is"),
    ("inside", {"a": CUBE}, "say one of: of, box, polygon"),
    ("inside", {"a": CUBE, "box": [1, 0, 0, 0, 1, 1]}, "from its lowest corner"),
    ("contact", {"a": CUBE, "b": POINT, "begin": 0.1}, "`end` is the larger"),
])  # fmt: skip
def test_options_that_make_no_sense_are_refused(name: str, options: Taken, wrong: str) -> None:
    with pytest.raises(TaskError, match=wrong):
        driver(name, **options)


def test_each_says_what_it_reads() -> None:
    assert driver("distance", **APART).reads == {"xr.scene/1", "xr.user/1"}
    assert driver("distance", **APART, when="always").reads == {"xr.track/1"}
    assert driver("distance", **APART, when="always", since="select").reads == {"xr.track/1", "xr.events/1"}
    assert driver("attached", a=CUBE, to="left.palm").reads == {"xr.track/1"}
    from playproof.drivers import names

    assert {f"xr.{name}" for name in NAMES} <= set(names("assertion"))
