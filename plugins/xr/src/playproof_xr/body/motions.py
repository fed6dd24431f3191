"""Movements of a body, frame by frame. Each changes its own part of the state and leaves the rest as it finds it, so that two
can go on at once.

    for state in states(reach(state, "right", pose, seconds(0.6)), state, frame): ...
"""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from attrs import evolve, frozen

from playproof.model import TICKS
from playproof_xr.body.poses import pose_named
from playproof_xr.body.state import BodyState
from playproof_xr.geometry import ORIGIN, UP, Point, Pose, Quaternion, Vector
from playproof_xr.rooms.navigation import Ground

STEP = 0.7
"""Metres of one step, in which a walking head goes once up and down."""

TURN_S = 0.35
"""Seconds in which somebody who walks turns into a new direction."""


@frozen
class Motion:
    """`ticks` is how long it takes; `at(share, state)` is the state with its part as it is when `share` of that has passed."""

    ticks: int
    at: Callable[[float, BodyState], BodyState]


def states(motion: Motion, state: BodyState, frame: int) -> Iterator[BodyState]:
    """The state of each frame, the last with the motion done. Each is due one frame (`frame` ticks) after the one before."""
    count = max(1, math.ceil(motion.ticks / frame))
    for index in range(1, count + 1):
        state = motion.at(index / count, state)
        yield state


def together(*motions: Motion) -> Motion:
    """All at once, each in its own time; over when the longest is. Of two that move the same part, the later wins."""
    ticks = max(motion.ticks for motion in motions)

    def at(share: float, state: BodyState) -> BodyState:
        for motion in motions:
            state = motion.at(min(1.0, share * ticks / motion.ticks) if motion.ticks else 1.0, state)
        return state

    return Motion(ticks, at)


def eased(share: float) -> float:
    """How far a hand has come: the path of least jerk (Flash and Hogan, 1985), which begins and ends at rest."""
    return share**3 * (10.0 - 15.0 * share + 6.0 * share * share)


# --- arms ---


def reach(state: BodyState, side: str, wrist: Pose, ticks: int) -> Motion:
    """Bring a wrist to a pose; see `Arm.wrist_for` for which pose brings what where."""
    start = state.arm(side).wrist

    def at(share: float, now: BodyState) -> BodyState:
        return now.changed(side, wrist=wrist if share >= 1.0 else start.towards(wrist, eased(share)))

    return Motion(ticks, at)


def shape(state: BodyState, side: str, name: str, ticks: int) -> Motion:
    """Bring the fingers into a pose of the library, and the pinch to what a device reports of it."""
    start, goal = state.arm(side), pose_named(name)

    def at(share: float, now: BodyState) -> BodyState:
        pinch = start.pinch + (goal.pinch - start.pinch) * share
        return now.changed(side, fingers=start.fingers.towards(goal.loose, share), pinch=goal.pinch if share >= 1.0 else pinch)

    return Motion(ticks, at)


def pinch(state: BodyState, side: str, strength: float, ticks: int) -> Motion:
    """Close thumb and index finger (1), or open them (0)."""
    start = state.arm(side).pinch

    def at(share: float, now: BodyState) -> BodyState:
        return now.changed(side, pinch=strength if share >= 1.0 else start + (strength - start) * share)

    return Motion(ticks, at)


def two_handed(
    state: BodyState, ticks: int, scale: float = 1.0, angle: float = 0.0, axis: Vector = UP, move: Vector = ORIGIN
) -> Motion:
    """Both hands about the middle between their aims: `scale` times as far apart, turned by `angle` radians about `axis`, and
    moved. What is held between them turns and grows alike."""
    starts = {arm.side: arm.wrist for arm in state.arms}
    centre = state.left.ray.position.lerp(state.right.ray.position, 0.5)
    aims = {arm.side: arm.ray.position - centre for arm in state.arms}

    def at(share: float, now: BodyState) -> BodyState:
        done = eased(share)
        turn = Quaternion.turn(axis, angle * done)
        for side, wrist in starts.items():
            apart = turn.rotate(aims[side]) * (1.0 + (scale - 1.0) * done)
            orientation = turn * wrist.orientation
            held = orientation.rotate(wrist.orientation.inverse.rotate(aims[side] + centre - wrist.position))
            now = now.changed(side, wrist=Pose(centre + move * done + apart - held, orientation))
        return now

    return Motion(ticks, at)


