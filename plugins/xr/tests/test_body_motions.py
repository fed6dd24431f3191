"""Movements, measured: where they begin and end, how fast they go, what they leave alone."""

import math
from collections.abc import Sequence
from itertools import pairwise

import pytest

from playproof.model import TICKS, seconds
from playproof_xr.body import (
    BodyState,
    Motion,
    eased,
    look_at,
    pinch,
    pose_named,
    reach,
    shape,
    standing,
    states,
    together,
    two_handed,
    walk,
    walk_to,
)
from playproof_xr.geometry import FORWARD, UP, Pose, Quaternion, Vector
from playproof_xr.rooms import find_room, ground_of

FRAME = TICKS // 60
START = standing(Pose(Vector(0, 1.6, 0)))
ROOM = find_room("bare-hall")
GROUND = ground_of(ROOM)


def run(motion: Motion, state: BodyState = START, frame: int = FRAME) -> Sequence[BodyState]:
    return list(states(motion, state, frame))


def test_a_reach_begins_and_ends_at_rest_and_is_fastest_in_between() -> None:
    goal = Pose(Vector(0.3, 1.3, -0.6), Quaternion.yaw(1.0))
    way = run(reach(START, "right", goal, seconds(1)))
    assert len(way) == 60 and way[-1].right.wrist == goal
    places = [START.right.wrist.position, *(state.right.wrist.position for state in way)]
    speeds = [a.distance(b) * 60 for a, b in pairwise(places)]
    whole = places[0].distance(places[-1])
    assert speeds[0] < 0.02 * max(speeds) and speeds[-1] < 0.02 * max(speeds)
    assert max(speeds) == pytest.approx(1.875 * whole, rel=0.01), "of least jerk: 15/8 of the mean"
    assert speeds.index(max(speeds)) in (29, 30)
    assert all(place.distance(places[0].lerp(places[-1], eased(k / 60))) < 1e-9 for k, place in enumerate(places))
    turned = [START.right.wrist.orientation.angle(state.right.wrist.orientation) for state in way]
    assert turned == sorted(turned) and turned[29] == pytest.approx(0.5, abs=1e-6)
    assert all(state.left == START.left and state.head == START.head for state in way)


@pytest.mark.parametrize(("ticks", "frame", "count"), [(0, 1500, 1), (1, 1500, 1), (1500, 1500, 1), (1501, 1500, 2), (90000, 1000, 90)])
def test_one_state_for_each_frame(ticks: int, frame: int, count: int) -> None:
    goal = Pose(Vector(0.3, 1.3, -0.6))
    way = run(reach(START, "left", goal, ticks), frame=frame)
    assert len(way) == count and way[-1].left.wrist == goal


def test_fingers_close_and_open() -> None:
    way = run(pinch(START, "right", 1.0, seconds(0.25)))
    assert [round(state.right.pinch, 6) for state in way] == [round(k / 15, 6) for k in range(1, 16)]
    assert way[-1].right.pinch_point.distance(way[-1].right.ray.position) < 1e-9
    back = run(pinch(way[-1], "right", 0.0, seconds(0.25)), way[-1])
    assert back[-1].right == START.right
    fist = run(shape(START, "left", "fist", seconds(0.2)))
    assert fist[-1].left.fingers == pose_named("fist").fingers and fist[0].left.fingers != START.left.fingers
    assert run(shape(START, "left", "pinch", seconds(0.2)))[-1].left.pinch == 1.0
    with pytest.raises(ValueError, match="no hand pose named 'wave'"):
        shape(START, "left", "wave", 1)


def test_two_at_once_each_in_its_own_time() -> None:
    goal = Pose(Vector(0.3, 1.3, -0.6))
    both = together(reach(START, "right", goal, seconds(1)), pinch(START, "left", 1.0, seconds(0.5)))
    way = run(both)
    assert len(way) == 60 and way[29].left.pinch == 1.0 and way[14].left.pinch == pytest.approx(0.5)
    alone = run(reach(START, "right", goal, seconds(1)))
    assert [state.right for state in way] == [state.right for state in alone]


def test_two_hands_scale_turn_and_move_what_is_between_them() -> None:
    motion = two_handed(START, seconds(1), scale=2.0, angle=math.pi / 2, move=Vector(0, 0.2, 0))
    way = run(motion)

    def between(state: BodyState) -> Vector:
        return state.right.ray.position - state.left.ray.position

    before, after = between(START), between(way[-1])
    assert after.length == pytest.approx(2 * before.length) and after.angle(before) == pytest.approx(math.pi / 2)
    assert (Quaternion.yaw(math.pi / 2).rotate(before) * 2).distance(after) < 1e-9
    middle = [state.left.ray.position.lerp(state.right.ray.position, 0.5) for state in (START, way[-1])]
    assert (middle[1] - middle[0]).distance(Vector(0, 0.2, 0)) < 1e-9
    half = between(way[29])
    assert half.length == pytest.approx(1.5 * before.length) and half.angle(before) == pytest.approx(math.pi / 4)
    assert way[-1].right.wrist.orientation.angle(START.right.wrist.orientation) == pytest.approx(math.pi / 2)
    assert run(two_handed(START, seconds(1)))[-1].left.wrist.position.distance(START.left.wrist.position) < 1e-9


