"""The user's head: looking and walking."""

from collections.abc import Sequence

from attrs import evolve

from playproof.model import seconds
from playproof_xr.geometry import Pose, Quaternion, Vector
from playproof_xr.hands import Body, Target, eased, point_of, through


class Head:
    """Poses are those between the eyes, in the session's frame."""

    def __init__(self, owner: Body) -> None:
        self._owner = owner

    @property
    def pose(self) -> Pose:
        return self._owner.body.head

    def look_at(self, target: Target, ticks: int = seconds(0.4)) -> None:
        pose = self.pose
        self._travel(Pose(pose.position, Quaternion.facing(point_of(target) - pose.position)), ticks)

    def turn(self, degrees: float, ticks: int = seconds(0.4)) -> None:
        """To the left by so much; a negative number turns right."""
        pose = self.pose
        radians = degrees * 3.141592653589793 / 180
        self._travel(Pose(pose.position, Quaternion.yaw(radians) * pose.orientation), ticks)

    def move_by(self, by: Vector | Sequence[float], ticks: int = seconds(0.5)) -> None:
        """By so much in the session's frame; the hands stay where they are."""
        self._travel(self.pose.moved(by if isinstance(by, Vector) else Vector.of(list(by))), ticks)

    def _travel(self, to: Pose, ticks: int) -> None:
        start = self.pose

        def become(share: float) -> None:
            self._owner.become(evolve(self._owner.body, head=start.towards(to, eased(share)) if share < 1 else to))

        through(self._owner, ticks, become)
