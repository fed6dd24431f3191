"""Attached to a palm: what hangs on something else gives itself away when the hand moves, turns and bends its fingers."""

import math
import re
from collections.abc import Sequence
from typing import Any

import pytest

from playproof.errors import TaskError
from playproof_xr.assertions import always, attached, position
from playproof_xr.body import Arm
from playproof_xr.geometry import Pose, Quaternion, Vector
from playproof_xr.testing import at, of, track_of
from playproof_xr.time.asking import Answer, ask
from playproof_xr.time.operators import Temporal
from playproof_xr.time.track import Track

A = {"name": "a"}


def put(statement: Temporal, track: Track) -> Answer:
    return ask(statement, track, track.rows[-1].tick)


def waving(count: int = 30, bend: bool = True) -> Sequence[Arm]:
    """A right hand that moves 30 cm, turns by 60 degrees and points, at last."""
    frames = []
    for index in range(count):
        share = index / (count - 1)
        turn = Quaternion.turn(Vector(0.3, 1.0, 0.2), math.radians(60) * share)
        arm = Arm("right", Pose(Vector(0.2 + 0.3 * share, 1.2, -0.4), turn))
        frames.append(arm.posed("fist") if bend and share > 0.5 else arm.posed("open"))
    return frames


def worn(place: Any, bend: bool = True, count: int = 30) -> Track:
    """What hangs on a hand by `place(arm, index)`."""
    arms = waving(count, bend)
    columns: dict[str, Sequence[Any]] = {"a": [of(place(arm, index), (0.04, 0.04, 0.0)) for index, arm in enumerate(arms)]}
    columns["right.palm"] = [of(arm.palm) for arm in arms]
    columns["right.wrist"] = [of(arm.wrist) for arm in arms]
    return track_of(columns)


OFFSET = Pose(Vector(0.0, -0.03, 0.0))
to_palm = attached(A, "right.palm")


def test_attached_to_the_palm() -> None:
    answer = put(to_palm, worn(lambda arm, _: arm.palm * OFFSET))
    assert answer.finding.holds and "0.03 m away, slipping by" in answer.finding.seen
    billboard = worn(lambda arm, _: Pose((arm.palm * OFFSET).position))
    assert put(to_palm, billboard).finding.holds, "it may turn to the viewer"
    assert not put(attached(A, "right.palm", turn=10.0), billboard).finding.holds
    assert put(attached(A, "right.palm", turn=10.0), worn(lambda arm, _: arm.palm * OFFSET)).finding.holds


@pytest.mark.parametrize(("place", "seen"), [
    (lambda arm, _: arm.wrist, r"m away$"),
    (lambda arm, _: arm.wrist * Pose(Vector(0.0, -0.02, -0.02)), r"from the palm and only .* from the wrist$"),
    (lambda arm, _: arm.joints["index-finger-tip"] * Pose(Vector(0.0, -0.02, 0.08)), r"slipped by|m away$|behind the palm$"),
    (lambda arm, _: Pose(arm.palm.position + OFFSET.position), r"stayed in place in the session's frame"),
    (lambda arm, _: arm.palm * Pose(Vector(0.0, 0.03, 0.0)), r"0\.03 m behind the palm$"),
    (lambda arm, index: arm.palm * Pose(Vector(0.0, -0.03, 0.0005 * index)), None),
    (lambda arm, index: arm.palm * Pose(Vector(0.0, -0.03, 0.0006 * index)), r"slipped by 0\.0156 m"),
], ids=["wrist", "towards-the-wrist", "finger", "offset-in-the-world", "back-of-the-hand", "slips-a-little", "slips-too-far"])  # fmt: skip
def test_attached_to_something_else(place: Any, seen: str | None) -> None:
    finding = put(to_palm, worn(place)).finding
    assert finding.holds is (seen is None), finding.seen
    assert seen is None or re.search(seen, finding.seen), finding.seen


def test_a_hand_that_hardly_moves_shows_nothing() -> None:
    still = track_of({"a": [at(0.0)] * 5, "right.palm": [at(0.0)] * 5, "right.wrist": [at(0.0, 0.0, 0.1)] * 5})
    with pytest.raises(TaskError, match=r"moved 0 m and turned 0°"):
        put(to_palm, still)
    gone = track_of({"a": [None] * 5, "right.palm": [at(0.0)] * 5, "right.wrist": [at(0.0)] * 5})
    assert "is not there" in put(to_palm, gone).finding.seen


def test_a_statement_speaks_of_a_moving_frame_at_each_sample() -> None:
    track = worn(lambda arm, _: arm.palm * OFFSET)
    assert put(always(abs(position(A, "right.palm").y + 0.03) < 1e-6), track).finding.holds
    assert not put(always(abs(position(A).y - 1.17) < 0.01), track).finding.holds
