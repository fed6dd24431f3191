"""Another person in the room: somebody in the way, who walks."""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Protocol

from attrs import evolve

from playproof.errors import TaskError
from playproof.model import TICKS
from playproof_xr.geometry import Point, Vector
from playproof_xr.rooms import Room, ground_of
from playproof_xr.rooms.solids import Face
from playproof_xr.surroundings.state import BODY, RoomState, Someone

SIDES = 8
"""A body is a prism of so many sides."""

Becoming = Callable[[float, RoomState], RoomState]
"""The room when a share, 0 to 1, of a change is done."""


class Stage(Protocol):
    """What somebody who walks needs of the room's actor."""

    @property
    def state(self) -> RoomState: ...
    def spot(self, place: str | Sequence[float]) -> Point: ...
    def go(self, key: str, ticks: int, become: Becoming, wait: bool, words: Mapping[str, Any]) -> None: ...


class Passerby:
    """A person who is not the user; the headset sees a mesh of a body's size."""

    def __init__(self, stage: Stage, name: str) -> None:
        self._stage, self.name = stage, name

    @property
    def _self(self) -> Someone:
        if self.name not in self._stage.state.people:
            raise TaskError(f"{self.name!r} has left the room")
        return self._stage.state.people[self.name]

    @property
    def position(self) -> Vector:
        """Between the feet, in the session's frame."""
        return self._self.pose.position

    def walk_to(self, place: str | Sequence[float], speed: float = 1.2, wait: bool = True) -> None:
        """By the shortest way to a named place of the room, or to a point (x, z), metres a second; without `wait` the script goes on
        meanwhile. Raises TaskError where no way leads there."""
        start, goal = self._self, self._stage.spot(place)
        room = self._stage.state.room
        ground = ground_of(room)
        way = ground.route(ground.nearest(start.at), ground.nearest(goal))
        if not way:
            raise TaskError(f"room {room.id!r}: no way leads {self.name!r} on foot to {list(goal)}")
        length = sum(math.dist(a, b) for a, b in pairwise(way))
        words = {"verb": "walk", "who": self.name, "to": list(goal), "speed": speed}
        self._stage.go(self.name, round(length / speed * TICKS), lambda share, state: self._become(
            state, walking(start, way, length * share)), wait, words)  # fmt: skip

    def leave(self) -> None:
        """At once: out of the room, and out of the headset's sight."""
        gone = self.name

        def become(_: float, state: RoomState) -> RoomState:
            return evolve(state, people={name: one for name, one in state.people.items() if name != gone})

        self._stage.go(gone, 0, become, True, {"verb": "leave", "who": gone})

    def _become(self, state: RoomState, someone: Someone) -> RoomState:
        return evolve(state, people={**state.people, self.name: someone})


def walking(who: Someone, way: Sequence[Point], gone: float) -> Someone:
    """How somebody is who has gone so many metres of a way."""
    for a, b in pairwise(way):
        size = math.dist(a, b)
        if size <= 0.0:
            continue
        share = min(gone / size, 1.0)
        who = evolve(who, at=(a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share), heading=math.atan2(a[0] - b[0], a[1] - b[1]))
        gone -= size
        if gone <= 0.0:
            break
    return who


def body_faces(height: float) -> Sequence[Face]:
    """A prism that stands about the origin, seen from outside."""
    ring = [(BODY * math.cos(k * math.tau / SIDES), BODY * math.sin(k * math.tau / SIDES)) for k in range(SIDES)]
    low, high = ([Vector(x, y, z) for x, z in ring] for y in (0.0, height))
    around = [(low[k - 1], high[k - 1], high[k], low[k]) for k in range(SIDES)]
    return [*around, tuple(reversed(high)), tuple(low)]


def entering(room: Room, at: Point, height: float) -> Someone:
    """Raises TaskError where nobody can stand."""
    if not ground_of(room).free(at):
        raise TaskError(f"room {room.id!r}: nobody can stand at {list(at)}")
    return Someone(at, 0.0, height)
