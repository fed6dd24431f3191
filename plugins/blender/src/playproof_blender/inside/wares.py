"""Things for a library of assets, made by a few lines each: always the same, z up, on the ground, around the origin."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, pi, radians, sin
from random import Random
from typing import Any

import bmesh  # type: ignore[import-not-found]
import bpy
from mathutils import Matrix, Vector, noise
from surfaces import plain, textured


@dataclass(frozen=True)
class Ware:
    """What is made, and what the manifest says of it."""

    id: str
    title: str
    kind: str
    tags: Sequence[str]
    make: Callable[[], None]


def _thing(name: str, shape: Any, surface: Any, *, smooth: bool = False) -> Any:
    mesh = bpy.data.meshes.new(name)
    shape.to_mesh(mesh)
    shape.free()
    mesh.materials.append(surface)
    mesh.shade_smooth() if smooth else mesh.shade_flat()
    made = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(made)
    return made


def _box(name: str, size: Sequence[float], at: Sequence[float], surface: Any, bevel: float = 0.005, turn: float = 0.0) -> Any:
    """`at` is the middle of its foot; `turn` in radians about the vertical."""
    shape = bmesh.new()
    shape.loops.layers.uv.new("UVMap")
    bmesh.ops.create_cube(shape, size=1.0, matrix=Matrix.Diagonal((*size, 1.0)), calc_uvs=True)
    if bevel:
        bmesh.ops.bevel(shape, geom=shape.edges[:], offset=min(bevel, min(size) / 3), segments=2, profile=0.5, affect="EDGES")
    made = _thing(name, shape, surface)
    made.matrix_world = Matrix.Translation((at[0], at[1], at[2] + size[2] / 2)) @ Matrix.Rotation(turn, 4, "Z")
    return made


def _turned(name: str, outline: Sequence[tuple[float, float]], surface: Any, sides: int = 32, at: Sequence[float] = (0, 0, 0)) -> Any:
    """A body of revolution: `outline` are pairs of radius and height, from below upwards; a radius of 0 closes it."""
    shape = bmesh.new()
    uv = shape.loops.layers.uv.new("UVMap")
    rings = [[shape.verts.new((radius * cos(2 * pi * side / sides), radius * sin(2 * pi * side / sides), height)) for side in range(sides)]
             if radius else [shape.verts.new((0, 0, height))] for radius, height in outline]  # fmt: skip
    for low, high in pairwise(rings):
        for side in range(sides):
            after = (side + 1) % sides
            corners = {low[side % len(low)]: side, low[after % len(low)]: side + 1,
                       high[after % len(high)]: side + 1, high[side % len(high)]: side}  # fmt: skip
            for corner, turn in zip(shape.faces.new(list(corners)).loops, corners.values(), strict=True):
                corner[uv].uv = (4 * turn / sides, corner.vert.co.z)
    made = _thing(name, shape, surface, smooth=True)
    made.location = at
    return made


def _ball(name: str, radius: float, at: Sequence[float], surface: Any, rough: float = 0.0, stretch: Sequence[float] = (1, 1, 1),
          detail: int = 3, cells: float = 2.0) -> Any:  # fmt: skip
    """A ball with its middle `at`, uneven by a share of its radius."""
    shape = bmesh.new()
    shape.loops.layers.uv.new("UVMap")
    bmesh.ops.create_icosphere(shape, subdivisions=detail, radius=1.0, calc_uvs=True)
    for one in shape.verts:
        push = 1 + rough * noise.noise(one.co * cells + Vector(at) * 3)
        one.co = Vector(one.co[axis] * push * radius * stretch[axis] for axis in range(3))
    made = _thing(name, shape, surface, smooth=rough < 0.2)
    made.location = at
    return made


# --- furniture and vessels ---


def _chair() -> None:
    wood = textured("Chair wood", "wood")
    for number, (x, y) in enumerate(((-0.19, -0.19), (0.19, -0.19), (-0.19, 0.19), (0.19, 0.19)), 1):
        _box(f"Chair leg {number}", (0.04, 0.04, 0.88 if y > 0 else 0.44), (x, y, 0), wood)
    _box("Chair seat", (0.44, 0.44, 0.03), (0, 0, 0.44), wood, 0.01)
    for number, height in enumerate((0.56, 0.68, 0.8), 1):
        _box(f"Chair slat {number}", (0.34, 0.02, 0.06), (0, 0.19, height), wood)


def _table() -> None:
    wood = textured("Table wood", "wood")
    _box("Table top", (1.4, 0.8, 0.04), (0, 0, 0.71), wood, 0.01)
    for number, (x, y) in enumerate(((-0.62, -0.32), (0.62, -0.32), (-0.62, 0.32), (0.62, 0.32)), 1):
        _box(f"Table leg {number}", (0.07, 0.07, 0.71), (x, y, 0), wood)
    for number, y in enumerate((-0.32, 0.32), 1):
        _box(f"Table apron {number}", (1.17, 0.025, 0.09), (0, y, 0.62), wood)


def _lamp() -> None:
    metal, cloth = plain("Lamp brass", (0.6, 0.42, 0.16), 0.3, 1.0), plain("Lamp shade", (0.9, 0.82, 0.66), 0.9)
    _turned("Lamp foot", ((0, 0), (0.14, 0), (0.14, 0.015), (0.03, 0.03), (0.012, 0.06), (0.012, 1.3), (0, 1.3)), metal)
    _turned("Lamp shade", ((0.2, 1.2), (0.13, 1.5), (0.125, 1.5), (0.195, 1.2), (0.2, 1.2)), cloth, 40)
    _ball("Lamp bulb", 0.035, (0, 0, 1.325), plain("Lamp glow", (1, 0.9, 0.7), 0.4, glow=4.0))


def _crate() -> None:
    wood = textured("Crate wood", "wood")
    _box("Crate body", (0.54, 0.54, 0.54), (0, 0, 0.03), wood, 0)
    for x in (-0.27, 0.27):
        for y in (-0.27, 0.27):
            _box(f"Crate post {x:+g} {y:+g}", (0.06, 0.06, 0.6), (x, y, 0), wood)
    for height in (0, 0.54):
        for number, (size, at) in enumerate((((0.48, 0.06), (0, -0.27)), ((0.48, 0.06), (0, 0.27)), ((0.06, 0.48), (-0.27, 0)),
                                             ((0.06, 0.48), (0.27, 0))), 1):  # fmt: skip
            _box(f"Crate rail {height:g} {number}", (*size, 0.06), (*at, height), wood)


def _barrel() -> None:
    staves, iron = textured("Barrel wood", "wood"), plain("Barrel iron", (0.12, 0.12, 0.13), 0.5, 1.0)
    def radius(height: float) -> float:
        return 0.25 + 0.06 * sin(pi * height / 0.85)

    heights = [0.85 * step / 12 for step in range(13)]
    _turned("Barrel body", ((0, 0), *((radius(one), one) for one in heights), (0, 0.85)), staves)
    for number, height in enumerate((0.1, 0.3, 0.55, 0.75), 1):
        low, high = radius(height - 0.02) + 0.004, radius(height + 0.02) + 0.004
        _turned(f"Barrel hoop {number}", ((low - 0.01, height - 0.02), (low, height - 0.02), (high, height + 0.02),
                                          (high - 0.01, height + 0.02), (low - 0.01, height - 0.02)), iron)  # fmt: skip


def _vase() -> None:
    outline = ((0, 0), (0.07, 0), (0.09, 0.05), (0.11, 0.14), (0.09, 0.23), (0.05, 0.29), (0.06, 0.32), (0.052, 0.32), (0.042, 0.29),
               (0.08, 0.22), (0.1, 0.14), (0.08, 0.05), (0, 0.012))  # fmt: skip
    _turned("Vase", outline, plain("Vase glaze", (0.06, 0.16, 0.32), 0.15), 48)


def _shelf() -> None:
    wood, draw = textured("Shelf wood", "wood"), Random(7)
    for number, x in enumerate((-0.39, 0.39), 1):
        _box(f"Shelf side {number}", (0.02, 0.28, 1.6), (x, 0, 0), wood, 0.002)
    _box("Shelf back", (0.76, 0.01, 1.6), (0, 0.135, 0), wood, 0)
    for level in range(5):
        height = 0.02 + level * 0.38
        _box(f"Shelf board {level + 1}", (0.76, 0.26, 0.02), (0, 0, height), wood, 0.002)
        place = -0.36
        while level < 4 and place < 0.2:
            wide, high = draw.uniform(0.02, 0.05), draw.uniform(0.2, 0.3)
            cover = plain(f"Book {level} {place:.2f}", [draw.uniform(0.05, 0.5) for _ in range(3)], 0.7)
            _box(f"Book {level + 1} {place:+.2f}", (wide, 0.17, high), (place + wide / 2, 0.02, height + 0.02), cover, 0.002)
            place += wide + 0.004


# --- nature ---


def _plant() -> None:
    leaf, clay = plain("Plant leaf", (0.06, 0.25, 0.05), 0.5), plain("Plant clay", (0.5, 0.2, 0.1), 0.8)
    soil = plain("Soil", (0.06, 0.04, 0.03), 1.0)
    _turned("Pot", ((0, 0), (0.1, 0), (0.14, 0.24), (0.155, 0.24), (0.155, 0.28), (0.13, 0.28), (0.125, 0.22), (0, 0.22)), clay)
    _turned("Soil", ((0, 0.2), (0.125, 0.24), (0, 0.25)), soil)
    draw = Random(3)
    for number in range(18):
        _blade(f"Leaf {number + 1}", 2.4 * number, draw.uniform(0.35, 0.6), draw.uniform(25, 65), leaf)


def _blade(name: str, around: float, length: float, rise: float, surface: Any) -> None:
    """A leaf that bends outwards from the middle of a pot; `rise` in degrees."""
    shape, steps = bmesh.new(), 8
    rows = []
    for step in range(steps + 1):
        share = step / steps
        bent = radians(rise) - 1.1 * share
        out, up = length * share * cos(bent), 0.24 + length * share * max(sin(radians(rise)), 0.2) * (1.25 - 0.5 * share)
        wide = 0.05 * sin(pi * min(1.0, 0.12 + share * 0.88)) + 0.001
        rows.append([shape.verts.new((out, side * wide, up + abs(side) * 0.012 - under))
                     for side, under in ((-1, 0), (0, 0), (1, 0), (1, 0.003), (0, 0.003), (-1, 0.003))])  # fmt: skip
    for low, high in pairwise(rows):
        for side in range(6):
            shape.faces.new((low[side], low[(side + 1) % 6], high[(side + 1) % 6], high[side]))
    for end in (rows[0], list(reversed(rows[-1]))):
        shape.faces.new(end)
    bmesh.ops.recalc_face_normals(shape, faces=shape.faces[:])
    bmesh.ops.rotate(shape, verts=shape.verts[:], cent=(0, 0, 0), matrix=Matrix.Rotation(around, 3, "Z"))
    _thing(name, shape, surface, smooth=True)


def _tree() -> None:
    bark, leaf, draw = plain("Bark", (0.14, 0.08, 0.05), 0.95), plain("Leaves", (0.07, 0.22, 0.04), 0.8), Random(5)
    _turned("Trunk", ((0, 0), (0.26, 0), (0.17, 0.35), (0.13, 1.4), (0.08, 2.6), (0, 2.8)), bark, 14)
    for number in range(9):
        turn, out, high = 2.4 * number, draw.uniform(0.35, 0.85), draw.uniform(2.1, 3.4)
        _ball(f"Crown {number + 1}", draw.uniform(0.55, 0.85), (out * cos(turn), out * sin(turn), high), leaf, 0.35, (1, 1, 0.85), 4, 3.0)


def _rock() -> None:
    made = _ball("Rock", 0.5, (0, 0, 0.28), textured("Rock stone", "stone"), 0.45, (1.1, 0.85, 0.65), 5, 1.1)
    lowest = min(one.co.z for one in made.data.vertices)
    for one in made.data.vertices:
        one.co.z = max(one.co.z, 0.72 * lowest)  # a foot to stand on
    made.location.z = -0.72 * lowest


def swatch(name: str, pattern: str) -> Callable[[], None]:
    """A square metre of a material of that name."""

    def make() -> None:
        shape = bmesh.new()
        shape.loops.layers.uv.new("UVMap")
        bmesh.ops.create_grid(shape, x_segments=1, y_segments=1, size=0.5, calc_uvs=True)
        _thing("Swatch", shape, textured(name, pattern))

    return make


WARES = (
    Ware("chair", "Wooden chair", "collection", ("furniture", "seat", "wood", "indoor"), _chair),
    Ware("table", "Dining table", "collection", ("furniture", "desk", "wood", "indoor"), _table),
    Ware("lamp", "Floor lamp", "collection", ("furniture", "light", "brass", "indoor"), _lamp),
    Ware("bookshelf", "Bookshelf with books", "collection", ("furniture", "shelf", "storage", "wood", "indoor"), _shelf),
    Ware("plant", "Potted plant", "collection", ("nature", "leaf", "pot", "indoor", "decoration"), _plant),
    Ware("vase", "Glazed vase", "object", ("vessel", "ceramic", "decoration", "indoor"), _vase),
    Ware("crate", "Wooden crate", "collection", ("container", "box", "wood", "prop", "storage"), _crate),
    Ware("barrel", "Barrel with hoops", "collection", ("container", "wood", "iron", "prop", "storage"), _barrel),
    Ware("tree", "Broad-leaved tree", "collection", ("nature", "foliage", "outdoor", "garden"), _tree),
    Ware("rock", "Rock", "object", ("nature", "stone", "boulder", "outdoor"), _rock),
    Ware("oak-wood", "Oak boards", "material", ("wood", "floor", "plank", "brown"), swatch("Oak boards", "wood")),
    Ware("red-brick", "Red brick wall", "material", ("brick", "wall", "masonry", "red"), swatch("Red brick", "brick")),
    Ware("grey-stone", "Grey stone", "material", ("stone", "rock", "floor", "grey"), swatch("Grey stone", "stone")),
)  # fmt: skip
BY_ID: Mapping[str, Ware] = {one.id: one for one in WARES}
