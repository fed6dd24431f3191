"""Rooms: the five of the library stand up to their own rules, every export says the same of them, and what is no room is refused."""

import base64
import copy
import json
import math
import struct
import subprocess
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import playwright
import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from playproof.cli.options import _default_cache
from playproof.errors import TaskError
from playproof.packages import lay_in
from playproof_xr.geometry import UP, Box, Polygon, Vector
from playproof_xr.rooms import (
    Room,
    facing_of,
    find_room,
    ground_of,
    library,
    manifest,
    navmesh_glb,
    parse_room,
    planes_json,
    planes_of,
    point_of,
    read_room,
    scene_glb,
    simulator_files,
    solids_of,
    synthetic,
)
from playproof_xr.rooms.description import SURFACES
from playproof_xr.rooms.navigation import cells_of
from playproof_xr.rooms.picture import plan_of
from playproof_xr.rooms.reading import LIBRARY

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


# --- exports ---


@frozen
class Node:
    name: str
    label: str | None
    triangles: Sequence[Sequence[Vector]]
    normals: Sequence[Sequence[Vector]]

    @property
    def box(self) -> Box:
        return Box.around(corner for triangle in self.triangles for corner in triangle)


def parsed(glb: bytes) -> tuple[Mapping[str, Any], Sequence[Node]]:
    """A GLB read back by its specification: header, two chunks, accessors over views of the buffer."""
    magic, version, length, size, kind = struct.unpack_from("<4sIII4s", glb)
    assert (magic, version, length, kind) == (b"glTF", 2, len(glb), b"JSON")
    document = json.loads(glb[20 : 20 + size])
    buffer_size, buffer_kind = struct.unpack_from("<I4s", glb, 20 + size)
    buffer = glb[28 + size :]
    assert buffer_kind == b"BIN\0" and buffer_size == len(buffer) == document["buffers"][0]["byteLength"]

    def numbers(index: int) -> list[Any]:
        accessor = document["accessors"][index]
        view = document["bufferViews"][accessor["bufferView"]]
        width = {"VEC3": 3, "SCALAR": 1}[accessor["type"]]
        letter = {5126: "f", 5123: "H", 5125: "I"}[accessor["componentType"]]
        flat = struct.unpack_from(f"<{accessor['count'] * width}{letter}", buffer, view["byteOffset"])
        if "min" in accessor:
            assert [accessor["min"], accessor["max"]] == [[act(flat[k::3]) for k in range(3)] for act in (min, max)]
        return [Vector(*flat[k : k + 3]) for k in range(0, len(flat), 3)] if width == 3 else list(flat)

    nodes = []
    for node in document["nodes"]:
        if "mesh" in node:
            part = document["meshes"][node["mesh"]]["primitives"][0]
            places, normals = numbers(part["attributes"]["POSITION"]), numbers(part["attributes"]["NORMAL"])
            order = numbers(part["indices"])
            threes = [order[k : k + 3] for k in range(0, len(order), 3)]
            nodes.append(Node(node["name"], node.get("extras", {}).get("label"), [[places[i] for i in three] for three in threes],
                              [[normals[i] for i in three] for three in threes]))  # fmt: skip
    return document, nodes


@each
def test_the_exports_agree(room: Room) -> None:
    planes = planes_of(room)
    labels = Counter(plane.label for plane in planes)
    simulator = planes_json(room)["planes"]
    emulator = synthetic(room)
    flat = [one for one in emulator["environment"]["spatialEntities"] if "bounded2D_META" in one]
    boxes = [one for one in emulator["environment"]["spatialEntities"] if "bounded3D_META" in one]
    assert len(simulator) == len(flat) == len(emulator["planes"]) == len(planes)
    assert Counter(one["label"] for one in simulator) == Counter(one["label"] for one in emulator["planes"]) == labels
    assert [one["uuid"] for one in flat] == [one["uuid"] for one in emulator["planes"]]
    for plane, one, two in zip(planes, simulator, flat, strict=True):
        assert one["type"] == plane.orientation and one["area"] == pytest.approx(plane.area)
        assert one["position"] == two["locatable_META"]["position"]
        assert one["quaternion"] == [two["locatable_META"]["orientation"][axis] for axis in "xyzw"]
    drawn = {node.name: node for node in parsed(scene_glb(room))[1]}
    for piece in room.furniture:
        box = next(one for one, name in zip(boxes, emulator["meshes"], strict=False) if name["id"] == piece.id)
        bounds, underside = box["bounded3D_META"], box["locatable_META"]["position"]["y"]
        assert underside + bounds["offset"]["y"] == pytest.approx(piece.lift)
        assert underside + bounds["offset"]["y"] + bounds["extent"]["height"] == pytest.approx(piece.upper)
        assert drawn[piece.id].box.high.y == pytest.approx(piece.upper, abs=1e-6) and drawn[piece.id].label == piece.label
        if piece.surface is not None:
            tops = [one["position"]["y"] for one, plane in zip(simulator, planes, strict=True) if plane.id == piece.id]
            assert tops == [piece.surface]
            level = {round(corner.y, 5) for triangle in drawn[piece.id].triangles for corner in triangle}
            assert round(piece.surface, 5) in level, "what is drawn has a face where the device finds a plane"
    for place in room.places:
        assert manifest(room)["locations"][place.id]["position"] == list(point_of(room, place))


