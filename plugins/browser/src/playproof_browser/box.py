"""One box: Chromium and the file server of one submission, cut off from every network and from this machine.

Costly to open (about two seconds), cheap to use: keep one for each worker and submission, with a fresh browser context
for each check. Playwright stays outside and drives the browser over its pipe.
"""

import contextlib
import json
import os
import shutil
import signal
import tempfile
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from playwright.sync_api import Browser, Error

from playproof.errors import InfrastructureError, UsageError
from playproof_browser import box_folder
from playproof_browser.box_mounts import why_no_bubblewrap
from playproof_browser.box_options import BoxOptions, Protection, Request, protection
from playproof_browser.driver import playwright

__all__ = ["Box", "BoxOptions", "Protection", "Request"]

NOT_NEEDED = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "SpareRendererForSitePerProcess")
"""Chromium prepares the lists under its address bar, as pages in a renderer of their own, and a spare renderer beside: for each new
context, and a check has one. That was 0.6 of the 0.85 CPU-s that a context took."""

FLAGS = (
    f"--disable-features={','.join(NOT_NEEDED)}",
    "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
    "--disable-accelerated-2d-canvas", "--disable-gpu-compositing",
    "--disable-background-networking", "--disable-component-update", "--disable-domain-reliability", "--disable-sync",
    "--disable-client-side-phishing-detection", "--no-first-run", "--no-pings", "--mute-audio",
)  # fmt: skip
"""Software WebGL, the same on every machine, and nothing else by way of it: 60 frames of a canvas game took 8.2 s with its
2D canvas on it and 0.13 s without, a drag 1.0 CPU-s with the page composed on it and 0.3 without. No traffic of the browser's
own. Beside these no name resolves but the origin's."""

PATIENCE_S = 5.0
"""How long a browser may take to close by itself."""


class Box:
    """A context manager. `browser` is Playwright's, `origin` is where the submission's files are served.

    Raises InfrastructureError when the box cannot start. A page that takes more than its memory dies (Playwright's "crash")
    and the box lives on; when the browser itself or our server ends, `alive` is False and a new box is needed."""

    browser: Browser

    def __init__(self, submission_root: Path, scratch: Path, chromium: Path, options: BoxOptions | None = None) -> None:
        self.options, self.chromium = options or BoxOptions(), chromium
        self.origin = f"http://{self.options.host}:{box_folder.PORT}"
        self._root, self._scratch = submission_root, scratch
        self._lines: list[dict[str, Any]] = []
        self._read = 0
        self._processes: dict[str, tuple[int, str | None]] = {}
        self._owner = -1
        self._home: Path | None = None

    def __enter__(self) -> Self:
        why_not = "by request" if self.options.boxed is False else why_no_bubblewrap()
        boxed = why_not is None
        if self.options.boxed and not boxed:
            raise InfrastructureError(f"a boxed browser was asked for, but {why_not}")
        if self.options.headed and not self.options.display:
            raise UsageError("a browser that shows itself needs a display (DISPLAY is not set)")
        self.protection = protection(boxed, os.geteuid() == 0, self.options.memory is not None, why_not)
        try:
            self._scratch.mkdir(parents=True, exist_ok=True)
            self._folder = Path(tempfile.mkdtemp(prefix="box-", dir=self._scratch)).resolve()
        except OSError as error:
            raise InfrastructureError(f"the browser's box has no place: {error}") from error
        try:
            self._home = None if boxed else Path(tempfile.mkdtemp(prefix="pp-", dir="/tmp"))  # short: it holds sockets
            self._owner = self._own()
            self._launch(box_folder.fill(self._folder, self._root, self.chromium.resolve(), self.options, self._home))
        except (Error, OSError) as error:
            self._end()
            raise InfrastructureError(f"the browser's box did not start: {said(error)}") from error
        except BaseException:
            self._end()
            raise
        self._running()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def alive(self) -> bool:
        """Whether browser and server run; a page that has crashed does not change it."""
        return self.browser.is_connected() and bool(self._running())

    def requests(self) -> list[Request]:
        """What our server was asked so far, in the order of its answers."""
        return [Request(**line) for line in self._log() if "event" not in line]

    def events(self) -> list[dict[str, Any]]:
        """What the keeper told: `browser` (own_sandbox, uid), `memory` (a page was ended: bytes, limit, freed),
        `server-ended`, `browser-ended` (code), `log-full` (kept)."""
        return [line for line in self._log() if "event" in line]

    def close(self) -> None:
        """End the box and everything in it; returns when all is gone. A browser that does not answer is killed."""
        impatience = threading.Timer(PATIENCE_S, self.kill)
        impatience.start()
        try:
            with contextlib.suppress(Error):
                self.browser.close()
        finally:
            impatience.cancel()
            self._end()

    def _own(self) -> int:
        """Our end of a pipe that the keeper listens to: if we are killed, the box ends at once, whatever its pages do."""
        os.mkfifo(self._folder / "owner", 0o600)
        return os.open(self._folder / "owner", os.O_RDWR)

    def _launch(self, executable: Path) -> None:
        options = self.options
        self.browser = playwright().chromium.launch(
            executable_path=executable, headless=not options.headed, chromium_sandbox=True, timeout=options.start_s * 1000,
            args=[*FLAGS, f"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE {options.host}", *options.flags], env={"PATH": "/usr/bin:/bin"},
            handle_sigint=False, handle_sigterm=False, handle_sighup=False,
        )  # fmt: skip

    def _log(self) -> list[dict[str, Any]]:
        with contextlib.suppress(FileNotFoundError), (self._folder / "log").open("rb") as log:
            log.seek(self._read)
            for line in log:
                if not line.endswith(b"\n"):
                    break
                self._read += len(line)
                self._lines.append(json.loads(line))
        return self._lines

    def _running(self) -> dict[str, int]:
        """What still runs of the box's two outer processes: `pid`, left by the wrapper, and `info`, by bubblewrap or the
        keeper. Each is known by its start time too, since a process id may be given out again."""
        for name in {"pid", "info"} - set(self._processes):
            with contextlib.suppress(OSError, ValueError):
                pid = int(json.loads((self._folder / name).read_text())["child-pid"])
                self._processes[name] = (pid, started(pid))
        return {name: pid for name, (pid, start) in self._processes.items() if start and started(pid) == start}

    def kill(self) -> None:
        """End the box at once, from any thread; whoever waits for an answer of the browser gets an error instead."""
        if pid := self._running().get("pid"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)

    def _end(self) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while self._running():
            if time.monotonic() > deadline:
                self.kill()
            time.sleep(0.005)
        if self._owner >= 0:
            os.close(self._owner)
            self._owner = -1
        self._log()
        for folder in (self._folder, self._home):
            if folder:
                shutil.rmtree(folder, ignore_errors=True)


def said(error: Exception) -> str:
    """What is worth telling of a failed launch: the first line, and what the box and the browser wrote to standard error."""
    first, *rest = str(error).strip().splitlines() or [repr(error)]
    errors = [line.partition("[err] ")[2] for line in rest if "[err] " in line]
    return " | ".join(line[:300] for line in [first, *errors[-6:]])


def started(pid: int) -> str | None:
    """When a process started, in clock ticks; None when it is gone, or dead and not yet reaped."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else fields[19]
