"""The sandbox of choice without a container engine: namespaces by bubblewrap (0.5 or newer).

A command sees system folders read-only, its workspace, its mounts, and a /tmp and HOME of its own; other processes, the network and
the rest of the disk are not there. It has no capability and can gain none. When Playproof runs as root, every box has another user
id out of a range that no distribution hands out; otherwise commands keep the caller's id, inside a user namespace. There is no
system call filter, and a command may make user namespaces of its own (some programs need them): the kernel is the wall.
"""

import contextlib
import json
import os
import random
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from attrs import frozen

from playproof.drivers import settings
from playproof.errors import InfrastructureError
from playproof.interfaces import Box, Exit, Services
from playproof.model import Options
from playproof.sandboxes import ENV, PATH, bounded, cgroup, run

UIDS = range(60578, 61184)
"""User ids that neither Debian nor systemd gives to anybody, and that fit a 16-bit id map (systemd's UIDS-GIDS.md)."""

WORKSPACE = "/workspace"
HOME = "/home/agent"
LAST_WORDS = 2000

UNTIL_SETPRIV = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP", "CAP_DAC_READ_SEARCH")
"""What root keeps inside until it has entered the workspace and become somebody else."""

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt")
ETC = ("alternatives", "ca-certificates", "fonts", "group", "ld.so.cache", "ld.so.conf",
       "localtime", "mime.types", "nsswitch.conf", "passwd", "pki", "ssl", "timezone")


@frozen
class Settings:
    """No options."""


class Bubblewrap:
    def __init__(self, options: Options, services: Services) -> None:
        settings(Settings, options, "bubblewrap")

    @property
    def promises(self) -> Mapping[str, bool]:
        """`identity` only as root; `memory` for all processes together only with a control group, else for each one."""
        memory = "memory" in cgroup.places()
        return {"processes": True, "network": True, "files": True, "identity": os.geteuid() == 0, "memory": memory}

    @contextlib.contextmanager
    def open(self, box: Box) -> Iterator["Namespace"]:
        """Raises InfrastructureError where bubblewrap is missing or a folder of the box is."""
        program = shutil.which("bwrap", path=PATH)
        if program is None:
            raise InfrastructureError("bubblewrap (bwrap) is not installed; `playproof doctor --fix` installs it")
        uid = random.choice(UIDS) if os.geteuid() == 0 else None
        for folder in (box.workspace, *box.mounts.values(), *box.outputs.values()):
            if not folder.exists():
                raise InfrastructureError(f"the sandbox cannot show {folder}: it does not exist")
        if uid is not None:
            for folder in (box.workspace, *box.outputs.values()):
                _give(folder, uid)
        with cgroup.group(box.limits) as join:
            yield Namespace([*join, program], box, uid)


@frozen
class Namespace:
    """An open box. Each command has its own namespaces and process tree; the workspace is what they share."""

    start: Sequence[str]
    box: Box
    uid: int | None

    def run(
        self, argv: Sequence[str], *, stdin: bytes = b"", env: Mapping[str, str] | None = None, wall_s: float | None = None,
        idle_s: float | None = None, output: Callable[[str, bytes], None] | None = None,
    ) -> Exit:
        """Raises InfrastructureError if the sandbox, and not the command, failed: bubblewrap says on a descriptor that the
        command never holds whether it got as far as running it."""
        said, say = os.pipe()
        words = bytearray()

        def hear(name: str, chunk: bytes) -> None:
            if name == "stderr":
                words[:] = (words + chunk)[-LAST_WORDS:]
            if output is not None:
                output(name, chunk)

        call = [*self.start, "--json-status-fd", str(say), *_view(self.box, self.uid), "--", *_become(self.uid), *bounded(self.box.limits)]
        given = {**ENV, "HOME": HOME, "TMPDIR": "/tmp", "PLAYPROOF_WORKSPACE": WORKSPACE, **(env or {})}
        try:
            end = run([*call, *argv], self.box.limits, env=given, cwd=Path("/"), stdin=stdin, wall_s=wall_s, idle_s=idle_s,
                      output=hear, fds=[say])
        finally:
            os.close(say)
            with os.fdopen(said, "rb") as status:
                reports = [json.loads(line) for line in status]
        if end.ended == "exited" and not any("exit-code" in report for report in reports):
            if end.code is not None and end.code < 0:
                return Exit("killed", None, end.wall_s)
            raise InfrastructureError(f"the sandbox did not start: {words.decode(errors='replace').strip()}")
        return end


def _open_settings() -> Iterator[str]:
    """The folders of settings in /etc (`*.d`) that everybody may read: programs of many kinds do not start without theirs."""
    for folder in sorted(Path("/etc").glob("*.d")):
        if folder.is_dir() and folder.stat().st_mode & 0o005 == 0o005:
            yield folder.name


def _view(box: Box, uid: int | None) -> Iterator[str]:
    """The namespaces and the file system. Secrets stay out of these arguments: any user can read them."""
    yield from ("--die-with-parent", "--new-session", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
    yield from () if box.network else ("--unshare-net",)
    yield from ("--cap-drop", "ALL")
    yield from ("--unshare-user",) if uid is None else (word for cap in UNTIL_SETPRIV for word in ("--cap-add", cap))
    for place in SYSTEM:
        if Path(place).is_symlink():
            yield from ("--symlink", str(Path(place).readlink()), place)
        elif Path(place).exists():
            yield from ("--ro-bind", place, place)
    for folder in box.hidden:
        if any(folder.is_relative_to(place) for place in SYSTEM):
            yield from ("--tmpfs", str(folder))
    yield from ("--perms", "0755", "--dir", "/etc")  # bubblewrap would make it for root alone, and nobody else could read in it
    for name in (*ETC, *_open_settings()):
        yield from ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")
    if box.network:
        for name in ("hosts", "resolv.conf"):
            yield from ("--ro-bind-try", os.path.realpath(f"/etc/{name}"), f"/etc/{name}")
    yield from ("--proc", "/proc", "--dev", "/dev")
    for place in ("/dev/shm", "/tmp", "/var/tmp", HOME):
        yield from ("--perms", "1777", "--tmpfs", place)
    yield from ("--bind", str(box.workspace), WORKSPACE, "--chdir", WORKSPACE)
    for how, shown in (("--ro-bind", box.mounts), ("--bind", box.outputs)):
        for place, folder in sorted(shown.items()):
            for above in reversed(Path(place).parents):  # or bubblewrap makes them for root alone
                yield from ("--perms", "0755", "--dir", str(above))
            yield from (how, str(folder), place)


def _become(uid: int | None) -> Sequence[str]:
    """The mounts are made as root, since the workspace may lie where only root can go; then the user changes for good."""
    if uid is None:
        return ()
    return ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all", "--"]


def _give(folder: Path, uid: int) -> None:
    os.lchown(folder, uid, uid)
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            os.lchown(Path(place, name), uid, uid)
