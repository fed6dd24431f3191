"""The planes that a device finds in a room: floor, ceiling, walls, openings, and the tops of furniture.

A plane's own frame is WebXR's: the polygon lies at y = 0, and +y points away from the surface, into the room."""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from attrs import frozen

from playproof_xr.geometry import BACK, DOWN, RIGHT, Point, Polygon, Pose, Quaternion, Vector
from playproof_xr.rooms.description import Furniture, Opening, Room

PROUD = 0.005
"""How far doors, windows and pictures stand out of their wall, so that a ray meets them first; metres."""


@frozen
class Plane:
    """`polygon` is (x, z) in the plane's own frame, its corners running from x towards z."""

    id: str
    label: str
    orientation: str
    pose: Pose
    polygon: tuple[Point, ...]

    @property
    def corners(self) -> Sequence[Vector]:
        """In the room."""
        return tuple(self.pose.at(Vector(x, 0.0, z)) for x, z in self.polygon)

    @property
    def area(self) -> float:
        return Polygon(self.polygon).area


@frozen
class Wall:
    """A side of the outline, from `start` to `end`, with the direction into the room."""

    number: int
    start: Vector
    end: Vector
    inward: Vector

    @property
    def length(self) -> float:
        return self.start.distance(self.end)

    def pose(self, along: float, height: float) -> Pose:
        """A frame on the wall: y into the room, z down, x along it."""
        place = self.start.lerp(self.end, along / self.length) + Vector(0.0, height, 0.0)
        return Pose(place, Quaternion.axes(self.inward.cross(DOWN), self.inward, DOWN))


def walls_of(room: Room) -> Sequence[Wall]:
    shape = room.shell.polygon
    sign = math.copysign(1.0, shape.signed_area)
    found = []
    for number, ((ax, az), (bx, bz)) in enumerate(shape.sides):
        inward = Vector(-(bz - az) * sign, 0.0, (bx - ax) * sign).unit
        found.append(Wall(number, Vector(ax, 0.0, az), Vector(bx, 0.0, bz), inward))
    return found


@lru_cache(maxsize=32)
def planes_of(room: Room) -> Sequence[Plane]:
    """In a fixed order: floor, ceiling, walls, openings, tops of furniture. Ids are unique in the room."""
    return tuple(_planes(room))


def _planes(room: Room) -> Iterator[Plane]:
    (ax, az), (bx, bz) = room.shell.polygon.bounds
    x, z = (ax + bx) / 2.0, (az + bz) / 2.0
    outline = tuple((px - x, pz - z) for px, pz in room.shell.outline)
    yield Plane("floor", "floor", "horizontal", Pose(Vector(x, 0.0, z)), _turning_right(outline))
    overhead = Pose(Vector(x, room.shell.height, z), Quaternion.axes(RIGHT, DOWN, -BACK))
    yield Plane("ceiling", "ceiling", "horizontal", overhead, _turning_right(tuple((px, -pz) for px, pz in outline)))
    walls = walls_of(room)
    half = room.shell.height / 2.0
    for wall in walls:
        yield Plane(f"wall-{wall.number}", "wall", "vertical", wall.pose(wall.length / 2.0, half), _rectangle(wall.length, 2.0 * half))
    for opening in room.openings:
        yield _opening(opening, walls[opening.wall])
    for piece in room.furniture:
        if piece.surface is not None:
            yield _top(piece, piece.surface)


def _opening(opening: Opening, wall: Wall) -> Plane:
    pose = wall.pose(opening.along, opening.sill + opening.height / 2.0).moved(wall.inward * PROUD)
    return Plane(opening.id, opening.label, "vertical", pose, _rectangle(opening.width, opening.height))


def _top(piece: Furniture, surface: float) -> Plane:
    pose = Pose(Vector(piece.at[0], surface, piece.at[1]), piece.pose.orientation)
    return Plane(piece.id, piece.label, "horizontal", pose, _rectangle(piece.size[0], piece.size[2]))


def _rectangle(width: float, depth: float) -> tuple[Point, ...]:
    a, b = width / 2.0, depth / 2.0
    return (-a, -b), (a, -b), (a, b), (-a, b)


def _turning_right(points: tuple[Point, ...]) -> tuple[Point, ...]:
    return points if Polygon(points).signed_area > 0.0 else points[::-1]
