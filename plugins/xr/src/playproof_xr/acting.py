"""How verbs that take time are carried out: a motion of the body, frame by frame, on the session's clock."""

from collections.abc import Callable, Sequence
from typing import Protocol

from playproof.interfaces import Clock
from playproof_xr.body import BodyState, Motion, states
from playproof_xr.geometry import Vector
from playproof_xr.rooms import Ground, Room
from playproof_xr.surroundings import Surroundings
from playproof_xr.things import Thing

Target = Thing | Vector | Sequence[float]
"""What can be reached for, pointed at or looked at: a thing of the app's, or a point."""


class Owner(Protocol):
    """What hands and head need of a session."""

    @property
    def clock(self) -> Clock: ...
    @property
    def frame(self) -> int: ...
    @property
    def body(self) -> BodyState: ...
    @property
    def room(self) -> Room: ...
    @property
    def ground(self) -> Ground: ...
    @property
    def surroundings(self) -> Surroundings: ...
    def become(self, body: BodyState) -> None: ...
    def press_gaze(self, strength: float) -> None: ...


def point_of(target: Target) -> Vector:
    """Raises ValueError on what is no point."""
    if isinstance(target, Thing):
        return target.centre
    return target if isinstance(target, Vector) else Vector.of(list(target))


def perform(owner: Owner, motion: Motion) -> None:
    """Let the body move, and time pass with it, frame by frame; at least one, and whole ones: what was done has then been seen."""
    for body in states(motion, owner.body, owner.frame):
        owner.become(body)
        owner.clock.wait(owner.frame)


def change(owner: Owner, ticks: int, become: Callable[[float], BodyState]) -> None:
    """The same for a change that is no motion of the library: `become` gives the body when a share of the time has passed."""
    perform(owner, Motion(ticks, lambda share, _: become(share)))


def hold(owner: Owner, ticks: int) -> None:
    """Stay as one is."""
    while ticks > 0:
        owner.clock.wait(min(owner.frame, ticks))
        ticks -= owner.frame
