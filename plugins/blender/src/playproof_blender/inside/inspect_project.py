"""The stage `inspect_project`: the scene summary, and the shapes of what would be rendered."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import shapes
import summary


def run(options: Mapping[str, Any], out: Path, seal: Callable[..., None]) -> None:
    """Seals `scene` (JSON) and `shapes` (npz)."""
    summary.write(options, out / "scene.json")
    seal("scene", file="scene.json")
    shapes.write(options, out / "shapes.npz")
    seal("shapes", file="shapes.npz")
