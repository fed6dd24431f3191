"""What statements speak of: things of the app's, parts of the user's body, points; each by the name that a track calls it by."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen

from playproof.errors import TaskError
from playproof_xr.body.anchors import Joints, grip, palm, pinch_point
from playproof_xr.body.joints import JOINTS, SIDES, WRIST
from playproof_xr.body.state import Arm, BodyState
from playproof_xr.geometry import Matrix, Pose, Quaternion, Vector
from playproof_xr.observe.scene import spelled
from playproof_xr.things import Thing
from playproof_xr.time.track import Nothing, Placed, Track

PARTS = ("pinch_point", "palm", "grip", "ray", "shoulder", *JOINTS)
"""Parts of a hand or an arm, after `left.` or `right.`; beside them there are `head` and the amount `left.pinch`."""

NOT_TRACKED = "is not tracked"


@frozen(eq=False)
class TrackedPoint(Vector):
    """A point of the body as it is now, which statements about time follow: they ask where it was at each sample."""

    part: str = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vector) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


@frozen(eq=False)
class TrackedPose(Pose):
    """A pose of the body as it is now, which statements about time follow."""

    part: str = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pose) and (self.position, self.orientation) == (other.position, other.orientation)

    def __hash__(self) -> int:
        return hash((self.position, self.orientation))


def tracked_point(part: str, point: Vector) -> TrackedPoint:
    """`part` as in "right.pinch_point"."""
    return TrackedPoint(point.x, point.y, point.z, part)


def tracked_pose(part: str, pose: Pose) -> TrackedPose:
    return TrackedPose(pose.position, pose.orientation, part)


@frozen
class Target:
    """`name` is what messages and tracks call it; a `fixed` one does not move. `wanted` is how to find it in a scene, `identity`
    the object's id where it is known."""

    name: str
    fixed: Placed | None = field(default=None, eq=False)
    wanted: Mapping[str, Any] | None = field(default=None, eq=False)
    identity: str | None = None

    def column(self, track: Track) -> Sequence[Placed | Nothing]:
        """Where it was in each row. Raises TaskError when nobody watched it."""
        return [one if isinstance(one, Placed | Nothing) else Nothing("is an amount, and no place") for one in self.values(track)]

    def values(self, track: Track) -> Sequence[Placed | float | Nothing]:
        """The same for what may be an amount, too."""
        if self.fixed is not None:
            return [self.fixed] * len(track.rows)
        try:
            return track.column(self.key)
        except KeyError:
            raise TaskError(f"{self.name} was not watched; watched: {', '.join(sorted(track.names)) or 'nothing'}") from None

    @property
    def key(self) -> str:
        """What tracks call it: two things may be described alike."""
        return self.name if self.identity is None else f"{self.name}#{self.identity}"


Followed = Thing | Target | Vector | Pose | Sequence[float] | str | Mapping[str, Any]
"""What a statement may be about: see `target`."""


def target(told: Any) -> Target:
    """A thing, a part of the body (`hand.palm`, or "right.palm"), a point ([x, y, z]), or a description of a thing ({name = "cube"}).

    Raises TypeError on anything else."""
    match told:
        case Target():
            return told
        case Thing():
            found = Target(told.path, identity=told.id)
        case TrackedPoint() | TrackedPose():
            found = Target(told.part)
        case Pose():
            found = Target(f"the pose at {_numbers(told.position)}", Placed(Matrix.compose(told)))
        case str() if is_anchor(told):
            found = Target(told)
        case str():
            raise TypeError(f"{told!r} is no part of the body: head, or left. or right. and one of pinch, {', '.join(PARTS)}")
        case Mapping():
            found = Target(f"scene[{spelled(told)}]", wanted=dict(told))
        case Vector() | Sequence():
            point = told if isinstance(told, Vector) else Vector.of(list(told))
            found = Target(_numbers(point), Placed(Matrix.compose(Pose(point))))
        case _:
            raise TypeError(f"wanted a thing, a part of the body or a point, not {told!r}")
    return found


def _numbers(point: Vector) -> str:
    return "(" + ", ".join(f"{one:.3g}" for one in point) + ")"


def is_anchor(name: str) -> bool:
    side, _, part = name.partition(".")
    return name == "head" or (side in SIDES and (part == "pinch" or part in PARTS))


def anchor_value(name: str, body: BodyState) -> Mapping[str, Any]:
    """The value, in a track, of a part of the body as the headset tells it."""
    side, _, part = name.partition(".")
    if body.tracking == "none":
        return {"lost": NOT_TRACKED}
    if not part:
        return _spelled(body.head)
    if part == "shoulder":
        return _spelled(Pose(body.shoulder(side), body.trunk.orientation))
    arm = body.arm(side)
    if not arm.tracked:
        return {"lost": NOT_TRACKED}
    return {"amount": arm.pinch} if part == "pinch" else _hand_part(part, side, arm.joints, arm.ray)


def anchor_told(name: str, user: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same from the value of `xr.user/1`."""
    side, _, part = name.partition(".")
    if user.get("tracking") == "none":
        return {"lost": NOT_TRACKED}
    head = Matrix.of(user["head"]).pose
    if part in ("", "shoulder"):
        return anchor_value(name, BodyState(head, Arm("left"), Arm("right")))
    hand = user["hands"][side]
    ray = next((Matrix.of(one["ray"]).pose for one in user["inputs"] if one["handedness"] == side), None)
    if not hand["tracked"] or ray is None:
        return {"lost": NOT_TRACKED}
    joints = {joint: Pose(Vector.of(held["position"]), Quaternion.of(held["orientation"])) for joint, held in hand["joints"].items()}
    return {"amount": hand["pinch"]} if part == "pinch" else _hand_part(part, side, joints, ray)


def _hand_part(part: str, side: str, joints: Joints, ray: Pose) -> Mapping[str, Any]:
    if part == "pinch_point":
        return _spelled(Pose(pinch_point(joints), joints[WRIST].orientation))
    if part in ("palm", "grip"):
        return _spelled((palm if part == "palm" else grip)(joints, side))
    return _spelled(ray if part == "ray" else joints[part])


def _spelled(pose: Pose) -> Mapping[str, Any]:
    return {"matrix": [round(one, 7) for one in Matrix.compose(pose).values]}
