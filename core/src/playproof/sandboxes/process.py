"""No sandbox at all, for machines that have none: a command runs as the caller, in its workspace, and ends with its tree."""

import contextlib
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import structlog
from attrs import frozen

from playproof.drivers import settings
from playproof.errors import UsageError
from playproof.interfaces import Box, Exit, Services
from playproof.model import Options
from playproof.sandboxes import ENV, bounded, run


@frozen
class Settings:
    """No options."""


class Process:
    def __init__(self, options: Options, services: Services) -> None:
        settings(Settings, options, "process")

    @property
    def promises(self) -> Mapping[str, bool]:
        return dict.fromkeys(("processes", "network", "files", "identity", "memory"), False)

    @contextlib.contextmanager
    def open(self, box: Box) -> Iterator["Bare"]:
        """Raises UsageError for a box with folders at other places: a process sees them where they are."""
        for place, folder in {**box.mounts, **box.outputs}.items():
            if Path(place) != folder:
                raise UsageError(f"the sandbox `process` cannot show {folder} at {place}; use `bubblewrap`")
        structlog.get_logger().warning(
            "no sandbox", sandbox="process",
            unprotected="commands have your rights: your files, your network, your processes; memory is bounded for each process alone",
        )
        with tempfile.TemporaryDirectory(prefix="playproof-home-", ignore_cleanup_errors=True) as home:
            yield Bare(box, home)


@frozen
class Bare:
    """A box that is none. `PLAYPROOF_WORKSPACE` says where the workspace is, since /workspace is not it."""

    box: Box
    home: str

    def run(
        self, argv: Sequence[str], *, stdin: bytes = b"", env: Mapping[str, str] | None = None, wall_s: float | None = None,
        idle_s: float | None = None, output: Callable[[str, bytes], None] | None = None,
    ) -> Exit:
        given = {**ENV, "HOME": self.home, "TMPDIR": self.home, "PLAYPROOF_WORKSPACE": str(self.box.workspace), **(env or {})}
        limits = self.box.limits
        return run([*bounded(limits, processes=False), *argv], limits, env=given, cwd=self.box.workspace, stdin=stdin,
                   wall_s=wall_s, idle_s=idle_s, output=output)
