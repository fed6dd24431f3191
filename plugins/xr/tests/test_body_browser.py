"""Hands in a real session: every joint that the emulated headset tells is where the body has it."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from playproof.checks import frames
from playproof_xr.body import JOINTS, SIDES, palm, pinch_point, pinch_strength, pose_names
from playproof_xr.geometry import Matrix, Pose, Quaternion, Vector

pytestmark = pytest.mark.heavy
Play = Callable[..., Any]
NEAR = 2e-5
"""Metres: what the emulator keeps as 32-bit floats, some metres from the origin."""


def seen(hand: Any) -> Mapping[str, Pose]:
    """A hand's joints as evidence has them."""
    joints = hand["joints"].value
    return {name: Pose(Vector.of(one["position"]), Quaternion.of(one["orientation"])) for name, one in joints.items()}


def test_every_joint_of_every_pose_is_told(play: Play) -> None:
    with play() as xr:
        xr.left.move_by((-0.1, 0.2, -0.1), frames(2))
        xr.right.turn(40, (0.3, 1.0, 0.2), frames(2))
        for name in pose_names():
            for hand in (xr.left, xr.right):
                hand.pose(name, frames(2))
            user = xr.user()
            for side in SIDES:
                arm, told = xr.body.arm(side), seen(user["hands"][side])
                assert list(told) == list(JOINTS)
                for joint, pose in arm.joints.items():
                    assert told[joint].position.distance(pose.position) < NEAR, (name, side, joint)
                    assert told[joint].orientation.angle(pose.orientation) < 1e-3, (name, side, joint)
                radii = {joint: one["radius"] for joint, one in user["hands"][side]["joints"].value.items()}
                assert radii == pytest.approx(dict(arm.radii), abs=1e-5)
                assert palm(told, side).position.distance(arm.palm.position) < NEAR
                assert pinch_point(told).distance(arm.pinch_point) < NEAR


def test_rays_and_grips_are_those_of_the_hand(play: Play) -> None:
    with play() as xr:
        xr.right.reach((0.2, 1.2, -0.5), frames(4))
        xr.right.pinch()
        inputs = {one["handedness"]: one for one in xr.user()["inputs"].value}
        for side in SIDES:
            arm = xr.body.arm(side)
            for wanted, name in ((arm.ray, "ray"), (arm.grip, "grip")):
                pose = Matrix.of(inputs[side][name]).pose
                assert pose.position.distance(wanted.position) < NEAR and pose.orientation.angle(wanted.orientation) < 1e-3, (side, name)
        told = seen(xr.user()["hands"]["right"])
        assert pinch_strength(told) == 1.0 and pinch_point(told).distance(Vector(0.2, 1.2, -0.5)) < NEAR
