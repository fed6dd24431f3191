"""What the deterministic assertions on shapes cost: CPU for each, on 58,000 triangles in 100 objects and in one. Prints; asserts nothing.

The aim is a second for each on a machine that has nothing else to do."""

import io
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from playproof.drivers import build
from playproof.errors import CheckSignal
from playproof.interfaces import Services
from playproof.model import Ref
from playproof_blender.testing import Toy, taken

SIDE = 18
ASKED: list[tuple[str, dict[str, Any]]] = [
    ("contact", {"to": "*"}), ("gap", {"to": "Tile 0", "at_least": 0}), ("support", {"on": "Tile 0"}), ("interpenetration", {}),
    ("symmetry", {"axis": "y"}), ("watertight", {}), ("flat_card", {"at_least": 0}), ("flat_card", {"at_least": 0, "together": True}),
    ("iou", {"reference": "tiles.npz", "at_least": 0}), ("chamfer", {"reference": "tiles.npz", "at_most": 100}),
    ("count", {"of": "parts", "at_least": 1}),
]  # fmt: skip


def tiles(count: int) -> list[Toy]:
    """In a row, each touching the next."""
    flat = np.stack(np.meshgrid(*[np.linspace(-0.5, 0.5, SIDE)] * 2, indexing="ij"), -1).reshape(-1, 2)
    low = np.arange((SIDE - 1) * SIDE).reshape(SIDE - 1, SIDE)[:, :-1].ravel()
    sheet = np.concatenate([np.stack([low, low + SIDE, low + SIDE + 1], 1), np.stack([low, low + SIDE + 1, low + 1], 1)])
    bumpy = np.column_stack([flat, 0.5 + 0.02 * np.cos(20 * flat[:, 0])])
    return [Toy(f"Tile {number}", np.add(bumpy, (number, 0, 0)), sheet, {}) for number in range(count)]


def main() -> None:
    many = tiles(100)
    held = io.BytesIO()
    np.savez(held, points=many[3].points, triangles=many[3].triangles)
    with tempfile.TemporaryDirectory() as folder:
        evidence = taken(Path(folder), many, blobs={("blender.held/1", "tiles.npz"): held.getvalue()})
        for name, options in ASKED:
            assertion = build("assertion", Ref(f"blender.{name}", {"objects": "*", **options}), Services(Path(folder)))
            begun = time.process_time()
            try:
                said = assertion.check(evidence).outcome
            except CheckSignal as signal:
                said = str(signal)[:60]
            print(f"{name:18}{time.process_time() - begun:7.2f} s CPU  {said}")


if __name__ == "__main__":
    main()
