"""task.toml -> Task. Every refusal names the file and the place."""

import re
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from playproof.canonical import structure
from playproof.errors import TaskError, UsageError
from playproof.model import Task

SCHEMA = 1
FILE = "task.toml"


def read_task(folder: Path) -> Task:
    """The task of a folder. Raises TaskError: no task.toml, not TOML, an unknown or malformed key, a missing brief."""
    place = folder / FILE
    data = _toml(place)
    version = data.pop("schema", None)
    if version != SCHEMA:
        raise TaskError(f"{place}: schema is {version!r}, this core reads {SCHEMA}")
    if "root" in data:
        raise TaskError(f"{place}: unknown key 'root' @ $")
    try:
        task = structure({**data, "root": str(folder.resolve())}, Task)
    except ValueError as fault:
        raise TaskError(f"{place}: {fault}") from None
    _valid(task, place)
    return task


def _toml(place: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(place.read_text("utf-8"))
    except FileNotFoundError:
        raise TaskError(f"{place}: there is no such file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as fault:
        raise TaskError(f"{place}: {fault}") from None


def _valid(task: Task, place: Path) -> None:
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", task.id):
        raise TaskError(f"{place}: id {task.id!r} @ $.id is not lower-case letters, digits and single hyphens")
    if not task.deliver:
        raise TaskError(f"{place}: deliver @ $.deliver names no file")
    if not task.examiners:
        raise TaskError(f"{place}: examiners @ $.examiners: a task needs one at least")
    for glob in task.deliver:
        if Path(glob).is_absolute() or ".." in Path(glob).parts:
            raise TaskError(f"{place}: {glob!r} @ $.deliver leaves the workspace")
    instruction = task.root / "brief" / "instruction.md"
    if not instruction.is_file():
        raise TaskError(f"{instruction}: the brief is missing; an agent is given this file first")
    if not instruction.read_text("utf-8", errors="replace").strip():
        raise TaskError(f"{instruction}: the brief is empty")


def find_tasks(paths: Iterable[Path]) -> Sequence[Task]:
    """Every task at or below the paths, in order of id. Raises UsageError where there is none, TaskError where two share an id."""
    folders: dict[Path, None] = {}
    for path in paths:
        if not path.exists():
            raise UsageError(f"{path}: there is no such file or folder")
        found = [path] if (path / FILE).is_file() else sorted(one.parent for one in path.rglob(FILE))
        if not found:
            raise UsageError(f"{path}: no {FILE} at or below it")
        folders.update(dict.fromkeys(one.resolve() for one in found))
    tasks: dict[str, Task] = {}
    for folder in folders:
        task = read_task(folder)
        if (other := tasks.setdefault(task.id, task)) is not task:
            raise TaskError(f"{folder / FILE}: id {task.id!r} is taken by {other.root / FILE}")
    return [tasks[name] for name in sorted(tasks)]
