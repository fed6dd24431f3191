"""What a person's body does at one moment, as a frozen value: head, two arms, and what is held in them.

Positions are in the session's frame. An arm is given by its wrist, the shape of its fingers and how far they are pinched; joints,
rays and grips follow from these, and so does a controller, which the same hand holds."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from attrs import evolve, field, frozen, validators

from playproof_xr.body.anchors import grip, palm, pinch_point
from playproof_xr.body.fingers import Fingers, joints_of, radii_of
from playproof_xr.body.joints import JOINTS, SIDES
from playproof_xr.body.poses import PINCH, REST, pose_named
from playproof_xr.geometry import Pose, Quaternion, Vector

OTHER = {"left": "right", "right": "left"}
HANGING = Vector(0.2, -0.48, -0.2)
"""Where hands are held that do nothing, from between the eyes: beside (a right hand's), below and ahead; metres."""


@lru_cache(maxsize=64)
def aim(side: str, size: float = 1.0) -> Vector:
    """Where a pinch closes, from the wrist, in its frame: there the target ray begins, along the wrist's -z. It does not move
    with the fingers, so a ray is steady while somebody pinches."""
    return pinch_point(joints_of(pose_named(PINCH).fingers, side, size))


@frozen
class Arm:
    """One arm's end. `fingers` are the shape before pinching: `pinch`, 0 to 1, takes them that far towards the pinch pose.

    `buttons` (trigger, squeeze, thumbstick, a-button, ...; 0 to 1) and `stick` (x to the right, y back) are of the controller
    that is held when the body's mode is "controller". `noise` displaces each joint, in metres in the frame of the wrist."""

    side: str = field(validator=validators.in_(SIDES))
    wrist: Pose = Pose()
    fingers: Fingers = field(factory=lambda: pose_named(REST).fingers)
    pinch: float = 0.0
    tracked: bool = True
    buttons: Mapping[str, float] = field(factory=dict)
    stick: tuple[float, float] = (0.0, 0.0)
    size: float = 1.0
    noise: tuple[Vector, ...] = ()

    @property
    def joints(self) -> Mapping[str, Pose]:
        """All 25, in the session's frame."""
        local = joints_of(self.shape, self.side, self.size)
        if not self.noise:
            return {name: self.wrist * pose for name, pose in local.items()}
        return {name: self.wrist * pose.moved(by) for (name, pose), by in zip(local.items(), self.noise, strict=True)}

    @property
    def shape(self) -> Fingers:
        """The fingers as they are seen."""
        return self.fingers.towards(pose_named(PINCH).fingers, self.pinch)

    @property
    def radii(self) -> Mapping[str, float]:
        return radii_of(self.size)

    @property
    def pinch_point(self) -> Vector:
        return pinch_point(self.joints)

    @property
    def palm(self) -> Pose:
        return palm(self.joints, self.side, self.size)

    @property
    def grip(self) -> Pose:
        return grip(self.joints, self.side, self.size)

    @property
    def ray(self) -> Pose:
        """The target ray: its origin and, along -z, its direction."""
        return Pose(self.wrist.at(aim(self.side, self.size)), self.wrist.orientation)

    def posed(self, name: str) -> "Arm":
        """With the fingers of a pose of the library, and its pinch. Raises ValueError on an unknown name."""
        pose = pose_named(name)
        return evolve(self, fingers=pose.loose, pinch=pose.pinch)

    def wrist_for(self, part: str, point: Vector, orientation: Quaternion | None = None) -> Pose:
        """The wrist's pose that brings a part of the hand, as its fingers are, to `point`: "aim" (where a pinch closes), "palm"
        (its skin), or a joint. Without an orientation the hand stays turned as it is. Raises ValueError on an unknown part."""
        turn = self.wrist.orientation if orientation is None else orientation
        return Pose(point - turn.rotate(self._inner(part)), turn)

    def _inner(self, part: str) -> Vector:
        if part == "aim":
            return aim(self.side, self.size)
        local = joints_of(self.shape, self.side, self.size)
        if part == "palm":
            return palm(local, self.side, self.size).position
        if part not in local:
            raise ValueError(f"a hand has no {part!r}; it has aim, palm, {', '.join(JOINTS)}")
        return local[part].position


@frozen
class BodyState:
    """`mode` is what is held: "hand" (nothing) or "controller". `visibility` is the session's. `tracking` is how well the headset knows
    where it is: "full"; "orientation", when it takes its position for `held`; or "none"."""

    head: Pose
    left: Arm
    right: Arm
    mode: str = field(default="hand", validator=validators.in_(("hand", "controller")))
    visibility: str = field(default="visible", validator=validators.in_(("visible", "visible-blurred", "hidden")))
    tracking: str = field(default="full", validator=validators.in_(("full", "orientation", "none")))
    held: Vector | None = None

    @property
    def arms(self) -> Sequence[Arm]:
        return self.left, self.right

    def arm(self, side: str) -> Arm:
        return {"left": self.left, "right": self.right}[side]

    def with_arm(self, arm: Arm) -> "BodyState":
        return evolve(self, left=arm) if arm.side == "left" else evolve(self, right=arm)

    def changed(self, side: str, **changes: Any) -> "BodyState":
        """With one arm changed: `state.changed("left", tracked=False)`."""
        return self.with_arm(evolve(self.arm(side), **changes))

    @property
    def told(self) -> "BodyState":
        """As the headset tells of it: around the place that it takes for its own. What it sees, the hands, goes along."""
        if self.tracking != "orientation" or self.held is None:
            return self
        by = self.held - self.head.position
        left, right = (evolve(arm, wrist=arm.wrist.moved(by)) for arm in self.arms)
        return evolve(self, head=self.head.moved(by), left=left, right=right)

    @property
    def trunk(self) -> Pose:
        """The frame below the head, on the floor, turned as the head is turned: what arms and shoulders hang on."""
        return Pose(self.head.position.level, Quaternion.yaw(self.head.orientation.heading))

    def shoulder(self, side: str) -> Vector:
        """From the eyes 18 cm beside, 20 cm below and 8 cm back, whichever way the head nods."""
        out = -0.18 if side == "left" else 0.18
        return self.trunk.at(Vector(out, self.head.position.y - 0.20, 0.08))


def standing(head: Pose, size: float = 1.0, mode: str = "hand") -> BodyState:
    """Somebody whose eyes are at `head`, the arms half raised and the hands relaxed, palms down."""
    frame = Pose(head.position, Quaternion.yaw(head.orientation.heading))
    left, right = (
        Arm(side, Pose(frame.at(Vector(out * HANGING.x, HANGING.y, HANGING.z)), frame.orientation), size=size)
        for side, out in (("left", -1.0), ("right", 1.0))
    )
    return BodyState(head, left, right, mode)
