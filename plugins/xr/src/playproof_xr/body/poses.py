"""The library of hand poses, from `poses.toml`: shapes by name, each with the pinch that a device reports of it."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from attrs import field, frozen, validators

from playproof.canonical import structure
from playproof_xr.body.fingers import Finger, Fingers, beyond

FILE = Path(__file__).with_name("poses.toml")
PINCH, REST = "pinch", "relaxed"


@frozen
class NamedPose:
    """A shape with a name. Values outside a person's limits are refused with the joint's name."""

    about: str
    pinch: float = field(default=0.0, validator=[validators.ge(0.0), validators.le(1.0)])
    thumb: Finger = Finger()
    index: Finger = Finger()
    middle: Finger = Finger()
    ring: Finger = Finger()
    pinky: Finger = Finger()

    def __attrs_post_init__(self) -> None:
        if wrong := beyond(self.fingers):
            raise ValueError("; ".join(wrong))

    @property
    def fingers(self) -> Fingers:
        """The shape that is seen."""
        return Fingers(self.thumb, self.index, self.middle, self.ring, self.pinky)

    @property
    def loose(self) -> Fingers:
        """The shape that becomes the seen one when its pinch is added; of a whole pinch that of a hand at rest."""
        if self.pinch == 0.0:
            return self.fingers
        return pose_named(REST).fingers if self.pinch == 1.0 else self.fingers.before(pose_named(PINCH).fingers, self.pinch)


@cache
def poses() -> Mapping[str, NamedPose]:
    return structure(tomllib.loads(FILE.read_text("utf-8")), Mapping[str, NamedPose])  # type: ignore[type-abstract]


def pose_named(name: str) -> NamedPose:
    """Raises ValueError with the names that there are."""
    if name not in poses():
        raise ValueError(f"no hand pose named {name!r}; there are {', '.join(pose_names())}")
    return poses()[name]


def pose_names() -> Sequence[str]:
    return sorted(poses())