@each
def test_the_drawn_room_is_the_solids_seen_from_their_fronts(room: Room) -> None:
    document, nodes = parsed(scene_glb(room))
    assert [(node.name, node.label) for node in nodes] == [(solid.id, solid.label) for solid in solids_of(room)]
    middle = Vector(0, 1, 0)
    pieces = {piece.id for piece in room.furniture}
    for node, solid in zip(nodes, solids_of(room), strict=True):
        assert len(node.triangles) == sum(len(face) - 2 for face in solid.faces)
        for (a, b, c), normals in zip(node.triangles, node.normals, strict=True):
            turned = (b - a).cross(c - a).unit
            assert all(turned.distance(normal) < 1e-4 for normal in normals)
            if node.name not in pieces and len(room.shell.outline) == 4:
                assert (middle - a).dot(turned) > 0, f"{node.name} shows its front to who stands inside"
    assert document["extensions"]["KHR_lights_punctual"]["lights"][0]["type"] == "point"


@each
def test_furniture_is_closed_and_seen_from_outside(room: Room) -> None:
    for piece, solid in zip(room.furniture, solids_of(room)[-len(room.furniture) :], strict=True):
        volume = sum(a.dot(b.cross(c)) for face in solid.faces for a, b, c in [face[:3], (face[0], *face[2:])]) / 6
        width, height, depth = piece.size
        assert 0 < volume <= width * height * depth + 1e-6
        if piece.kind == "block":
            assert volume == pytest.approx(width * height * depth)
        footprint = Box.around(Vector(x, piece.lift, z) for x, z in piece.footprint.corners)
        assert footprint.grown(1e-6).union(Box(solid.box.low, solid.box.high)).size.x == pytest.approx(footprint.size.x, abs=1e-5)


def test_the_emulator_s_mesh_is_the_whole_room() -> None:
    room = find_room("office")
    mesh = next(one["triangleMesh_META"] for one in synthetic(room)["environment"]["spatialEntities"] if "triangleMesh_META" in one)
    vertices, indices = (base64.b64decode(mesh[key]) for key in ("vertices", "indices"))
    flat = struct.unpack(f"<{len(vertices) // 4}f", vertices)
    corners = [Vector(*flat[k : k + 3]) for k in range(0, len(flat), 3)]
    order = struct.unpack(f"<{len(indices) // 4}I", indices)
    assert max(order) == len(corners) - 1 and len(order) == 3 * sum(len(face) - 2 for solid in solids_of(room) for face in solid.faces)
    assert Box.around(corners).size.distance(Vector(6.4, 2.7, 5.6)) < 1e-5


def test_uuids_are_the_same_each_time_and_never_shared() -> None:
    names = [one["uuid"] for room in ROOMS for one in synthetic(room)["environment"]["spatialEntities"]]
    assert len(set(names)) == len(names)
    assert synthetic(ROOMS[0]) == synthetic(parse_room(tomllib.loads((LIBRARY / f"{ROOMS[0].id}.toml").read_text()), "again"))


@each
def test_the_manifest_names_files_that_are_there(room: Room) -> None:
    files = simulator_files(room)
    told = json.loads(files[f"{room.id}.json"])
    assert {told["scenePath"], told["scenePlanesPath"], told["navMeshPath"]} | {f"{room.id}.json"} == set(files)
    assert all(one["description"] and len(one["position"]) == 3 for one in told["locations"].values())


