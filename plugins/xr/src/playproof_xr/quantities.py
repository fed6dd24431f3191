"""Numbers of a moment, with units: distances, coordinates, angles and speeds of things and parts of the body.

Each is a value that a comparison turns into a predicate: `distance(cube, hand.pinch_point) < 0.03`. Metres, degrees, metres a
second. Nothing is worked out between two samples; a speed is the way from one sample to the next, by the time between."""

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import evolve, field, frozen

from playproof.model import TICKS
from playproof_xr.geometry import Matrix, Vector
from playproof_xr.predicates import Predicate
from playproof_xr.shapes import gap_of
from playproof_xr.targets import Followed, Target, target
from playproof_xr.time.track import Nothing, Placed, Track

Amounts = Sequence[float | Nothing]
Vectors = Sequence[Vector | Nothing]
NO_DIRECTION = Nothing("has no direction")

COMPARES: Mapping[str, Callable[[float, float], bool]] = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


@frozen(eq=False)
class Quantity:
    """One number for each sample. Compared with `<`, `<=`, `>` and `>=`; with `+`, `-`, `*` and `abs` others come of it."""

    label: str
    unit: str
    targets: frozenset[Target]
    measure: Callable[[Track], Amounts]

    def over(self, track: Track) -> Amounts:
        return self.measure(track)

    def spelled(self, value: float | Nothing) -> str:
        return value.why if isinstance(value, Nothing) else f"{value:.4g} {self.unit}".rstrip()

    def __lt__(self, bound: "float | Quantity") -> Predicate:
        return Comparison(self, "<", _quantity(bound, self.unit))

    def __le__(self, bound: "float | Quantity") -> Predicate:
        return Comparison(self, "<=", _quantity(bound, self.unit))

    def __gt__(self, bound: "float | Quantity") -> Predicate:
        return Comparison(self, ">", _quantity(bound, self.unit))

    def __ge__(self, bound: "float | Quantity") -> Predicate:
        return Comparison(self, ">=", _quantity(bound, self.unit))

    def __sub__(self, other: "float | Quantity") -> "Quantity":
        return self._with("-", other, operator.sub)

    def __add__(self, other: "float | Quantity") -> "Quantity":
        return self._with("+", other, operator.add)

    def __mul__(self, factor: float) -> "Quantity":
        return self._with("*", factor, operator.mul)

    def __abs__(self) -> "Quantity":
        return evolve(self, label=f"|{self.label}|", measure=lambda track: [_each(abs, one) for one in self.over(track)])

    def _with(self, sign: str, other: "float | Quantity", apply: Callable[[float, float], float]) -> "Quantity":
        second = _quantity(other, self.unit)

        def measure(track: Track) -> Amounts:
            return [_each(apply, a, b) for a, b in zip(self.over(track), second.over(track), strict=True)]

        return Quantity(f"({self.label} {sign} {second.label})", self.unit, self.targets | second.targets, measure)


@frozen(eq=False)
class Comparison(Predicate):
    left: Quantity
    sign: str
    right: Quantity
    label: str = field(init=False)
    targets: frozenset[Target] = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "label", f"{self.left.label} {self.sign} {self.right.label}")
        object.__setattr__(self, "targets", self.left.targets | self.right.targets)

    def _pairs(self, track: Track) -> Sequence[tuple[float | Nothing, float | Nothing]]:
        return list(zip(self.left.over(track), self.right.over(track), strict=True))

    def over(self, track: Track) -> Sequence[bool | None]:
        holds = COMPARES[self.sign]
        return [None if isinstance(a, Nothing) or isinstance(b, Nothing) else holds(a, b) for a, b in self._pairs(track)]

    def margins(self, track: Track) -> Sequence[float | None]:
        sign = 1.0 if self.sign[0] == ">" else -1.0
        return [None if isinstance(a, Nothing) or isinstance(b, Nothing) else sign * (a - b) for a, b in self._pairs(track)]

    def tell(self, track: Track, index: int) -> str:
        a, b = self._pairs(track)[index]
        if isinstance(a, Nothing) or isinstance(b, Nothing):
            return f"{self.left.label}: {a.why if isinstance(a, Nothing) else b.why if isinstance(b, Nothing) else ''}"
        other = "" if not self.right.targets else f" and {self.right.label} {self.right.spelled(b)}"
        return f"{self.left.label} was {self.left.spelled(a)}{other}"


