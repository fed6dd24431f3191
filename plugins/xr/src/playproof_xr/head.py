"""The user's head: looking, leaning and walking."""

from collections.abc import Sequence

from attrs import evolve

from playproof.errors import TaskError
from playproof.model import seconds
from playproof_xr.acting import Owner, Target, change, hold, perform, point_of
from playproof_xr.body import eased, look_at, walk_to
from playproof_xr.geometry import Pose, Quaternion, Vector
from playproof_xr.targets import TrackedPose, tracked_pose


class Head:
    """Poses are those between the eyes, in the session's frame."""

    def __init__(self, owner: Owner) -> None:
        self._owner = owner

    @property
    def pose(self) -> TrackedPose:
        return tracked_pose("head", self._owner.body.head)

    def look_at(self, target: Target, ticks: int = seconds(0.4)) -> None:
        perform(self._owner, look_at(self._owner.body, point_of(target), ticks))

    def turn(self, degrees: float, ticks: int = seconds(0.4)) -> None:
        """To the left by so much; a negative number turns right."""
        start, radians = self.pose, degrees * 3.141592653589793 / 180
        change(self._owner, ticks, lambda share: evolve(
            self._owner.body, head=Pose(start.position, Quaternion.yaw(radians * eased(share)) * start.orientation)))  # fmt: skip

    def move_by(self, by: Vector | Sequence[float], ticks: int = seconds(0.5)) -> None:
        """Lean or crouch: by so much in the session's frame; the hands stay where they are."""
        start, way = self.pose, by if isinstance(by, Vector) else Vector.of(list(by))
        change(self._owner, ticks, lambda share: evolve(self._owner.body, head=start.moved(way * eased(share))))

    def select(self, ticks: int = seconds(0.2)) -> None:
        """Press the headset's own button and let it go, in a case whose mode is "gaze": what one looks at is selected."""
        self._owner.press_gaze(1.0)
        hold(self._owner, ticks)
        self._owner.press_gaze(0.0)
        hold(self._owner, self._owner.frame)

    def walk_to(self, place: str | Sequence[float], speed: float = 1.2) -> None:
        """On foot to a named place of the room, or to a point (x, z) of its floor, by the shortest way; the hands come along.

        Raises TaskError where the room has no such place, or no way leads there."""
        goal = self._place(place) if isinstance(place, str) else (float(place[0]), float(place[-1]))
        try:
            perform(self._owner, walk_to(self._owner.body, goal, self._owner.ground, speed))
        except ValueError as fault:
            raise TaskError(f"room {self._owner.room.id!r}: {fault}") from None

    # --- tracking ---

    def lose(self, keeps: str = "nothing") -> None:
        """The headset no longer knows where it is: the app gets no viewer's pose, and none of hands, which it sees from where it is. With
        `keeps="orientation"` it still knows which way it looks, and makes its position up: it stays where it was last seen."""
        if keeps not in ("nothing", "orientation"):
            raise TaskError(f"a head that is lost keeps 'nothing' or 'orientation', not {keeps!r}")
        body = self._owner.body
        held = body.head.position if keeps == "orientation" else None
        self._owner.become(evolve(body, tracking="none" if held is None else "orientation", held=held))

    def regain(self) -> None:
        self._owner.become(evolve(self._owner.body, tracking="full", held=None))

    def recentre(self) -> None:
        """Hold the headset's own button: the app's `local` and `local-floor` begin anew here, with -z where the head looks, and tell
        it by a `reset` event. The session's frame stays the room's, so what an app leaves where it was moves in it."""
        self._owner.surroundings.recentre(self._owner.body.told.head)

    def _place(self, name: str) -> tuple[float, float]:
        for place in self._owner.room.places:
            if place.id == name:
                return place.stand
        there = ", ".join(place.id for place in self._owner.room.places) or "none"
        raise TaskError(f"room {self._owner.room.id!r} has no place {name!r}; it has {there}")
