"""room.toml -> Room. Every refusal names the file and the place."""

import math
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

from playproof.canonical import structure
from playproof.errors import TaskError
from playproof_xr.geometry import Vector
from playproof_xr.rooms.description import Furniture, Place, Room
from playproof_xr.rooms.navigation import ground_of
from playproof_xr.rooms.planes import planes_of, walls_of

SCHEMA = 1
LIBRARY = Path(__file__).parent / "library"
SLACK = 0.01
"""How far furniture may reach into a wall: drawings are rounded to centimetres."""

LOWEST, SMALLEST = 1.9, 2.0
"""Metres of height and square metres of floor that a room has at least."""

EYES = (0.8, 2.2)


def library() -> Sequence[str]:
    """The names of the rooms that come with the package."""
    return sorted(place.stem for place in LIBRARY.glob("*.toml"))


def find_room(name: str, root: Path | None = None) -> Room:
    """A room of the library by its name, or one of a task's own by its path (`checks/rooms/cellar.toml`) below `root`.

    Raises TaskError: no such room, a path that leaves the task, and whatever `read_room` refuses."""
    if not name.endswith(".toml"):
        if name not in library():
            raise TaskError(f"no room named {name!r}; the library has {', '.join(library())}, and a task's own is named by its .toml file")
        return read_room(LIBRARY / f"{name}.toml")
    if root is None or Path(name).is_absolute() or ".." in Path(name).parts:
        raise TaskError(f"{name}: a task's own room is named by its path within the task's folder")
    return read_room(root / name)


