"""Statements about time, on tracks that are written down by hand: what holds, when it first fails, and in which words."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playproof.errors import ExpectationFailed, TaskError
from playproof.model import seconds
from playproof_xr.assertions import (
    always,
    between,
    distance,
    eventually,
    in_view,
    last,
    never,
    pinching,
    position,
    since,
    speed,
    stable_for,
    there,
    until,
    visible,
    while_,
)  # fmt: skip
from playproof_xr.predicates import Predicate
from playproof_xr.testing import FRAME, at, track_of
from playproof_xr.time.asking import Answer, ask, demand
from playproof_xr.time.operators import Temporal
from playproof_xr.time.track import Track, thinned
from playproof_xr.time.windows import Window

CUBE = {"name": "cube"}
HERE = (0.0, 0.0, 0.0)
NAN = {"matrix": [math.nan] * 16}


def away(*xs: Any) -> Track:
    """A cube that is so far away at each sample; None where it is not there."""
    return track_of({"cube": [None if x is None else NAN if math.isnan(x) else at(x) for x in xs]})


def put(statement: Temporal, on: Track, over: Window | None = None, events: Any = (), now: int | None = None) -> Answer:
    return ask(statement, on, on.rows[-1].tick if now is None else now, over, events)


def holds(statement: Temporal, on: Track, over: Window | None = None, events: Any = ()) -> bool:
    return put(statement, on, over, events).finding.holds


near = distance(CUBE, HERE) < 1.0


# --- operators ---


def test_always_says_when_it_first_failed_what_was_seen_then_and_the_limit() -> None:
    assert holds(always(near), away(0.1, 0.2, 0.9))
    assert not holds(always(near), away(0.1, 1.0, 0.9)), "the limit itself is not below it"
    assert holds(always(distance(CUBE, HERE) <= 1.0), away(0.1, 1.0, 0.9))
    answer = put(always(near), away(0.1, 0.2, 2.5, 0.1, 3.0))
    with pytest.raises(ExpectationFailed) as failed:
        demand(answer)
    assert str(failed.value) == (
        "wanted always distance(scene[name 'cube'], (0, 0, 0)) < 1 m in the whole session: at 0.033 s "
        "distance(scene[name 'cube'], (0, 0, 0)) was 2.5 m; so at 2 of 5 samples "
        "(sampled every 16.7 ms, over which it changed by up to 2.9)")
    assert failed.value.cites == ("track",)
    assert answer.finding.at == 2 * FRAME


def test_the_step_is_told_only_where_the_limit_is_near() -> None:
    assert "sampled every 16.7 ms" in put(always(near), away(0.1, 0.5, 0.9)).message
    assert "sampled every" not in put(always(near), away(0.1, 0.11, 0.1)).message
    assert "nearest to the limit at 0.033 s" in put(always(near), away(0.1, 0.5, 0.9)).message


def test_never() -> None:
    assert holds(never(near), away(1.0, 2.0))
    answer = put(never(near), away(1.5, 0.5, 2.0))
    assert not answer.finding.holds
    assert answer.finding.seen.startswith("at 0.017 s distance(scene[name 'cube'], (0, 0, 0)) was 0.5 m; only then")


def test_eventually_within() -> None:
    on = away(3.0, 2.0, 1.5, 0.5, 4.0)
    assert holds(eventually(near), on)
    assert holds(eventually(near, within=3 * FRAME), on), "the limit itself is within"
    late = put(eventually(near, within=2 * FRAME), on)
    assert not late.finding.holds
    assert "nearest at 0.033 s, distance(scene[name 'cube'], (0, 0, 0)) was 1.5 m" in late.finding.seen
    assert "it came at 0.05 s" in late.finding.seen
    short = put(eventually(near, within=seconds(1)), away(3.0, 2.0))
    assert not short.finding.holds and "the record ends 0.983 s before that" in short.finding.seen


def test_until() -> None:
    far, low = distance(CUBE, HERE) > 1.0, position(CUBE).x < 0.5
    assert holds(until(far, low), away(3.0, 2.0, 0.4, 0.1)), "what comes after that does not matter"
    assert holds(until(far, low), away(0.4, 9.0)), "it may come at once"
    assert not holds(until(far, low), away(3.0, 0.9, 0.4))
    assert not holds(until(far, low), away(3.0, 2.0, 2.0)), "it has to come"
    assert not holds(until(far, low, within=FRAME), away(3.0, 2.0, 0.4))
    assert "at 0.017 s distance" in put(until(far, low), away(3.0, 0.9, 0.4)).finding.seen


def test_while() -> None:
    on = track_of({"right.pinch": [{"amount": x} for x in (0.0, 1.0, 1.0, 0.0)], "cube": [at(x) for x in (5.0, 0.1, 0.2, 5.0)]})
    assert holds(while_(pinching("right"), near), on)
    off = track_of({"right.pinch": [{"amount": x} for x in (0.0, 1.0, 1.0, 0.0)], "cube": [at(x) for x in (5.0, 0.1, 3.0, 5.0)]})
    assert not holds(while_(pinching("right"), near), off) and "at 0.033 s" in put(while_(pinching("right"), near), off).finding.seen
    idle = track_of({"right.pinch": [{"amount": 0.3}] * 3, "cube": [at(0.1)] * 3})
    answer = put(while_(pinching("right"), near), idle)
    assert not answer.finding.holds and "never was" in answer.finding.seen, "a condition that never was shows nothing"


def test_stable_for() -> None:
    assert holds(stable_for(2 * FRAME, near), away(3.0, 0.1, 0.2, 0.3, 4.0))
    broken = put(stable_for(2 * FRAME, near), away(0.1, 0.2, 3.0, 0.2, 0.3))
    assert not broken.finding.holds and "from 0 s to 0.017 s, 0.017 s at the longest" in broken.finding.seen
    x = position(CUBE).x
    assert holds(stable_for(2 * FRAME, x, within=0.1), away(3.0, 2.0, 2.05, 2.09, 5.0))
    assert not holds(stable_for(2 * FRAME, x, within=0.1), away(3.0, 2.0, 2.05, 2.2, 5.0))
    assert not holds(stable_for(FRAME, x, within=0.1), away(1.0, None, 1.0, None, 1.0)), "what is gone meanwhile is not stable"
    assert not holds(stable_for(0, x, within=0.1), away(None, None))
    with pytest.raises(ValueError, match="Say `within`, in m"):
        stable_for(1, x)
    with pytest.raises(ValueError, match="belongs to a quantity"):
        stable_for(1, near, within=1.0)


# --- what is not there ---


@pytest.mark.parametrize("lacking", [None, math.nan])
@pytest.mark.parametrize("statement", [always(near), always(~near), never(near), never(~near), always(near | ~near)])
def test_of_what_is_not_there_nothing_holds_and_no_negation_of_it(statement: Temporal, lacking: Any) -> None:
    answer = put(statement, away(0.5, lacking, 0.5))
    assert not answer.finding.holds
    assert not put(statement, away(lacking, lacking)).finding.holds


def test_a_message_says_that_it_was_not_there_or_had_no_numbers() -> None:
    gone = put(always(near), away(0.5, None)).finding.seen
    assert "at 0.017 s distance(scene[name 'cube'], (0, 0, 0)): scene[name 'cube'] is not there" in gone
    assert "has numbers that are not finite" in put(always(near), away(0.5, math.nan)).finding.seen
    lost = track_of({"right.palm": [at(0), {"lost": "is not tracked"}], "cube": [at(0), at(0)]})
    assert "right.palm is not tracked" in put(always(distance(CUBE, "right.palm") < 1), lost).finding.seen


def test_what_comes_late_was_not_there_before() -> None:
    on = away(None, None, 0.5, 0.5)
    assert holds(eventually(near, within=2 * FRAME), on) and not holds(always(near), on)
    assert holds(eventually(there(CUBE)), on) and holds(always(near), on, last(FRAME))
    assert holds(until(~there(CUBE), near), on), "whether it is there is true or false, never neither"
    assert holds(never(there(CUBE)), away(None, None)) and not holds(never(there(CUBE)), on)


def test_combinations_know_what_is_neither() -> None:
    gone, here = away(None), away(0.5)
    assert not holds(always(there(CUBE) & near), gone) and holds(never(there(CUBE) & near), gone), "not there, so surely not there and near"
    assert holds(always(~there(CUBE) | near), gone) and holds(always(~there(CUBE) | near), here)
    assert (near & ~near).over(gone) == [None] and (there(CUBE) & near).over(gone) == [False]


def test_looks() -> None:
    hidden = track_of({"cube": [{**at(0), "visible": False, "in_view": False}, {**at(0), "in_view": False}, at(0)]})
    assert visible(CUBE).over(hidden) == [False, True, True] and in_view(CUBE).over(hidden) == [False, False, True]


# --- speeds ---


def test_a_speed_is_of_the_way_between_samples_and_never_made_up() -> None:
    assert speed(CUBE).over(away(0.0, 0.1, 0.1)) == pytest.approx([6.0, 6.0, 0.0])
    values = speed(CUBE).over(away(0.0, None, 0.5, None, 0.7, 0.8))
    assert [isinstance(one, float) for one in values] == [False, False, False, False, True, True], "nothing is known across a hole"
    assert values[4:] == pytest.approx([6.0, 6.0])
    assert not holds(always(speed(CUBE) < 99), away(0.0)), "once seen has no speed"


# --- windows ---


def test_windows() -> None:
    on = away(9.0, 9.0, 0.5, 0.5, 0.5)
    assert holds(always(near), on, last(2 * FRAME)) and not holds(always(near), on, last(3 * FRAME))
    assert holds(always(near), on, between(2 * FRAME, 3 * FRAME)) and not holds(always(near), on, between(FRAME, 3 * FRAME))
    assert holds(always(near), on, since(2 * FRAME))
    events = [{"kind": "selectstart", "handedness": "left", "tick": 0}, {"kind": "selectstart", "handedness": "right", "tick": 2 * FRAME},
              {"kind": "selectend", "tick": -5}]  # fmt: skip
    assert holds(always(near), on, since("selectstart", "right"), events) and holds(always(near), on, since("selectstart"), events)
    assert not holds(always(near), on, since("selectstart", "left"), events)
    with pytest.raises(ExpectationFailed, match="there was no selectend"):
        put(always(near), on, since("selectend"), events)
    with pytest.raises(ExpectationFailed, match="there was no squeeze of the left hand"):
        put(always(near), on, since("squeeze", "left"), events)
    with pytest.raises(TaskError, match=r"nothing was sampled between 1 s and 2 s"):
        put(always(near), on, between(seconds(1), seconds(2)))
    with pytest.raises(ValueError, match="holds nothing"):
        last(0)


def test_what_was_not_watched_is_the_scripts_error() -> None:
    with pytest.raises(TaskError, match=r"scene\[name 'dragon'\] was not watched; watched: scene\[name 'cube'\]"):
        put(always(distance({"name": "dragon"}, HERE) < 1), away(0.1))
    late = Track.of({"step": FRAME, "names": ["scene[name 'cube']"], "since": {"scene[name 'cube']": 5 * FRAME},
                     "rows": thinned([(tick * FRAME, {"scene[name 'cube']": at(0)}) for tick in range(5, 9)])})  # fmt: skip
    with pytest.raises(TaskError, match=r"was watched from 0\.083 s on, and the window begins at 0\.017 s"):
        put(always(near), late, between(FRAME, 8 * FRAME))
    assert holds(always(near), late), "without a window it is asked from where it was watched on"


# --- words and wrong use ---


def test_a_predicate_is_no_truth_by_itself() -> None:
    for use in (lambda: bool(near), lambda: 0.1 < distance(CUBE, HERE) < 0.3, lambda: near and near, lambda: not near):
        with pytest.raises(TypeError, match=r"combine with & \| ~"):
            use()
    with pytest.raises(TypeError, match="cannot be compared"):
        distance(CUBE, HERE) < speed(CUBE)  # noqa: B015 - the comparison is what raises
    with pytest.raises(TypeError, match="is no part of the body"):
        distance("right.palms", CUBE)
    with pytest.raises(ValueError, match="inf is no limit"):
        distance(CUBE, HERE) < math.inf  # noqa: B015 - the comparison is what raises


def test_arithmetic() -> None:
    on = track_of({"cube": [at(1, 2, 3)], "ball": [at(4, 6, 3)]})
    ball = {"name": "ball"}
    assert (position(ball).x - position(CUBE).x).over(on) == [3.0] and abs(position(CUBE).x - 5).over(on) == [4.0]
    assert (distance(CUBE, ball) * 2 + 1).over(on) == [11.0]
    assert holds(always(position(CUBE).x < position(ball).x), on)
    assert "and position(scene[name 'ball']).x 4 m" in put(always(position(CUBE).x > position(ball).x), on).finding.seen


@given(st.lists(st.one_of(st.none(), st.floats(0, 2)), min_size=1, max_size=30))
def test_never_is_always_not_and_eventually_is_what_is_not_never(xs: list[float | None]) -> None:
    on = away(*xs)
    assert holds(never(near), on) == holds(always(~near), on)
    if None not in xs:
        assert holds(eventually(near), on) == (not holds(never(near), on))
    assert not (holds(always(near), on) and holds(never(near), on))


@given(st.lists(st.floats(0, 2), min_size=1, max_size=30), st.integers(0, 30))
def test_a_stable_stretch_is_one_that_always_holds_in_some_window(xs: list[float], frames: int) -> None:
    on = away(*xs)
    windows = [between(i * FRAME, (i + frames) * FRAME) for i in range(len(xs) - frames)]
    assert holds(stable_for(frames * FRAME, near), on) == any(holds(always(near), on, window) for window in windows)


def test_rows_hold_only_what_changed() -> None:
    rows = thinned([(0, {"a": 1, "b": 2}), (1, {"a": 1, "b": 3}), (2, {"a": 1, "b": 3})])
    assert [row["values"] for row in rows] == [{"a": 1, "b": 2}, {"b": 3}, {}]
    assert isinstance(near, Predicate)
