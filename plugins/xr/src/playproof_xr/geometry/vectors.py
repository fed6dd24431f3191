"""Vectors, unit quaternions and rigid poses: what every position and orientation here is made of."""

import math
from collections.abc import Iterator, Sequence

from attrs import frozen

SMALL = 1e-9
"""Lengths below this have no direction."""


def finite(numbers: Sequence[float], count: int, what: str) -> Sequence[float]:
    if len(numbers) != count or not all(isinstance(one, int | float) and math.isfinite(one) for one in numbers):
        raise ValueError(f"{what} is {count} finite numbers, not {list(numbers)!r}")
    return numbers


@frozen
class Vector:
    """A point or a direction, metres."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0

    @classmethod
    def of(cls, numbers: Sequence[float]) -> "Vector":
        """From the three numbers of a file or a page. Raises ValueError on another count, NaN and infinities."""
        x, y, z = finite(numbers, 3, "a vector")
        return cls(float(x), float(y), float(z))

    def __iter__(self) -> Iterator[float]:
        yield self.x
        yield self.y
        yield self.z

    def __add__(self, other: "Vector") -> "Vector":
        return Vector(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other: "Vector") -> "Vector":
        return Vector(self.x - other.x, self.y - other.y, self.z - other.z)

    def __mul__(self, scale: float) -> "Vector":
        return Vector(self.x * scale, self.y * scale, self.z * scale)

    __rmul__ = __mul__

    def __neg__(self) -> "Vector":
        return Vector(-self.x, -self.y, -self.z)

    def dot(self, other: "Vector") -> float:
        return self.x * other.x + self.y * other.y + self.z * other.z

    def cross(self, other: "Vector") -> "Vector":
        return Vector(
            self.y * other.z - self.z * other.y, self.z * other.x - self.x * other.z, self.x * other.y - self.y * other.x
        )

    @property
    def length(self) -> float:
        return math.sqrt(self.x * self.x + self.y * self.y + self.z * self.z)

    @property
    def unit(self) -> "Vector":
        """Raises ValueError where there is no direction."""
        length = self.length
        if length < SMALL:
            raise ValueError(f"{self} has no direction")
        return self * (1.0 / length)

    @property
    def level(self) -> "Vector":
        """Its share along the floor."""
        return Vector(self.x, 0.0, self.z)

    def distance(self, other: "Vector") -> float:
        return (self - other).length

    def angle(self, other: "Vector") -> float:
        """0 to pi. By atan2, which keeps small angles exact where acos loses them."""
        return math.atan2(self.cross(other).length, self.dot(other))

    def lerp(self, other: "Vector", share: float) -> "Vector":
        return self + (other - self) * share  # so that between a point and itself there is nothing, in floats, too


ORIGIN, UP, DOWN = Vector(), Vector(0.0, 1.0, 0.0), Vector(0.0, -1.0, 0.0)
LEFT, RIGHT, FORWARD, BACK = Vector(-1.0, 0.0, 0.0), Vector(1.0, 0.0, 0.0), Vector(0.0, 0.0, -1.0), Vector(0.0, 0.0, 1.0)


@frozen
class Quaternion:
    """An orientation. `a * b` turns by b first, then by a, as matrices do."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    w: float = 1.0

    @classmethod
    def of(cls, numbers: Sequence[float]) -> "Quaternion":
        """From the four numbers of a file or a page, made unit. Raises ValueError on another count, NaN and all zeros."""
        x, y, z, w = finite(numbers, 4, "a quaternion")
        return cls(float(x), float(y), float(z), float(w)).unit

    @classmethod
    def turn(cls, axis: Vector, angle: float) -> "Quaternion":
        """By `angle` radians about `axis`, counter-clockwise as seen from its tip."""
        half, unit = angle / 2.0, axis.unit
        sine = math.sin(half)
        return cls(unit.x * sine, unit.y * sine, unit.z * sine, math.cos(half))

    @classmethod
    def yaw(cls, angle: float) -> "Quaternion":
        """About y: a positive angle turns from -z to -x, to the left."""
        return cls(0.0, math.sin(angle / 2.0), 0.0, math.cos(angle / 2.0))

    @classmethod
    def pitch(cls, angle: float) -> "Quaternion":
        """About x: a positive angle turns from -z to y, upwards."""
        return cls(math.sin(angle / 2.0), 0.0, 0.0, math.cos(angle / 2.0))

    @classmethod
    def between(cls, start: Vector, end: Vector) -> "Quaternion":
        """The shortest turn that takes one direction to the other."""
        a, b = start.unit, end.unit
        dot = a.dot(b)
        if dot < -1.0 + SMALL:  # opposite: any axis across does
            across = a.cross(RIGHT) if abs(a.x) < 0.9 else a.cross(UP)
            return cls.turn(across, math.pi)
        axis = a.cross(b)
        return cls(axis.x, axis.y, axis.z, 1.0 + dot).unit

    @classmethod
    def axes(cls, x: Vector, y: Vector, z: Vector) -> "Quaternion":
        """From three unit vectors at right angles, right-handed: the columns of the rotation matrix."""
        trace = x.x + y.y + z.z
        if trace > 0.0:
            s = 2.0 * math.sqrt(trace + 1.0)
            return cls((y.z - z.y) / s, (z.x - x.z) / s, (x.y - y.x) / s, s / 4.0).unit
        if x.x >= y.y and x.x >= z.z:
            s = 2.0 * math.sqrt(max(1.0 + x.x - y.y - z.z, SMALL))
            return cls(s / 4.0, (y.x + x.y) / s, (z.x + x.z) / s, (y.z - z.y) / s).unit
        if y.y >= z.z:
            s = 2.0 * math.sqrt(max(1.0 + y.y - x.x - z.z, SMALL))
            return cls((y.x + x.y) / s, s / 4.0, (z.y + y.z) / s, (z.x - x.z) / s).unit
        s = 2.0 * math.sqrt(max(1.0 + z.z - x.x - y.y, SMALL))
        return cls((z.x + x.z) / s, (z.y + y.z) / s, s / 4.0, (x.y - y.x) / s).unit

    @classmethod
    def facing(cls, direction: Vector, up: Vector = UP) -> "Quaternion":
        """Turns -z to `direction`, and y as near to `up` as may be."""
        back = -direction.unit
        right = up.cross(back)
        if right.length < 1e-6:  # straight up or down: the world's -z stands for up, as for somebody who lies
            right = FORWARD.cross(back) if abs(back.z) < 0.9 else RIGHT
        right = right.unit
        return cls.axes(right, back.cross(right), back)

    def __iter__(self) -> Iterator[float]:
        yield self.x
        yield self.y
        yield self.z
        yield self.w

    def __mul__(self, other: "Quaternion") -> "Quaternion":
        ax, ay, az, aw, bx, by, bz, bw = self.x, self.y, self.z, self.w, other.x, other.y, other.z, other.w
        return Quaternion(
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        )

    @property
    def unit(self) -> "Quaternion":
        length = math.sqrt(self.x * self.x + self.y * self.y + self.z * self.z + self.w * self.w)
        if length < SMALL:
            raise ValueError(f"{self} is no orientation")
        return Quaternion(self.x / length, self.y / length, self.z / length, self.w / length)

    @property
    def inverse(self) -> "Quaternion":
        return Quaternion(-self.x, -self.y, -self.z, self.w)

    def rotate(self, v: Vector) -> Vector:
        tx, ty, tz = 2.0 * (self.y * v.z - self.z * v.y), 2.0 * (self.z * v.x - self.x * v.z), 2.0 * (self.x * v.y - self.y * v.x)
        return Vector(
            v.x + self.w * tx + self.y * tz - self.z * ty,
            v.y + self.w * ty + self.z * tx - self.x * tz,
            v.z + self.w * tz + self.x * ty - self.y * tx,
        )

    def angle(self, other: "Quaternion") -> float:
        """The turn between two orientations, 0 to pi; q and -q are one."""
        between = self.inverse * other
        return 2.0 * math.atan2(math.sqrt(between.x**2 + between.y**2 + between.z**2), abs(between.w))

    def slerp(self, other: "Quaternion", share: float) -> "Quaternion":
        """At constant speed along the shorter way; exactly the ends at 0 and 1."""
        if share <= 0.0 or share >= 1.0:
            return self if share <= 0.0 else other
        dot = self.x * other.x + self.y * other.y + self.z * other.z + self.w * other.w
        sign = 1.0 if dot >= 0.0 else -1.0
        angle = self.angle(other) / 2.0
        a, b = (1.0 - share, share) if angle < 1e-6 else (math.sin((1.0 - share) * angle), math.sin(share * angle))
        b *= sign
        return Quaternion(
            self.x * a + other.x * b, self.y * a + other.y * b, self.z * a + other.z * b, self.w * a + other.w * b
        ).unit

    @property
    def forward(self) -> Vector:
        return self.rotate(FORWARD)

    @property
    def heading(self) -> float:
        """The yaw of its forward direction. Straight up or down, the yaw of where its top points."""
        ahead = self.forward
        if math.hypot(ahead.x, ahead.z) < 1e-6:
            ahead = self.rotate(UP) * (-1.0 if ahead.y > 0.0 else 1.0)
        return math.atan2(-ahead.x, -ahead.z)


IDENTITY = Quaternion()


@frozen
class Pose:
    """A place and an orientation: a rigid frame. `a * b` is b, given in a's frame, in the frame that a is given in."""

    position: Vector = ORIGIN
    orientation: Quaternion = IDENTITY

    def __mul__(self, inner: "Pose") -> "Pose":
        return Pose(self.at(inner.position), self.orientation * inner.orientation)

    def at(self, point: Vector) -> Vector:
        """A point of this frame, outside."""
        return self.position + self.orientation.rotate(point)

    @property
    def inverse(self) -> "Pose":
        back = self.orientation.inverse
        return Pose(back.rotate(-self.position), back)

    def moved(self, by: Vector) -> "Pose":
        return Pose(self.position + by, self.orientation)

    def towards(self, other: "Pose", share: float) -> "Pose":
        return Pose(self.position.lerp(other.position, share), self.orientation.slerp(other.orientation, share))

    @property
    def mirrored(self) -> "Pose":
        """In the plane x = 0: p = (-x, y, z), q = (x, -y, -z, w). A right hand's pose becomes a left hand's."""
        p, q = self.position, self.orientation
        return Pose(Vector(-p.x, p.y, p.z), Quaternion(q.x, -q.y, -q.z, q.w))
