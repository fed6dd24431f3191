"""The user's two hands: what a check script does with them. Every verb that takes time does so in steps of at most a frame."""

import math
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from attrs import evolve

from playproof.interfaces import Clock
from playproof.model import TICKS, seconds
from playproof_xr.device import REST, DeviceState, HandState
from playproof_xr.geometry import Pose, Quaternion, Vector
from playproof_xr.things import Thing

PINCH = {"left": Vector(-0.0005, -0.0249, -0.0119), "right": Vector(0.0005, -0.0249, -0.0119)}
"""Where thumb and index finger meet, from the origin of the hand's ray, in the emulator's own pose."""

Target = Thing | Vector | Sequence[float]


class Body(Protocol):
    """What hands and head need of a session."""

    @property
    def clock(self) -> Clock: ...
    @property
    def frame(self) -> int: ...
    @property
    def body(self) -> DeviceState: ...
    def become(self, body: DeviceState) -> None: ...


def point_of(target: Target) -> Vector:
    if isinstance(target, Thing):
        return target.centre
    return target if isinstance(target, Vector) else Vector.of(list(target))


def eased(share: float) -> float:
    """How far a hand has come: it starts and stops gently (the minimum-jerk path of Flash and Hogan, 1985)."""
    return share**3 * (10 - 15 * share + 6 * share * share)


def through(owner: Body, ticks: int, become: Callable[[float], None]) -> None:
    """Call `become` with the share of the way, frame by frame, and let each frame pass; last with 1."""
    count = max(1, math.ceil(ticks / owner.frame))
    passed = 0
    for index in range(1, count + 1):
        become(index / count)
        due = ticks * index // count
        owner.clock.wait(due - passed)
        passed = due


class Hand:
    """One hand, bare. Points are in the session's frame, metres; times in ticks."""

    def __init__(self, owner: Body, side: str) -> None:
        self._owner, self.side = owner, side

    @property
    def state(self) -> HandState:
        return self._owner.body.hands[self.side]

    @property
    def pinch_point(self) -> Vector:
        """Where thumb and index finger meet, or would."""
        return self.state.ray.at(PINCH[self.side])

    def _become(self, **changes: Any) -> None:
        body = self._owner.body
        self._owner.become(evolve(body, hands={**body.hands, self.side: evolve(self.state, **changes)}))

    # --- moving ---

    def reach(self, target: Target, ticks: int = seconds(0.6)) -> None:
        """Bring the point between thumb and index finger to the middle of a thing, or to a point, pointing ahead."""
        point = point_of(target)
        away = (point - self._owner.body.head.position).level
        turn = Quaternion.facing(away) if away.length > 0.05 else self._owner.body.head.orientation
        self._travel(Pose(point - turn.rotate(PINCH[self.side]), turn), ticks)

    def move_to(self, point: Target, ticks: int = seconds(0.5)) -> None:
        """Carry the pinch point there, the hand turned as it is."""
        ray = self.state.ray
        self._travel(ray.moved(point_of(point) - self.pinch_point), ticks)

    def move_by(self, by: Vector | Sequence[float], ticks: int = seconds(0.5), frame: str = "session") -> None:
        """By so much, in the session's frame or, with "viewer", as the user sees it: right, up, back."""
        way = by if isinstance(by, Vector) else Vector.of(list(by))
        if frame == "viewer":
            way = Quaternion.yaw(self._owner.body.head.orientation.heading).rotate(way)
        elif frame != "session":
            raise ValueError(f"a frame is 'session' or 'viewer', not {frame!r}")
        self._travel(self.state.ray.moved(way), ticks)

    def point_at(self, target: Target, ticks: int = seconds(0.4)) -> None:
        """Turn the hand so that its ray goes to the target."""
        ray = self.state.ray
        self._travel(Pose(ray.position, Quaternion.facing(point_of(target) - ray.position)), ticks)

    def rest(self, ticks: int = seconds(0.5)) -> None:
        self._travel(REST[self.side], ticks)

    def _travel(self, to: Pose, ticks: int) -> None:
        start = self.state.ray
        through(self._owner, ticks, lambda share: self._become(ray=start.towards(to, eased(share)) if share < 1 else to))

    # --- the fingers ---

    def pinch(self, ticks: int = seconds(0.15), strength: float = 1.0) -> None:
        """Close thumb and index finger, and keep them closed. A device takes a pinch of 0.8 or more for one."""
        self._squeeze(strength, ticks)

    def release(self, ticks: int = seconds(0.15)) -> None:
        self._squeeze(0.0, ticks)

    def select(self, ticks: int = seconds(0.2)) -> None:
        """A short pinch, as one clicks."""
        self.pinch()
        hold(self._owner, ticks)
        self.release()

    def _squeeze(self, to: float, ticks: int) -> None:
        start = self.state.pinch
        through(self._owner, ticks, lambda share: self._become(pinch=start + (to - start) * share))

    # --- tracking ---

    def lose(self) -> None:
        """The headset no longer sees the hand."""
        self._become(tracked=False)

    def regain(self) -> None:
        self._become(tracked=True)


def hold(owner: Body, ticks: int) -> None:
    while ticks > 0:
        owner.clock.wait(min(owner.frame, ticks))
        ticks -= owner.frame


__all__ = ["TICKS", "Body", "Hand", "Target", "eased", "hold", "point_of", "through"]
