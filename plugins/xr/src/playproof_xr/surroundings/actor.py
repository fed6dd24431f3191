"""The environment as an actor: what a check script lets happen around the user, at once or over time, while the script goes on or not."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from attrs import evolve, frozen

from playproof.errors import TaskError
from playproof.interfaces import Clock
from playproof_xr.body import eased
from playproof_xr.geometry import Point, Polygon, Pose, Quaternion, Vector
from playproof_xr.rooms import Furniture, Light, Plane, Room, planes_of
from playproof_xr.surroundings.people import Becoming, Passerby, entering
from playproof_xr.surroundings.state import RoomState, moved
from playproof_xr.surroundings.telling import Told, changed, told

DARK = 1e-6
"""A lamp that is out, as a strength: a room's lamps have one above nothing."""


class Owner(Protocol):
    """What it needs of a session."""

    @property
    def clock(self) -> Clock: ...
    @property
    def frame(self) -> int: ...


@frozen
class Going:
    """A change that takes time: `ticks` from `start` on."""

    start: int
    ticks: int
    become: Becoming

    def at(self, tick: int, state: RoomState) -> RoomState:
        return self.become(min(1.0, (tick - self.start) / self.ticks), state)


class Surroundings:
    """Points are in the session's frame, metres; times in ticks. What happens is seen from the next frame on; with `wait` (or without
    a time) the script waits for its end, else it goes on meanwhile. Nothing asks whether things run into each other."""

    def __init__(self, owner: Owner, room: Room) -> None:
        self._owner, self._first = owner, room
        self.state = RoomState(room)
        self._told = told(self.state, room)
        self._seen = self.state
        self._going: dict[str, Going] = {}
        self.happened: list[tuple[int, Mapping[str, Any]]] = []
        """What was asked for, and at which tick: for who reads the record. A replay needs it not; the steps hold what was told."""

    @property
    def room(self) -> Room:
        """As it is now."""
        return self.state.room

    # --- furniture ---

    def move(
        self, piece: str, to: Sequence[float] | None = None, by: Sequence[float] = (0.0, 0.0, 0.0), turn: float = 0.0,
        ticks: int = 0, wait: bool = True,
    ) -> None:  # fmt: skip
        """Move a piece of furniture with its plane and its mesh, and what stands on it: its middle to (x, z), or by (x, y, z); and turn
        it by so many degrees to the left. Raises TaskError where there is no such piece."""
        held = self.state.piece(piece)
        way = Vector(to[0] - held.at[0], 0.0, to[-1] - held.at[1]) if to is not None else Vector.of(list(by))
        whole = [held, *(self.state.piece(name) for name in self.state.riders(held))]
        here = held.pose.position

        def become(share: float, state: RoomState) -> RoomState:
            spin = Quaternion.yaw(math.radians(turn) * eased(share))
            motion = Pose(here + way * eased(share), spin) * Pose(-here)
            return state.with_pieces(*(moved(one, motion) for one in whole))

        words = {"verb": "move", "what": piece, "by": [round(one, 6) for one in way], "turn": turn, "ticks": ticks}
        self.go(piece, ticks, become, wait, words)

    def take_away(self, *pieces: str) -> None:
        """Out of the room, at once: their planes, meshes and hits are gone."""
        for piece in pieces:
            self.state.piece(piece)
        self._furnish(lambda now: [one for one in now if one.id not in pieces], {"verb": "take away", "what": list(pieces)})

    def bring_back(self, *pieces: str) -> None:
        """What was taken away, to where it stood at the start."""
        back = [one for one in self._first.furniture if one.id in pieces]
        if len(back) != len(pieces):
            raise TaskError(f"in room {self.room.id!r} there never stood {', '.join(set(pieces) - {one.id for one in back})}")
        self._furnish(lambda now: [*(one for one in now if one.id not in pieces), *back], {"verb": "bring back", "what": list(pieces)})

    def _furnish(self, arrange: Any, words: Mapping[str, Any]) -> None:
        def become(_: float, state: RoomState) -> RoomState:
            furniture: Sequence[Furniture] = arrange(state.room.furniture)
            return evolve(state, room=evolve(state.room, furniture=tuple(furniture)))

        self.go(f"furniture {len(self.happened)}", 0, become, True, words)

    # --- what the headset knows ---

    def forget(self, *names: str) -> None:
        """The headset no longer finds these planes and boxes, by their ids ("table", "wall-0"), though they are there. The mesh of
        everything is a scan that it has made before: it stays."""
        self._known(names, "forget", lambda state: state.forgotten | {*names})

    def find_again(self, *names: str) -> None:
        """It finds them again: as new ones, for the app."""
        self._known(names, "find again", lambda state: state.forgotten - {*names})

    def _known(self, names: Sequence[str], verb: str, which: Any) -> None:
        for name in names:
            self._plane(name)
        self.go(f"known {len(self.happened)}", 0, lambda _, state: evolve(state, forgotten=frozenset(which(state))), True,
                {"verb": verb, "what": list(names)})  # fmt: skip

    def shift(self, plane: str, by: Sequence[float], turn: float = 0.0, ticks: int = 0, wait: bool = True) -> None:
        """The headset corrects itself: it now finds the plane so far away from where it is, and turned about its own middle to the left."""
        middle, way = self._plane(plane).pose.position, Vector.of(list(by))

        def become(share: float, state: RoomState) -> RoomState:
            motion = Pose(middle + way * share, Quaternion.yaw(math.radians(turn) * share)) * Pose(-middle)
            return evolve(state, shifted={**state.shifted, plane: motion})

        self.go(f"shift {plane}", ticks, become, wait, {"verb": "shift", "what": plane, "by": list(by), "turn": turn, "ticks": ticks})

    def outline(self, plane: str, polygon: Sequence[Point]) -> None:
        """It takes this for the plane's polygon: (x, z) in the plane's own frame, corners running from x towards z. Hits are those of
        the rectangle around it. Raises TaskError for what is no polygon."""
        self._plane(plane)
        shape = Polygon(tuple((float(x), float(z)) for x, z in polygon))
        if len(shape.points) < 3 or shape.crosses_itself():
            raise TaskError(f"{plane!r}: {list(polygon)} is no simple polygon")
        self.go(f"outline {plane}", 0, lambda _, state: evolve(state, outlines={**state.outlines, plane: shape.points}), True,
                {"verb": "outline", "what": plane, "polygon": [list(one) for one in shape.points]})  # fmt: skip

    def _plane(self, name: str) -> Plane | Furniture:
        found: dict[str, Plane | Furniture] = {piece.id: piece for piece in self._first.furniture}
        found |= {plane.id: plane for plane in planes_of(self._first)}
        if name not in found:
            raise TaskError(f"the headset knows no {name!r} in room {self.room.id!r}; it knows {', '.join(found)}")
        return found[name]

    # --- lights ---

    def light(self, name: str, intensity: float | None = None, colour: str | None = None, ticks: int = 0, wait: bool = True) -> None:
        """Change one of the room's lamps; see rooms.Light for the units."""
        held = next((one for one in self.room.lights if one.id == name), None)
        if held is None:
            raise TaskError(f"room {self.room.id!r} has no lamp {name!r}; it has {', '.join(one.id for one in self.room.lights) or 'none'}")
        goal = held.intensity if intensity is None else intensity
        words = {"verb": "light", "what": name, "intensity": goal, "colour": colour or held.colour, "ticks": ticks}
        self.go(f"light {name}", ticks, lambda share, state: state.with_lights([
            evolve(one, intensity=max(DARK, held.intensity + (goal - held.intensity) * share), colour=colour or held.colour)
            if one.id == name else one for one in state.room.lights]), wait, words)  # fmt: skip

    def dim(self, share: float, ticks: int = 0, wait: bool = True) -> None:
        """All lamps to a share of what they are at the start: 0 puts them out, 2 makes them twice as strong."""
        first, now = self._first.lights, self.room.lights

        def become(done: float, state: RoomState) -> RoomState:
            return state.with_lights([_between(a, b.intensity * share, done) for a, b in zip(now, first, strict=True)])

        self.go("lights", ticks, become, wait, {"verb": "dim", "share": share, "ticks": ticks})

    # --- people ---

    def enter(self, at: str | Sequence[float] = "door", height: float = 1.75, name: str = "visitor") -> Passerby:
        """Somebody comes in, and stands at a named place or a point (x, z) of the floor. Raises TaskError where nobody can stand."""
        spot = self.spot(at)
        someone = entering(self.room, spot, height)
        self.go(name, 0, lambda _, state: evolve(state, people={**state.people, name: someone}), True,
                {"verb": "enter", "who": name, "at": list(spot), "height": height})  # fmt: skip
        return Passerby(self, name)

    def spot(self, place: str | Sequence[float]) -> Point:
        """A place to stand at. Raises TaskError where the room has none of that name."""
        if not isinstance(place, str):
            return float(place[0]), float(place[-1])
        for one in self.room.places:
            if one.id == place:
                return one.stand
        raise TaskError(f"room {self.room.id!r} has no place {place!r}; it has {', '.join(one.id for one in self.room.places) or 'none'}")

    # --- time ---

    def recentre(self, head: Pose) -> None:
        """The app's `local-floor` begins anew below the head, with -z where it looks."""
        origin = Pose(head.position.level, Quaternion.yaw(head.orientation.heading))
        self.go("origin", 0, lambda _, state: evolve(state, origin=origin), True, {"verb": "recentre"})

    def go(self, key: str, ticks: int, become: Becoming, wait: bool, words: Mapping[str, Any]) -> None:
        """Let a change take place; one of the same key that is still going on stops where it is."""
        whole = max(1, math.ceil(ticks / self._owner.frame)) * self._owner.frame
        now = self._owner.clock.now
        self._going[key] = Going(now, whole, become)
        self.happened.append((now, words))
        if wait:
            self._owner.clock.wait(whole)

    @property
    def recorded(self) -> Mapping[str, Any]:
        """For `xr.input/1`: `room`, where something was let happen."""
        return {"room": [list(one) for one in self.happened]} if self.happened else {}

    @property
    def moving(self) -> bool:
        return bool(self._going)

    def told(self, tick: int) -> Told | None:
        """What the page is told before the frame that is due at `tick`; None when nothing has changed."""
        for key, one in list(self._going.items()):
            self.state = one.at(tick, self.state)
            if tick >= one.start + one.ticks:
                del self._going[key]
        if self.state is self._seen:
            return None
        before, self._told, self._seen = self._told, told(self.state, self._first), self.state
        return changed(before, self._told)


def _between(lamp: Light, goal: float, share: float) -> Light:
    return evolve(lamp, intensity=max(DARK, lamp.intensity + (goal - lamp.intensity) * share))
