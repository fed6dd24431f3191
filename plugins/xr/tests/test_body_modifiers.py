"""Modifiers, measured in their own units; seeded, composable, and the same each time."""

import cmath
import math
import statistics
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from attrs import evolve, fields
from hypothesis import given, settings
from hypothesis import strategies as st

from playproof.errors import TaskError
from playproof.model import TICKS, seconds
from playproof_xr.body import JOINTS, MODIFIERS, Arm, BodyState, pinch_strength, reach, read_modifiers, standing, states
from playproof_xr.body.modifiers.chance import gaussian, uniform
from playproof_xr.geometry import Pose, Quaternion, Vector

FRAME = TICKS // 60
START = standing(Pose(Vector(0, 1.6, 0)))


def told(written: Any, stream: Sequence[BodyState] | BodyState, seed: int = 1, count: int = 600, frame: int = FRAME) -> Sequence[BodyState]:
    live = read_modifiers(written).begin(seed)
    given_states = [stream] * count if isinstance(stream, BodyState) else stream
    return [live(k * frame, state) for k, state in enumerate(given_states)]


def moving(count: int = 90) -> Sequence[BodyState]:
    goal = Pose(Vector(0.4, 1.4, -0.7), Quaternion.yaw(0.8))
    return list(states(reach(START, "right", goal, count * FRAME), START, FRAME))


# --- chance ---


def test_chance_is_even_and_normal_and_never_changes() -> None:
    even = [next(uniform("k", tick, 1)) for tick in range(4000)]
    assert statistics.mean(even) == pytest.approx(0.5, abs=0.02) and min(even) > 0 and max(even) <= 1
    normal = [one for tick in range(1500) for one in gaussian("k", tick, 3)]
    assert len(normal) == 4500 and statistics.pstdev(normal) == pytest.approx(1, abs=0.03) and abs(statistics.mean(normal)) < 0.05
    assert [round(one, 12) for one in gaussian("seed", 1500, 3)] == [-0.321879519126, 0.283081136733, 1.091831602682]


# --- determinism ---


EVERY = ["mirrored", "one-hand", "seated", "reach", "tremor", "weak-pinch",
         "jitter:mm=3;degrees=1;joints_mm=1;head_mm=1;head_degrees=1;pinch=0.1",
         "latency:ms=50", "dropped:share=0.3", "lost:after=0.5;lasting=0.3;every=0.6"]  # fmt: skip


def test_every_modifier_is_tried_here() -> None:
    assert [one.partition(":")[0] for one in EVERY] == list(MODIFIERS)


@pytest.mark.parametrize("written", [*EVERY, "+".join(EVERY)])
def test_the_same_seed_tells_the_same(written: str) -> None:
    stream = moving()
    assert told(written, stream, 7) == told(written, stream, 7)
    assert (told(written, stream, 7) != told(written, stream, 8)) == any(name in written for name in ("tremor", "jitter", "dropped"))


@pytest.mark.parametrize("written", ["jitter:joints_mm=1", "tremor", "dropped", "lost"])
def test_chance_depends_on_the_tick_and_not_on_the_frames_before(written: str) -> None:
    """Half the frames: what is told at a tick is the same, but for a frame that is held, which holds another."""
    dense = told(written, START, count=120, frame=750)
    sparse = told(written, START, count=60, frame=1500)
    assert list(sparse) == list(dense)[::2]


def test_modifiers_of_one_name_have_noise_of_their_own() -> None:
    once, twice = told("jitter:mm=2", START, count=1000), told("jitter:mm=2+jitter:mm=2", START, count=1000)
    spread = [statistics.pstdev(state.right.wrist.position.x for state in found) * 1000 for found in (once, twice)]
    assert spread[0] == pytest.approx(2, rel=0.1) and spread[1] == pytest.approx(2 * math.sqrt(2), rel=0.1)


# --- units ---


