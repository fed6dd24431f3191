"""What a room is made of: flat faces in colours, for the engines that draw it, measure depth in it or let things fall on it."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from attrs import frozen

from playproof_xr.geometry import Box, Polygon, Pose, Vector
from playproof_xr.rooms.description import Furniture, Room
from playproof_xr.rooms.planes import Plane, planes_of

Face = tuple[Vector, ...]
"""Corners counter-clockwise as seen from its front."""

BOARD = 0.03
LEG = 0.05


@frozen
class Solid:
    """Named faces of one colour, in the room's frame."""

    id: str
    label: str
    colour: str
    faces: tuple[Face, ...]

    @property
    def box(self) -> Box:
        return Box.around(corner for face in self.faces for corner in face)


@lru_cache(maxsize=32)
def solids_of(room: Room) -> Sequence[Solid]:
    """The shell, seen from inside; openings as panels on their walls; the furniture. One for each plane of the shell, and one
    for each piece."""
    return (*_shell(room), *(Solid(piece.id, piece.label, piece.colour, tuple(_faces(piece))) for piece in room.furniture))


def _shell(room: Room) -> Iterator[Solid]:
    colours = {"floor": room.shell.floor, "ceiling": room.shell.ceiling, "wall": room.shell.walls}
    colours_of_openings = {opening.id: opening.colour for opening in room.openings}
    pieces = {piece.id for piece in room.furniture}
    for plane in planes_of(room):
        if plane.id not in pieces:
            yield Solid(plane.id, plane.label, colours_of_openings.get(plane.id) or colours[plane.label], tuple(_flat(plane)))


def _flat(plane: Plane) -> Iterator[Face]:
    """The plane's triangles, their front on the side of +y."""
    corners = plane.corners
    for a, b, c in Polygon(plane.polygon).triangles():
        yield corners[c], corners[b], corners[a]  # corners run from x towards z: clockwise as +y sees them


def _faces(piece: Furniture) -> Iterator[Face]:
    for middle, size in _parts(piece):
        yield from cuboid(piece.pose * Pose(middle), size)


def cuboid(pose: Pose, size: Vector) -> Iterator[Face]:
    """The six sides of a box with its middle at `pose`, seen from outside."""
    half = size * 0.5
    for normal, u, v in (((1, 0, 0), (0, 1, 0), (0, 0, 1)), ((0, 1, 0), (0, 0, 1), (1, 0, 0)), ((0, 0, 1), (1, 0, 0), (0, 1, 0))):
        for side in (1, -1):
            ring = ((-1, -1), (1, -1), (1, 1), (-1, 1))[::side]
            yield tuple(
                pose.at(Vector(*(h * (side * n + i * a + j * b) for h, n, a, b in zip(half, normal, u, v, strict=True))))
                for i, j in ring
            )


def _parts(piece: Furniture) -> Sequence[tuple[Vector, Vector]]:
    """Middle and size of each box, in the frame in the middle of the underside; together they fill the outer size."""
    width, height, depth = piece.size
    if piece.kind == "table":
        x, z, tall = (width - LEG) / 2.0, (depth - LEG) / 2.0, height - BOARD
        legs = [(Vector(i * x, tall / 2.0, j * z), Vector(LEG, tall, LEG)) for i in (-1, 1) for j in (-1, 1)]
        return [(Vector(0.0, height - BOARD / 2.0, 0.0), Vector(width, BOARD, depth)), *legs]
    if piece.kind == "seat":
        seat, back = (height / 2.0 if piece.top is None else piece.top - piece.lift), min(0.2, depth / 4.0)
        rest = height - seat
        return [(Vector(0.0, seat / 2.0, 0.0), Vector(width, seat, depth)),
                (Vector(0.0, seat + rest / 2.0, -(depth - back) / 2.0), Vector(width, rest, back))]  # fmt: skip
    if piece.kind == "shelf":
        boards = max(2, round(height / 0.4) + 1)
        heights = [BOARD / 2.0 + k * (height - BOARD) / (boards - 1) for k in range(boards)]
        sides = [(Vector(i * (width - BOARD) / 2.0, height / 2.0, 0.0), Vector(BOARD, height, depth)) for i in (-1, 1)]
        return [*sides, *((Vector(0.0, y, 0.0), Vector(width - 2.0 * BOARD, BOARD, depth)) for y in heights)]
    if piece.kind == "pole":
        foot, head = min(BOARD, height / 10.0), height / 5.0
        stem = height - foot - head
        return [(Vector(0.0, foot / 2.0, 0.0), Vector(width * 0.7, foot, depth * 0.7)),
                (Vector(0.0, foot + stem / 2.0, 0.0), Vector(LEG / 2.0, stem, LEG / 2.0)),
                (Vector(0.0, height - head / 2.0, 0.0), Vector(width, head, depth))]  # fmt: skip
    return [(Vector(0.0, height / 2.0, 0.0), Vector(width, height, depth))]
