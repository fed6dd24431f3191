"""Where commands run that we did not write: what the drivers in this folder share."""

import resource
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from playproof.interfaces import Exit, Limits
from playproof.proctree import Tree

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

ENV: Mapping[str, str] = {"PATH": PATH, "LANG": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": "0"}
"""The whole environment of a command, beside its HOME, its TMPDIR and what it is given: nothing is inherited from ours."""


def bounded(limits: Limits, processes: bool = True) -> Sequence[str]:
    """The prefix that sets limits: on each process for memory (data, since some programs reserve far more addresses than they
    use) and file size, on the user for the number of processes; and no core dumps."""
    bounds = [("data", resource.RLIMIT_DATA, limits.memory), ("fsize", resource.RLIMIT_FSIZE, limits.file_size),
              ("core", resource.RLIMIT_CORE, 0), ("nproc", resource.RLIMIT_NPROC, limits.processes if processes else None)]
    return ["prlimit", *(f"--{name}={_lower(kind, value)}" for name, kind, value in bounds if value is not None), "--"]


def _lower(kind: int, value: int) -> int:
    """Our own hard limit where it is lower: raising one needs a right that we may lack."""
    hard = resource.getrlimit(kind)[1]
    return value if hard == resource.RLIM_INFINITY else min(value, hard)


def run(
    argv: Sequence[str], limits: Limits, *, env: Mapping[str, str], cwd: Path | None, stdin: bytes, wall_s: float | None,
    idle_s: float | None, output: Callable[[str, bytes], None] | None, fds: Sequence[int] = (),
) -> Exit:
    """A command to its end, its own clocks before those of the limits. Nothing of it is left on return."""
    with Tree(argv, env=env, cwd=cwd, stdin=stdin, output=output, fds=fds) as tree:
        return tree.wait(wall_s if wall_s is not None else limits.wall_s, idle_s if idle_s is not None else limits.idle_s)
