"""The room at one moment, as a frozen value: how it is, and what the headset knows of it."""

import math
from collections.abc import Mapping, Sequence

from attrs import evolve, field, frozen

from playproof.errors import TaskError
from playproof_xr.geometry import Point, Pose, Quaternion, Rectangle, Vector
from playproof_xr.rooms import Furniture, Ground, Light, Room, ground_of

BODY = 0.25
"""Half of what another person is wide and deep; metres."""

RESTING = 0.02
"""How far above a surface something may be that still stands on it; metres."""


@frozen
class Someone:
    """Another person, on foot: `heading` in radians to the left of -z."""

    at: Point
    heading: float = 0.0
    height: float = 1.75

    @property
    def pose(self) -> Pose:
        """The frame between the feet."""
        return Pose(Vector(self.at[0], 0.0, self.at[1]), Quaternion.yaw(self.heading))


@frozen
class RoomState:
    """`room` is how it is. `forgotten` are planes and boxes, by their ids, that the headset does not find; `shifted` says where it
    finds planes, as a motion from where they are; `outlines` what it takes for their polygons. `origin` is where the app's
    `local-floor` lies in the session's frame: elsewhere once somebody has recentred."""

    room: Room
    forgotten: frozenset[str] = frozenset()
    shifted: Mapping[str, Pose] = field(factory=dict)
    outlines: Mapping[str, tuple[Point, ...]] = field(factory=dict)
    people: Mapping[str, Someone] = field(factory=dict)
    origin: Pose = Pose()

    @property
    def ground(self) -> Ground:
        """Where the user may walk: not through other people."""
        ground = ground_of(self.room)
        blocks = [Rectangle(one.at, BODY, BODY, one.heading).grown(self.room.body) for one in self.people.values()]
        return evolve(ground, blocks=(*ground.blocks, *blocks)) if blocks else ground

    def piece(self, name: str) -> Furniture:
        """Raises TaskError where no such piece stands in the room."""
        for piece in self.room.furniture:
            if piece.id == name:
                return piece
        there = ", ".join(piece.id for piece in self.room.furniture) or "nothing"
        raise TaskError(f"in room {self.room.id!r} stands no {name!r}; there stand {there}")

    def riders(self, piece: Furniture) -> Sequence[str]:
        """What goes along with it: what stands on it, and on that."""
        found = [one for one in self.room.furniture if one.id != piece.id and _rests(one, piece)]
        return [name for one in found for name in (one.id, *self.riders(one))]

    def with_pieces(self, *pieces: Furniture) -> "RoomState":
        changed = {piece.id: piece for piece in pieces}
        return evolve(self, room=evolve(self.room, furniture=tuple(changed.get(one.id, one) for one in self.room.furniture)))

    def with_lights(self, lights: Sequence[Light]) -> "RoomState":
        return evolve(self, room=evolve(self.room, lights=tuple(lights)))


def _rests(one: Furniture, on: Furniture) -> bool:
    height = on.surface if on.surface is not None else on.upper
    return on.footprint.contains(one.at) and one.lift > 0 and abs(one.lift - height) <= RESTING


def moved(piece: Furniture, by: Pose) -> Furniture:
    """Carried by a motion in the room's frame that keeps it upright."""
    pose = by * piece.pose
    turn = piece.turn + math.degrees(by.orientation.heading)
    return evolve(piece, at=(pose.position.x, pose.position.z), lift=pose.position.y, turn=turn)