def test_the_head_turns_to_what_it_looks_at() -> None:
    target = Vector(1.0, 0.5, -1.0)
    way = run(look_at(START, target, seconds(0.5)))
    assert way[-1].head.orientation.forward.distance((target - START.head.position).unit) < 1e-9
    assert all(state.head.position == START.head.position and state.left == START.left for state in way)
    with pytest.raises(ValueError, match="no direction"):
        look_at(START, START.head.position, 1)


# --- walking ---


def test_walking_keeps_its_speed_and_carries_the_hands() -> None:
    start = run(look_at(START, Vector(1.0, 1.2, 0.0), seconds(0.1)))[-1]
    motion = walk_to(start, (0.0, -3.4), GROUND, speed=1.0)
    way = run(motion, start)
    places = [start.head.position, *(state.head.position for state in way)]
    length = sum(a.distance(b) for a, b in pairwise(places))
    assert motion.ticks == pytest.approx(length * TICKS, rel=0.002) and length > 3.5, "around the table"
    steps = [a.distance(b) for a, b in pairwise(places)]
    assert max(steps) == pytest.approx(length / len(way), rel=1e-3)
    assert all(GROUND.free((place.x, place.z)) for place in places)
    assert (way[-1].head.position - Vector(0, 1.6, -3.4)).length < 1e-9
    held = [state.trunk.inverse * state.right.wrist for state in (start, *way)]
    assert all(one.position.distance(held[0].position) < 1e-6 for one in held)
    nod = [state.trunk.orientation.inverse * state.head.orientation for state in (start, *way)]
    assert all(one.angle(nod[0]) < 1e-6 for one in nod), "the head keeps its nod"


def test_who_walks_turns_into_the_way() -> None:
    way = run(walk(START, [(2.0, 0.0), (2.0, 3.0)], GROUND))
    headings = [math.degrees(state.head.orientation.heading) for state in way]
    corner = next(k for k, state in enumerate(way) if state.head.position.z > 0.01)
    assert headings[corner - 1] == pytest.approx(-90, abs=0.1) and abs(abs(headings[-1]) - 180) < 0.1
    assert headings[0] > -5, "not at once"
    turns = [abs(math.remainder(b - a, 360)) for a, b in pairwise(headings)]
    assert max(turns) < 12, "nor by jumps"


def test_a_walking_head_bobs_and_comes_to_rest_at_its_height() -> None:
    way = run(walk(START, [(0.0, 4.0)], GROUND, bob=0.03))
    heights = [state.head.position.y for state in way]
    assert heights[-1] == pytest.approx(1.6) and min(heights) == pytest.approx(1.57, abs=0.002) and max(heights) <= 1.6
    lows = [k for k in range(1, len(heights) - 1) if heights[k - 1] > heights[k] <= heights[k + 1]]
    assert len(lows) == round(4.0 / 0.7)
    assert {state.head.position.y for state in run(walk(START, [(0.0, 4.0)], GROUND))} == {1.6}


def test_hands_may_stay_while_one_walks() -> None:
    way = run(walk(START, [(0.0, 1.0)], GROUND, carry=False))
    assert way[-1].right == START.right and way[-1].head.position.z == pytest.approx(1.0)


def test_nobody_walks_through_a_table() -> None:
    with pytest.raises(ValueError, match=r"no straight way from \(0.00, 0.00\) to \(0.00, -2.00\)"):
        walk(START, [(0.0, -2.0)], GROUND)
    with pytest.raises(ValueError, match="more than 0 metres a second"):
        walk(START, [(1.0, 0.0)], GROUND, speed=0)
    outside = standing(Pose(Vector(30, 1.6, 0)))
    with pytest.raises(ValueError, match="no way leads on foot"):
        walk_to(outside, (0.0, 2.0), GROUND)


def test_to_the_table_is_to_where_one_can_stand() -> None:
    way = run(walk_to(START, (0.0, -0.85), GROUND))
    place = way[-1].head.position
    assert GROUND.free((place.x, place.z)) and math.hypot(place.x, place.z + 0.85) == pytest.approx(0.55, abs=0.01)


def test_no_way_at_all_is_no_motion() -> None:
    way = run(walk(START, [(0.0, 0.0)], GROUND))
    assert len(way) == 1 and way[0].head == START.head
    assert way[0].head.orientation.forward == FORWARD and way[0].head.orientation.rotate(UP) == UP
