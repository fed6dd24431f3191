"""The workspace as an agent finds it: the starter, the brief under brief/, and pinned packages where the task wants them."""

import contextlib
import os
import re
import shutil
from collections.abc import Collection, Iterator
from importlib.resources import files
from pathlib import Path

from playproof.canonical import digest, plain
from playproof.errors import InfrastructureError, TaskError
from playproof.model import LayIn, Replace, Task
from playproof.packages import lay_in
from playproof.submission import BOUNDS, Found, tree_digest, walk

__all__ = ["agent_view_digest", "file_in", "furnish", "lay", "overlay", "prepare", "put", "replaced", "take_back", "tree_digest", "whole"]

VIEW = ("id", "version", "domain", "kind", "title", "labels", "deliver", "budget", "tools", "lay_in")


def agent_view_digest(task: Task) -> str:
    """What an agent is given, and nothing that is held out: the keys of its view, brief, starter and locks."""
    keys = {name: plain(getattr(task, name)) for name in VIEW}
    locks = [tree_digest(source_of(task, one)) for one in task.lay_in]
    return digest({**keys, "locks": locks, "brief": tree_digest(task.root / "brief"), "starter": tree_digest(task.root / "starter")})


def prepare(task: Task, into: Path, cache: Path) -> None:
    """Make the workspace at `into`, whole or not at all. Raises TaskError (a lay-in that matches nothing), InfrastructureError."""
    with whole(into) as part:
        furnish(task, part, cache)
        for lent in task.lay_in:
            if not lent.delivered:
                lay(task, lent, part, cache)


def take_back(task: Task, workspace: Path) -> None:
    """Remove what was lent to an agent, whatever has become of it: it is no part of a submission."""
    for lent in task.lay_in:
        place = workspace / lent.into
        if lent.delivered or not place.parent.resolve().is_relative_to(workspace.resolve()):
            continue
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place, ignore_errors=True)
        else:
            place.unlink(missing_ok=True)


@contextlib.contextmanager
def whole(into: Path) -> Iterator[Path]:
    """A fresh folder beside `into`, which takes its place when all has gone well. What the disk refuses is nobody's fault."""
    part = into.with_name(f"{into.name}.part")
    try:
        for old in (into, part):
            shutil.rmtree(old, ignore_errors=True)
        part.mkdir(parents=True)
        yield part
        part.rename(into)
    except OSError as fault:
        raise InfrastructureError(f"cannot make the workspace: {fault}") from fault


def furnish(task: Task, workspace: Path, cache: Path) -> None:
    starter, brief = task.root / "starter", task.root / "brief"
    if starter.is_dir():
        overlay(starter, workspace)
    overlay(brief, workspace / "brief")
    for one in walk(workspace / "brief"):
        if one.kind == "file":
            one.place.chmod(0o444)
    for wanted in task.lay_in:
        if wanted.delivered:
            lay(task, wanted, workspace, cache)


def lay(task: Task, wanted: LayIn, workspace: Path, cache: Path) -> None:
    """Files land below `into` at their path below the fixed folders of their glob: `three/build/*.js` gives `into/*.js`. A resource that
    is a file is `into`."""
    source = source_of(task, wanted)
    into = workspace / wanted.into
    if not into.resolve().is_relative_to(workspace.resolve()):
        raise TaskError(f"{task.root / 'task.toml'}: {wanted.into!r} @ $.lay_in.into leaves the workspace")
    if wanted.resource and source.is_file():
        into.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, into)
        return
    tree = source if wanted.resource else lay_in(source, cache) / "node_modules"
    for glob in wanted.files or ("**/*",):
        base = tree / re.split(r"[*?\[]", glob)[0].rpartition("/")[0]
        found = [one for one in sorted(tree.glob(glob)) if one.is_file()]
        if not found:
            where = wanted.resource or f"the packages of {wanted.lock}"
            raise TaskError(f"{task.root / 'task.toml'}: {glob!r} @ $.lay_in.files matches nothing in {where}")
        for one in found:
            place = into / one.relative_to(base)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(one, place)
            if one.stat().st_mode & 0o100:
                place.chmod(0o755)
    for number, change in enumerate(wanted.replace):
        replaced(change, into, task.root / "task.toml", f"$.lay_in.replace[{number}]")


def source_of(task: Task, wanted: LayIn) -> Path:
    """The lock or resource of a lay-in. Raises TaskError where a Python package has it not."""
    package, colon, path = (wanted.resource or wanted.lock).partition(":")
    if not wanted.resource and not colon:
        return task.root / wanted.lock
    try:
        place = Path(str(files(package).joinpath(path)))
    except (ModuleNotFoundError, ValueError) as fault:
        raise TaskError(f"{task.root / 'task.toml'}: {fault} @ $.lay_in: wanted package:path") from None
    if not path or not place.exists():
        raise TaskError(f"{task.root / 'task.toml'}: {package} has no {path!r} @ $.lay_in")
    return place


def replaced(change: Replace, root: Path, told: Path, at: str) -> None:
    """Change a file below `root`. Raises TaskError, which names where the change is told."""
    place = file_in(root, change.file, told, f"{at}.file")
    text, find = place.read_bytes(), change.find.encode()
    if (count := text.count(find)) != 1:
        raise TaskError(f"{told}: the text occurs {count} times in {change.file}, wanted exactly once @ {at}.find")
    place.write_bytes(text.replace(find, change.with_.encode()))


def file_in(root: Path, name: str, told: Path, at: str) -> Path:
    place = root / name
    if not place.resolve().is_relative_to(root.resolve()) or not place.is_file():
        raise TaskError(f"{told}: there is no file {name!r} to change @ {at}")
    return place


def overlay(folder: Path, workspace: Path, skip: Collection[str] = ()) -> None:
    """Lay a folder over a workspace, as it is."""
    workspace.mkdir(parents=True, exist_ok=True)
    for one in walk(folder):
        if one.path not in skip:
            put(one, workspace)


def put(one: Found, workspace: Path) -> None:
    """Copy one thing to its path: links as links, and what is no file as a FIFO, so that freezing still refuses it. What no
    submission may have is not copied in full: a file beyond all bounds becomes a sparse one of its size."""
    place = workspace / one.path
    if place.is_symlink() or place.is_file():
        place.unlink()
    elif place.is_dir() and one.kind != "folder":
        shutil.rmtree(place)
    if one.kind == "folder":
        place.mkdir(exist_ok=True)
    elif one.kind == "link":
        place.symlink_to(one.place.readlink())
    elif one.kind == "special":
        os.mkfifo(place)
    elif one.size > BOUNDS.bytes:
        with place.open("wb") as sparse:
            sparse.truncate(one.size)
    else:
        shutil.copyfile(one.place, place, follow_symlinks=False)
        place.chmod(0o755 if one.executable else 0o644)
