"""Hands as anatomy has them, and what is worked out from their joints."""

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from playproof.canonical import structure
from playproof_xr.body import (
    CHAINS,
    FINGERS,
    JOINTS,
    PARENTS,
    SIDES,
    Arm,
    Fingers,
    device_state,
    grip,
    joints_of,
    palm,
    pinch_point,
    pinch_strength,
    pose_named,
    pose_names,
    radii_of,
    standing,
)
from playproof_xr.body.anatomy import HAND, LIMITS
from playproof_xr.body.poses import NamedPose
from playproof_xr.geometry import BACK, DOWN, FORWARD, RIGHT, UP, Pose, Quaternion, Vector

each_pose = pytest.mark.parametrize("name", pose_names())
shapes = st.builds(
    lambda a, b, share: pose_named(a).fingers.towards(pose_named(b).fingers, share),
    st.sampled_from(pose_names()), st.sampled_from(pose_names()), st.floats(0, 1),
)  # fmt: skip
wrists = st.builds(
    lambda x, y, z, yaw, pitch: Pose(Vector(x, y, z), Quaternion.yaw(yaw) * Quaternion.pitch(pitch)),
    *[st.floats(-2, 2)] * 3, *[st.floats(-3, 3)] * 2,
)  # fmt: skip


def law(*strategies: st.SearchStrategy[Any]) -> Callable[[Any], Any]:
    return lambda test: settings(max_examples=30)(given(*strategies)(test))


# --- joints ---


def test_the_joints_are_those_of_the_specification() -> None:
    assert len(JOINTS) == 25 and JOINTS[0] == "wrist" and JOINTS[1:5] == (
        "thumb-metacarpal", "thumb-phalanx-proximal", "thumb-phalanx-distal", "thumb-tip")  # fmt: skip
    assert JOINTS[5:10] == ("index-finger-metacarpal", "index-finger-phalanx-proximal", "index-finger-phalanx-intermediate",
                            "index-finger-phalanx-distal", "index-finger-tip")  # fmt: skip
    assert [joint.rsplit("-", 1)[0] for joint in JOINTS if joint.endswith("-tip")] == list(FINGERS)
    assert PARENTS["wrist"] is None and PARENTS["ring-finger-metacarpal"] == "wrist"
    assert PARENTS["pinky-finger-tip"] == "pinky-finger-phalanx-distal" and set(PARENTS) == set(JOINTS)
    assert list(joints_of(Fingers(), "left")) == list(JOINTS) == list(radii_of())


@law(shapes, st.sampled_from(SIDES), st.floats(0.7, 1.3))
def test_bones_keep_their_lengths_and_point_to_the_next_joint(fingers: Fingers, side: str, size: float) -> None:
    joints = joints_of(fingers, side, size)
    for finger, chain in CHAINS.items():
        for (one, two), length in zip(pairwise(chain), HAND[finger].bones, strict=True):
            bone = joints[two].position - joints[one].position
            assert bone.length == pytest.approx(length * size, abs=1e-9)
            assert joints[one].orientation.forward.distance(bone.unit) < 1e-6
        assert joints[chain[-1]].orientation == joints[chain[-2]].orientation


@law(shapes)
def test_no_joint_bends_backwards(fingers: Fingers) -> None:
    joints = joints_of(fingers, "right")
    for finger, chain in CHAINS.items():
        bends = [("wrist" if finger == "thumb" else chain[0], chain[1 if finger != "thumb" else 0])]
        bends += pairwise(chain[1 if finger != "thumb" else 0 : -1])
        for number, (before, after) in enumerate(bends):
            if before == "wrist":
                continue  # the thumb's root turns every way; its limits are checked below
            onward = joints[before].orientation.inverse.rotate(joints[after].orientation.forward)
            back = math.degrees(math.atan2(onward.y, -onward.z))
            assert back <= -LIMITS[finger][number][0] + 1e-6, f"{after} is bent back by {back:.1f} degrees"


