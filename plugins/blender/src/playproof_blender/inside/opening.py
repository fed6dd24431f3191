"""Opening a project without running what is in it, and what it needs beside itself."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import bpy
from reading import name_of, text

MOST = 200
FILES = {"FILE", "SEQUENCE", "MOVIE", "TILED"}
"""Sources of images that lie in files; the others are made by Blender."""


def opened(project: str, root: str, seal: Callable[..., None]) -> bool:
    """Whether the file is open now, with its scripts and drivers in Python off. Seals `refused`, or as `opened` what Blender said."""
    try:
        bpy.ops.wm.open_mainfile(filepath=project, load_ui=False, use_scripts=False)
    except RuntimeError as fault:
        seal("refused", {"why": str(fault).strip().replace(f"{root}/", "")[:1000]})
        return False
    if bpy.data.filepath != project:  # a failed open leaves the scene of before
        seal("refused", {"why": "Blender did not open the file"})
        return False
    lacking = [one for one in needed(root) if one["state"] != "there"]
    seal("opened", {"blocked": bool(bpy.app.autoexec_fail), "why": bpy.app.autoexec_fail_message[:300],
                    "release": ".".join(map(str, bpy.app.version)), "written": list(bpy.data.version),
                    "lacking": lacking[:MOST], "left_off": max(0, len(lacking) - MOST)})  # fmt: skip
    return True


def needed(root: str) -> Iterator[Mapping[str, Any]]:
    """Every file that the project refers to and does not hold, in the order of kinds: {kind, name, path (as it is kept), used, state},
    where `state` is there, missing, or outside (of the folder `root`). A fake user does not use anything."""
    for one in bpy.data.libraries:
        yield _told("library", one, text(one, "filepath"), _place(one, None), root)
    for one in bpy.data.images:
        if one.source in FILES and not one.packed_file and not len(one.packed_files):
            yield _told("image", one, text(one, "filepath_raw"), _of_image(one), root)
    for kind, held in (("sound", bpy.data.sounds), ("font", bpy.data.fonts), ("volume", bpy.data.volumes), ("clip", bpy.data.movieclips),
                       ("cache", bpy.data.cache_files)):  # fmt: skip
        for one in held:
            if not getattr(one, "packed_file", None) and text(one, "filepath") not in ("", "<builtin>"):
                yield _told(kind, one, text(one, "filepath"), _place(one, one.library), root)


def _told(kind: str, one: Any, kept: str, place: Path | None, root: str) -> Mapping[str, Any]:
    return {"kind": kind, "name": name_of(one), "path": kept, "used": one.users > int(one.use_fake_user), "state": _state(place, root)}


def _state(place: Path | None, root: str) -> str:
    if place is None:
        return "missing"
    if not place.is_relative_to(Path(root).resolve()):
        return "outside"
    return "there" if place.is_file() else "missing"


def _place(one: Any, library: Any) -> Path | None:
    with contextlib.suppress(UnicodeDecodeError, ValueError, OSError, RuntimeError):
        return Path(bpy.path.abspath(one.filepath.replace("\\", "/"), library=library)).resolve()
    return None


def _of_image(image: Any) -> Path | None:
    """The first tile of a tiled one, and the first picture of a sequence."""
    with contextlib.suppress(UnicodeDecodeError, ValueError, OSError, RuntimeError):
        return Path(image.filepath_from_user()).resolve() if image.filepath_raw else None
    return None