def test_jitter_has_the_deviations_that_it_says() -> None:
    body = START.changed("right", pinch=0.5)
    found = told("jitter:mm=3;degrees=2;head_mm=1;joints_mm=0.5;pinch=0.05", body, count=1200)
    for axis in "xyz":
        wrist = [getattr(state.right.wrist.position, axis) * 1000 for state in found]
        head = [getattr(state.head.position, axis) * 1000 for state in found]
        assert statistics.pstdev(wrist) == pytest.approx(3, rel=0.1) and statistics.pstdev(head) == pytest.approx(1, rel=0.1)
        turned = [math.degrees(2 * getattr(state.right.wrist.orientation, axis)) for state in found]
        assert statistics.pstdev(turned) == pytest.approx(2, rel=0.1)
        joint = [getattr(state.right.noise[9], axis) * 1000 for state in found]
        assert statistics.pstdev(joint) == pytest.approx(0.5, rel=0.1)
    assert statistics.pstdev(state.right.pinch for state in found) == pytest.approx(0.05, rel=0.1)
    x = [state.right.wrist.position.x for state in found]
    mean = statistics.mean(x)
    follows = sum((a - mean) * (b - mean) for a, b in pairwise(x)) / sum((a - mean) ** 2 for a in x)
    assert abs(follows) < 0.1, "new in each frame"
    shaken = [(arm.wrist.position - START.arm(arm.side).wrist.position) for arm in found[0].arms]
    assert shaken[0].distance(shaken[1]) > 1e-4, "each hand has noise of its own"
    assert all(state.head.orientation == START.head.orientation for state in found)
    assert len(found[0].right.noise) == len(JOINTS)


