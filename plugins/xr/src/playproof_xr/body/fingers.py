"""Fingers by the angles of their joints, and where that puts their joints: forward kinematics."""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from attrs import field, frozen

from playproof_xr.body.anatomy import HAND, LIMITS, SPREAD, SPREADS, TWIST, WRIST_RADIUS, Build
from playproof_xr.body.joints import CHAINS, FINGERS, WRIST
from playproof_xr.geometry import BACK, FORWARD, IDENTITY, Pose, Quaternion


@frozen
class Finger:
    """Degrees: three bends towards the palm from the root outwards, the spread towards the thumb's side, the thumb's twist."""

    bend: tuple[float, float, float] = (0.0, 0.0, 0.0)
    spread: float = 0.0
    twist: float = 0.0

    def towards(self, other: "Finger", share: float) -> "Finger":
        one, two, three = (a + (b - a) * share for a, b in zip(self.bend, other.bend, strict=True))
        spread, twist = self.spread + (other.spread - self.spread) * share, self.twist + (other.twist - self.twist) * share
        return Finger((one, two, three), spread, twist)


@frozen(cache_hash=True)
class Fingers:
    """A whole hand's shape, the same for left and right."""

    thumb: Finger = Finger()
    index: Finger = Finger()
    middle: Finger = Finger()
    ring: Finger = Finger()
    pinky: Finger = field(default=Finger())

    def towards(self, other: "Fingers", share: float) -> "Fingers":
        """Between two shapes, joint by joint; exactly the ends at 0 and 1."""
        if share <= 0.0 or share >= 1.0:
            return self if share <= 0.0 else other
        pairs = zip(self.each, other.each, strict=True)
        return Fingers(*(one.towards(two, share) for one, two in pairs))

    def before(self, other: "Fingers", share: float) -> "Fingers":
        """The shape of which this one is `share` (below 1) of the way to `other`."""
        return Fingers(*(one.towards(two, -share / (1.0 - share)) for one, two in zip(self.each, other.each, strict=True)))

    @property
    def each(self) -> tuple[Finger, Finger, Finger, Finger, Finger]:
        return self.thumb, self.index, self.middle, self.ring, self.pinky


def beyond(fingers: Fingers) -> Sequence[str]:
    """The joints that turn further than a person's, each with its angle and its limits."""
    found = []
    for name, finger in zip(FINGERS, fingers.each, strict=True):
        bounds = [*zip(("bend 1", "bend 2", "bend 3"), finger.bend, LIMITS[name], strict=True),
                  ("spread", finger.spread, SPREAD.get(name, SPREADS)),
                  ("twist", finger.twist, TWIST if name == "thumb" else (0.0, 0.0))]  # fmt: skip
        found += [f"{name}: {what} of {angle:g} degrees, {low:g} to {high:g}"
                  for what, angle, (low, high) in bounds if not low <= angle <= high]  # fmt: skip
    return found


@lru_cache(maxsize=4096)
def joints_of(fingers: Fingers, side: str, size: float = 1.0) -> Mapping[str, Pose]:
    """Every joint in the frame of the wrist. `size` scales all lengths: 1 is a median adult's hand."""
    found = {WRIST: Pose()}
    for name, finger in zip(FINGERS, fingers.each, strict=True):
        found |= _chain(name, HAND[name], finger, size)
    return MappingProxyType(found if side == "right" else {name: pose.mirrored for name, pose in found.items()})


def _chain(name: str, build: Build, finger: Finger, size: float) -> Mapping[str, Pose]:
    first, second, third = (Quaternion.pitch(-math.radians(angle)) for angle in finger.bend)
    root = Quaternion.yaw(math.radians(finger.spread)) * first
    if name == "thumb":  # its root is at the wrist; a finger's is at the knuckle
        turns = [root * Quaternion.turn(BACK, math.radians(finger.twist)), second, third]
    else:
        turns = [IDENTITY, root, second, third]
    place, orientation = build.base * size, build.rest
    found = {}
    for joint, turn, length in zip(CHAINS[name], turns, build.bones, strict=False):
        orientation = orientation * turn
        found[joint] = Pose(place, orientation)
        place = place + orientation.rotate(FORWARD * (length * size))
    found[CHAINS[name][-1]] = Pose(place, orientation)
    return found


@lru_cache(maxsize=64)
def radii_of(size: float = 1.0) -> Mapping[str, float]:
    """How far the skin is from each joint."""
    of_joints = {joint: radius * size for name in FINGERS for joint, radius in zip(CHAINS[name], HAND[name].radii, strict=True)}
    return MappingProxyType({WRIST: WRIST_RADIUS * size, **of_joints})
