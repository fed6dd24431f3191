"""A room for Meta's WebXR emulator: the synthetic environment that @iwer/sem 2.4 loads, and what it gets wrong put right.

Its format is that of its captures: entities with a label of Meta's, a pose, and one of a rectangle (a plane), a box or a
triangle mesh (detected meshes). Measured in it: the front of a plane, which alone a ray meets, is on the side of -y, where
WebXR has +y; a plane is its bounding rectangle, its first corner given twice; there is no desk. `LOAD` mends all four."""

import base64
import struct
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from playproof_xr.geometry import Polygon, Pose, Vector
from playproof_xr.rooms.description import Furniture, Room
from playproof_xr.rooms.planes import Plane, planes_of
from playproof_xr.rooms.solids import Face, solids_of

LOAD = Path(__file__).with_name("emulator.js")
"""A function `(sem, room) => undefined` that loads what `synthetic` gives; for the page's own world, once or again."""

META = {
    "desk": "TABLE", "couch": "COUCH", "floor": "FLOOR", "ceiling": "CEILING", "wall": "WALL_FACE", "door": "DOOR_FRAME",
    "window": "WINDOW_FRAME", "table": "TABLE", "shelf": "STORAGE", "bed": "BED", "screen": "SCREEN", "lamp": "LAMP", "plant": "PLANT",
    "wall art": "WALL_ART", "other": "OTHER", "global mesh": "GLOBAL_MESH",
}  # fmt: skip

_ROOMS = uuid.UUID("6d9f0f6e-6a8f-5b0e-9d1c-0c5f7e1f3a57")


def synthetic(room: Room) -> Mapping[str, Any]:
    """{"environment": what loadEnvironment takes, "planes": [{uuid, id, label, polygon}], "meshes": [{uuid, id, label}]}.

    Planes as `planes_of` has them; a box for each piece of furniture; and one mesh of everything, labelled "global mesh", with its
    `parts`: by the box's uuid, which of its vertices and indices are that piece's (first, count), so that they can go where it goes."""
    planes = [(entity_id(room, "plane", plane.id), plane) for plane in planes_of(room)]
    boxes = [(entity_id(room, "box", piece.id), piece) for piece in room.furniture]
    names = {piece.id: name for name, piece in boxes}
    whole = entity_id(room, "mesh", "room")
    triangles = list(_triangles(room))
    entities = [*(_plane(name, plane) for name, plane in planes), *(_box(name, piece) for name, piece in boxes),
                {**_entity(whole, "global mesh", Pose()), "triangleMesh_META": packed(triangles)}]  # fmt: skip
    return {
        "environment": {"type": "scene", "version": 1, "spatialEntities": entities},
        "planes": [{"uuid": name, "id": one.id, "label": one.label, "polygon": [list(corner) for corner in one.polygon]}
                   for name, one in planes],
        "meshes": [*({"uuid": name, "id": one.id, "label": one.label} for name, one in boxes),
                   {"uuid": whole, "id": "room", "label": "global mesh", "parts": _parts(triangles, names)}],
    }  # fmt: skip


def mesh_entity(name: str, label: str, faces: Iterable[Face]) -> Mapping[str, Any]:
    """A mesh of flat faces about its own origin, as `loadEnvironment` takes it: for what comes into the room later."""
    triangles = [("", *triangle) for face in faces for triangle in _fan(face)]
    return {**_entity(name, label, Pose()), "triangleMesh_META": packed(triangles)}


def entity_id(room: Room, kind: str, name: str) -> str:
    return str(uuid.uuid5(_ROOMS, f"{room.id}/{kind}/{name}"))


def _entity(name: str, label: str, pose: Pose) -> dict[str, Any]:
    position, orientation = pose.position, pose.orientation
    return {"uuid": name, "semanticLabel_META": META[label], "locatable_META": {
        "position": dict(zip("xyz", position, strict=True)), "orientation": dict(zip("xyzw", orientation, strict=True))}}  # fmt: skip


def _plane(name: str, plane: Plane) -> Mapping[str, Any]:
    (ax, az), (bx, bz) = Polygon(plane.polygon).bounds
    extent = {"offset": {"x": ax, "y": az}, "extent": {"width": bx - ax, "height": bz - az}}
    return {**_entity(name, plane.label, plane.pose), "bounded2D_META": extent}


def _box(name: str, piece: Furniture) -> Mapping[str, Any]:
    width, height, depth = piece.size
    bounds = {"offset": {"x": -width / 2, "y": 0.0, "z": -depth / 2}, "extent": {"width": width, "height": height, "depth": depth}}
    return {**_entity(name, piece.label, piece.pose), "bounded3D_META": bounds}


Owned = tuple[str, Vector, Vector, Vector]
"""A triangle, and the piece of furniture that it is part of; "" for the shell."""


def packed(triangles: Sequence[Owned]) -> Mapping[str, str]:
    """Vertices and indices are little-endian float32 and uint32, as the emulator reads them, in base 64."""
    numbers = _numbered(triangles)
    flat = [value for _, corner in numbers for value in corner]
    indices = [numbers[owner, corner] for owner, *corners in triangles for corner in corners]
    contents = {"vertices": struct.pack(f"<{len(flat)}f", *flat), "indices": struct.pack(f"<{len(indices)}I", *indices)}
    return {key: base64.b64encode(content).decode() for key, content in contents.items()}


def _numbered(triangles: Sequence[Owned]) -> Mapping[tuple[str, Vector], int]:
    """Each corner once for what it belongs to: a piece of furniture shares none with its neighbours, and may go."""
    numbers: dict[tuple[str, Vector], int] = {}
    for owner, *corners in triangles:
        for corner in corners:
            numbers.setdefault((owner, corner), len(numbers))
    return numbers


def _parts(triangles: Sequence[Owned], names: Mapping[str, str]) -> Mapping[str, Mapping[str, Sequence[int]]]:
    """Each piece's triangles stand in a row, and so do their corners."""
    vertices = [owner for owner, _ in _numbered(triangles)]
    indices = [owner for owner, *_ in triangles for _ in range(3)]
    return {name: {"vertices": [vertices.index(piece), vertices.count(piece)], "indices": [indices.index(piece), indices.count(piece)]}
            for piece, name in names.items()}  # fmt: skip


def _triangles(room: Room) -> Iterator[Owned]:
    pieces = {piece.id for piece in room.furniture}
    for solid in solids_of(room):
        for face in solid.faces:
            for triangle in _fan(face):
                yield solid.id if solid.id in pieces else "", *triangle


def _fan(face: Face) -> Iterator[tuple[Vector, Vector, Vector]]:
    for one, other in pairwise(face[1:]):
        yield face[0], one, other