@pytest.mark.heavy
def test_khronos_validator_finds_nothing(tmp_path: Path) -> None:
    packages = lay_in(Path(__file__).parent / "gltf" / "package-lock.json", _default_cache()) / "node_modules"
    for room in ROOMS:
        (tmp_path / f"{room.id}.glb").write_bytes(scene_glb(room))
        (tmp_path / f"{room.id}-navmesh.glb").write_bytes(navmesh_glb(room))
    script = """const [, validator, ...files] = process.argv; const fs = require("fs"); (async () => {
      for (const file of files) { const told = await require(validator).validateBytes(new Uint8Array(fs.readFileSync(file)));
        console.log(JSON.stringify([told.issues.messages, told.info.totalTriangleCount])); } })();"""
    files = sorted(map(str, tmp_path.glob("*.glb")))
    node = Path(playwright.__file__).parent / "driver" / "node"
    done = subprocess.run([node, "-e", script, str(packages / "gltf-validator"), *files], capture_output=True, text=True, check=True)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(told) == 10 and [messages for messages, _ in told] == [[]] * 10 and all(count > 40 for _, count in told)


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
def test_the_navigation_mesh_shares_its_corners(room: Room) -> None:
    _, (node,) = parsed(navmesh_glb(room))
    xs, zs, cells = cells_of(ground_of(room))
    assert len(node.triangles) == 2 * len(cells)
    area = sum((b - a).cross(c - a).y / 2 for a, b, c in node.triangles)
    assert area == pytest.approx(sum((xs[i + 1] - xs[i]) * (zs[j + 1] - zs[j]) for i, j in cells), rel=1e-5)
    edges = Counter(frozenset(edge) for a, b, c in node.triangles for edge in ((a, b), (b, c), (c, a)))
    assert max(edges.values()) == 2 and node.box.size.y == 0


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


# --- what is refused ---


def room_with(change: Callable[[dict[str, Any]], None]) -> Room:
    written = copy.deepcopy(tomllib.loads((LIBRARY / "living-room.toml").read_text()))
    change(written)
    return parse_room(written, "cellar.toml")


def table(written: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in written["furniture"] if one["id"] == "table")
    return found


@pytest.mark.parametrize(("change", "said"), [
    (lambda w: w.update(schema=2), "schema is 2, this version reads 1"),
    (lambda w: w.update(colour="red"), r"unknown key 'colour' @ \$"),
    (lambda w: w["shell"].pop("height"), r"missing key 'height' @ \$.shell"),
    (lambda w: w["shell"].update(height=math.nan), r"height: nan is no length @ \$.shell"),
    (lambda w: w["shell"].update(height=1.5), r"a ceiling at 1.5 m; 1.9 at least @ \$.shell.height"),
    (lambda w: w["shell"].update(outline=[[0, 0], [2, 2], [2, 0], [0, 2]]), r"no simple polygon.* @ \$.shell.outline"),
    (lambda w: w["shell"].update(outline=[[0, 0], [1, 0], [1, 1], [0, 1]]), r"1.00 square metres are no room"),
    (lambda w: w["shell"].update(walls="red"), r"walls: 'red' is no colour like #8a6a45"),
    (lambda w: table(w).update(label="throne"), r"label: 'throne' is none of desk.* @ \$.furniture\[0\]"),
    (lambda w: table(w).update(kind="sphere"), r"kind: 'sphere' is none of block"),
    (lambda w: table(w).update(size=[1, 0, 1]), r"size: \(1.0, 0.0, 1.0\) is not above 0"),
    (lambda w: table(w).update(size="big"), r"@ \$.furniture\[0\].size"),
    (lambda w: table(w).update(at=[-2.5, 1.5]), r"cellar.toml: reaches 0.45 m through a wall: 'table' @ \$.furniture\[0\]"),
    (lambda w: table(w).update(at=[0, -1.6]), r"'table' and 'couch' stand in each other @ \$.furniture"),
    (lambda w: table(w).update(lift=2.2), r"not between floor and ceiling: 'table'"),
    (lambda w: table(w).update(top=0.6), r"its top, 0.6 m, is not within it \(0 to 0.45 m\): 'table'"),
    (lambda w: table(w).update(kind="seat"), r"a seat needs `top`.*: 'table'"),
    (lambda w: table(w).update(id="couch"), r"2 things are named 'couch'"),
    (lambda w: table(w).update(id="wall-1"), r"2 things are named 'wall-1'"),
    (lambda w: table(w).update(id="Big table"), r"id: 'Big table' is not lower-case letters"),
    (lambda w: w["openings"][0].update(wall=4), r"wall 4: the outline has sides 0 to 3: 'window' @ \$.openings\[0\]"),
    (lambda w: w["openings"][0].update(along=0.5), r"beyond the ends of its wall, which is 5.2 m long: 'window'"),
    (lambda w: w["openings"][0].update(sill=1.8), r"not between floor and ceiling: 'window'"),
    (lambda w: w["openings"].append({**w["openings"][0], "id": "other"}), r"'window' and 'other' overlap on wall 0"),
    (lambda w: w["start"].update(at=[0, -1]), r"nobody can stand at \[0.0, -1.0\]: within 0.25 m of 'table' @ \$.start.at"),
    (lambda w: w["start"].update(at=[0, 9]), r"nobody can stand at \[0.0, 9.0\]: outside the room @ \$.start.at"),
    (lambda w: w["start"].update(eyes=2.6), r"eyes at 2.6 m; 0.8 to 2.2 @ \$.start.eyes"),
    (lambda w: w["places"][0].update(of="throne"), r"there is no 'throne' in the room: 'table' @ \$.places\[0\]"),
    (lambda w: w["places"][0].update(point=[0, 1, 0]), r"either `of`, a thing in the room, or `point`"),
    (lambda w: w["places"][0].update(stand=[2.5, 0]), r"nobody can stand at \[2.5, 0.0\]: within 0.25 m of a wall: 'table'"),
    (lambda w: w["lights"][1].update(towards=[0, 0, 0]), r"'daylight' shines nowhere @ \$.lights\[1\].towards"),
    (lambda w: w["lights"][1].update(intensity=-1), r"intensity: -1.0 is not above 0 @ \$.lights\[1\]"),
])  # fmt: skip
def test_what_is_no_room_is_refused_with_its_place(change: Callable[[dict[str, Any]], None], said: str) -> None:
    def changed(written: dict[str, Any]) -> None:
        written["start"] = {}
        change(written)

    with pytest.raises(TaskError, match=said) as refused:
        room_with(changed)
    assert str(refused.value).startswith("cellar.toml: ")


