"""What a script of a task's author makes of a workspace: run by the task's runtime, and kept, since the same is asked for often."""

import os
import shutil
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from playproof.canonical import digest, plain
from playproof.drivers import build
from playproof.errors import TaskError
from playproof.interfaces import Builds, Runtime, Services
from playproof.model import Task
from playproof.submission import tree_digest
from playproof.workspace import overlay


def built(task: Task, script: Path, workspace: Path, cache: Path) -> None:
    """Run `script` over the workspace, in place; or lay over it what the same script made of the same workspace before. (A program that
    writes the time into its files makes others each time: only what is kept has one digest.)

    Raises TaskError for a runtime that runs no scripts, or with what the script said where it failed."""
    with ExitStack() as exits:
        runtime: Runtime[Any] = build("runtime", task.runtime, Services(cache, exits))
        engine = runtime.engine
        if not isinstance(runtime, Builds):
            raise TaskError(f"{script}: the runtime {task.runtime.driver!r} makes nothing of scripts; ship the files themselves")
        key = digest([plain(task.runtime), engine, script.name, _around(script), tree_digest(workspace)])
        kept = cache / "built" / key[:2] / key
        if not kept.is_dir():
            runtime.build(script, workspace)
            _keep(workspace, kept)
    shutil.rmtree(workspace)
    workspace.mkdir()
    overlay(kept, workspace)


def _around(script: Path) -> str:
    """The script and all beside it that it may import."""
    beside = sorted(place for place in script.parent.rglob(f"*{script.suffix}") if place.is_file())
    return digest([[place.relative_to(script.parent).as_posix(), tree_digest(place)] for place in beside])


def _keep(workspace: Path, kept: Path) -> None:
    """The first who has made it keeps it: all take that one from then on."""
    part = kept.with_name(f"{kept.name}.{os.getpid()}")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    overlay(workspace, part)
    try:
        part.rename(kept)
    except OSError:
        shutil.rmtree(part, ignore_errors=True)