@law(shapes, wrists)
def test_a_left_hand_is_a_right_hand_in_the_mirror(fingers: Fingers, wrist: Pose) -> None:
    right, left = Arm("right", wrist, fingers), Arm("left", wrist.mirrored, fingers)
    for name in JOINTS:
        one, other = right.joints[name].mirrored, left.joints[name]
        assert one.position.distance(other.position) < 1e-9 and one.orientation.angle(other.orientation) < 1e-6
    for part in (lambda arm: arm.palm, lambda arm: arm.ray):
        one, other = part(right).mirrored, part(left)
        assert one.position.distance(other.position) < 1e-9 and one.orientation.angle(other.orientation) < 1e-6
    assert right.pinch_point.distance(Vector(-left.pinch_point.x, left.pinch_point.y, left.pinch_point.z)) < 1e-9


def test_a_median_hand_has_the_measures_of_one() -> None:
    joints = joints_of(pose_named("open").fingers, "right")
    assert 0.175 < -joints["middle-finger-tip"].position.z < 0.2
    across = joints["index-finger-phalanx-proximal"].position.distance(joints["pinky-finger-phalanx-proximal"].position)
    radii = radii_of()
    breadth = across + radii["index-finger-phalanx-proximal"] + radii["pinky-finger-phalanx-proximal"]
    assert 0.072 < breadth < 0.09
    lengths = {finger: sum(HAND[finger].bones[1:]) for finger in FINGERS}
    assert lengths["middle-finger"] > lengths["ring-finger"] > lengths["index-finger"] > lengths["pinky-finger"] > lengths["thumb"]
    assert joints["thumb-tip"].position.x < joints["index-finger-tip"].position.x < joints["pinky-finger-tip"].position.x
    assert radii_of(0.5)["wrist"] == radii["wrist"] / 2 and all(0.005 < radius < 0.022 for radius in radii.values())


# --- poses ---


def test_the_library_has_the_poses_that_it_should() -> None:
    wanted = {"open", "relaxed", "pinch", "half-pinch", "point", "fist", "thumbs-up", "palm-up", "grab", "victory"}
    assert set(pose_names()) == wanted and all(pose_named(name).about for name in wanted)
    assert {name: pose_named(name).pinch for name in wanted if pose_named(name).pinch} == {"pinch": 1.0, "half-pinch": 0.5}
    with pytest.raises(ValueError, match="no hand pose named 'wave'; there are fist, grab"):
        pose_named("wave")


