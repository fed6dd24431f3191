"""One box: Chromium and the file server of one submission, cut off from every network and from this machine.

Costly to open (about two seconds), cheap to use: keep one for each worker and submission, with a fresh browser context
for each check. Playwright stays outside and drives the browser over its pipe.
"""

import contextlib
import itertools
import json
import os
import shutil
import signal
import stat
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from attrs import frozen
from playwright.sync_api import Browser, Error

from playproof.errors import InfrastructureError
from playproof_browser import box_mounts, wrapper
from playproof_browser.driver import playwright

HOST, PORT = "127.0.0.1", 8000
FIRST_UID, UIDS = 61184, 2160
"""Pairs of ids that no account has: systemd keeps 61184 to 65519 for passing services."""

GRAPHICS = ("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist")
QUIET = (
    "--disable-background-networking", "--disable-component-update", "--disable-domain-reliability", "--disable-sync",
    "--disable-client-side-phishing-detection", "--no-first-run", "--no-pings", "--mute-audio",
)  # fmt: skip
_boxes = itertools.count()


@frozen
class Request:
    """One request that reached our server: what was asked, what was answered, body bytes sent. Seen from outside."""

    method: str
    path: str
    status: int
    bytes: int


@frozen
class BoxOptions:
    """`memory` bounds the browser's whole tree, `process_memory` each of its processes, in bytes; `display` and
    `xauthority` are needed when headed; `hidden` are folders that must not be seen even below something shown."""

    headed: bool = False
    display: str | None = None
    xauthority: Path | None = None
    memory: int | None = 3 << 30
    process_memory: int | None = 4 << 30
    hidden: Sequence[Path] = ()
    start_s: float = 30.0
    flags: Sequence[str] = ()


class Box:
    """A context manager. `browser` is Playwright's, `origin` where the submission's files are served."""

    def __init__(self, submission_root: Path, scratch: Path, chromium: Path, options: BoxOptions = BoxOptions()) -> None:
        self.options, self.chromium, self.origin = options, chromium, f"http://{HOST}:{PORT}"
        self._root, self._scratch = submission_root, scratch
        self._lines: list[dict[str, Any]] = []
        self._offset = 0

    def __enter__(self) -> Self:
        self._scratch.mkdir(parents=True, exist_ok=True)
        self._folder = Path(tempfile.mkdtemp(prefix="box-", dir=self._scratch)).resolve()
        try:
            copy_files(self._root, self._folder / "site")
            script = self._prepare()
            self.browser: Browser = playwright().chromium.launch(
                executable_path=script, headless=not self.options.headed, chromium_sandbox=True, timeout=self.options.start_s * 1000,
                args=[*GRAPHICS, *QUIET, *self.options.flags], env={"PATH": "/usr/bin:/bin"},
                handle_sigint=False, handle_sigterm=False, handle_sighup=False,
            )  # fmt: skip
        except (Error, OSError) as error:
            self._end()
            raise InfrastructureError(f"the browser's box did not start: {str(error)[-2000:]}") from error
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def alive(self) -> bool:
        return self.browser.is_connected() and is_running(self._number("pid"))

    @property
    def protection(self) -> Mapping[str, bool]:
        """What this box protects, by name."""
        return {"processes": True, "network": True, "files": True, "identity": os.geteuid() == 0, "memory": self.options.memory is not None}

    def requests(self) -> list[Request]:
        """What our server was asked so far, in the order of its answers."""
        return [Request(**line) for line in self._log() if "method" in line]

    def events(self) -> list[dict[str, Any]]:
        """What the keeper told: `browser`, `memory`, `server-ended`, `browser-ended`, `log-full`."""
        return [line for line in self._log() if "event" in line]

    def close(self) -> None:
        """End the box and everything in it; returns when all is gone. A browser that does not answer is killed."""
        impatience = threading.Timer(5, self._kill)
        impatience.start()
        try:
            with contextlib.suppress(Error):
                self.browser.close()
        finally:
            impatience.cancel()
            self._end()

    def _prepare(self) -> Path:
        root, folder = os.geteuid() == 0, self._folder
        first = FIRST_UID + 2 * ((os.getpid() * 7 + next(_boxes)) % UIDS)
        server, browser = (first, first + 1) if root else (None, None)
        library = folder / "lib" / "playproof_browser"
        library.mkdir(parents=True)
        for name in ("__init__.py", "served.py", "box_inside.py"):
            (library / name).write_bytes((Path(__file__).parent / name).read_bytes())
        (folder / "passwd").write_text("".join(f"u{uid}:x:{uid}:{uid}::/:/bin/false\n" for uid in (0, server, browser) if uid is not None))
        (folder / "group").write_text("".join(f"u{uid}:x:{uid}:\n" for uid in (0, server, browser) if uid is not None))
        config = {
            "site": "/box/site", "host": HOST, "port": PORT, "proxy": False, "server_uid": server, "browser_uid": browser,
            "chromium": str(self.chromium.resolve()), "home": "/tmp/h", "memory": self.options.memory,
            "process_memory": self.options.process_memory,
            "env": {"PATH": "/usr/bin:/bin", "TMPDIR": "/tmp", "LANG": "C.UTF-8", "TZ": "UTC", "DBUS_SESSION_BUS_ADDRESS": "disabled:"},
        }  # fmt: skip
        (folder / "config.json").write_text(json.dumps(config))
        for place in folder.glob("lib/**/*"):
            place.chmod(0o755 if place.is_dir() else 0o644)
        for name in ("passwd", "group", "config.json"):
            (folder / name).chmod(0o644)
        shown = list(box_mounts.display(self.options.display or ":0", self.options.xauthority)) if self.options.headed else []
        command = box_mounts.command(folder, self.chromium, root=root, shown=["--info-fd", "8", *shown], hidden=self.options.hidden)
        return wrapper.write(folder, [*command, *wrapper.keeper(box_mounts.interpreter(), "/box/lib", "/box/config.json")])

    def _log(self) -> list[dict[str, Any]]:
        with contextlib.suppress(FileNotFoundError), (self._folder / "log").open("rb") as log:
            log.seek(self._offset)
            for line in log:
                if not line.endswith(b"\n"):
                    break
                self._offset += len(line)
                self._lines.append(json.loads(line))
        return self._lines

    def _number(self, name: str) -> int | None:
        """A process id that the wrapper or bubblewrap left in the folder."""
        with contextlib.suppress(OSError, ValueError):
            text = (self._folder / name).read_text()
            return int(json.loads(text)["child-pid"]) if name == "info" else int(text)
        return None

    def _kill(self) -> None:
        if pid := self._number("pid"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)

    def _end(self) -> None:
        deadline = time.monotonic() + 5
        while any(is_running(self._number(name)) for name in ("pid", "info")):
            if time.monotonic() > deadline:
                self._kill()
            time.sleep(0.005)
        self._log()
        shutil.rmtree(self._folder, ignore_errors=True)


def is_running(pid: int | None) -> bool:
    """Whether a process lives; one that is dead but not yet reaped does not."""
    try:
        return pid is not None and Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def copy_files(source: Path, target: Path) -> None:
    """Copy the regular files below `source`, readable by all; links and whatever else is no file are left behind."""
    target.mkdir()
    target.chmod(0o755)
    for entry in os.scandir(source):
        into = target / entry.name
        if entry.is_dir(follow_symlinks=False):
            copy_files(Path(entry.path), into)
        elif entry.is_file(follow_symlinks=False) and stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode):
            shutil.copyfile(entry.path, into, follow_symlinks=False)
            into.chmod(0o644)
