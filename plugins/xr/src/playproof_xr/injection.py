"""The scripts that go into a page before its own: the draw gate, the emulated headset with its corrections, and what looks.

They run inside the closure of playproof_browser's observers (see `entrance`), so they have its clock and its saved originals."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from attrs import Factory, asdict, frozen

from playproof.packages import lay_in
from playproof_xr.rooms.emulator import LOAD

PARTS = ("matrices", "film", "gate", "emulator", "corrections", "standing", "surroundings", "light", "notices", "three", "babylon", "scene",
         "looks", "occlusion", "sight", "track", "filming", "simulator")  # fmt: skip
LIBRARY = "node_modules/iwer/build/iwer.min.js"
ROOM = "node_modules/@iwer/sem/build/iwer-sem.min.js"
LOCK = Path(__file__).parent / "packages" / "emulator" / "package-lock.json"


@frozen
class Gate:
    """When canvases are really drawn: only in the numbered `frames` of the page, or always (`open`)."""

    open: str = "never"
    frames: Sequence[int] = ()


@frozen
class Headset:
    """The emulated device; `backend` says whether the page finds it, or the SDK's own simulator is moved by it. `rate` in hertz; `room`
    is a synthetic environment; an action starts at `press` and ends below `release` (both 0 to 1, of trigger, squeeze or pinch); with
    `cancels`, one that is interrupted gets its end event, as on devices; with `gesture`, a session needs a person's gesture; with `gaze`
    it is pointed with the gaze; planes, meshes and hits of the room are found `surfaces` ticks after a session's start; `light` is the
    room's (see rooms.lighting); `body` is where head and hands are at the start (see backends)."""

    backend: str = "iwer"
    rate: int = 60
    room: Mapping[str, Any] | None = None
    press: float = 0.8
    release: float = 0.6
    cancels: bool = True
    gesture: bool = True
    gaze: bool = False
    surfaces: int = 0
    light: Mapping[str, Any] | None = None
    body: Mapping[str, Any] | None = None
    gate: Gate = Factory(Gate)


def script(headset: Headset, cache_folder: Path) -> str:
    """One script for the main frame of a page."""
    folder = lay_in(LOCK, cache_folder)
    put_room = LOAD.read_text("utf-8").strip().removesuffix(";")
    parts = [f"const xr = {json.dumps(asdict(headset))};", f"const putRoom = {put_room};", bundles(folder), *map(_part, PARTS)]
    return "if (window.parent === window && location.protocol !== \"about:\") {\n" + "\n".join(parts) + "\n}"


@cache
def bundles(folder: Path) -> str:
    """The emulator's two bundles as functions, in whose scope the globals that they use are ours."""
    library, room = ((folder / name).read_text("utf-8") for name in (LIBRARY, ROOM))
    return (
        f"function loadEmulator(exports, module, globalThis, performance, console, Math) {{\n{library}\n}}\n"
        f"function loadRoom(exports, module, require, __THREE_DEVTOOLS__, console, Math) {{\n{room}\n}}"
    )


@cache
def _part(name: str) -> str:
    return (files(__package__) / "page" / f"{name}.js").read_text("utf-8")
