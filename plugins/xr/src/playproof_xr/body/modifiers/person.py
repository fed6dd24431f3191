"""Modifiers of who acts: which hand leads, one hand only, seated, a short reach, a trembling hand, a weak one."""

import math
from collections.abc import Callable

from attrs import evolve, field, frozen, validators

from playproof.model import TICKS
from playproof_xr.body.modifiers.chance import uniform
from playproof_xr.body.state import OTHER, Arm, BodyState
from playproof_xr.geometry import Pose, Quaternion, Vector

Change = Callable[[int, BodyState], BodyState]
"""What a modifier has become for one session: `change(tick, state)`, called with ticks that never fall."""

BUTTONS = {"x-button": "a-button", "y-button": "b-button", "a-button": "x-button", "b-button": "y-button"}
_positive = validators.gt(0.0)
_shares = [validators.ge(0.0), validators.le(1.0)]


@frozen
class Mirrored:
    """The other hand leads: the body in a mirror, hands swapped. `about` says which mirror: "person", the middle of the body,
    through the head and turned as it is; or "origin", the plane x = 0 of the session, in which a position (x, y, z) becomes (-x,
    y, z) and an orientation (x, y, z, w) becomes (x, -y, -z, w). What is acted on stays where it is."""

    about: str = field(default="person", validator=validators.in_(("person", "origin")))

    def begin(self, key: str) -> Change:
        return lambda tick, state: self._mirrored(state)

    def _mirrored(self, state: BodyState) -> BodyState:
        middle = state.trunk if self.about == "person" else Pose()
        left, right = (self._arm(arm, middle) for arm in (state.right, state.left))
        return evolve(state, head=_across(middle, state.head), left=left, right=right)

    @staticmethod
    def _arm(arm: Arm, middle: Pose) -> Arm:
        buttons = {BUTTONS.get(name, name): value for name, value in arm.buttons.items()}
        noise = tuple(Vector(-by.x, by.y, by.z) for by in arm.noise)
        stick = (-arm.stick[0], arm.stick[1])
        return evolve(arm, side=OTHER[arm.side], wrist=_across(middle, arm.wrist), buttons=buttons, stick=stick, noise=noise)


def _across(middle: Pose, pose: Pose) -> Pose:
    return middle * (middle.inverse * pose).mirrored


@frozen
class OneHand:
    """Only one hand is ever seen: `keep` is left or right."""

    keep: str = field(default="right", validator=validators.in_(("left", "right")))

    def begin(self, key: str) -> Change:
        return lambda tick, state: state.changed(OTHER[self.keep], tracked=False)


@frozen
class Reach:
    """No hand is further than `m` metres from its shoulder, measured where a pinch closes; what is further is drawn back straight
    towards the shoulder. A median adult's arm allows 0.66."""

    m: float = field(default=0.45, validator=_positive)

    def begin(self, key: str) -> Change:
        return lambda tick, state: within_reach(state, self.m)


def within_reach(state: BodyState, metres: float) -> BodyState:
    for arm in state.arms:
        shoulder, hand = state.shoulder(arm.side), arm.ray.position
        far = shoulder.distance(hand)
        if far > metres:
            back = (shoulder - hand) * ((far - metres) / far)
            state = state.with_arm(evolve(arm, wrist=arm.wrist.moved(back)))
    return state


@frozen
class Seated:
    """Somebody sits: the eyes are never above `eyes` metres, and no hand further than `reach` metres from its shoulder. The
    session begins with the whole body lower, so that what the script does is done from the seat."""

    eyes: float = field(default=1.2, validator=_positive)
    reach: float = field(default=0.62, validator=_positive)

    def start(self, state: BodyState) -> BodyState:
        down = Vector(0.0, min(0.0, self.eyes - state.head.position.y), 0.0)
        left, right = (evolve(arm, wrist=arm.wrist.moved(down)) for arm in state.arms)
        return evolve(state, head=state.head.moved(down), left=left, right=right)

    def begin(self, key: str) -> Change:
        return lambda tick, state: within_reach(self._lowered(state), self.reach)

    def _lowered(self, state: BodyState) -> BodyState:
        over = state.head.position.y - self.eyes
        return evolve(state, head=state.head.moved(Vector(0.0, -over, 0.0))) if over > 0.0 else state


@frozen
class Tremor:
    """Hands that tremble at `hz` (4 to 8, as hands do that tremble when they are held out), at most `mm` from where they are meant
    to be along each axis, and `degrees` about each. `hand` is left, right or both. Two close rates beat, so it swells and ebbs."""

    mm: float = field(default=3.0, validator=validators.ge(0.0))
    degrees: float = field(default=1.0, validator=validators.ge(0.0))
    hz: float = field(default=6.0, validator=[validators.ge(4.0), validators.le(8.0)])
    hand: str = field(default="both", validator=validators.in_(("left", "right", "both")))

    def begin(self, key: str) -> Change:
        phases = {side: list(uniform(f"{key}|{side}", 0, 12)) for side in OTHER}

        def change(tick: int, state: BodyState) -> BodyState:
            for arm in state.arms:
                if self.hand in (arm.side, "both"):
                    state = state.with_arm(evolve(arm, wrist=self._shaken(arm.wrist, tick / TICKS, phases[arm.side])))
            return state

        return change

    def _shaken(self, wrist: Pose, seconds: float, phases: list[float]) -> Pose:
        rates = (self.hz * 0.94, self.hz * 1.06)
        waves = [0.5 * sum(math.sin(2.0 * math.pi * (rate * seconds + phases[2 * axis + k])) for k, rate in enumerate(rates))
                 for axis in range(6)]  # fmt: skip
        by = Vector(*(one * self.mm / 1000.0 for one in waves[:3]))
        return Pose(wrist.position + by, wrist.orientation * small_turn(Vector(*(one * math.radians(self.degrees) for one in waves[3:]))))


def small_turn(about: Vector) -> Quaternion:
    """By the length of `about`, in radians, about its direction."""
    angle = about.length
    return Quaternion.turn(about, angle) if angle > 1e-9 else Quaternion()


@frozen
class WeakPinch:
    """Fingers that never close: a pinch, a trigger and a squeeze reach `cap` at most, and the fingers stop there."""

    cap: float = field(default=0.75, validator=_shares)

    def begin(self, key: str) -> Change:
        return lambda tick, state: evolve(state, left=self._capped(state.left), right=self._capped(state.right))

    def _capped(self, arm: Arm) -> Arm:
        buttons = {name: min(value, self.cap) if name in ("trigger", "squeeze") else value for name, value in arm.buttons.items()}
        return evolve(arm, pinch=min(arm.pinch, self.cap), buttons=buttons)