def test_tremor_swings_at_its_rate_and_within_its_bounds() -> None:
    for hz in (4.0, 6.0, 8.0):
        found = told(f"tremor:mm=5;degrees=2;hz={hz}", START, count=1200, frame=TICKS // 120)
        x = [state.left.wrist.position.x - START.left.wrist.position.x for state in found]
        assert max(map(abs, x)) <= 0.005 and max(x) > 0.0045
        rises = sum(1 for a, b in pairwise(x) if a < 0 <= b)
        assert rises / 10 == pytest.approx(hz, rel=0.08)
        around = [abs(sum(value * cmath.exp(-2j * math.pi * rate * k / 120) for k, value in enumerate(x)))
                  for rate in (hz * 0.5, hz * 0.94, hz * 1.06)]  # fmt: skip
        assert around[0] < 0.15 * min(around[1:]), "at two close rates and no other"
        angles = [math.degrees(state.left.wrist.orientation.angle(START.left.wrist.orientation)) for state in found]
        assert 1.8 < max(angles) <= 2 * math.sqrt(3)
        assert max(abs(b - a) for a, b in pairwise(x)) < 2 * math.pi * hz * 1.06 * 0.005 / 120, "no jumps"
    one = told("tremor:hand=left", START, count=10)
    assert all(state.right == START.right for state in one) and one[3].left != START.left


def test_latency_tells_what_was() -> None:
    stream = moving()
    late = told("latency:ms=50", stream)
    assert list(late[3:]) == list(stream[:-3]) and list(late[:3]) == [stream[0]] * 3
    hands = told("latency:ms=50;part=hands", [evolve(state, head=state.head.moved(Vector(k))) for k, state in enumerate(stream)])
    assert [state.head.position.x for state in hands] == list(range(90))
    assert [state.right for state in hands[3:]] == [state.right for state in stream[:-3]]
    between = told("latency:ms=60", stream)
    assert list(between[4:]) == list(stream[:-4]), "60 ms are 3.6 frames: the frame that is at least so old"
    assert list(told("latency:ms=0", stream)) == list(stream)


def test_dropped_frames_hold_the_last() -> None:
    stream = [START.changed("right", pinch=k / 2000) for k in range(2000)]
    found = told("dropped:share=0.2", stream)
    held = [k for k in range(1, 2000) if found[k] != stream[k]]
    assert len(held) / 2000 == pytest.approx(0.2, abs=0.03) and all(found[k] == found[k - 1] for k in held)
    assert found[0] == stream[0]


def test_a_hand_is_lost_for_its_interval() -> None:
    found = told("lost:hand=left;after=1;lasting=0.5", START, count=180)
    assert [k for k, state in enumerate(found) if not state.left.tracked] == list(range(60, 90)) and all(s.right.tracked for s in found)
    again = told("lost:after=0.5;lasting=0.1;every=1", START, count=180)
    assert [k for k, state in enumerate(again) if not state.right.tracked] == [*range(30, 36), *range(90, 96), *range(150, 156)]


# --- who acts ---


def test_one_hand_only() -> None:
    state = told("one-hand:keep=left", START, count=1)[0]
    assert state.left.tracked and not state.right.tracked


def test_a_short_reach_draws_hands_back_towards_the_shoulder() -> None:
    far = START.changed("right", wrist=START.right.wrist_for("aim", Vector(0.5, 1.8, -1.2)))
    state = told("reach:m=0.6", far, count=1)[0]
    shoulder, hand, meant = far.shoulder("right"), state.right.ray.position, far.right.ray.position
    assert shoulder.distance(hand) == pytest.approx(0.6) and (hand - shoulder).unit.distance((meant - shoulder).unit) < 1e-9
    assert state.right.wrist.orientation == far.right.wrist.orientation and state.left == far.left
    assert told("reach:m=2", far, count=1)[0] == far


def test_somebody_seated_is_lower_and_reaches_less() -> None:
    body = read_modifiers("seated").start(START)
    assert body.head.position.y == 1.2 and body.left.wrist.position.y == pytest.approx(START.left.wrist.position.y - 0.4)
    assert read_modifiers("seated").start(body) == body
    high = START.changed("left", wrist=START.left.wrist_for("aim", Vector(-0.2, 1.9, -0.4)))
    state = told("seated:eyes=1.1;reach=0.6", high, count=1)[0]
    assert state.head.position == Vector(0, 1.1, 0)
    assert state.shoulder("left").distance(state.left.ray.position) == pytest.approx(0.6)
    assert told("seated", body, count=1)[0] == body, "what is done from the seat is left as it is"


def test_a_weak_pinch_stops_short() -> None:
    body = START.changed("right", pinch=1.0, buttons={"trigger": 1.0, "squeeze": 0.9, "a-button": 1.0})
    arm = told("weak-pinch", body, count=1)[0].right
    assert arm.pinch == 0.75 and arm.buttons == {"trigger": 0.75, "squeeze": 0.75, "a-button": 1.0}
    tips = arm.joints["thumb-tip"].position.distance(arm.joints["index-finger-tip"].position)
    assert tips > 0.01 and pinch_strength(arm.joints) < 1, "the fingers are seen to stop, too"
    assert told("weak-pinch:cap=0.4", START.changed("right", pinch=0.3), count=1)[0].right.pinch == 0.3


# --- the mirror ---


bodies = st.builds(
    lambda x, z, yaw, pitch, roll, hand, turn: standing(
        Pose(Vector(x, 1.6, z), Quaternion.yaw(yaw) * Quaternion.pitch(pitch) * Quaternion.turn(Vector(0, 0, 1), roll))
    ).changed("right", wrist=Pose(Vector(*hand), Quaternion.yaw(turn)), pinch=0.6, stick=(0.5, 0.2), buttons={"a-button": 1.0}),
    *[st.floats(-3, 3)] * 3, st.floats(-1, 1), st.floats(-0.5, 0.5), st.tuples(*[st.floats(-2, 2)] * 3), st.floats(-3, 3),
)  # fmt: skip


def same(a: Pose, b: Pose) -> bool:
    return a.position.distance(b.position) < 1e-6 and a.orientation.angle(b.orientation) < 1e-5


@settings(max_examples=40)
@given(bodies, st.sampled_from(["person", "origin"]))
def test_the_mirror_is_an_involution(body: BodyState, about: str) -> None:
    twice = told(f"mirrored:about={about}+mirrored:about={about}", body, count=1)[0]
    assert same(twice.head, body.head)
    for one, other in zip(twice.arms, body.arms, strict=True):
        assert same(one.wrist, other.wrist)
        assert evolve(one, wrist=Pose()) == evolve(other, wrist=Pose())


@settings(max_examples=40)
@given(bodies)
def test_the_plain_mirror_is_the_plane_x_0(body: BodyState) -> None:
    found = told("mirrored:about=origin", body, count=1)[0]
    p, q = body.right.wrist.position, body.right.wrist.orientation
    assert found.left.wrist == Pose(Vector(-p.x, p.y, p.z), Quaternion(q.x, -q.y, -q.z, q.w)) and found.left.side == "left"
    assert found.left.pinch == 0.6 and found.left.stick == (-0.5, 0.2) and found.left.buttons == {"x-button": 1.0}
    for name in JOINTS:
        assert same(found.left.joints[name], body.right.joints[name].mirrored)


@settings(max_examples=40)
@given(bodies)
def test_a_person_s_mirror_goes_through_the_head(body: BodyState) -> None:
    found = told("mirrored", body, count=1)[0]
    assert found.head.position.distance(body.head.position) < 1e-6
    assert math.cos(found.head.orientation.heading - body.head.orientation.heading) == pytest.approx(1, abs=1e-6)
    a, b = (body.trunk.inverse.at(one.wrist.position) for one in (body.right, found.left))
    assert Vector(-a.x, a.y, a.z).distance(b) < 1e-6
    ahead = body.trunk.at(Vector(0, 1.2, -0.5))
    straight = body.with_arm(evolve(body.right, wrist=Pose(ahead, body.trunk.orientation)))
    assert told("mirrored", straight, count=1)[0].left.wrist.position.distance(ahead) < 1e-6, "what is ahead stays ahead"


# --- composition and how they are written ---


def test_they_are_applied_in_order() -> None:
    one, other = (told(text, START, count=1)[0] for text in ("one-hand:keep=right+mirrored", "mirrored+one-hand:keep=right"))
    assert (one.left.tracked, one.right.tracked) == (True, False) and (other.left.tracked, other.right.tracked) == (False, True)
    full = START.changed("right", pinch=1.0)
    capped = max(state.right.pinch for state in told("jitter:pinch=0.2+weak-pinch", full, count=50))
    noisy = max(state.right.pinch for state in told("weak-pinch+jitter:pinch=0.2", full, count=50))
    assert capped == 0.75 < noisy


def test_every_way_of_writing_them() -> None:
    as_text = read_modifiers("latency:ms=120+tremor:mm=4,hz=5")
    assert as_text == read_modifiers([{"name": "latency", "ms": 120}, "tremor:mm=4; hz=5"])
    assert read_modifiers("none") == read_modifiers([]) == read_modifiers("none+none") and told("none", START, count=1) == [START]
    assert read_modifiers({"name": "lost", "hand": "left"}) == read_modifiers("lost:hand=left")


@pytest.mark.parametrize(("written", "said"), [
    ("drunk", "modifier 'drunk': no modifier named 'drunk'; there are none, mirrored, one-hand"),
    ("", "no modifier named ''"),
    ("jitter:m=3", "modifier 'jitter:m=3': jitter has no option 'm'; it has mm, degrees"),
    ("jitter:3", "'3' is no option; it is written option=value"),
    ("jitter:mm=much", "modifier 'jitter:mm=much': expected float, not str @ \\$.mm"),
    ("jitter:mm=-1", "modifier 'jitter:mm=-1': .*mm"),
    ("tremor:hz=12", "hz"),
    ("one-hand:keep=both", "keep"),
    ("jitter:mm=nan", "mm"),
    ("latency:ms=inf", "ms"),
    ({"name": "jitter", "mm": "3"}, "expected float, not str"),
    ({"mm": 3}, "no modifier named ''"),
])  # fmt: skip
def test_what_is_no_modifier_is_refused(written: Any, said: str) -> None:
    with pytest.raises(TaskError, match=said):
        read_modifiers(written)


def test_what_comes_out_of_all_of_them_is_still_a_body() -> None:
    for state in told("+".join(EVERY), moving(), 3):
        for arm in state.arms:
            assert isinstance(arm, Arm) and 0 <= arm.pinch <= 0.75 + 0.5
            assert all(math.isfinite(number) for pose in arm.joints.values() for number in (*pose.position, *pose.orientation))


def test_every_option_is_described() -> None:
    for name, kind in MODIFIERS.items():
        for one in fields(kind):
            assert f"`{one.name}`" in (kind.__doc__ or ""), f"{name}.{one.name}"
    assert seconds(0.05) == 4500
