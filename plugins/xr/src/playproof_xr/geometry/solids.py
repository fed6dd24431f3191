"""Boxes along the axes, rays and segments: who touches whom, how far, and where."""

import math
from collections.abc import Iterable, Sequence

from attrs import frozen

from playproof_xr.geometry.matrices import Matrix
from playproof_xr.geometry.vectors import Pose, Vector


@frozen
class Box:
    """An axis-aligned box (AABB), from its lowest corner to its highest."""

    low: Vector
    high: Vector

    @classmethod
    def of(cls, numbers: Sequence[float]) -> "Box":
        """From [min x, min y, min z, max x, max y, max z]. Raises ValueError where a minimum exceeds its maximum."""
        low, high = Vector.of(numbers[:3]), Vector.of(numbers[3:])
        if any(a > b for a, b in zip(low, high, strict=True)):
            raise ValueError(f"a box goes from its lowest corner to its highest, not {list(numbers)!r}")
        return cls(low, high)

    @classmethod
    def around(cls, points: Iterable[Vector]) -> "Box":
        """The smallest that holds them all. Raises ValueError on none."""
        all_of_them = tuple(points)
        if not all_of_them:
            raise ValueError("a box around nothing")
        xs, ys, zs = zip(*all_of_them, strict=True)
        return cls(Vector(min(xs), min(ys), min(zs)), Vector(max(xs), max(ys), max(zs)))

    @property
    def centre(self) -> Vector:
        return self.low.lerp(self.high, 0.5)

    @property
    def size(self) -> Vector:
        return self.high - self.low

    @property
    def corners(self) -> Sequence[Vector]:
        (ax, ay, az), (bx, by, bz) = self.low, self.high
        return tuple(Vector(x, y, z) for x in (ax, bx) for y in (ay, by) for z in (az, bz))

    def moved(self, matrix: Matrix) -> "Box":
        """The box around this one when `matrix` has moved it."""
        return Box.around(matrix.point(corner) for corner in self.corners)

    def union(self, other: "Box") -> "Box":
        return Box.around((self.low, self.high, other.low, other.high))

    def grown(self, by: float) -> "Box":
        return Box(self.low - Vector(by, by, by), self.high + Vector(by, by, by))

    def contains(self, point: Vector) -> bool:
        """Its surface belongs to it."""
        return all(a <= value <= b for a, value, b in zip(self.low, point, self.high, strict=True))

    def holds(self, other: "Box") -> bool:
        return self.contains(other.low) and self.contains(other.high)

    def overlaps(self, other: "Box") -> bool:
        """They share inner space: boxes that only touch do not overlap."""
        mine, theirs = zip(self.low, self.high, strict=True), zip(other.low, other.high, strict=True)
        return all(a < d and c < b for (a, b), (c, d) in zip(mine, theirs, strict=True))

    def nearest(self, point: Vector) -> Vector:
        """The point of the box nearest to `point`: itself when inside."""
        return Vector(*(min(max(value, a), b) for a, value, b in zip(self.low, point, self.high, strict=True)))

    def distance(self, point: Vector) -> float:
        return self.nearest(point).distance(point)

    def gap(self, other: "Box") -> float:
        """Between their surfaces; 0 where they touch or overlap."""
        mine, theirs = zip(self.low, self.high, strict=True), zip(other.low, other.high, strict=True)
        return math.hypot(*(max(c - b, a - d, 0.0) for (a, b), (c, d) in zip(mine, theirs, strict=True)))


@frozen
class Segment:
    start: Vector
    end: Vector

    def at(self, share: float) -> Vector:
        return self.start.lerp(self.end, share)

    @property
    def length(self) -> float:
        return self.start.distance(self.end)

    def nearest(self, point: Vector) -> Vector:
        along = self.end - self.start
        squared = along.dot(along)
        return self.start if squared == 0.0 else self.at(min(max((point - self.start).dot(along) / squared, 0.0), 1.0))

    def distance(self, point: Vector) -> float:
        return self.nearest(point).distance(point)

    def between(self, other: "Segment") -> tuple[Vector, Vector]:
        """The nearest points, on this one and on the other (Ericson, Real-Time Collision Detection, 5.1.9)."""
        d1, d2, r = self.end - self.start, other.end - other.start, self.start - other.start
        a, e, f = d1.dot(d1), d2.dot(d2), d2.dot(r)
        if a == 0.0:
            return self.start, other.nearest(self.start)
        c = d1.dot(r)
        if e == 0.0:
            return self.nearest(other.start), other.start
        b = d1.dot(d2)
        denominator = a * e - b * b
        s = min(max((b * f - c * e) / denominator, 0.0), 1.0) if denominator > 1e-12 * a * e else 0.0
        t = (b * s + f) / e
        if not 0.0 <= t <= 1.0:
            t = min(max(t, 0.0), 1.0)
            s = min(max((b * t - c) / a, 0.0), 1.0)
        return self.at(s), other.at(t)

    def gap(self, other: "Segment") -> float:
        mine, theirs = self.between(other)
        return mine.distance(theirs)


@frozen
class Ray:
    """From `origin` along `direction`, which is unit length: distances are metres."""

    origin: Vector
    direction: Vector

    @classmethod
    def along(cls, pose: Pose) -> "Ray":
        """A pose's forward direction, as target rays are given in WebXR."""
        return cls(pose.position, pose.orientation.forward)

    @classmethod
    def through(cls, origin: Vector, target: Vector) -> "Ray":
        return cls(origin, (target - origin).unit)

    def at(self, distance: float) -> Vector:
        return self.origin + self.direction * distance

    def nearest(self, point: Vector) -> Vector:
        return self.at(max((point - self.origin).dot(self.direction), 0.0))

    def distance(self, point: Vector) -> float:
        return self.nearest(point).distance(point)

    def meets_box(self, box: Box) -> float | None:
        """How far to the box; 0 from inside, None past it (slabs)."""
        near, far = 0.0, math.inf
        for start, step, a, b in zip(self.origin, self.direction, box.low, box.high, strict=True):
            if abs(step) < 1e-12:
                if not a <= start <= b:
                    return None
                continue
            first, second = sorted(((a - start) / step, (b - start) / step))
            near, far = max(near, first), min(far, second)
            if near > far:
                return None
        return near

    def meets_plane(self, point: Vector, normal: Vector) -> float | None:
        """How far to the endless plane, from either side; None along it or away from it."""
        slope = self.direction.dot(normal)
        if abs(slope) < 1e-12:
            return None
        distance = (point - self.origin).dot(normal) / slope
        return distance if distance >= 0.0 else None

    def meets_triangle(self, a: Vector, b: Vector, c: Vector) -> float | None:
        """How far to the triangle, from either side (Moeller and Trumbore)."""
        one, two = b - a, c - a
        across = self.direction.cross(two)
        volume = one.dot(across)
        if abs(volume) < 1e-14:
            return None
        to = self.origin - a
        u = to.dot(across) / volume
        over = to.cross(one)
        v = self.direction.dot(over) / volume
        if u < 0.0 or v < 0.0 or u + v > 1.0:
            return None
        distance = two.dot(over) / volume
        return distance if distance >= 0.0 else None
