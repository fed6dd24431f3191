"""A room as its file says it: the shell, what stands in it, where somebody starts. Metres, on the floor (x, z) or (x, y, z).

Everything else (planes, solids, where one may walk, every export) is worked out from this one description, so that no two
exports can disagree."""

import math
import re
from typing import Any

from attrs import Attribute, Factory, field, frozen, validators

from playproof_xr.geometry import Point, Polygon, Pose, Quaternion, Rectangle, Vector

LABELS = (
    "desk", "couch", "floor", "ceiling", "wall", "door", "window", "table", "shelf", "bed", "screen", "lamp", "plant", "wall art", "other",
)  # fmt: skip
"""The labels of the WebXR semantic label registry: what a device may call a plane or a mesh. A chair is "other" there."""

OPENINGS = ("door", "window", "wall art")
FURNITURE = ("desk", "couch", "table", "shelf", "bed", "screen", "lamp", "plant", "other")
SURFACES = ("desk", "couch", "table", "shelf", "bed")
"""Furniture whose top a device finds as a plane."""

KINDS = ("block", "table", "seat", "shelf", "pole")
HEADROOM = 2.0
"""What hangs higher is no obstacle for somebody who walks; metres."""

STEP = 0.05
"""What is lower is stepped on: a rug."""


def _finite(instance: Any, attribute: "Attribute[Any]", value: Any) -> None:
    numbers = value if isinstance(value, tuple) else (value,)
    for one in numbers:
        if isinstance(one, tuple):
            _finite(instance, attribute, one)
        elif isinstance(one, float) and not math.isfinite(one):
            raise ValueError(f"{attribute.name}: {one} is no length")


def _positive(instance: Any, attribute: "Attribute[Any]", value: Any) -> None:
    _finite(instance, attribute, value)
    if any(one <= 0.0 for one in (value if isinstance(value, tuple) else (value,))):
        raise ValueError(f"{attribute.name}: {value} is not above 0")


def _one_of(*names: str) -> Any:
    def check(instance: Any, attribute: "Attribute[Any]", value: str) -> None:
        if value not in names:
            raise ValueError(f"{attribute.name}: {value!r} is none of {', '.join(names)}")

    return check


def _colour(instance: Any, attribute: "Attribute[Any]", value: str) -> None:
    if not re.fullmatch(r"#[0-9a-f]{6}", value):
        raise ValueError(f"{attribute.name}: {value!r} is no colour like #8a6a45")


def _name(instance: Any, attribute: "Attribute[Any]", value: str) -> None:
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", value):
        raise ValueError(f"{attribute.name}: {value!r} is not lower-case letters, digits and single hyphens")


@frozen
class Shell:
    """The floor's outline, corner by corner, and the height of the ceiling. Side k runs from corner k to the next."""

    outline: tuple[Point, ...] = field(validator=_finite)
    height: float = field(validator=_positive)
    floor: str = field(default="#a8845c", validator=_colour)
    walls: str = field(default="#e3ddd2", validator=_colour)
    ceiling: str = field(default="#f4f4f0", validator=_colour)

    @property
    def polygon(self) -> Polygon:
        return Polygon(self.outline)


@frozen
class Opening:
    """A door, a window or a picture on side `wall` of the outline: `along` is from the side's first corner to its middle."""

    id: str = field(validator=_name)
    label: str = field(validator=_one_of(*OPENINGS))
    wall: int
    along: float = field(validator=_finite)
    width: float = field(validator=_positive)
    height: float = field(validator=_positive)
    sill: float = field(default=0.0, validator=_finite)
    colour: str = field(default="#8c6b4f", validator=_colour)


@frozen
class Furniture:
    """A thing of outer `size` (width, height, depth), its middle on the floor `at`, turned to the left by `turn` degrees.

    `lift` is its underside above the floor. `kind` says how it is built: one block; a slab on four legs; a seat with a back
    along its far side (-z); boards between two sides; a slim pole with a head. `top` is the height of the surface that a
    device finds, where that is not its upper side: a couch's seat."""

    id: str = field(validator=_name)
    label: str = field(validator=_one_of(*FURNITURE))
    at: Point = field(validator=_finite)
    size: tuple[float, float, float] = field(validator=_positive)
    kind: str = field(default="block", validator=_one_of(*KINDS))
    turn: float = field(default=0.0, validator=_finite)
    lift: float = field(default=0.0, validator=_finite)
    top: float | None = field(default=None, validator=validators.optional(_positive))
    colour: str = field(default="#8a6a45", validator=_colour)

    @property
    def footprint(self) -> Rectangle:
        return Rectangle(self.at, self.size[0] / 2.0, self.size[2] / 2.0, math.radians(self.turn))

    @property
    def pose(self) -> Pose:
        """The frame in the middle of its underside."""
        return Pose(Vector(self.at[0], self.lift, self.at[1]), Quaternion.yaw(math.radians(self.turn)))

    @property
    def upper(self) -> float:
        return self.lift + self.size[1]

    @property
    def surface(self) -> float | None:
        """The height of its plane above the floor; None for what has none."""
        return (self.upper if self.top is None else self.top) if self.label in SURFACES else None

    @property
    def in_the_way(self) -> bool:
        return self.lift < HEADROOM and self.upper > STEP


@frozen
class Place:
    """A named place: what is meant by it, and where somebody stands to use it. Without `point` it is the middle of `of`: the
    surface of a piece of furniture, or of an opening."""

    id: str = field(validator=_name)
    stand: Point = field(validator=_finite)
    of: str | None = None
    point: tuple[float, float, float] | None = field(default=None, validator=validators.optional(_finite))
    description: str = ""


@frozen
class Light:
    """`point`: from `at` in all directions, `intensity` in candela. `sun`: along `towards`, in lux. Both as engines take them
    that do not adapt to the light, as three.js: a lamp of 4 lights a small room there, where a real one has 100."""

    id: str = field(validator=_name)
    kind: str = field(validator=_one_of("point", "sun"))
    intensity: float = field(validator=_positive)
    at: tuple[float, float, float] = field(default=(0.0, 2.0, 0.0), validator=_finite)
    towards: tuple[float, float, float] = field(default=(0.0, -1.0, 0.0), validator=_finite)
    colour: str = field(default="#ffffff", validator=_colour)


@frozen
class Start:
    """Where somebody stands when the session begins, `facing` in degrees to the left of -z, and the height of the eyes.

    A device's `local-floor` space has its origin below the person who starts: rooms of the library all start there."""

    at: Point = field(default=(0.0, 0.0), validator=_finite)
    facing: float = field(default=0.0, validator=_finite)
    eyes: float = field(default=1.6, validator=_positive)

    @property
    def head(self) -> Pose:
        return Pose(Vector(self.at[0], self.eyes, self.at[1]), Quaternion.yaw(math.radians(self.facing)))


@frozen
class Room:
    """A room; see `read_room` for what is checked beyond each value."""

    id: str = field(validator=_name)
    title: str
    shell: Shell
    description: str = ""
    start: Start = Factory(Start)
    body: float = field(default=0.25, validator=_positive)
    """How near the middle of somebody who walks comes to walls and furniture: half a body's width, metres."""
    openings: tuple[Opening, ...] = ()
    furniture: tuple[Furniture, ...] = ()
    places: tuple[Place, ...] = ()
    lights: tuple[Light, ...] = ()
