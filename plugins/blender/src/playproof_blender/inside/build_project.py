"""The stage `build_project`: a script of a task's author makes or changes the project, which is then saved."""

import os
import runpy
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import bpy


def run(options: Mapping[str, Any], out: Path, seal: Callable[..., None]) -> None:
    """Runs `script` with the working folder `folder`, in an empty file or in what `project` holds; saves that as `save`, compressed.

    Seals `failed` with what the script said where it raised."""
    if options["project"]:
        bpy.ops.wm.open_mainfile(filepath=options["project"], load_ui=False, use_scripts=False)
    else:
        bpy.ops.wm.read_factory_settings(use_empty=True)
    os.chdir(options["folder"])
    sys.path.insert(0, str(Path(options["script"]).parent))
    try:
        runpy.run_path(options["script"], run_name="__main__")
    except Exception:  # noqa: BLE001 - the author's own code may raise anything, and it is for them to read
        seal("failed", {"why": traceback.format_exc()[-2000:]})
        return
    bpy.context.preferences.filepaths.save_version = 0
    bpy.ops.wm.save_as_mainfile(filepath=options["save"], compress=True, relative_remap=True)
    seal("built")
