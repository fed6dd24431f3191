"""Where things are, as a person would say it: facing, on a surface, inside, within reach, legible, touching.

Each gives a predicate, for `always(...)` and its kin; `attached` is about time itself. Lengths in metres, angles in degrees."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from playproof_xr.assertions.surfaces import Surface, heights, lies_over, surfaces
from playproof_xr.geometry import Box, Polygon, Vector
from playproof_xr.predicates import Predicate, Stated
from playproof_xr.quantities import Quantity, angle, axis_of, forward, gap, towards
from playproof_xr.shapes import gap_of, solid
from playproof_xr.sights import in_view
from playproof_xr.targets import Followed, Target, target
from playproof_xr.time.track import Nothing, Placed, Track

REACH = 0.65
"""From the shoulder to the fingertips: all but the smallest 5 % of women reach so far (0.655 m: Pheasant and Haslegrave, Bodyspace,
upper limb length of British adults)."""

LEGIBLE = 22 / 60
"""Degrees that a capital letter spans at least. ISO 9241-3 asks for 16 minutes of arc and prefers 20 to 22; it also wants 9 pixels for
running text, which are 22 minutes on a headset with 25 pixels to the degree."""

CAPITAL = 0.7
"""How high a capital is, of a line of text: about so in the usual faces."""

OBLIQUE = 60.0
"""Degrees from which on a text is seen too much from the side."""


def facing(a: Followed, viewer: Followed = "head", within: float = 30.0, axis: str = "+z") -> Predicate:
    """One of its sides, the one that panels and texts show (+z), is turned to the viewer, give or take so many degrees."""
    return angle(forward(a, axis), towards(a, viewer)) <= within


def reachable(a: Followed, hand: str = "either", reach: float = REACH) -> Predicate:
    """Its nearest point is no further from a shoulder ("left", "right", or "either") than an arm is long."""
    left, right = (gap(f"{side}.shoulder", a) <= reach for side in ("left", "right"))
    return {"left": left, "right": right, "either": left | right}[hand]


def letter_size(a: Followed, lines: int = 1, letter: float | None = None) -> Quantity:
    """What a capital letter of a text spans, seen from between the eyes; degrees. Its height is 0.7 of a line's, and a line's that of
    the thing by the number of lines; or `letter`, metres."""
    whose, head = target(a), target("head")

    def spans(text: Placed, eye: Placed) -> float | Nothing:
        up = axis_of("+y")(text)
        if isinstance(up, Nothing):
            return up
        height = letter if letter is not None else CAPITAL * _height(text, up) / lines
        centre, half = text.centre - eye.origin, up * (height / 2.0)
        return math.degrees((centre + half).angle(centre - half)) if centre.length > height else 90.0

    def measure(track: Track) -> Sequence[float | Nothing]:
        pairs = zip(whose.column(track), head.column(track), strict=True)
        return [one if isinstance(one, Nothing) else other if isinstance(other, Nothing) else spans(one, other) for one, other in pairs]

    return Quantity(f"letter size of {whose.name}", "°", frozenset({whose, head}), measure)


def readable(a: Followed, minimum: float = LEGIBLE, lines: int = 1, letter: float | None = None) -> Predicate:
    """A text that the eye sees: in view, its front no more than 60 degrees away from the viewer, its capitals as high as `minimum`."""
    return in_view(a) & facing(a, within=OBLIQUE) & (letter_size(a, lines, letter) >= minimum)


def _height(text: Placed, up: Vector) -> float:
    if text.local is not None:
        return text.local.size.y * text.matrix.column(1).length
    return 0.0 if text.box is None else sum(abs(a) * b for a, b in zip(up, text.box.size, strict=True))


# --- surfaces and volumes ---


def on_surface(a: Followed, surface: Any, tolerance: float = 0.01, whole: bool = False) -> Predicate:
    """It rests on a plane of the room (by label or id: "table", "floor"), or on the upper side of a thing: its lowest corner no more
    than `tolerance` above or below, its middle over the surface; with `whole` all of its underside.

    Of several planes with a label the one counts that it lies over, and that is nearest."""
    whose = target(a)
    on, label = _surface_target(surface)

    def judged(track: Track) -> Sequence[tuple[bool | Nothing, str, float | None]]:
        pairs = zip(whose.column(track), surfaces(surface, on, track), strict=True)
        return [_resting(one, found, tolerance, whole) for one, found in pairs]

    name = f"{whose.name} is on {label}"
    return Stated(
        name, frozenset({whose} | ({on} if on else set())), lambda track: [one[0] for one in judged(track)],
        lambda track, index: f"{whose.name} {judged(track)[index][1]}", lambda track: [one[2] for one in judged(track)])  # fmt: skip


def _surface_target(surface: Any) -> tuple[Target | None, str]:
    if isinstance(surface, str):
        return None, f"the {surface}"
    on = target(surface)
    return on, on.name


Judged = tuple[bool | Nothing, str, float | None]


def _resting(one: Placed | Nothing, found: Sequence[Surface] | Nothing, tolerance: float, whole: bool) -> Judged:
    if isinstance(one, Nothing) or isinstance(found, Nothing):
        why = one if isinstance(one, Nothing) else found
        assert isinstance(why, Nothing)
        return why, why.why, None
    body = solid(one)
    under = [surface for surface in found if lies_over(body, surface, whole)]
    if not under:
        return False, "lies beside it" if not whole else "lies not wholly over it", None
    height = min((heights(body, surface) for surface in under), key=abs)
    word = "floats" if height > 0 else "is sunk"
    return abs(height) <= tolerance, f"{word} by {abs(height):.4g} m", tolerance - abs(height)


def inside(a: Followed, volume: Any, whole: bool = False) -> Predicate:
    """Its middle, or with `whole` all its corners, lies in a volume: a Box, another thing, or a polygon of the floor ([[x, z], ...]),
    which has every height."""
    whose = target(a)
    holder, label = (None, "the volume") if isinstance(volume, Box) or _is_polygon(volume) else (target(volume), target(volume).name)

    def asked(track: Track) -> Sequence[bool | Nothing]:
        holders = holder.column(track) if holder else [None] * len(track.rows)
        return [_in(one, volume if other is None else other, whole) for one, other in zip(whose.column(track), holders, strict=True)]

    def said(track: Track, index: int) -> str:
        one = whose.column(track)[index]
        if isinstance(one, Nothing):
            return f"{whose.name} {one.why}"
        return f"{whose.name} was at ({', '.join(f'{x:.3g}' for x in one.centre)})"

    return Stated(f"{whose.name} is inside {label}", frozenset({whose} | ({holder} if holder else set())), asked, said)


def _is_polygon(volume: Any) -> bool:
    listed = isinstance(volume, Sequence) and not isinstance(volume, str)
    return listed and len(volume) >= 3 and all(isinstance(one, Sequence) for one in volume)


def _in(one: Placed | Nothing, volume: Any, whole: bool) -> bool | Nothing:
    if isinstance(one, Nothing) or isinstance(volume, Nothing):
        return one if isinstance(one, Nothing) else volume
    points = solid(one).corners if whole else [one.centre]
    if isinstance(volume, Placed):
        body = solid(volume)
        return all(body.nearest(point).distance(point) < 1e-6 for point in points)
    if isinstance(volume, Box):
        return all(volume.contains(point) for point in points)
    floor = Polygon(tuple((float(x), float(z)) for x, z in volume))
    return all(floor.contains((point.x, point.z)) for point in points)


# --- touch ---


def touching(a: Followed, b: Followed, begin: float = 0.005, end: float = 0.015) -> Predicate:
    """In contact: it begins when their surfaces come as near as `begin`, and ends when they are further apart than `end`, so that a
    trembling hand makes one touch of it. What is not there touches nothing, and ends the touch."""
    if not 0.0 <= begin <= end:
        raise ValueError(f"a touch that begins at {begin} m cannot end at {end} m: `end` is the larger")
    one, other = target(a), target(b)

    @lru_cache(maxsize=2)  # a statement asks for the same track several times
    def gaps(track: Track) -> Sequence[float | Nothing]:
        return [_gap(p, q, one.name, other.name) for p, q in zip(one.column(track), other.column(track), strict=True)]

    def asked(track: Track) -> Sequence[bool | Nothing]:
        found: list[bool | Nothing] = []
        touches = False
        for distance in gaps(track):
            touches = not isinstance(distance, Nothing) and distance <= (end if touches else begin)
            found.append(distance if isinstance(distance, Nothing) else touches)
        return found

    def measured(track: Track) -> Sequence[float | None]:
        pairs = zip(gaps(track), asked(track), strict=True)
        return [None if isinstance(distance, Nothing) else (end if held is True else begin) - distance for distance, held in pairs]

    def said(track: Track, index: int) -> str:
        distance = gaps(track)[index]
        return distance.why if isinstance(distance, Nothing) else f"the gap between {one.name} and {other.name} was {distance:.4g} m"

    label = f"{one.name} touches {other.name} (from {begin:g} m, to {end:g} m)"
    return Stated(label, frozenset({one, other}), asked, said, measured)


def _gap(p: Placed | Nothing, q: Placed | Nothing, first: str, second: str) -> float | Nothing:
    if isinstance(p, Nothing):
        return Nothing(f"{first} {p.why}")
    return Nothing(f"{second} {q.why}") if isinstance(q, Nothing) else gap_of(p, q)
