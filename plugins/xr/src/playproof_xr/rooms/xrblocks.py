"""A room for the XR Blocks simulator: the files that a scene manifest names, under the names that it names them by.

Read in XR Blocks 0.21: a plane's polygon is (x, y), which it lays into the plane's x and z; unknown keys are refused; a
location needs a description."""

from collections.abc import Mapping
from typing import Any

from playproof.canonical import canonical
from playproof_xr.geometry import ORIGIN, Vector
from playproof_xr.rooms.description import Room
from playproof_xr.rooms.gltf import navmesh_glb, scene_glb
from playproof_xr.rooms.planes import planes_of
from playproof_xr.rooms.reading import point_of

SCENES = {"XREmulatorsceneV5_livingRoom": (-1.6, 0.3, 0.0), "XREmulatorsceneV5_office": (3.0, 0.3, -2.0),
          "XREmulatorsceneV5": (-1.6, 0.3, 0.0), "XREmulatorscene_Dark": (-1.6, 0.3, 0.0)}  # fmt: skip
"""The simulator's own rooms (XR Blocks 0.21, DefaultManifests.ts), and how far its manifests shift them."""


def planes_json(room: Room, shift: Vector = ORIGIN) -> Mapping[str, Any]:
    return {"planes": [
        {"type": plane.orientation, "label": plane.label, "area": plane.area,
         "position": dict(zip("xyz", plane.pose.position + shift, strict=True)), "quaternion": list(plane.pose.orientation),
         "polygon": [{"x": x, "y": z} for x, z in plane.polygon]}
        for plane in planes_of(room)
    ]}  # fmt: skip


def manifest(room: Room) -> Mapping[str, Any]:
    """Paths are beside the manifest. A place gives two locations: NAME, what is meant, and NAME-view, the eyes of who uses it."""
    eyes = room.start.eyes
    locations: dict[str, Any] = {"start": {"description": "Where one starts.", "position": list(room.start.head.position)}}
    for place in room.places:
        about = place.description or f"The {place.id}."
        locations[place.id] = {"description": about, "position": list(point_of(room, place))}
        stand = [place.stand[0], eyes, place.stand[1]]
        locations[f"{place.id}-view"] = {"description": f"Where one stands for: {about}", "position": stand}
    return {
        "name": room.title, "scenePath": f"{room.id}.glb", "scenePlanesPath": f"{room.id}_planes.json",
        "navMeshPath": f"{room.id}_navmesh.glb", "position": [0, 0, 0], "locations": locations, "objects": [],
    }  # fmt: skip


def simulator_files(room: Room) -> Mapping[str, bytes]:
    """File name -> content: ROOM.json, the manifest, and the three that it names."""
    return {
        f"{room.id}.json": canonical(manifest(room)), f"{room.id}.glb": scene_glb(room),
        f"{room.id}_planes.json": canonical(planes_json(room)), f"{room.id}_navmesh.glb": navmesh_glb(room),
    }  # fmt: skip


def scenes_of(room: Room) -> Mapping[str, bytes]:
    """The files that the simulator's own manifests name, by their names, each holding this room: shifted back, so that it comes to lie
    where it is. Two of those rooms share one file of planes and one of walkable ground; they are shifted alike."""
    files: dict[str, bytes] = {}
    for name, (x, y, z) in SCENES.items():
        back = Vector(-x, -y, -z)
        files |= {f"{name}.glb": scene_glb(room, back), f"{name}_planes.json": canonical(planes_json(room, back)),
                  f"{name}_navmesh.glb": navmesh_glb(room, back)}  # fmt: skip
    return files