@lru_cache(maxsize=64)
def read_room(place: Path) -> Room:
    """Raises TaskError: not TOML, an unknown or malformed key, and what cannot be: furniture through a wall or in other
    furniture, a door beyond its wall, a start or a place where nobody can stand, two things of one id."""
    try:
        written = tomllib.loads(place.read_text("utf-8"))
    except FileNotFoundError:
        raise TaskError(f"{place}: there is no such file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as fault:
        raise TaskError(f"{place}: {fault}") from None
    return parse_room(written, str(place))


def parse_room(written: dict[str, Any], place: str) -> Room:
    """A room from TOML data; `place` is the file's name, for what is wrong with it."""
    rest = dict(written)
    version = rest.pop("schema", None)
    if version != SCHEMA:
        raise TaskError(f"{place}: schema is {version!r}, this version reads {SCHEMA}")
    try:
        room = structure(rest, Room)
    except ValueError as fault:
        raise TaskError(f"{place}: {fault}") from None
    for fault_there in _faults(room):
        raise TaskError(f"{place}: {fault_there}")
    return room


def _faults(room: Room) -> Iterator[str]:
    """What is wrong, the grossest first: later questions presume that earlier ones were answered well."""
    yield from _shell(room)
    yield from _names(room)
    yield from _openings(room)
    yield from _furniture(room)
    yield from _lights(room)
    yield from _people(room)


def _shell(room: Room) -> Iterator[str]:
    shape = room.shell.polygon
    if len(shape.points) < 3 or shape.crosses_itself():
        yield "the outline is no simple polygon: three corners or more, no two sides that meet elsewhere @ $.shell.outline"
    elif shape.area < SMALLEST:
        yield f"{shape.area:.2f} square metres are no room; {SMALLEST:g} at least @ $.shell.outline"
    if room.shell.height < LOWEST:
        yield f"a ceiling at {room.shell.height:g} m; {LOWEST:g} at least @ $.shell.height"


def _names(room: Room) -> Iterator[str]:
    shell = ["floor", "ceiling", *(f"wall-{number}" for number in range(len(room.shell.outline)))]
    things = [*shell, *(one.id for one in room.openings), *(one.id for one in room.furniture)]
    places, lights = [one.id for one in room.places], [one.id for one in room.lights]
    for kind, names in (("thing", things), ("place", places), ("light", lights)):
        for name, count in Counter(names).items():
            if count > 1:
                yield f"{count} {kind}s are named {name!r}"


def _openings(room: Room) -> Iterator[str]:
    walls = walls_of(room)
    for number, opening in enumerate(room.openings):
        where = f"{opening.id!r} @ $.openings[{number}]"
        if not 0 <= opening.wall < len(walls):
            yield f"wall {opening.wall}: the outline has sides 0 to {len(walls) - 1}: {where}"
            continue
        length = walls[opening.wall].length
        if opening.along - opening.width / 2 < -1e-6 or opening.along + opening.width / 2 > length + 1e-6:
            yield f"beyond the ends of its wall, which is {length:g} m long: {where}"
        if opening.sill < 0 or opening.sill + opening.height > room.shell.height + 1e-6:
            yield f"not between floor and ceiling: {where}"
    for one, other in combinations(room.openings, 2):
        across = abs(one.along - other.along) < (one.width + other.width) / 2 - 1e-6
        if one.wall == other.wall and across and one.sill < other.sill + other.height and other.sill < one.sill + one.height:
            yield f"{one.id!r} and {other.id!r} overlap on wall {one.wall} @ $.openings"


def _furniture(room: Room) -> Iterator[str]:
    for number, piece in enumerate(room.furniture):
        where = f"{piece.id!r} @ $.furniture[{number}]"
        out = max(-room.shell.polygon.depth(corner) for corner in piece.footprint.corners)
        if out > SLACK:
            yield f"reaches {out:.2f} m through a wall: {where}"
        if piece.lift < 0 or piece.upper > room.shell.height + 1e-6:
            yield f"not between floor and ceiling: {where}"
        if piece.top is not None and not piece.lift < piece.top <= piece.upper:
            yield f"its top, {piece.top:g} m, is not within it ({piece.lift:g} to {piece.upper:g} m): {where}"
        if piece.kind == "seat" and piece.top is None:
            yield f"a seat needs `top`, the height that one sits at: {where}"
    for one, other in combinations(room.furniture, 2):
        if _collide(one, other):
            yield f"{one.id!r} and {other.id!r} stand in each other @ $.furniture"


def _collide(one: Furniture, other: Furniture) -> bool:
    """They share space. What stands on a top, or lies under a table's, does not."""
    if one.lift >= other.upper - 1e-6 or other.lift >= one.upper - 1e-6:
        return False
    for upper, lower in ((one, other), (other, one)):
        if upper.kind == "table" and lower.upper <= upper.upper - 0.03:
            return False  # a chair pushed under a table
        if upper.kind == "seat" and upper.top is not None and lower.lift >= upper.top:
            return False
    return one.footprint.overlaps(other.footprint)


def _lights(room: Room) -> Iterator[str]:
    for number, light in enumerate(room.lights):
        if light.kind == "sun" and Vector(*light.towards).length < 1e-6:
            yield f"{light.id!r} shines nowhere @ $.lights[{number}].towards"


def _people(room: Room) -> Iterator[str]:
    ground = ground_of(room)
    if not ground.free(room.start.at):
        yield f"nobody can stand at {list(room.start.at)}: {_why(room, room.start.at)} @ $.start.at"
        return
    if not EYES[0] <= room.start.eyes <= EYES[1]:
        yield f"eyes at {room.start.eyes:g} m; {EYES[0]:g} to {EYES[1]:g} @ $.start.eyes"
    things = {one.id for one in room.openings} | {one.id for one in room.furniture}
    for number, place in enumerate(room.places):
        where = f"{place.id!r} @ $.places[{number}]"
        if (place.of is None) == (place.point is None):
            yield f"either `of`, a thing in the room, or `point`: {where}"
        elif place.of is not None and place.of not in things:
            yield f"there is no {place.of!r} in the room: {where}"
        if not ground.free(place.stand):
            yield f"nobody can stand at {list(place.stand)}: {_why(room, place.stand)}: {where}"
        elif not ground.route(room.start.at, place.stand):
            yield f"no way leads from the start to {list(place.stand)}: {where}"


def _why(room: Room, point: tuple[float, float]) -> str:
    near = [piece.id for piece in room.furniture if piece.in_the_way and piece.footprint.grown(room.body).contains(point)]
    if near:
        return f"within {room.body:g} m of {near[0]!r}"
    depth = room.shell.polygon.depth(point)
    return "outside the room" if depth < 0 else f"within {room.body:g} m of a wall"


def point_of(room: Room, place: Place) -> Vector:
    """What is meant by a place: the middle of its thing's surface, or the point that it gives."""
    if place.point is not None:
        return Vector(*place.point)
    for plane in planes_of(room):
        if plane.id == place.of:
            return plane.pose.position
    piece = next(one for one in room.furniture if one.id == place.of)
    return Vector(piece.at[0], piece.upper, piece.at[1])


def facing_of(room: Room, place: Place) -> float:
    """Radians to the left of -z that somebody turns who stands at the place and looks at it."""
    point = point_of(room, place)
    return math.atan2(place.stand[0] - point.x, place.stand[1] - point.z)
