"""4x4 matrices, as engines give and take them: sixteen numbers, column by column."""

import math
from collections.abc import Sequence

from attrs import frozen

from playproof_xr.geometry.vectors import Pose, Quaternion, Vector, finite

ONE = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)
SINGULAR = 1e-12
LIFE_SIZE = Vector(1.0, 1.0, 1.0)


@frozen
class Matrix:
    values: tuple[float, ...] = ONE

    @classmethod
    def of(cls, numbers: Sequence[float]) -> "Matrix":
        """Raises ValueError on anything but sixteen finite numbers."""
        return cls(tuple(float(one) for one in finite(numbers, 16, "a matrix")))

    @classmethod
    def compose(cls, pose: Pose, scale: Vector = LIFE_SIZE) -> "Matrix":
        x, y, z = (pose.orientation.rotate(axis) for axis in (Vector(scale.x), Vector(0.0, scale.y), Vector(0.0, 0.0, scale.z)))
        p = pose.position
        return cls((x.x, x.y, x.z, 0.0, y.x, y.y, y.z, 0.0, z.x, z.y, z.z, 0.0, p.x, p.y, p.z, 1.0))

    def decompose(self) -> tuple[Pose, Vector]:
        """Pose and scale; a mirroring matrix gets a negative x scale, as in three.js. Raises ValueError where it is flat.

        Shear is lost: two matrices that differ in shear alone decompose alike."""
        columns = [self.column(index) for index in range(3)]
        lengths = [column.length for column in columns]
        if min(lengths) < SINGULAR:
            raise ValueError("a matrix that flattens space has no orientation")
        if self.determinant < 0.0:
            lengths[0] = -lengths[0]
        x, y, z = (column * (1.0 / length) for column, length in zip(columns, lengths, strict=True))
        return Pose(self.column(3), Quaternion.axes(x, y, z)), Vector(*lengths)

    @property
    def pose(self) -> Pose:
        return self.decompose()[0]

    def column(self, index: int) -> Vector:
        """The first three numbers of a column: 0, 1 and 2 are the axes, 3 the place."""
        return Vector(*self.values[4 * index : 4 * index + 3])

    def __mul__(self, other: "Matrix") -> "Matrix":
        a, b = self.values, other.values
        return Matrix(
            tuple(sum(a[4 * k + row] * b[4 * column + k] for k in range(4)) for column in range(4) for row in range(4))
        )

    def point(self, v: Vector) -> Vector:
        """The point that `v` becomes, without perspective."""
        m = self.values
        return Vector(
            m[0] * v.x + m[4] * v.y + m[8] * v.z + m[12],
            m[1] * v.x + m[5] * v.y + m[9] * v.z + m[13],
            m[2] * v.x + m[6] * v.y + m[10] * v.z + m[14],
        )

    def project(self, v: Vector) -> Vector:
        """With perspective: divided by w. Raises ValueError in the eye's own plane, where w is 0."""
        m = self.values
        w = m[3] * v.x + m[7] * v.y + m[11] * v.z + m[15]
        if abs(w) < SINGULAR:
            raise ValueError(f"{v} has no picture: it lies in the plane of the eye")
        return self.point(v) * (1.0 / w)

    def direction(self, v: Vector) -> Vector:
        return self.point(v) - self.column(3)

    @property
    def determinant(self) -> float:
        """Of the upper left 3x3: how volumes grow."""
        return self.column(0).dot(self.column(1).cross(self.column(2)))

    @property
    def inverse(self) -> "Matrix":
        """By Gauss and Jordan with pivots: it serves projections, too. Raises ValueError on a singular one."""
        rows = [[self.values[4 * column + row] for column in range(4)] + [float(row == k) for k in range(4)] for row in range(4)]
        for pivot in range(4):
            best = max(range(pivot, 4), key=lambda row: abs(rows[row][pivot]))
            rows[pivot], rows[best] = rows[best], rows[pivot]
            lead = rows[pivot][pivot]
            if abs(lead) < SINGULAR or not math.isfinite(lead):
                raise ValueError("a singular matrix has no inverse")
            rows[pivot] = [one / lead for one in rows[pivot]]
            for row in range(4):
                if row != pivot and rows[row][pivot]:
                    factor = rows[row][pivot]
                    rows[row] = [one - factor * other for one, other in zip(rows[row], rows[pivot], strict=True)]
        return Matrix(tuple(rows[row][4 + column] for column in range(4) for row in range(4)))
