"""Binary glTF 2.0, the little of it that a room needs: meshes of flat faces, one material for each colour, lights."""

import json
import struct
from collections.abc import Mapping, Sequence
from typing import Any

from playproof_xr.geometry import FORWARD, ORIGIN, Quaternion, Vector
from playproof_xr.rooms.description import Light, Room
from playproof_xr.rooms.navigation import cells_of, ground_of
from playproof_xr.rooms.solids import Face, Solid, solids_of

FLOAT, SHORT, INT = 5126, 5123, 5125
ARRAY, ELEMENTS = 34962, 34963
LIGHTS = "KHR_lights_punctual"


def scene_glb(room: Room, shift: Vector = ORIGIN) -> bytes:
    """The room as it looks: a node for each solid, named by its id, its label in `extras`; and its lights. All of it `shift`ed."""
    packed = _Packed(shift)
    for solid in solids_of(room):
        packed.add(solid)
    for light in room.lights:
        packed.light(light)
    return packed.glb({"room": room.id})


def navmesh_glb(room: Room, shift: Vector = ORIGIN) -> bytes:
    """The walkable floor as one mesh of triangles that share their corners, at y = 0, facing up."""
    xs, zs, cells = cells_of(ground_of(room))
    numbers: dict[tuple[int, int], int] = {}
    indices: list[int] = []
    for i, j in cells:
        a, b, c, d = (numbers.setdefault(corner, len(numbers)) for corner in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)))
        indices += [a, d, c, a, c, b]
    packed = _Packed(shift)
    vertices = [Vector(xs[i], 0.0, zs[j]) for i, j in numbers]
    packed.mesh("navmesh", vertices, [Vector(0.0, 1.0, 0.0)] * len(vertices), indices, "#00a0a0", {})
    return packed.glb({"room": room.id})


class _Packed:
    """A file in the making: its JSON lists and its one buffer."""

    def __init__(self, shift: Vector) -> None:
        self.shift = shift
        self.buffer = bytearray()
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []
        self.meshes: list[dict[str, Any]] = []
        self.nodes: list[dict[str, Any]] = []
        self.lights: list[dict[str, Any]] = []
        self.materials: dict[str, int] = {}

    def add(self, solid: Solid) -> None:
        vertices: list[Vector] = []
        normals: list[Vector] = []
        indices: list[int] = []
        for face in solid.faces:
            first = len(vertices)
            vertices += face
            normals += [_normal(face)] * len(face)
            indices += [first + k for step in range(1, len(face) - 1) for k in (0, step, step + 1)]
        self.mesh(solid.id, vertices, normals, indices, solid.colour, {"label": solid.label})

    def mesh(
        self, name: str, vertices: Sequence[Vector], normals: Sequence[Vector], indices: Sequence[int], colour: str,
        extras: Mapping[str, Any],
    ) -> None:
        kind, letter = (SHORT, "H") if len(vertices) < 65535 else (INT, "I")
        shifted = [vertex + self.shift for vertex in vertices]
        attributes = {"POSITION": self._vectors(shifted, bounds=True), "NORMAL": self._vectors(normals)}
        order = self._view(struct.pack(f"<{len(indices)}{letter}", *indices), ELEMENTS, kind, len(indices), "SCALAR")
        material = self.materials.setdefault(colour, len(self.materials))
        self.meshes.append({"name": name, "primitives": [{"attributes": attributes, "indices": order, "material": material}]})
        self.nodes.append({"name": name, "mesh": len(self.meshes) - 1, **({"extras": dict(extras)} if extras else {})})

    def light(self, light: Light) -> None:
        """A sun shines along its node's -z."""
        kind = {"point": "point", "sun": "directional"}[light.kind]
        self.lights.append({"name": light.id, "type": kind, "color": linear(light.colour), "intensity": light.intensity})
        turned = Quaternion.between(FORWARD, Vector(*light.towards)) if light.kind == "sun" else Quaternion()
        self.nodes.append({"name": light.id, "translation": list(Vector(*light.at) + self.shift), "rotation": list(turned),
                           "extensions": {LIGHTS: {"light": len(self.lights) - 1}}})  # fmt: skip

    def _vectors(self, vectors: Sequence[Vector], bounds: bool = False) -> int:
        flat = [value for vector in vectors for value in vector]
        packed = struct.pack(f"<{len(flat)}f", *flat)
        number = self._view(packed, ARRAY, FLOAT, len(vectors), "VEC3")
        if bounds:  # of the numbers as they are stored: readers compare them
            stored = struct.unpack(f"<{len(flat)}f", packed)
            self.accessors[number] |= {"min": [min(stored[k::3]) for k in range(3)], "max": [max(stored[k::3]) for k in range(3)]}
        return number

    def _view(self, packed: bytes, target: int, kind: int, count: int, shape: str) -> int:
        self.views.append({"buffer": 0, "byteOffset": len(self.buffer), "byteLength": len(packed), "target": target})
        self.buffer += packed + b"\0" * (-len(packed) % 4)
        self.accessors.append({"bufferView": len(self.views) - 1, "componentType": kind, "count": count, "type": shape})
        return len(self.accessors) - 1

    def glb(self, extras: Mapping[str, Any]) -> bytes:
        colours = [{"name": colour, "pbrMetallicRoughness": {"baseColorFactor": [*linear(colour), 1.0], "metallicFactor": 0.0}}
                   for colour in self.materials]  # fmt: skip
        document: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "playproof"}, "scene": 0,
            "scenes": [{"nodes": list(range(len(self.nodes))), "extras": dict(extras)}],
            "nodes": self.nodes, "meshes": self.meshes, "materials": colours, "accessors": self.accessors,
            "bufferViews": self.views, "buffers": [{"byteLength": len(self.buffer)}],
        }  # fmt: skip
        if self.lights:
            document |= {"extensionsUsed": [LIGHTS], "extensions": {LIGHTS: {"lights": self.lights}}}
        text = json.dumps(document, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(self.buffer), b"BIN\0") + bytes(self.buffer)
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def _normal(face: Face) -> Vector:
    return (face[1] - face[0]).cross(face[2] - face[1]).unit


def linear(colour: str) -> list[float]:
    """#rrggbb, which is sRGB, as glTF's linear factors."""
    shares = (int(colour[k : k + 2], 16) / 255.0 for k in (1, 3, 5))
    return [round(one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4, 6) for one in shares]
