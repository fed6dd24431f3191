"""Bounds for all processes of a box together, where this process may make control groups (root, usually)."""

import contextlib
import itertools
import os
import shlex
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from playproof.errors import InfrastructureError
from playproof.interfaces import Limits

ROOT = Path("/sys/fs/cgroup")
_count = itertools.count()


def places() -> Mapping[str, Path]:
    """Where a group with bounds on memory and on processes can be made; empty where it cannot."""
    if (ROOT / "cgroup.controllers").exists():
        try:
            handed_down = (ROOT / "cgroup.subtree_control").read_text().split()
        except OSError:
            return {}
        found = {kind: ROOT for kind in ("memory", "pids") if kind in handed_down}
    else:
        found = {kind: ROOT / kind for kind in ("memory", "pids")}
    return {kind: place for kind, place in found.items() if os.access(place, os.W_OK)}


@contextlib.contextmanager
def group(limits: Limits) -> Iterator[Sequence[str]]:
    """A group for one box, as the prefix by which a command joins it. It is removed with the box; groups of dead owners, too."""
    name = f"playproof-{os.getpid()}-{next(_count)}"
    where = places()
    made = list(dict.fromkeys(place / name for place in where.values()))
    for place in where.values():
        _sweep(place)
    try:
        for folder in made:
            folder.mkdir()
        for kind, place in where.items():
            _bound(kind, place / name, limits)
    except OSError as fault:
        raise InfrastructureError(f"cannot make the control group {name}: {fault}") from fault
    join = " && ".join([*(f"echo $$ > {shlex.quote(str(folder / 'cgroup.procs'))}" for folder in made), 'exec "$@"'])
    try:
        yield ["/bin/sh", "-c", join, "join"]
    finally:
        for folder in made:
            _remove(folder)


def _bound(kind: str, folder: Path, limits: Limits) -> None:
    if kind == "pids" and limits.processes is not None:
        (folder / "pids.max").write_text(str(limits.processes))
    if kind == "memory" and limits.memory is not None:
        old = (folder / "memory.limit_in_bytes").exists()
        (folder / ("memory.limit_in_bytes" if old else "memory.max")).write_text(str(limits.memory))
        swap, most = ("memory.memsw.limit_in_bytes", str(limits.memory)) if old else ("memory.swap.max", "0")
        if (folder / swap).exists():
            (folder / swap).write_text(most)


def _remove(folder: Path) -> None:
    """The kernel may take a moment to forget the dead; an empty group that stays costs nothing and is swept later."""
    for _ in range(50):
        with contextlib.suppress(OSError):
            folder.rmdir()
        if not folder.exists():
            return
        time.sleep(0.01)


def _sweep(place: Path) -> None:
    for folder in place.glob("playproof-*-*"):
        if not Path("/proc", folder.name.split("-")[1]).exists():
            with contextlib.suppress(OSError):
                folder.rmdir()
