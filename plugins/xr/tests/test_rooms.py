"""Rooms: the five of the library stand up to their own rules, and one walks in them."""

import math
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playproof_xr.geometry import UP, Polygon, Vector
from playproof_xr.rooms import (
    Room,
    facing_of,
    find_room,
    ground_of,
    library,
    planes_of,
    point_of,
)
from playproof_xr.rooms.description import SURFACES
from playproof_xr.rooms.navigation import cells_of
from playproof_xr.rooms.picture import plan_of

ROOMS = [find_room(name) for name in library()]
each = pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.id)


# --- the library ---


def test_the_library_has_five_rooms_that_differ() -> None:
    assert library() == ["bare-hall", "living-room", "long-corridor", "office", "workshop"]
    heights = {room.id: point_of(room, next(place for place in room.places if place.id == "table")).y for room in ROOMS}
    assert len(set(heights.values())) == 5 and min(heights.values()) >= 0.45 and max(heights.values()) <= 0.95
    assert len({room.shell.height for room in ROOMS}) == 5


@each
def test_a_script_finds_its_way_in_every_room(room: Room) -> None:
    """Scripts run in all of them: the names that they may use are in all of them, and somebody starts at the origin."""
    assert {"table", "door"} <= {place.id for place in room.places}
    assert room.start.at == (0.0, 0.0) and room.start.facing == 0.0
    table = next(place for place in room.places if place.id == "table")
    reach = math.dist(table.stand, (point_of(room, table).x, point_of(room, table).z))
    assert reach < 0.75, "the middle of the table is within an arm's length of where one stands for it"


@each
def test_planes_face_into_the_room_and_lie_where_they_should(room: Room) -> None:
    planes = {plane.id: plane for plane in planes_of(room)}
    inside = Vector(room.start.at[0], 1.0, room.start.at[1])
    assert planes["floor"].area == pytest.approx(room.shell.polygon.area) == planes["ceiling"].area
    for plane in planes.values():
        up = plane.pose.orientation.rotate(UP)
        assert plane.orientation == ("vertical" if abs(up.y) < 1e-9 else "horizontal")
        assert Polygon(plane.polygon).signed_area > 0
        if plane.label in SURFACES:
            assert up.distance(UP) < 1e-9
        elif plane.id in ("floor", "ceiling"):
            assert (inside - plane.pose.position).dot(up) > 0
        else:  # half a pace into the room from a wall one is inside
            at = plane.pose.position + up * 0.1
            assert room.shell.polygon.contains((at.x, at.z)), plane.id


# --- walking ---


@each
def test_the_walkable_floor_is_free_one_piece_and_has_every_place(room: Room) -> None:
    ground = ground_of(room)
    xs, zs, cells = cells_of(ground)
    middles = {(i, j): ((xs[i] + xs[i + 1]) / 2, (zs[j] + zs[j + 1]) / 2) for i, j in cells}
    assert all(ground.free(middle) for middle in middles.values())
    start = next(cell for cell in cells if within(xs, zs, cell, room.start.at))
    seen, front = {start}, [start]
    while front:
        i, j = front.pop()
        beside = {(i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)} & middles.keys() - seen
        seen |= beside
        front += beside
    for place in room.places:
        assert any(within(xs, zs, cell, place.stand) for cell in seen), place.id
    assert len(seen) > 0.95 * len(cells)


def within(xs: Sequence[float], zs: Sequence[float], cell: tuple[int, int], point: tuple[float, float]) -> bool:
    i, j = cell
    return xs[i] - 1e-9 <= point[0] <= xs[i + 1] + 1e-9 and zs[j] - 1e-9 <= point[1] <= zs[j + 1] + 1e-9


@each
def test_ways_keep_off_walls_and_furniture(room: Room) -> None:
    ground = ground_of(room)
    for place in room.places:
        way = ground.route(room.start.at, place.stand)
        assert way[0] == room.start.at and way[-1] == place.stand
        for a, b in pairwise(way):
            for k in range(21):
                point = (a[0] + (b[0] - a[0]) * k / 20, a[1] + (b[1] - a[1]) * k / 20)
                assert room.shell.polygon.depth(point) >= room.body - 1e-6
                assert not any(one.in_the_way and one.footprint.contains(point) for one in room.furniture)
        assert sum(math.dist(a, b) for a, b in pairwise(way)) >= math.dist(room.start.at, place.stand)
        back = ground.route(place.stand, room.start.at)
        assert tuple(reversed(back)) == tuple(way) or len(back) == len(way)


def test_the_shortest_way_around_a_table() -> None:
    room = find_room("bare-hall")
    way = ground_of(room).route((0.0, 0.0), (0.0, -2.0))
    length = sum(math.dist(a, b) for a, b in pairwise(way))
    corner = 0.3 + 0.25 + 0.02  # half the table, half a body, and a little
    assert length == pytest.approx(math.hypot(corner, 0.85 - corner) + 2 * corner + math.hypot(corner, 2 - 0.85 - corner))


@settings(max_examples=60)
@given(st.tuples(st.floats(-4, 4), st.floats(-4, 4)))
def test_the_nearest_free_point_is_free(point: tuple[float, float]) -> None:
    ground = ground_of(find_room("living-room"))
    near = ground.nearest(point)
    xs, zs, cells = cells_of(ground)
    assert near == point if ground.free(point) else any(within(xs, zs, cell, near) for cell in cells)


def test_no_way_leads_through_a_wall() -> None:
    ground = ground_of(find_room("long-corridor"))
    assert not ground.clear((0.0, -9.0), (3.0, -11.0)) and len(ground.route((0.0, -9.0), (3.0, -11.0))) == 3
    assert ground.route((0.0, 0.0), (3.0, -5.0)) == () and ground.route((0.0, 0.0), (0.0, 9.0)) == ()


def test_who_stands_at_a_place_looks_at_it() -> None:
    room = find_room("living-room")
    facing = {place.id: round(math.degrees(facing_of(room, place))) for place in room.places}
    assert facing["table"] == 0 and facing["shelf"] == 90 and facing["door"] == 180


@each
def test_a_plan_shows_the_room_from_above(room: Room) -> None:
    plan = plan_of(room)
    shown = {colour for _, colour in plan.getcolors(1 << 20)}
    colours = {piece.colour for piece in room.furniture} | {opening.colour for opening in room.openings}
    assert all(tuple(bytes.fromhex(colour[1:])) in shown for colour in colours)
    assert plan.width <= 1000 and plan.height <= 1000
