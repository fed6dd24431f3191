"""How long the bones of an adult's hand are, how they lie at rest, and how far its joints turn.

Bone lengths are the means of Buryanov and Kotiuk (Proportions of Hand Segments, Int. J. Morphol. 28(3), 2010), the soft tissue
beyond the last bone with them. Where the metacarpals begin, how thick a finger is and the limits are ours, after common
tables; a hand so made is 188 mm long and 79 mm broad. Lengths in metres, of a right hand in the frame of its wrist: -z to the
fingers, +y out of the back of the hand, so that the thumb lies on the side of -x. A left hand is its mirror image."""

import math
from collections.abc import Mapping, Sequence

from attrs import frozen

from playproof_xr.geometry import BACK, Quaternion, Vector


@frozen
class Build:
    """One finger: where its metacarpal begins, that bone's frame at rest, the lengths of its bones to the tip, its thickness."""

    base: Vector
    rest: Quaternion
    bones: tuple[float, ...]
    radii: tuple[float, ...]


def _turned(spread: float, arch: float, roll: float) -> Quaternion:
    """Degrees: to the thumb's side (of a right hand: the left), up, and rolled about the bone."""
    aside = Quaternion.yaw(math.radians(spread)) * Quaternion.pitch(math.radians(arch))
    return aside * Quaternion.turn(BACK, math.radians(roll))


def _mm(*lengths: float) -> tuple[float, ...]:
    return tuple(length / 1000.0 for length in lengths)


HAND: Mapping[str, Build] = {
    "thumb": Build(Vector(-0.022, -0.014, -0.020), _turned(38.0, -14.0, 62.0),
        _mm(46.22, 31.57, 27.34), _mm(14, 11.5, 9.8, 8.8)),
    "index-finger": Build(Vector(-0.017, -0.004, -0.031), _turned(5.5, -0.5, 4.0),
        _mm(68.12, 39.78, 22.38, 19.66), _mm(14, 10.3, 8.5, 7.6, 6.6)),
    "middle-finger": Build(Vector(-0.002, -0.002, -0.031), _turned(-0.5, 0.0, 0.0),
        _mm(64.60, 44.63, 26.33, 21.35), _mm(14, 10.8, 8.4, 7.6, 6.6)),
    "ring-finger": Build(Vector(0.011, -0.004, -0.030), _turned(-6.5, -1.0, -8.0),
        _mm(58.00, 41.37, 25.65, 21.25), _mm(13.5, 9.9, 7.9, 7.2, 6.2)),
    "pinky-finger": Build(Vector(0.021, -0.008, -0.027), _turned(-13.5, -2.5, -16.0),
        _mm(53.69, 32.74, 18.11, 19.69), _mm(13, 8.9, 6.9, 6.4, 5.4)),
}  # fmt: skip
WRIST_RADIUS = 0.021

BENDS = {"thumb": ("metacarpal", "proximal", "distal")}
"""What the three bends of a finger turn; of the others it is the proximal, intermediate and distal phalanx."""

LIMITS: Mapping[str, Sequence[tuple[float, float]]] = {
    "thumb": ((-35.0, 55.0), (0.0, 65.0), (0.0, 85.0)),
    "index-finger": ((-10.0, 92.0), (0.0, 110.0), (0.0, 80.0)),
    "middle-finger": ((-10.0, 92.0), (0.0, 110.0), (0.0, 80.0)),
    "ring-finger": ((-10.0, 92.0), (0.0, 112.0), (0.0, 80.0)),
    "pinky-finger": ((-10.0, 95.0), (0.0, 112.0), (0.0, 80.0)),
}  # fmt: skip
"""Degrees of each bend, towards the palm; knuckles alone stretch a little beyond straight."""

SPREAD = {"thumb": (-25.0, 45.0)}
SPREADS = (-22.0, 22.0)
"""Degrees that a finger is spread: from the middle of the hand towards the thumb's side, for all alike."""

TWIST = (-30.0, 45.0)
"""Degrees that the thumb's root turns its nail away from the other fingers', as it faces them."""
