"""Statements about space: each true, false and on its limit, and the same wherever world and viewer are moved together."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playproof_xr.assertions import (
    angle,
    centre,
    distance,
    facing,
    forward,
    gap,
    inside,
    letter_size,
    on_surface,
    position,
    reachable,
    readable,
    stable_for,
    touching,
    towards,
)  # fmt: skip
from playproof_xr.geometry import IDENTITY, Box, Matrix, Pose, Quaternion, Vector
from playproof_xr.predicates import Predicate
from playproof_xr.testing import FRAME, at, of, track_of
from playproof_xr.time.asking import Answer, ask
from playproof_xr.time.operators import Temporal
from playproof_xr.time.track import Nothing, Track

A, B = {"name": "a"}, {"name": "b"}
EYE = of(Pose(Vector(0.0, 1.6, 0.0)))
HALF_TURN = Quaternion.yaw(math.pi)


def holds(predicate: Predicate, **columns: Any) -> bool | None:
    (truth,) = predicate.over(one_row(columns))
    return truth


def one_row(columns: Mapping[str, Any], planes: Sequence[Any] = ()) -> Track:
    return track_of({name.replace("_", "."): [held] for name, held in columns.items()}, planes=planes)


def measured(quantity: Any, **columns: Any) -> float:
    (value,) = quantity.over(one_row(columns))
    assert isinstance(value, float), value
    return value


def put(statement: Temporal, track: Track) -> Answer:
    return ask(statement, track, track.rows[-1].tick)


# --- frames of reference ---


def test_positions_in_the_frames_of_the_session_the_viewer_and_a_hand() -> None:
    head = of(Pose(Vector(1.0, 1.6, 1.0), Quaternion.yaw(math.pi / 2)))  # looks along -x
    row = {"a": at(0.0, 1.6, 1.0), "head": head, "right.palm": of(Pose(Vector(0.0, 1.0, 1.0), Quaternion.pitch(math.pi / 2)))}
    where = [getattr(position(A, frame), axis).over(one_row(row))[0] for frame in (None, "viewer", "right.palm") for axis in "xyz"]
    assert where == pytest.approx([0.0, 1.6, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, -0.6], abs=1e-9)
    assert where[5] == pytest.approx(-1.0), "one metre ahead of the eyes"
    assert distance(A, "head").over(one_row(row)) == [pytest.approx(1.0)]
    assert centre(A).y.over(one_row({"a": of(Pose(Vector(0.0, 1.0)), (1, 1, 1))})) == [1.0]


def test_a_things_scale_does_not_stretch_its_frame() -> None:
    large = {"matrix": list(Matrix.compose(Pose(Vector(1.0)), Vector(10.0, 10.0, 10.0)).values), "box": None, "local": None}
    assert measured(position(A, B).x, a=at(3.0), b=large) == pytest.approx(2.0)
    flat = {"matrix": [0.0] * 15 + [1.0], "box": None, "local": None}
    assert holds(position(A, B).x < 99, a=at(3.0), b=flat) is None


pose = st.builds(
    lambda x, y, z, turn: Pose(Vector(x, y, z), turn), *[st.floats(-5, 5)] * 3,
    st.builds(lambda axis, by: Quaternion.turn(Vector(*axis), by), st.tuples(*[st.floats(0.1, 1)] * 3), st.floats(-3, 3)),
)  # fmt: skip
size = st.tuples(*[st.floats(0.01, 1)] * 3)


@settings(max_examples=40)
@given(pose, pose, pose, pose, size, size)
def test_what_is_measured_stays_when_world_and_viewer_are_moved_together(
    move: Pose, a: Pose, b: Pose, head: Pose, one: Any, two: Any
) -> None:
    quantities = [
        distance(A, B), gap(A, B), position(A, "viewer").x, position(A, B).z, angle(forward(A), towards(A, "head")), letter_size(A),
        angle(forward(A, "+y"), forward(B)),
    ]  # fmt: skip
    row = {"a": of(a, one), "b": of(b, two), "head": of(head)}
    moved = {"a": of(move * a, one), "b": of(move * b, two), "head": of(move * head)}
    for quantity in quantities:
        (before,), (after,) = quantity.over(one_row(row)), quantity.over(one_row(moved))
        assert before == (after if isinstance(after, Nothing) else pytest.approx(after, abs=2e-3)), quantity.label


@settings(max_examples=30)
@given(pose, pose, size, size)
def test_the_gap_is_the_least_distance_between_points_of_two_boxes(a: Pose, b: Pose, one: Any, two: Any) -> None:
    near = Pose(a.position.lerp(b.position, 0.9), a.orientation)
    found = measured(gap(A, B), a=of(near, one), b=of(b, two))
    shares = [-0.5, -0.25, 0.0, 0.25, 0.5]
    inner = [(x, y, z) for x in shares for y in shares for z in shares]
    points, others = ([p.at(Vector(x * s[0], y * s[1], z * s[2])) for x, y, z in inner] for p, s in ((near, one), (b, two)))
    assert found <= min(p.distance(q) for p in points for q in others) + 1e-4
    assert measured(gap(A, B), a=of(b, two), b=of(near, one)) == pytest.approx(found, abs=1e-3), "the same from either side"
    assert found >= near.position.distance(b.position) - sum(math.hypot(*s) / 2 for s in (one, two)) - 1e-6


def test_the_gap_of_a_turned_box_is_not_that_of_the_box_around_it() -> None:
    tilted = of(Pose(Vector(), Quaternion.yaw(math.pi / 4)), (1.0, 1.0, 1.0))
    corner = at(0.6, 0.0, 0.6)
    assert measured(gap(A, B), a=tilted, b=corner) == pytest.approx(math.hypot(0.6, 0.6) - 0.5, abs=1e-6)
    assert Box.of(tilted["box"]).contains(Vector(0.6, 0.0, 0.6)), "which the box around it holds"


# --- facing ---


@pytest.mark.parametrize(("yaw", "facing_it"), [(0.0, True), (30.0, True), (30.1, False), (-29.9, True), (180.0, False)])
def test_facing(yaw: float, facing_it: bool) -> None:
    panel = of(Pose(Vector(0.0, 1.6, -1.0), Quaternion.yaw(math.radians(yaw))), (0.4, 0.3, 0.0))
    limit = 30.0 + 1e-9  # of the angle as it is worked out
    assert holds(facing(A, within=limit), a=panel, head=EYE) is facing_it
    assert holds(facing(A, within=limit, axis="-z"), a=panel, head=EYE) is (yaw == 180.0)


def test_who_stands_behind_a_panel_is_not_faced() -> None:
    panel = of(Pose(Vector(0.0, 1.6, -1.0)), (0.4, 0.3, 0.0))
    assert holds(facing(A), a=panel, head=of(Pose(Vector(0.0, 1.6, -2.0), HALF_TURN))) is False
    assert holds(facing(A), a=panel, head=of(Pose(Vector(0.0, 1.6, -1.0)))) is None, "in the panel's own middle there is no direction"
    with pytest.raises(ValueError, match="an axis is"):
        facing(A, axis="z")


# --- surfaces ---

ON_TABLE, ON_WALL = Pose(Vector(2.0, 0.75, 0.0), Quaternion.yaw(0.5)), Pose(Vector(0.0, 1.0, -3.0), Quaternion.pitch(math.pi / 2))
TABLE = {"id": "t", "label": "table", "orientation": "horizontal", "matrix": list(Matrix.compose(ON_TABLE).values),
         "polygon": [[-0.6, -0.4], [0.6, -0.4], [0.6, 0.4], [-0.6, 0.4]]}  # fmt: skip
WALL = {"id": "w", "label": "wall", "orientation": "vertical", "matrix": list(Matrix.compose(ON_WALL).values),
        "polygon": [[-2, -1], [2, -1], [2, 1], [-2, 1]]}  # fmt: skip


def resting(thing: Mapping[str, Any], surface: Any = "table", **more: Any) -> tuple[bool | None, str]:
    statement = on_surface(A, surface, **more)
    track = one_row({"a": thing}, [TABLE, WALL])
    return statement.over(track)[0], statement.tell(track, 0)


@pytest.mark.parametrize(("lift", "rests"), [(0.0, True), (0.0099, True), (0.011, False), (-0.0099, True), (-0.011, False)])
def test_on_a_table(lift: float, rests: bool) -> None:
    cube = of(Pose(Vector(2.1, 0.80 + lift, 0.1), Quaternion.yaw(1.0)), (0.1, 0.1, 0.1))
    truth, told = resting(cube)
    assert truth is rests
    if not rests:
        assert told == f"scene[name 'a'] {'floats' if lift > 0 else 'is sunk'} by 0.011 m"


def test_beside_a_table_and_over_its_edge() -> None:
    def cube(x: float) -> Mapping[str, Any]:
        return of(Pose(Vector(2.0, 0.75, 0.0), Quaternion.yaw(0.5)) * Pose(Vector(x, 0.05, 0.0)), (0.1, 0.1, 0.1))

    assert resting(cube(0.0))[0] and resting(cube(0.59))[0]
    assert resting(cube(0.62)) == (False, "scene[name 'a'] lies beside it")
    assert resting(cube(0.54), whole=True)[0] and resting(cube(0.59), whole=True)[0] is False
    assert resting(cube(0.0), "shelf") == (None, "scene[name 'a'] is on the shelf: there is no plane 'shelf'")
    assert resting(cube(0.0), "T")[0], "an id serves, too"


def test_on_a_wall_and_on_a_thing() -> None:
    assert resting(of(Pose(Vector(0.5, 1.2, -2.99)), (0.3, 0.2, 0.02)), "wall")[0]
    assert resting(of(Pose(Vector(0.5, 1.2, -2.9)), (0.3, 0.2, 0.02)), "wall") == (False, "scene[name 'a'] floats by 0.09 m")
    shelf = of(Pose(Vector(0.0, 1.0, 0.0), Quaternion.yaw(0.7)), (1.0, 0.1, 0.3))
    on = on_surface(A, B)
    assert holds(on, a=of(Pose(Vector(0.3, 1.1, -0.25)), (0.1, 0.1, 0.1)), b=shelf)
    assert holds(on, a=of(Pose(Vector(0.3, 1.1, 0.25)), (0.1, 0.1, 0.1)), b=shelf) is False, "over the box around it, and not over it"
    assert holds(on, a=of(Pose(Vector(0.0, 1.1, 0.0)), (0.1, 0.1, 0.1)), b=None) is None
    assert resting(at(2.0, 0.75, 0.0))[0], "what has no shape rests on its origin"


# --- inside, within reach, legible ---


def test_inside() -> None:
    ball, box = at(0.95, 0.0, 0.0, size=0.2), Box(Vector(-1, -1, -1), Vector(1, 1, 1))
    assert holds(inside(A, box), a=ball) and holds(inside(A, box, whole=True), a=ball) is False
    assert holds(inside(A, box), a=at(1.0)), "its surface belongs to it"
    assert holds(inside(A, box), a=at(1.001)) is False
    turned = of(Pose(Vector(), Quaternion.yaw(math.pi / 4)), (2.0, 2.0, 2.0))
    assert holds(inside(A, B), a=at(1.3), b=turned) and holds(inside(A, B), a=at(1.0, 0.0, 1.0), b=turned) is False
    corner = [[0, 0], [2, 0], [2, 2], [1, 2], [1, 1], [0, 1]]
    assert holds(inside(A, corner), a=at(1.5, 77.0, 1.5)) and holds(inside(A, corner), a=at(0.5, 0.0, 1.5)) is False
    assert holds(inside(A, corner), a=None) is None


def test_reachable_from_the_shoulder() -> None:
    left, right = at(-0.2, 1.4, 0.0), at(0.2, 1.4, 0.0)
    row = {"left.shoulder": left, "right.shoulder": right}
    for x, hand, within in (
        (0.9001, "right", False), (0.8999, "right", True), (0.6, "left", False), (0.6, "either", True), (-1.1, "either", False)
    ):
        thing = at(x, 1.4, 0.0, size=0.1)
        assert reachable(A, hand).over(one_row({**row, "a": thing})) == [within], (x, hand)
    assert reachable(A, "left", reach=1.0).over(one_row({**row, "a": at(0.6, 1.4, 0.0)})) == [True]


def text(height: float, away: float = 1.0, turn: Quaternion = IDENTITY) -> Mapping[str, Any]:
    return of(Pose(Vector(0.0, 1.6, -away), turn), (0.4, height, 0.0))


def test_readable_by_what_a_capital_spans() -> None:
    least = 2 * math.tan(math.radians(22 / 60) / 2) / 0.7  # of a line, at one metre
    assert measured(letter_size(A), a=text(least), head=EYE) == pytest.approx(22 / 60)
    assert holds(readable(A), a=text(least * 1.001), head=EYE) and holds(readable(A), a=text(least * 0.999), head=EYE) is False
    assert holds(readable(A), a=text(least * 1.001, 2.0), head=EYE) is False and holds(readable(A), a=text(least * 2.01, 2.0), head=EYE)
    assert holds(readable(A, lines=3), a=text(least * 3.01), head=EYE)
    assert holds(readable(A, lines=3), a=text(least * 2.9), head=EYE) is False
    assert holds(readable(A, letter=0.007), a=text(9.0), head=EYE) and holds(readable(A, letter=0.006), a=text(9.0), head=EYE) is False
    assert measured(letter_size(A), a=text(1e-9), head=EYE) < 1e-6


def test_what_is_seen_from_behind_askew_or_not_at_all_is_not_readable() -> None:
    assert holds(readable(A), a=text(0.05, turn=HALF_TURN), head=EYE) is False
    assert holds(readable(A), a=text(0.05, turn=Quaternion.yaw(math.radians(59))), head=EYE)
    assert holds(readable(A), a=text(0.05, turn=Quaternion.yaw(math.radians(61))), head=EYE) is False
    assert holds(readable(A), a={**text(0.05), "in_view": False}, head=EYE) is False
    laid = text(0.05, turn=Quaternion.pitch(math.radians(-59)))
    assert measured(letter_size(A), a=laid, head=EYE) == pytest.approx(math.degrees(0.035 * math.cos(math.radians(59))), rel=0.01)


# --- touch ---


def touches(*gaps: float | None) -> list[bool | None]:
    track = track_of({"a": [at(0.0)] * len(gaps), "b": [None if one is None else at(one) for one in gaps]})
    return list(touching(A, B, begin=0.005, end=0.015).over(track))


def test_a_touch_begins_near_and_ends_further_away() -> None:
    assert touches(0.02, 0.005, 0.01, 0.015, 0.0151, 0.01) == [False, True, True, True, False, False]
    assert touches(0.0, 0.012, 0.004, 0.012, 0.0) == [True] * 5, "a trembling hand makes one touch of it"
    assert touches(0.0, None, 0.012) == [True, None, False], "what is gone has let go"
    with pytest.raises(ValueError, match="`end` is the larger"):
        touching(A, B, begin=0.02, end=0.01)
    broken = track_of({"a": [at(0.0)] * 3, "b": [at(x) for x in (0.0, 0.02, 0.0)]})
    assert not put(stable_for(2 * FRAME, touching(A, B)), broken).finding.holds
