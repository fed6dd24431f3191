"""The stage `edit_project`: what an agent does to a project of its own, by a script, a file that it brings in or takes out, or an asset."""

import linecache
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import assets
import bpy
import exchange
from said import Said

MOST_TRACE = 4000


def run(options: Mapping[str, Any], out: Path, seal: Callable[..., None]) -> None:
    """Works in what is open, or in an empty file where `new` is set, with the working folder `folder`; then saves a copy at `save`, if that
    is no null, in the project's own folder. What is done is `script` ({code, name}), `exchange` ({way, path, ...}; see `exchange`) or
    `asset` ({kind, path, ...}; see `assets`).

    Seals `done` {output, told, objects}, or `failed` {why, output} where the script raised, left with another code than 0, or nothing
    could be saved."""
    if options["new"]:
        bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.preferences.filepaths.save_version = 0  # also where a script saves by itself: no project.blend1
    os.chdir(options["folder"])
    said, told = Said(sys.stdout), None
    sys.stdout = sys.stderr = said
    try:
        if script := options.get("script"):
            why = _failure(script["code"], script["name"])
        elif asset := options.get("asset"):
            told, why = assets.bring(asset)
        else:
            told, why = exchange.carry_out(options["exchange"])
    finally:
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
    if why := why or _unsaved(options["save"]):
        seal("failed", {"why": why, "output": said.text})
    else:
        seal("done", {"output": said.text, "told": told, "objects": len(bpy.context.scene.objects)})


def _failure(code: str, name: str) -> str:
    """Runs it as `__main__`, with `bpy` at hand; why it failed, in its own lines, or nothing."""
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)  # a traceback quotes lines of a script that is no file
    sys.path.insert(0, str(Path(name).parent.resolve()))
    sys.argv = [name]
    try:
        exec(compile(code, name, "exec"), {"__name__": "__main__", "__file__": name, "bpy": bpy})
    except SystemExit as left:
        return "" if left.code in (None, 0) else f"the script left with {left.code!r}"
    except Exception as fault:  # noqa: BLE001 - an agent's own code, which may raise anything: it is for the agent to read
        return _trace(fault, name)
    return ""


def _trace(fault: Exception, name: str) -> str:
    """From the script's first own line on."""
    inner = fault.__traceback__
    while inner is not None and inner.tb_frame.f_code.co_filename != name:
        inner = inner.tb_next
    return "".join(traceback.format_exception(type(fault), fault, inner))[-MOST_TRACE:].strip()


def _unsaved(place: str | None) -> str:
    """Saves a copy beside the project, so that relative paths hold; why that failed, or nothing."""
    if place is None:
        return ""
    try:
        bpy.ops.wm.save_as_mainfile(filepath=place, compress=True, relative_remap=True, copy=True)
    except RuntimeError as fault:
        return f"the project could not be saved: {str(fault).strip()}"
    return "" if Path(place).is_file() else "Blender saved no project"
