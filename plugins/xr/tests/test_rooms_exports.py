"""Every export of every room, read back: they agree with each other and with the room."""

import base64
import json
import struct
import subprocess
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import playwright
import pytest
from attrs import frozen

from playproof.packages import lay_in
from playproof_xr.geometry import Box, Vector
from playproof_xr.rooms import (
    Room,
    find_room,
    ground_of,
    library,
    manifest,
    navmesh_glb,
    parse_room,
    planes_json,
    planes_of,
    point_of,
    scene_glb,
    simulator_files,
    solids_of,
    synthetic,
)
from playproof_xr.rooms.navigation import cells_of
from playproof_xr.rooms.reading import LIBRARY

ROOMS = [find_room(name) for name in library()]
each = pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.id)


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
def test_khronos_validator_finds_nothing(tmp_path: Path, cache: Path) -> None:
    packages = lay_in(Path(__file__).parent / "gltf" / "package-lock.json", cache) / "node_modules"
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


@each
def test_the_navigation_mesh_shares_its_corners(room: Room) -> None:
    _, (node,) = parsed(navmesh_glb(room))
    xs, zs, cells = cells_of(ground_of(room))
    assert len(node.triangles) == 2 * len(cells)
    area = sum((b - a).cross(c - a).y / 2 for a, b, c in node.triangles)
    assert area == pytest.approx(sum((xs[i + 1] - xs[i]) * (zs[j + 1] - zs[j]) for i, j in cells), rel=1e-5)
    edges = Counter(frozenset(edge) for a, b, c in node.triangles for edge in ((a, b), (b, c), (c, a)))
    assert max(edges.values()) == 2 and node.box.size.y == 0
