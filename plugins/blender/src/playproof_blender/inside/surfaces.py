"""Materials that are made, not photographed: plain ones, and patterns of pixels that can be laid side by side without a seam."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import bpy
import numpy as np

PIXELS = 512


def plain(name: str, colour: Sequence[float], roughness: float, metallic: float = 0.0, glow: float = 0.0) -> Any:
    """`colour` is linear."""
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1.0)
    shader.inputs["Roughness"].default_value, shader.inputs["Metallic"].default_value = roughness, metallic
    if glow:
        shader.inputs["Emission Color"].default_value, shader.inputs["Emission Strength"].default_value = (*colour, 1.0), glow
    return material


def textured(name: str, pattern: str) -> Any:
    material = plain(name, (0.5, 0.5, 0.5), 0.9 if pattern != "wood" else 0.55)
    nodes = material.node_tree.nodes
    picture = nodes.new("ShaderNodeTexImage")
    picture.image = image(pattern)
    material.node_tree.links.new(picture.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
    return material


def image(pattern: str) -> Any:
    """The picture of a pattern, made once for a file."""
    if pattern not in bpy.data.images:
        pixels = np.ones((*PATTERNS[pattern][1], 4), np.float32)
        pixels[..., :3] = PATTERNS[pattern][0]()
        made = bpy.data.images.new(pattern, pixels.shape[1], pixels.shape[0])
        made.pixels.foreach_set(np.round(pixels * 255).astype(np.float32).ravel() / 255)
        made.pack()
    return bpy.data.images[pattern]


def _grain(seed: int, steps: Sequence[tuple[int, int]], height: int = PIXELS, width: int = PIXELS) -> Any:
    """Smooth noise from 0 to 1 that goes on at every edge: a sum of grids of chance values, each with so many cells down and across."""
    draw, whole = np.random.default_rng(seed), np.zeros((height, width))
    for number, (down, across) in enumerate(steps):
        grid = draw.random((down, across))
        rows, columns = np.arange(height) * down / height, np.arange(width) * across / width
        top, left = rows.astype(int), columns.astype(int)
        fall, shift = (_eased(rows - top)[:, None], _eased(columns - left)[None, :])
        below, right = (top + 1) % down, (left + 1) % across
        upper = grid[top][:, left] * (1 - shift) + grid[top][:, right] * shift
        lower = grid[below][:, left] * (1 - shift) + grid[below][:, right] * shift
        whole += (upper * (1 - fall) + lower * fall) / 2**number
    return (whole - whole.min()) / (whole.max() - whole.min())


def _eased(share: Any) -> Any:
    return share * share * (3 - 2 * share)


def _between(low: Sequence[float], high: Sequence[float], share: Any) -> Any:
    return np.array(low) * (1 - share[..., None]) + np.array(high) * share[..., None]


def _wood() -> Any:
    """Four boards that lie along x, each with a grain of its own."""
    grain = _grain(1, [(16, 2), (64, 4), (128, 4)])
    rows = np.arange(PIXELS)
    board, within = rows // (PIXELS // 4), rows % (PIXELS // 4)
    fine = 0.5 + 0.5 * np.sin(40 * np.roll(grain, 0, 1) + 3 * board[:, None])
    shade = np.clip(0.55 * grain + 0.3 * fine + np.array([0.0, 0.12, -0.06, 0.07])[board][:, None], 0, 1)
    colours = _between((0.36, 0.2, 0.1), (0.68, 0.46, 0.27), shade)
    colours[(within < 2) | (within >= PIXELS // 4 - 1)] *= 0.35
    return colours


def _brick() -> Any:
    """Eight courses of four bricks in running bond, with mortar between."""
    grain, draw = _grain(2, [(32, 32), (128, 128)]), np.random.default_rng(3)
    rows, columns = np.mgrid[0:PIXELS, 0:PIXELS]
    course, down = rows // 64, rows % 64
    shifted = (columns + 64 * (course % 2)) % PIXELS
    number, across = shifted // 128, shifted % 128
    tone = draw.random((8, 4))[course, number]
    colours = _between((0.42, 0.13, 0.08), (0.68, 0.3, 0.2), np.clip(0.6 * tone + 0.4 * grain, 0, 1))
    mortar = (down < 6) | (across < 6)
    colours[mortar] = _between((0.5, 0.48, 0.45), (0.68, 0.66, 0.62), grain)[mortar]
    return colours


def _stone() -> Any:
    grain = _grain(4, [(4, 4), (9, 9), (23, 23), (61, 61), (150, 150)])
    return _between((0.22, 0.22, 0.23), (0.62, 0.61, 0.58), grain)


def _weave() -> Any:
    """Cloth: threads over and under."""
    rows, columns = np.mgrid[0:PIXELS, 0:PIXELS]
    over = (rows // 8 + columns // 8) % 2
    thread = np.where(over, np.sin(np.pi * (rows % 8 + 0.5) / 8), np.sin(np.pi * (columns % 8 + 0.5) / 8))
    return _between((0.3, 0.29, 0.27), (0.78, 0.75, 0.68), np.clip(0.75 * thread + 0.25 * _grain(6, [(64, 64)]), 0, 1))


def _sky(height: int = PIXELS, width: int = 2 * PIXELS) -> Any:
    """All around (equirectangular), rows from below upwards: ground, haze, clouds, blue."""
    rise = np.linspace(-1, 1, height)[:, None] * np.ones(width)
    clouds = np.clip(_grain(5, [(4, 8), (12, 24), (32, 64), (80, 160)], height, width) * 2.6 - 1.4, 0, 1)
    colours = _between((0.82, 0.87, 0.92), (0.24, 0.45, 0.8), np.clip(rise, 0, 1) ** 0.6)
    cover = clouds * np.clip(rise * 4, 0, 1) * np.clip(3 - rise * 3, 0, 1)
    colours = colours + (np.array((0.97, 0.97, 0.98)) - colours) * cover[..., None]
    colours[rise < 0] = _between((0.6, 0.62, 0.6), (0.3, 0.3, 0.27), np.clip(-rise * 3, 0, 1))[rise < 0]
    return colours


PATTERNS: Mapping[str, tuple[Callable[[], Any], tuple[int, int]]] = {
    "wood": (_wood, (PIXELS, PIXELS)), "brick": (_brick, (PIXELS, PIXELS)), "stone": (_stone, (PIXELS, PIXELS)),
    "weave": (_weave, (PIXELS, PIXELS)), "sky": (partial(_sky), (PIXELS, 2 * PIXELS)),
}  # fmt: skip
"""How each is made (sRGB, rows from below), and its size (rows, columns)."""