def test_a_place_behind_furniture_that_nobody_gets_past_is_refused() -> None:
    def wall_off(written: dict[str, Any]) -> None:
        written["furniture"] = [{"id": "bar", "label": "other", "at": [1.0, 0.0], "size": [0.1, 1.1, 4.4]}]
        written["openings"], written["places"] = [], [{"id": "beyond", "point": [2, 1, 0], "stand": [2.0, 0.0]}]

    with pytest.raises(TaskError, match=r"no way leads from the start to \[2.0, 0.0\]: 'beyond' @ \$.places\[0\]"):
        room_with(wall_off)


def test_what_may_stand_together_does() -> None:
    """A chair under a table, a box on a table, a lamp above it, a cushion on a couch."""
    def furnish(written: dict[str, Any]) -> None:
        written["furniture"] = [one for one in written["furniture"] if one["id"] in ("dining-table", "couch")]
        written["places"] = []
        written["furniture"] += [
            {"id": "stool", "label": "other", "at": [1.7, 0.6], "size": [0.4, 0.45, 0.4]},
            {"id": "box", "label": "other", "at": [1.7, 0.6], "size": [0.2, 0.2, 0.2], "lift": 0.74},
            {"id": "hanging-lamp", "label": "lamp", "at": [1.7, 0.6], "size": [0.4, 0.3, 0.4], "lift": 1.9},
            {"id": "cushion", "label": "other", "at": [0.0, -1.7], "size": [0.4, 0.1, 0.4], "lift": 0.42},
        ]

    assert len(room_with(furnish).furniture) == 6


def test_a_task_brings_a_room_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "checks" / "rooms").mkdir(parents=True)
    own = (LIBRARY / "bare-hall.toml").read_text().replace('"bare-hall"', '"cellar"').replace("height = 4.5", "height = 2.3")
    (tmp_path / "checks" / "rooms" / "cellar.toml").write_text(own.replace("at = [0.0, 4.2, -1.0]", "at = [0.0, 2.1, -1.0]"))
    (tmp_path / "checks" / "rooms" / "torn.toml").write_text("[shell\n")
    room = find_room("checks/rooms/cellar.toml", tmp_path)
    assert (room.id, room.shell.height) == ("cellar", 2.3)
    for name, said in (("no-room", "no room named 'no-room'; the library has bare-hall, living-room"),
                       ("../x.toml", "within the task's folder"), ("checks/rooms/attic.toml", "attic.toml: there is no such file"),
                       ("checks/rooms/torn.toml", "torn.toml: ")):
        with pytest.raises(TaskError, match=said):
            find_room(name, tmp_path)
    with pytest.raises(TaskError, match="within the task's folder"):
        find_room("checks/rooms/cellar.toml")


def test_a_room_is_read_once() -> None:
    assert read_room(LIBRARY / "office.toml") is read_room(LIBRARY / "office.toml")


@each
def test_a_plan_shows_the_room_from_above(room: Room) -> None:
    plan = plan_of(room)
    shown = {colour for _, colour in plan.getcolors(1 << 20)}
    colours = {piece.colour for piece in room.furniture} | {opening.colour for opening in room.openings}
    assert all(tuple(bytes.fromhex(colour[1:])) in shown for colour in colours)
    assert plan.width <= 1000 and plan.height <= 1000


def test_an_outline_may_run_either_way() -> None:
    """Sides are numbered along it; walls, floor and ceiling face inwards all the same."""
    def reverse(written: dict[str, Any]) -> None:
        written["shell"]["outline"].reverse()
        written["openings"] = []
        written["places"] = []

    for plane in planes_of(room_with(reverse))[:6]:
        assert (Vector(0, 1, 0) - plane.pose.position).dot(plane.pose.orientation.rotate(UP)) > 0, plane.id
        assert Polygon(plane.polygon).signed_area > 0
