"""The stage `inspect_project`: the scene summary, and the shapes of what would be rendered."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import shapes
import summary
from drawn import Drawn
from visibility import Visibility


def run(options: Mapping[str, Any], out: Path, seal: Callable[..., None]) -> None:
    """Seals `scene` (JSON) and `shapes` (npz). Everything in the scene is revealed in this process, which ends with the stage."""
    visibility = Visibility()
    drawn = Drawn(visibility)
    summary.write(options, out / "scene.json", visibility, drawn)
    seal("scene", file="scene.json")
    shapes.write(options, out / "shapes.npz", drawn)
    seal("shapes", file="shapes.npz")
