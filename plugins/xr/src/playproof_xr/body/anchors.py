"""Places on a hand that joints give and none of them is: where thumb and index finger meet, the palm's skin, the grip.

They are worked out from joints alone, so they serve for a hand that we move and for one that evidence tells of. The wrist is
no stand-in for any: it is 8 to 18 cm away from them."""

from collections.abc import Mapping

from playproof_xr.body.fingers import radii_of
from playproof_xr.geometry import Pose, Quaternion, Vector

CLOSED, APART = 0.01, 0.06
"""Metres between the tips of thumb and index finger at which a pinch is whole, and at which there is none."""

_PALM = ("index-finger", "middle-finger", "ring-finger", "pinky-finger")

Joints = Mapping[str, Pose]


def pinch_point(joints: Joints) -> Vector:
    """Half way between the tips of thumb and index finger."""
    return joints["thumb-tip"].position.lerp(joints["index-finger-tip"].position, 0.5)


def pinch_strength(joints: Joints) -> float:
    """0 to 1, by how near the two tips are."""
    gap = joints["thumb-tip"].position.distance(joints["index-finger-tip"].position)
    return min(max((APART - gap) / (APART - CLOSED), 0.0), 1.0)


def palm(joints: Joints, side: str, size: float = 1.0) -> Pose:
    """The middle of the palm's skin. Its frame is the hand's: -z to the fingers, +y out of the back, so the palm looks along -y."""
    roots = [joints[f"{finger}-metacarpal"].position for finger in _PALM]
    knuckles = [joints[f"{finger}-phalanx-proximal"].position for finger in _PALM]
    root, knuckle = (sum(points, Vector()) * 0.25 for points in (roots, knuckles))
    across = (knuckles[0] - knuckles[-1]) if side == "left" else (knuckles[-1] - knuckles[0])
    back = (root - knuckle).unit
    up = back.cross(across).unit
    depth = radii_of(size)["middle-finger-metacarpal"]
    return Pose(root.lerp(knuckle, 0.5) - up * depth, Quaternion.axes(up.cross(back), up, back))


def grip(joints: Joints, side: str, size: float = 1.0) -> Pose:
    """WebXR's grip of a hand: in the middle of what it holds; -z out of the fist on the thumb's side, along a rod that is held;
    x out of the palm of a left hand, and out of the back of a right."""
    skin = palm(joints, side, size)
    x, y, z = (skin.orientation.rotate(axis) for axis in (Vector(1.0), Vector(0.0, 1.0), Vector(0.0, 0.0, 1.0)))
    turned = Quaternion.axes(-y, z, -x) if side == "left" else Quaternion.axes(y, z, x)
    return Pose(skin.position - y * (0.02 * size), turned)
