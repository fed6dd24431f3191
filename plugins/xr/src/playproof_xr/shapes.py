"""How near two solid things are, each taken for its box along its own axes."""

import math

from attrs import frozen

from playproof_xr.geometry import Box, Matrix, Vector
from playproof_xr.time.track import Placed

CLOSE = 1e-6
ROUGH = 1e-5
"""Metres that are none."""
ROUNDS = 300
POINT = (0.0, 0.0, 0.0)


@frozen
class Solid:
    """A box that stands as its thing does: `centre`, three unit `axes` and half its size along each. A point is one of no size."""

    centre: Vector
    axes: tuple[Vector, Vector, Vector]
    half: tuple[float, float, float]

    def nearest(self, point: Vector) -> Vector:
        """Its point nearest to `point`: that itself when inside."""
        way = point - self.centre
        found = self.centre
        for axis, half in zip(self.axes, self.half, strict=True):
            found = found + axis * min(max(way.dot(axis), -half), half)
        return found

    @property
    def corners(self) -> tuple[Vector, ...]:
        x, y, z = (axis * half for axis, half in zip(self.axes, self.half, strict=True))
        return tuple(self.centre + x * i + y * j + z * k for i in (-1.0, 1.0) for j in (-1.0, 1.0) for k in (-1.0, 1.0))


ALONG = (Vector(1.0), Vector(0.0, 1.0), Vector(0.0, 0.0, 1.0))


def solid(one: Placed) -> Solid:
    """Its own box, turned as it is; of what has no shape of its own, the box around what it holds; else its origin.

    A sheared thing (a turned child of a stretched parent) is taken for the box around it."""
    if one.local is not None and (own := _turned(one.matrix, one.local)) is not None:
        return own
    if one.box is not None:
        return Solid(one.box.centre, ALONG, _halves(one.box))
    return Solid(one.origin, ALONG, POINT)


def _turned(matrix: Matrix, local: Box) -> Solid | None:
    columns = [matrix.column(index) for index in range(3)]
    lengths = [column.length for column in columns]
    if min(lengths) < 1e-9:
        return None
    x, y, z = (column * (1.0 / length) for column, length in zip(columns, lengths, strict=True))
    if max(abs(x.dot(y)), abs(y.dot(z)), abs(z.dot(x))) > 1e-3:
        return None
    halves = _halves(local)
    return Solid(matrix.point(local.centre), (x, y, z), (halves[0] * lengths[0], halves[1] * lengths[1], halves[2] * lengths[2]))


def _halves(box: Box) -> tuple[float, float, float]:
    x, y, z = box.size * 0.5
    return x, y, z


def gap_of(a: Placed, b: Placed) -> float:
    """Between their surfaces, 0 where they touch or overlap; good to a tenth of a millimetre."""
    one, other = solid(a), solid(b)
    for point, body in ((one, other), (other, one)):
        if point.half == POINT:
            return body.nearest(point.centre).distance(point.centre)
    return _least(one, other)


def _least(one: Solid, other: Solid) -> float:
    """By projected gradients with momentum, begun anew whenever it leads astray (Beck and Teboulle 2009; O'Donoghue and Candes 2015):
    plain projecting to and fro comes near slowly between faces that are almost parallel."""
    here = one.nearest(other.centre)
    there = other.nearest(here)
    ahead, beyond, weight = here, there, 1.0
    best = here.distance(there)
    for _ in range(ROUNDS):
        half = (ahead - beyond) * 0.5
        nearer, next_to = one.nearest(ahead - half), other.nearest(beyond + half)
        apart = nearer.distance(next_to)
        if apart > best:
            weight = 1.0
        moved = max(nearer.distance(here), next_to.distance(there))
        grown = (1.0 + math.sqrt(1.0 + 4.0 * weight * weight)) / 2.0
        share = 0.0 if apart > best else (weight - 1.0) / grown
        ahead, beyond = nearer + (nearer - here) * share, next_to + (next_to - there) * share
        here, there, weight, best = nearer, next_to, grown, min(best, apart)
        if apart < CLOSE or moved < CLOSE:
            break
    return 0.0 if best < ROUGH else best
