"""The floor from above: points (x, z), polygons, and rectangles that may stand askew."""

import math
from collections.abc import Iterator, Sequence

from attrs import field, frozen

Point = tuple[float, float]
"""x and z, metres."""

SKIN = 1e-5
"""Who is less than this inside something only touches it: floats and rounded drawings do no better."""


def _turn(a: Point, b: Point, c: Point) -> float:
    """Twice the signed area of a, b, c: positive where x turns towards z."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def segment_distance(point: Point, a: Point, b: Point) -> float:
    dx, dz = b[0] - a[0], b[1] - a[1]
    squared = dx * dx + dz * dz
    share = 0.0 if squared == 0.0 else min(max(((point[0] - a[0]) * dx + (point[1] - a[1]) * dz) / squared, 0.0), 1.0)
    return math.hypot(point[0] - a[0] - share * dx, point[1] - a[1] - share * dz)


def segments_gap(a: Point, b: Point, c: Point, d: Point) -> float:
    """Between two segments; 0 where they cross."""
    if _turn(a, b, c) * _turn(a, b, d) < 0.0 and _turn(c, d, a) * _turn(c, d, b) < 0.0:
        return 0.0
    return min(segment_distance(a, c, d), segment_distance(b, c, d), segment_distance(c, a, b), segment_distance(d, a, b))


@frozen
class Polygon:
    """A simple polygon: its sides do not cross. It may have corners that point inwards."""

    points: tuple[Point, ...]

    @property
    def sides(self) -> Iterator[tuple[Point, Point]]:
        return zip(self.points, self.points[1:] + self.points[:1], strict=True)

    @property
    def signed_area(self) -> float:
        """Positive where its corners run from x towards z: clockwise as seen from above, where z points down the page."""
        return sum(a[0] * b[1] - b[0] * a[1] for a, b in self.sides) / 2.0

    @property
    def area(self) -> float:
        return abs(self.signed_area)

    @property
    def bounds(self) -> tuple[Point, Point]:
        xs, zs = zip(*self.points, strict=True)
        return (min(xs), min(zs)), (max(xs), max(zs))

    def crosses_itself(self) -> bool:
        """Two sides that are no neighbours touch, or a corner has no angle to it."""
        sides = list(self.sides)
        last = len(sides) - 1
        apart = ((i, j) for i in range(len(sides)) for j in range(i + 2, len(sides)) if (i, j) != (0, last))
        flat = any(_turn(a, b, sides[(i + 1) % len(sides)][1]) == 0.0 for i, (a, b) in enumerate(sides))
        return flat or any(segments_gap(*sides[i], *sides[j]) == 0.0 for i, j in apart)

    def contains(self, point: Point) -> bool:
        """By the even-odd rule; on a side it may be either."""
        x, z = point
        inside = False
        for (ax, az), (bx, bz) in self.sides:
            if (az > z) != (bz > z) and x < (bx - ax) * (z - az) / (bz - az) + ax:
                inside = not inside
        return inside

    def depth(self, point: Point) -> float:
        """How far inside: the distance to the nearest side, negative outside."""
        distance = min(segment_distance(point, a, b) for a, b in self.sides)
        return distance if self.contains(point) else -distance

    def triangles(self) -> Sequence[tuple[int, int, int]]:
        """Corners by number, cut off ear by ear, each triangle turning as the polygon does. n corners give n - 2."""
        left = list(range(len(self.points)))
        sign = math.copysign(1.0, self.signed_area)
        found: list[tuple[int, int, int]] = []
        while len(left) > 3:
            ear = next(i for i in range(len(left)) if self._is_ear(left, i, sign))
            found.append((left[ear - 1], left[ear], left[(ear + 1) % len(left)]))
            del left[ear]
        return [*found, (left[0], left[1], left[2])]

    def _is_ear(self, left: Sequence[int], i: int, sign: float) -> bool:
        before, tip, after = (self.points[left[k % len(left)]] for k in (i - 1, i, i + 1))
        if sign * _turn(before, tip, after) <= 0.0:
            return False
        others = (self.points[k] for k in left if self.points[k] not in (before, tip, after))
        corners = ((before, tip), (tip, after), (after, before))
        return not any(all(sign * _turn(a, b, other) >= 0.0 for a, b in corners) for other in others)


@frozen
class Rectangle:
    """A rectangle on the floor: `across` and `along` are half its sides, `yaw` turns it to the left, as orientations do."""

    centre: Point
    across: float = field()
    along: float = field()
    yaw: float = 0.0

    @property
    def _axes(self) -> tuple[Point, Point]:
        cosine, sine = math.cos(self.yaw), math.sin(self.yaw)
        return (cosine, -sine), (sine, cosine)

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        (ux, uz), (vx, vz) = self._axes
        (x, z), a, b = self.centre, self.across, self.along
        one, two, three, four = (
            (x + i * a * ux + j * b * vx, z + i * a * uz + j * b * vz) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        )
        return one, two, three, four

    @property
    def askew(self) -> bool:
        """Not along the axes."""
        return abs(math.sin(2.0 * self.yaw)) > 1e-9

    def grown(self, by: float) -> "Rectangle":
        return Rectangle(self.centre, self.across + by, self.along + by, self.yaw)

    def inner(self, point: Point) -> Point:
        """The point in the rectangle's own axes, from its centre."""
        (ux, uz), (vx, vz) = self._axes
        dx, dz = point[0] - self.centre[0], point[1] - self.centre[1]
        return dx * ux + dz * uz, dx * vx + dz * vz

    def contains(self, point: Point) -> bool:
        """Inside, and not only at the edge."""
        u, v = self.inner(point)
        return abs(u) < self.across - SKIN and abs(v) < self.along - SKIN

    def meets(self, a: Point, b: Point) -> bool:
        """The segment runs through its inside: along a side or past a corner is no meeting."""
        (au, av), (bu, bv) = self.inner(a), self.inner(b)
        near, far = 0.0, 1.0
        for start, step, half in ((au, bu - au, self.across - SKIN), (av, bv - av, self.along - SKIN)):
            if abs(step) < 1e-12:
                if abs(start) >= half:
                    return False
                continue
            first, second = sorted(((-half - start) / step, (half - start) / step))
            near, far = max(near, first), min(far, second)
        return far - near > 1e-12

    def overlaps(self, other: "Rectangle") -> bool:
        """They share inner space, by separating axes."""
        mine, theirs = self.corners, other.corners
        for ux, uz in (*self._axes, *other._axes):
            a = [x * ux + z * uz for x, z in mine]
            b = [x * ux + z * uz for x, z in theirs]
            if max(a) <= min(b) + 1e-9 or max(b) <= min(a) + 1e-9:
                return False
        return True
