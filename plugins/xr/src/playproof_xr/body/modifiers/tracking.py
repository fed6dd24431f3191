"""Modifiers of what the headset makes of somebody: noise, delay, lost frames, lost hands."""

import math
from collections import deque

from attrs import evolve, field, frozen, validators

from playproof.model import TICKS
from playproof_xr.body.joints import JOINTS
from playproof_xr.body.modifiers.chance import gaussian, uniform
from playproof_xr.body.modifiers.person import Change, small_turn
from playproof_xr.body.state import OTHER, Arm, BodyState
from playproof_xr.geometry import Pose, Vector

_none_or_more = validators.ge(0.0)
_part = validators.in_(("all", "hands"))


@frozen
class Jitter:
    """Noise that is new in each frame. Standard deviations along each axis: `mm` and `degrees` of each wrist, `joints_mm` of each
    joint beside that, `head_mm` and `head_degrees` of the head, `pinch` of the pinch's value (0 to 1)."""

    mm: float = field(default=2.0, validator=_none_or_more)
    degrees: float = field(default=0.5, validator=_none_or_more)
    joints_mm: float = field(default=0.0, validator=_none_or_more)
    head_mm: float = field(default=0.0, validator=_none_or_more)
    head_degrees: float = field(default=0.0, validator=_none_or_more)
    pinch: float = field(default=0.0, validator=_none_or_more)

    def begin(self, key: str) -> Change:
        return lambda tick, state: self._noisy(key, tick, state)

    def _noisy(self, key: str, tick: int, state: BodyState) -> BodyState:
        left, right = (self._arm(f"{key}|{arm.side}", tick, arm) for arm in state.arms)
        head = state.head
        if self.head_mm or self.head_degrees:
            head = _displaced(head, list(gaussian(f"{key}|head", tick, 6)), self.head_mm, self.head_degrees)
        return evolve(state, head=head, left=left, right=right)

    def _arm(self, key: str, tick: int, arm: Arm) -> Arm:
        numbers = list(gaussian(key, tick, 7))
        wrist = _displaced(arm.wrist, numbers, self.mm, self.degrees)
        pinch = min(max(arm.pinch + numbers[6] * self.pinch, 0.0), 1.0) if self.pinch else arm.pinch
        noise = arm.noise
        if self.joints_mm:
            each = gaussian(f"{key}|joints", tick, 3 * len(JOINTS))
            new = [Vector(*(next(each) * self.joints_mm / 1000.0 for _ in range(3))) for _ in JOINTS]
            noise = tuple(a + b for a, b in zip(noise, new, strict=True)) if noise else tuple(new)
        return evolve(arm, wrist=wrist, pinch=pinch, noise=noise)


def _displaced(pose: Pose, numbers: list[float], mm: float, degrees: float) -> Pose:
    by = Vector(*(one * mm / 1000.0 for one in numbers[:3]))
    return Pose(pose.position + by, pose.orientation * small_turn(Vector(*(one * math.radians(degrees) for one in numbers[3:6]))))


def _only(part: str, state: BodyState, other: BodyState) -> BodyState:
    """`other` in the part that is meant, `state` in the rest."""
    return other if part == "all" else evolve(state, left=other.left, right=other.right)


@frozen
class Latency:
    """What the headset tells is `ms` milliseconds old. `part` is "all", or "hands" where the head is told at once."""

    ms: float = field(default=80.0, validator=_none_or_more)
    part: str = field(default="all", validator=_part)

    def begin(self, key: str) -> Change:
        delay = round(self.ms * TICKS / 1000.0)
        past: deque[tuple[int, BodyState]] = deque()

        def change(tick: int, state: BodyState) -> BodyState:
            past.append((tick, state))
            while len(past) > 1 and past[1][0] <= tick - delay:
                past.popleft()
            return _only(self.part, state, past[0][1])

        return change


@frozen
class Dropped:
    """Frames that the headset misses, each with the chance `share`; then it tells what it told before. `part` as for latency."""

    share: float = field(default=0.1, validator=[validators.ge(0.0), validators.lt(1.0)])
    part: str = field(default="all", validator=_part)

    def begin(self, key: str) -> Change:
        told: list[BodyState] = []

        def change(tick: int, state: BodyState) -> BodyState:
            if not told or next(uniform(key, tick, 1)) > self.share:
                told[:] = [state]
            return _only(self.part, state, told[0])

        return change


@frozen
class Lost:
    """`hand` (left, right or both) is not seen for `lasting` seconds, first `after` seconds from the session's beginning, and
    then every `every` seconds; 0 is once."""

    hand: str = field(default="both", validator=validators.in_(("left", "right", "both")))
    after: float = field(default=1.0, validator=_none_or_more)
    lasting: float = field(default=0.5, validator=validators.gt(0.0))
    every: float = field(default=0.0, validator=_none_or_more)

    def begin(self, key: str) -> Change:
        return lambda tick, state: self._blind(state) if self._now(tick) else state

    def _now(self, tick: int) -> bool:
        since = tick - round(self.after * TICKS)
        if self.every and since >= 0:
            since %= round(self.every * TICKS)
        return 0 <= since < round(self.lasting * TICKS)

    def _blind(self, state: BodyState) -> BodyState:
        for side in OTHER:
            if self.hand in (side, "both"):
                state = state.changed(side, tracked=False)
        return state
