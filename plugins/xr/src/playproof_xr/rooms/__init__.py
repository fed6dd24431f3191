"""Rooms: one description each, and what every engine needs to show it, worked out from that.

    room = find_room("living-room")                       # or find_room("checks/rooms/cellar.toml", task.root)
    synthetic(room)                                       # for the WebXR emulator, with the function in LOAD
    simulator_files(room)                                 # for the XR Blocks simulator: manifest, GLB, planes, navmesh
    ground_of(room).route(room.start.at, (1.0, 2.0))      # the shortest way on foot

A picture for people is `playproof_xr.rooms.picture.plan_of`, which needs Pillow and is not imported here."""

from playproof_xr.rooms.description import Furniture, Light, Opening, Place, Room, Shell, Start
from playproof_xr.rooms.emulator import LOAD, synthetic
from playproof_xr.rooms.gltf import navmesh_glb, scene_glb
from playproof_xr.rooms.lighting import light_in
from playproof_xr.rooms.navigation import Ground, ground_of
from playproof_xr.rooms.planes import Plane, planes_of
from playproof_xr.rooms.reading import facing_of, find_room, library, parse_room, point_of, read_room
from playproof_xr.rooms.solids import Solid, solids_of
from playproof_xr.rooms.xrblocks import manifest, planes_json, scenes_of, simulator_files

__all__ = [
    "LOAD", "Furniture", "Ground", "Light", "Opening", "Place", "Plane", "Room", "Shell", "Solid", "Start",
    "facing_of", "find_room", "ground_of", "library", "light_in", "manifest", "navmesh_glb", "parse_room", "planes_json", "planes_of",
    "point_of", "read_room", "scene_glb", "scenes_of", "simulator_files", "solids_of", "synthetic",
]  # fmt: skip
