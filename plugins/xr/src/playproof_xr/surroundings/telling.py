"""What the page's emulator is told of the room: each plane and mesh by its uuid, and after the beginning only what has changed."""

from collections.abc import Iterator, Mapping
from typing import Any

from playproof_xr.device import seven
from playproof_xr.rooms import Room, light_in, planes_of
from playproof_xr.rooms.emulator import entity_id, mesh_entity
from playproof_xr.surroundings.people import body_faces
from playproof_xr.surroundings.state import RoomState

Told = Mapping[str, Any]
GONE: Told = {"there": False}
TAKEN: Told = {"there": False, "stands": False}


def told(state: RoomState, before: Room) -> Told:
    """All of it: `planes` and `meshes` with their pose, outline and whether they are there; `light` where the user started; `origin`
    of the app's space. `before` is the room as it was loaded: what is no longer in it is gone."""
    planes = {entity_id(before, "plane", plane.id): GONE for plane in planes_of(before)}
    boxes = {entity_id(before, "box", piece.id): TAKEN for piece in before.furniture}
    return {
        "planes": {**planes, **dict(_planes(state))}, "meshes": {**boxes, **dict(_meshes(state))},
        "light": light_in(state.room), "origin": seven(state.origin),
    }  # fmt: skip


def _planes(state: RoomState) -> Iterator[tuple[str, Told]]:
    for plane in planes_of(state.room):
        pose = state.shifted[plane.id] * plane.pose if plane.id in state.shifted else plane.pose
        outline = state.outlines.get(plane.id, plane.polygon)
        yield entity_id(state.room, "plane", plane.id), {
            "there": plane.id not in state.forgotten, "pose": seven(pose), "polygon": [list(corner) for corner in outline]}  # fmt: skip


def _meshes(state: RoomState) -> Iterator[tuple[str, Told]]:
    """`stands`: whether the piece is in the room, and in the mesh of everything, though its own box may be forgotten."""
    for piece in state.room.furniture:
        yield entity_id(state.room, "box", piece.id), {
            "there": piece.id not in state.forgotten, "stands": True, "pose": seven(piece.pose)}  # fmt: skip
    for name, someone in state.people.items():
        uuid = entity_id(state.room, "person", name)
        yield uuid, {"there": True, "pose": seven(someone.pose), "entity": _entity(uuid, someone.height)}


def _entity(uuid: str, height: float) -> Told:
    return mesh_entity(uuid, "other", body_faces(height))


def changed(before: Told, now: Told) -> Told | None:
    """What of it is new; None for nothing."""
    found: dict[str, Any] = {key: now[key] for key in ("light", "origin") if before[key] != now[key]}
    for kind in ("planes", "meshes"):
        names = {**now[kind], **{name: GONE for name in before[kind] if name not in now[kind]}}
        news = {name: _news(before[kind].get(name, {}), one) for name, one in names.items()}
        if any(news.values()):
            found[kind] = {name: one for name, one in news.items() if one}
    return found or None


def _news(before: Told, now: Told) -> Told:
    return {key: value for key, value in now.items() if before.get(key) != value}
