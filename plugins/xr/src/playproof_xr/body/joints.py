"""The 25 joints of a hand, by the names of the WebXR Hand Input specification, in its order.

A joint's frame: -z along its bone towards the fingertip, +y out of the back of the hand, for both hands. A tip has the frame of
the joint before it."""

from collections.abc import Mapping, Sequence

FINGERS = ("thumb", "index-finger", "middle-finger", "ring-finger", "pinky-finger")
SIDES = ("left", "right")
WRIST = "wrist"


def _of(finger: str) -> Sequence[str]:
    parts = ("metacarpal", "phalanx-proximal", "phalanx-intermediate", "phalanx-distal", "tip")
    return tuple(f"{finger}-{part}" for part in parts if (finger, part) != ("thumb", "phalanx-intermediate"))


CHAINS: Mapping[str, Sequence[str]] = {finger: _of(finger) for finger in FINGERS}
"""Each finger's joints from the wrist outwards: four of the thumb, five of each other."""

JOINTS: Sequence[str] = (WRIST, *(joint for chain in CHAINS.values() for joint in chain))

PARENTS: Mapping[str, str | None] = {
    WRIST: None, **{joint: before for chain in CHAINS.values() for before, joint in zip((WRIST, *chain), chain, strict=False)},
}  # fmt: skip
