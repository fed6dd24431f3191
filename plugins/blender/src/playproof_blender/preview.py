"""A preview of a project, `blender.preview/1`: a binary glTF of what a render would show, for people to turn; no verdict rests on it."""

from collections.abc import Callable, Mapping
from typing import Any

from playproof_blender.sealed import Seal
from playproof_blender.stages import Staged

PREVIEW = "blender.preview/1"
MEDIA_TYPE = "model/gltf-binary"
MOST_BYTES = 6_000_000
TEXTURE = 512
PREVIEW_S = 60.0


def take_preview(run: Callable[[str, Mapping[str, Any], float], Staged]) -> tuple[Mapping[str, Any], Seal | None]:
    """What is told of it, and its file. Like films it never costs a picture: what becomes of it is told, whatever it is."""
    done = run("preview", {"most_bytes": MOST_BYTES, "texture": TEXTURE}, PREVIEW_S)
    found = done.get("preview")
    if found is not None and found.place is not None:
        return found.value, found
    failed = done.get("failed")
    return {"missing": failed.value["why"] if failed else str(done.fault("preview"))}, None
