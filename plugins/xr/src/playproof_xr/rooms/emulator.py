"""A room for Meta's WebXR emulator: the synthetic environment that @iwer/sem 2.4 loads, and what it gets wrong put right.

Its format is that of its captures: entities with a label of Meta's, a pose, and one of a rectangle (a plane), a box or a
triangle mesh (detected meshes). Measured in it: the front of a plane, which alone a ray meets, is on the side of -y, where
WebXR has +y; a plane is its bounding rectangle, its first corner given twice; there is no desk. `LOAD` mends all four."""

import base64
import struct
import uuid
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from playproof_xr.geometry import Polygon, Pose, Vector
from playproof_xr.rooms.description import Furniture, Room
from playproof_xr.rooms.planes import Plane, planes_of
from playproof_xr.rooms.solids import solids_of

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

    Planes as `planes_of` has them; a box for each piece of furniture; and one mesh of everything, labelled "global mesh"."""
    planes = [(_uuid(room, "plane", plane.id), plane) for plane in planes_of(room)]
    boxes = [(_uuid(room, "box", piece.id), piece) for piece in room.furniture]
    whole = _uuid(room, "mesh", "room")
    entities = [*(_plane(name, plane) for name, plane in planes), *(_box(name, piece) for name, piece in boxes), _mesh(whole, room)]
    return {
        "environment": {"type": "scene", "version": 1, "spatialEntities": entities},
        "planes": [{"uuid": name, "id": one.id, "label": one.label, "polygon": [list(corner) for corner in one.polygon]}
                   for name, one in planes],
        "meshes": [*({"uuid": name, "id": one.id, "label": one.label} for name, one in boxes),
                   {"uuid": whole, "id": "room", "label": "global mesh"}],
    }  # fmt: skip


def _uuid(room: Room, kind: str, name: str) -> str:
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


def _mesh(name: str, room: Room) -> Mapping[str, Any]:
    """Vertices and indices are little-endian float32 and uint32, as the emulator reads them, in base 64."""
    triangles = [corner for triangle in _triangles(room) for corner in triangle]
    numbers: dict[Vector, int] = {}
    indices = [numbers.setdefault(corner, len(numbers)) for corner in triangles]
    flat = [value for corner in numbers for value in corner]
    packed = {"vertices": struct.pack(f"<{len(flat)}f", *flat), "indices": struct.pack(f"<{len(indices)}I", *indices)}
    texts = {key: base64.b64encode(content).decode() for key, content in packed.items()}
    return {**_entity(name, "global mesh", Pose()), "triangleMesh_META": texts}


def _triangles(room: Room) -> Iterator[tuple[Vector, Vector, Vector]]:
    for solid in solids_of(room):
        for face in solid.faces:
            for one, other in pairwise(face[1:]):
                yield face[0], one, other