@frozen(eq=False)
class Direction:
    """One vector for each sample: what `angle` takes, and with `.x`, `.y`, `.z` and `.length` three coordinates and a length."""

    label: str
    unit: str
    targets: frozenset[Target]
    measure: Callable[[Track], Vectors]

    @property
    def x(self) -> Quantity:
        return self._part("x", lambda one: one.x)

    @property
    def y(self) -> Quantity:
        return self._part("y", lambda one: one.y)

    @property
    def z(self) -> Quantity:
        return self._part("z", lambda one: one.z)

    @property
    def length(self) -> Quantity:
        return self._part("length", lambda one: one.length)

    def _part(self, name: str, take: Callable[[Vector], float]) -> Quantity:
        return Quantity(f"{self.label}.{name}", self.unit, self.targets, lambda track: [_each(take, one) for one in self.measure(track)])


# --- what can be asked ---


def distance(a: Followed, b: Followed) -> Quantity:
    """Between the middles of two things, parts of the body or points; metres. The same in every frame of reference."""
    return _of_two("distance", "m", a, b, lambda one, other: one.centre.distance(other.centre))


def gap(a: Followed, b: Followed) -> Quantity:
    """From surface to surface, 0 where they touch or overlap; metres. A thing's surface is that of its box along its own axes,
    which turns with it; of a group, of its box along the session's."""
    return _of_two("gap", "m", a, b, gap_of)


def position(a: Followed, frame: "Followed | None" = None) -> Direction:
    """Where its origin is, in the session's frame or in another's: `frame` is "viewer" (x right, y up, z back from between the
    eyes), a part of the body ("right.palm"), or a thing. Metres; a thing's own scale does not stretch its frame."""
    return _place("position", a, frame, lambda one: one.origin)


def centre(a: Followed, frame: "Followed | None" = None) -> Direction:
    """The same for the middle of its box."""
    return _place("centre", a, frame, lambda one: one.centre)


def forward(a: Followed, axis: str = "-z") -> Direction:
    """Where one of its axes points: -z, as the rays and heads of WebXR look; panels and texts show their +z."""
    whose = target(a)
    take = axis_of(axis)
    name = f"the {axis} of {whose.name}"
    return Direction(name, "", frozenset({whose}), lambda track: [_each(take, one) for one in _named(whose, track)])


def towards(a: Followed, b: Followed) -> Direction:
    """From the middle of a to the middle of b."""
    one, other = target(a), target(b)

    def measure(track: Track) -> Vectors:
        return [_each(lambda p, q: q.centre - p.centre, p, q) for p, q in zip(_named(one, track), _named(other, track), strict=True)]

    return Direction(f"the way from {one.name} to {other.name}", "m", frozenset({one, other}), measure)


def angle(a: Direction, b: "Direction | Sequence[float]") -> Quantity:
    """Between two directions; degrees, 0 to 180. A plain [x, y, z] is one that stays."""
    other = b if isinstance(b, Direction) else _still(b)

    def between(p: Vector, q: Vector) -> float | Nothing:
        return NO_DIRECTION if min(p.length, q.length) < 1e-9 else math.degrees(p.angle(q))

    def measure(track: Track) -> Amounts:
        return [_each(between, p, q) for p, q in zip(a.measure(track), other.measure(track), strict=True)]

    return Quantity(f"angle({a.label}, {other.label})", "°", a.targets | other.targets, measure)


def speed(a: Followed) -> Quantity:
    """How fast its origin moves: the way since the sample before, by the time; where there is none before, to the one after."""
    whose = target(a)

    def measure(track: Track) -> Amounts:
        column, ticks = whose.column(track), track.ticks
        return [_speed(column, ticks, index) for index in range(len(column))]

    return Quantity(f"speed({whose.name})", "m/s", frozenset({whose}), measure)


def pinching(hand: str | Any, above: float = 0.8) -> Predicate:
    """Whether a hand ("left", "right", or `xr.right`) is pinched beyond a strength; 0.8 is what devices take for an action."""
    return pinch_strength(hand) > above