# --- the head, and walking ---


def look_at(state: BodyState, target: Vector, ticks: int) -> Motion:
    """Turn the head where it is. Raises ValueError when the target is between the eyes."""
    start = state.head
    goal = Pose(start.position, Quaternion.facing(target - start.position))

    def at(share: float, now: BodyState) -> BodyState:
        return evolve(now, head=goal if share >= 1.0 else start.towards(goal, eased(share)))

    return Motion(ticks, at)


def walk(state: BodyState, way: Sequence[Point], ground: Ground, speed: float = 1.2, bob: float = 0.0, carry: bool = True) -> Motion:
    """Along straight lines over the floor from where the body is, at `speed` metres a second; `way` is where to, point by point.

    The body turns into each new direction as it goes, and so do the hands, which it carries with it, unless `carry` is False.
    `bob` metres is how far the head sinks and rises with every step. Raises ValueError when a line leaves the walkable floor."""
    if speed <= 0.0:
        raise ValueError(f"one walks at more than 0 metres a second, not {speed:g}")
    start = state.head.position
    corners = [(start.x, start.z), *way]
    for a, b in pairwise(corners):
        if a != b and not ground.clear(a, b):
            raise ValueError(f"no straight way from {_said(a)} to {_said(b)}: something is in the way")
    legs = [(a, b) for a, b in pairwise(corners) if math.dist(a, b) > 1e-9]
    length = sum(math.dist(a, b) for a, b in legs)
    path = _Path(tuple(legs), length, state.trunk, state.head, speed, bob)
    held = {arm.side: state.trunk.inverse * arm.wrist for arm in state.arms} if carry else {}

    def at(share: float, now: BodyState) -> BodyState:
        trunk, head = path.at(share)
        now = evolve(now, head=head)
        for side, wrist in held.items():
            now = now.changed(side, wrist=trunk * wrist)
        return now

    return Motion(round(length / speed * TICKS), at)


def walk_to(state: BodyState, goal: Point, ground: Ground, speed: float = 1.2, bob: float = 0.0, carry: bool = True) -> Motion:
    """The shortest way to `goal`, or to the nearest point to it where one can stand. Raises ValueError where none leads there."""
    here = (state.head.position.x, state.head.position.z)
    way = ground.route(here, ground.nearest(goal))
    if not way:
        raise ValueError(f"no way leads on foot from {_said(here)} to {_said(goal)}")
    return walk(state, way[1:], ground, speed, bob, carry)


def _said(point: Point) -> str:
    return f"({point[0]:.2f}, {point[1]:.2f})"


@frozen
class _Path:
    """A way over the floor: legs, how long they are together, and the body as it set out."""

    legs: tuple[tuple[Point, Point], ...]
    length: float
    trunk: Pose
    head: Pose
    speed: float
    bob: float

    def at(self, share: float) -> tuple[Pose, Pose]:
        """The trunk and the head when `share` of the way is done."""
        if not self.legs:
            return self.trunk, self.head
        gone = self.length * share
        heading, before = self.trunk.orientation.heading, 0.0
        for a, b in self.legs:
            size = math.dist(a, b)
            wanted = math.atan2(a[0] - b[0], a[1] - b[1])
            here = min(gone - before, size)
            turned = min(1.0, here / (self.speed * TURN_S))
            heading += math.remainder(wanted - heading, 2.0 * math.pi) * eased(turned)
            place = (a[0] + (b[0] - a[0]) * here / size, a[1] + (b[1] - a[1]) * here / size)
            if gone <= before + size or (a, b) == self.legs[-1]:
                break
            before += size
        height = self.head.position.y - self._sunk(gone, share)
        turn = Quaternion.yaw(heading) * self.trunk.orientation.inverse
        trunk = Pose(Vector(place[0], 0.0, place[1]), Quaternion.yaw(heading))
        return trunk, Pose(Vector(place[0], height, place[1]), turn * self.head.orientation)

    def _sunk(self, gone: float, share: float) -> float:
        """Nothing at both ends, however long the way."""
        return self.bob * 0.5 * (1.0 - math.cos(2.0 * math.pi * gone / STEP)) * math.sin(math.pi * min(share, 1.0)) if self.bob else 0.0