@pytest.mark.parametrize(("written", "said"), [
    ({"about": "x", "index": {"bend": [0, -5, 0]}}, "index-finger: bend 2 of -5 degrees, 0 to 110"),
    ({"about": "x", "ring": {"spread": 40}}, "ring-finger: spread of 40 degrees, -22 to 22"),
    ({"about": "x", "index": {"twist": 5}}, "index-finger: twist of 5 degrees, 0 to 0"),
    ({"about": "x", "pinch": 1.5}, "pinch"),
    ({"about": "x", "index": {"bend": [0, 0]}}, "@ "),
])  # fmt: skip
def test_a_pose_that_no_hand_takes_is_refused(written: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        structure(written, NamedPose)


def tips(name: str) -> dict[str, Vector]:
    joints = joints_of(pose_named(name).fingers, "right")
    return {finger: joints[f"{finger}-tip"].position for finger in FINGERS}


def test_tips_meet_in_a_pinch_and_nowhere_else() -> None:
    gap = {name: tips(name)["thumb"].distance(tips(name)["index-finger"]) for name in pose_names()}
    assert gap["pinch"] < 0.01 and gap["half-pinch"] == pytest.approx(0.036, abs=0.006)
    assert all(gap[name] > 0.015 for name in pose_names() if name not in ("pinch", "half-pinch"))
    joints = joints_of(pose_named("pinch").fingers, "right")
    skin = radii_of()
    nails = joints["thumb-tip"].orientation.rotate(UP).dot(joints["index-finger-tip"].orientation.rotate(UP))
    assert nails < 0.3, "pads meet, not nails: their nails look apart"
    assert gap["pinch"] < skin["thumb-tip"] + skin["index-finger-tip"], "their skins touch"


def test_poses_look_like_what_they_are_called() -> None:
    curled, straight = 0.11, 0.16  # how far a tip is ahead of the wrist
    ahead = {name: {finger: -tip.z for finger, tip in tips(name).items()} for name in pose_names()}
    assert all(ahead["fist"][finger] < curled for finger in FINGERS) and all(ahead["open"][f] > 0.13 for f in FINGERS[1:])
    assert ahead["point"]["index-finger"] > straight and max(ahead["point"][f] for f in FINGERS[2:]) < curled
    assert min(ahead["victory"][f] for f in FINGERS[1:3]) > straight and max(ahead["victory"][f] for f in FINGERS[3:]) < curled
    apart = tips("victory")["middle-finger"].x - tips("victory")["index-finger"].x
    assert apart > 0.05
    thumb = tips("thumbs-up")["thumb"] - joints_of(pose_named("thumbs-up").fingers, "right")["thumb-metacarpal"].position
    assert math.degrees(thumb.angle(FORWARD)) > 55 and thumb.unit.x < -0.8
    assert all(tip.y < 0.0 for tip in tips("grab").values())


@each_pose
def test_fingers_do_not_run_through_the_palm(name: str) -> None:
    """No tip is above the back of the hand, and the fingers keep their order from thumb to little finger."""
    joints = joints_of(pose_named(name).fingers, "right")
    for finger in FINGERS[1:]:
        assert joints[f"{finger}-tip"].position.y < 0.02
    knuckles = [joints[f"{finger}-phalanx-intermediate"].position.x for finger in FINGERS[1:]]
    assert knuckles == sorted(knuckles)


def test_a_pinched_pose_is_let_go_into_rest() -> None:
    for name in ("pinch", "half-pinch"):
        arm = Arm("right").posed(name)
        seen, meant = (joints_of(fingers, "right") for fingers in (arm.shape, pose_named(name).fingers))
        assert all(seen[joint].position.distance(meant[joint].position) < 1e-9 for joint in JOINTS)
        let_go, rest = evolve(arm, pinch=0.0), pose_named("relaxed").fingers
        assert all(
            let_go.joints[joint].position.distance(joints_of(rest, "right")[joint].position) < 0.001 for joint in JOINTS
        )  # fmt: skip


# --- anchors ---


def test_pinch_strength_follows_the_gap() -> None:
    arm = standing(Pose(Vector(0, 1.6, 0))).right
    told = [pinch_strength(evolve(arm, pinch=k / 10).joints) for k in range(11)]
    assert told == sorted(told) and told[0] == 0.0 and told[-1] == 1.0
    assert 0.3 < pinch_strength(arm.posed("half-pinch").joints) < 0.7
    assert pinch_strength(arm.posed("open").joints) == 0


@law(wrists, st.sampled_from(SIDES))
def test_the_pinch_closes_where_the_ray_begins(wrist: Pose, side: str) -> None:
    arm = Arm(side, wrist)
    for pinch in (0.0, 0.4, 1.0):
        assert evolve(arm, pinch=pinch).ray == arm.ray, "a ray is steady while somebody pinches"
    assert evolve(arm, pinch=1.0).pinch_point.distance(arm.ray.position) < 1e-9
    assert arm.ray.orientation == wrist.orientation


@each_pose
@pytest.mark.parametrize("side", SIDES)
def test_the_palm_is_skin_and_no_root_joint(name: str, side: str) -> None:
    arm = Arm(side).posed(name)
    skin = arm.palm
    assert 0.05 < skin.position.distance(arm.wrist.position) < 0.09
    assert skin.orientation.rotate(DOWN).dot(DOWN) > 0.97 and skin.orientation.forward.dot(FORWARD) > 0.99
    assert -0.025 < skin.position.y < -0.012, "below the bones by the palm's thickness"
    assert palm(arm.joints, side).position.distance(skin.position) < 1e-12


@pytest.mark.parametrize("side", SIDES)
def test_the_grip_is_webxr_s(side: str) -> None:
    """-z along a held rod towards the thumb; x out of a left palm and out of the back of a right hand."""
    arm = Arm(side).posed("grab")
    held = arm.grip
    thumb = RIGHT if side == "left" else -RIGHT
    assert held.orientation.forward.dot(thumb) > 0.9
    assert held.orientation.rotate(RIGHT).dot(DOWN if side == "left" else UP) > 0.9
    fingertips = [arm.joints[f"{finger}-tip"].position for finger in FINGERS]
    assert all(held.position.distance(tip) < 0.09 for tip in fingertips), "in the middle of what the fingers hold"
    assert grip(arm.joints, side).position == held.position


@law(wrists, st.sampled_from(SIDES), st.sampled_from(pose_names()), st.sampled_from(["aim", "palm", "index-finger-tip", "wrist"]))
def test_a_wrist_is_found_for_every_part(wrist: Pose, side: str, name: str, part: str) -> None:
    arm = Arm(side, wrist).posed(name)
    point = Vector(0.3, 1.2, -0.5)
    there = evolve(arm, wrist=arm.wrist_for(part, point))
    at = {"aim": there.ray.position, "palm": there.palm.position}.get(part) or there.joints[part].position
    assert at.distance(point) < 1e-9 and there.wrist.orientation == wrist.orientation
    turned = Quaternion.yaw(1.0)
    assert arm.wrist_for(part, point, turned).orientation == turned
    with pytest.raises(ValueError, match="a hand has no 'elbow'; it has aim, palm, wrist"):
        arm.wrist_for("elbow", point)


def test_anchors_serve_for_any_joints() -> None:
    """Evidence tells of joints alone; a hand that was moved by nobody here gives the same."""
    arm = Arm("left", Pose(Vector(0.1, 1, -0.4), Quaternion.yaw(0.4))).posed("pinch")
    seen = {name: Pose(Vector.of(list(pose.position)), Quaternion.of(list(pose.orientation))) for name, pose in arm.joints.items()}
    assert pinch_point(seen).distance(arm.pinch_point) < 1e-9 and palm(seen, "left").position.distance(arm.palm.position) < 1e-9


# --- states ---


def test_somebody_stands() -> None:
    body = standing(Pose(Vector(1, 1.5, 2), Quaternion.yaw(math.pi / 2) * Quaternion.pitch(-0.4)))
    assert body.trunk.position == Vector(1, 0, 2) and body.trunk.orientation.angle(Quaternion.yaw(math.pi / 2)) < 1e-9
    for arm, out in ((body.left, 1), (body.right, -1)):  # facing -x, the left hand is on the side of +z
        assert (arm.wrist.position - Vector(0.8, 1.02, 2 + 0.2 * out)).length < 1e-9
        assert 0.3 < body.shoulder(arm.side).distance(arm.ray.position) < 0.66
    assert body.shoulder("left").distance(Vector(1.08, 1.3, 2.18)) < 1e-9
    assert body.arm("left") is body.left and body.changed("left", pinch=0.5).left.pinch == 0.5


def test_what_the_headset_tells() -> None:
    body = standing(Pose(Vector(0, 1.6, 0)), size=1.1).changed("left", tracked=False).changed("right", pinch=0.5, buttons={"trigger": 1.0})
    told = device_state(body)
    assert told.head == body.head and told.mode == "hand" and not told.hands["left"].tracked and told.hands["right"].pinch == 0.5
    numbers = told.hands["right"].joints
    assert numbers is not None and len(numbers) == 200
    at = JOINTS.index("index-finger-tip") * 8
    joint = body.right.joints["index-finger-tip"]
    assert numbers[at : at + 8] == (*joint.position, *joint.orientation, radii_of(1.1)["index-finger-tip"])
    assert told.hands["right"].ray == body.right.ray and told.hands["right"].grip == body.right.grip
    assert told.controllers["right"].buttons == {"trigger": 1.0} and told.controllers["right"].ray == body.right.ray


def test_noise_displaces_joints_alone() -> None:
    arm = Arm("right", Pose(Vector(0, 1, 0), Quaternion.yaw(math.pi / 2)), noise=tuple(Vector(0.01) for _ in JOINTS))
    still = evolve(arm, noise=())
    for name in JOINTS:
        assert (arm.joints[name].position - still.joints[name].position).distance(arm.wrist.orientation.rotate(Vector(0.01))) < 1e-9
    assert arm.ray == still.ray and (arm.wrist.orientation.rotate(Vector(0.01)) - BACK * -0.01).length < 1e-9