def pinch_strength(hand: str | Any) -> Quantity:
    whose = target(f"{hand if isinstance(hand, str) else hand.side}.pinch")

    def measure(track: Track) -> Amounts:
        return [one if isinstance(one, float | Nothing) else Nothing("is a place, and no amount") for one in whose.values(track)]

    return Quantity(f"pinch({whose.name.partition('.')[0]})", "", frozenset({whose}), measure)


# --- how they are made ---


def _of_two(name: str, unit: str, a: Followed, b: Followed, take: Callable[[Placed, Placed], float | Nothing]) -> Quantity:
    one, other = target(a), target(b)

    def measure(track: Track) -> Amounts:
        return [_each(take, p, q) for p, q in zip(_named(one, track), _named(other, track), strict=True)]

    return Quantity(f"{name}({one.name}, {other.name})", unit, frozenset({one, other}), measure)


def _named(one: Target, track: Track) -> Sequence[Placed | Nothing]:
    return [Nothing(f"{one.name} {held.why}") if isinstance(held, Nothing) else held for held in one.column(track)]


def _place(name: str, a: Followed, frame: "Followed | None", take: Callable[[Placed], Vector]) -> Direction:
    whose = target(a)
    if frame is None or frame in ("session", "world"):
        return Direction(f"{name}({whose.name})", "m", frozenset({whose}), lambda track: [_each(take, one) for one in _named(whose, track)])
    within = target("head" if isinstance(frame, str) and frame == "viewer" else frame)

    def measure(track: Track) -> Vectors:
        pairs = zip(_named(whose, track), _named(within, track), strict=True)
        return [_each(lambda p, q: inner(q.matrix, take(p)), p, q) for p, q in pairs]

    return Direction(f"{name}({whose.name}, in the frame of {within.name})", "m", frozenset({whose, within}), measure)


def inner(matrix: Matrix, point: Vector) -> Vector | Nothing:
    """A point in a frame, in metres: the frame's scale is left out."""
    try:
        return matrix.pose.inverse.at(point)
    except ValueError:
        return Nothing("has no frame: it is flattened")


def axis_of(axis: str) -> Callable[[Placed], Vector | Nothing]:
    """The direction of "+x", "-x", ... "-z" of something. Raises ValueError on another word."""
    if len(axis) != 2 or axis[0] not in "+-" or axis[1] not in "xyz":
        raise ValueError(f"an axis is +x, -x, +y, -y, +z or -z, not {axis!r}")
    column, sign = "xyz".index(axis[1]), 1.0 if axis[0] == "+" else -1.0

    def take(one: Placed) -> Vector | Nothing:
        along = one.matrix.column(column)
        return NO_DIRECTION if along.length < 1e-9 else along.unit * sign

    return take


def _speed(column: Sequence[Placed | Nothing], ticks: Sequence[int], index: int) -> float | Nothing:
    now = column[index]
    if isinstance(now, Nothing):
        return now
    for other in (index - 1, index + 1):
        if 0 <= other < len(column) and isinstance(beside := column[other], Placed):
            return now.origin.distance(beside.origin) * TICKS / abs(ticks[other] - ticks[index])
    return Nothing("was seen once only")


def _still(numbers: Sequence[float]) -> Direction:
    held = Vector.of(list(numbers))
    spelled = "(" + ", ".join(f"{one:g}" for one in held) + ")"
    return Direction(spelled, "", frozenset(), lambda track: [held] * len(track.rows))


def _quantity(bound: "float | Quantity", unit: str) -> Quantity:
    if isinstance(bound, Quantity):
        if bound.unit != unit:
            raise TypeError(f"{bound.label} is in {bound.unit or 'no unit'}, and cannot be compared with {unit or 'what has no unit'}")
        return bound
    number = float(bound)
    if not math.isfinite(number):
        raise ValueError(f"{number} is no limit")
    return Quantity(f"{number:g} {unit}".rstrip(), unit, frozenset(), lambda track: [number] * len(track.rows))


def _each(take: Callable[..., Any], *values: Any) -> Any:
    """What `take` makes of values, or the first of them that is nothing."""
    return next((one for one in values if isinstance(one, Nothing)), None) or take(*values)
