"""A command and all that it starts, ended as one.

A `Tree` runs its command under a warden (`warden.py`), which ends everything below it when the command exits, when the tree is
ended, and when this process dies, however it dies. Should the warden itself be killed, its orphans come to this process, which is
a subreaper from its first tree on. It knows them by their session: no process can return to a session that it has left, so a
child of ours in a foreign session that is no warden of ours came out of a dead one. Hence whoever uses trees starts nothing in a
session of its own by other means.
"""

import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

from playproof import warden
from playproof.errors import InfrastructureError
from playproof.interfaces import Exit

GONE_S = 10.0
"""How long a killed tree may take to vanish before that is an error."""

LOOK_S = 0.25
CHUNK = 1 << 16
Output = Callable[[str, bytes], None]

_birth = threading.Lock()
_wardens: set[int] = set()


class Tree:
    """A running command. `output("stdout" | "stderr", chunk)` hears it while `wait` runs; without one it goes nowhere.

    `fds` are passed on under their own numbers. `stdin` is a file in memory. Raises InfrastructureError if no process can be had."""

    def __init__(
        self, argv: Sequence[str], *, env: Mapping[str, str] | None = None, cwd: Path | None = None, stdin: bytes = b"",
        output: Output | None = None, fds: Sequence[int] = (),
    ) -> None:
        self.argv = tuple(argv)
        self._output = output
        self._began = self._heard = time.monotonic()
        self._pipes: dict[int, str] = {}
        self._said = b""
        self._exit: Exit | None = None
        self._reading = selectors.DefaultSelector()
        try:
            self._start(env, cwd, stdin, fds)
        except OSError as fault:
            self._reading.close()
            raise InfrastructureError(f"cannot start {argv[0]}: {fault}") from fault

    @property
    def pid(self) -> int:
        """The warden's process."""
        return self._warden.pid

    def _start(self, env: Mapping[str, str] | None, cwd: Path | None, stdin: bytes, fds: Sequence[int]) -> None:
        below, self._control = os.pipe()
        self._status, above = os.pipe()
        given = os.memfd_create("stdin")
        os.write(given, stdin)
        os.lseek(given, 0, os.SEEK_SET)
        sink = subprocess.DEVNULL if self._output is None else subprocess.PIPE
        call = [sys.executable, "-I", "-S", warden.__file__, str(below), str(above), *self.argv]
        try:
            with _birth:
                warden.adopt_orphans()
                self._warden = subprocess.Popen(call, env=env, cwd=cwd, stdin=given, stdout=sink, stderr=sink,
                                                pass_fds=(below, above, *fds), start_new_session=True)
                _wardens.add(self._warden.pid)
        except OSError:
            os.close(self._control)
            os.close(self._status)
            raise
        finally:
            for held in (below, above, given):
                os.close(held)
        self._listen(self._status, "status")
        for stream, name in ((self._warden.stdout, "stdout"), (self._warden.stderr, "stderr")):
            if stream is not None:
                self._listen(stream.fileno(), name)

    def _listen(self, pipe: int, name: str) -> None:
        os.set_blocking(pipe, False)
        self._pipes[pipe] = name
        self._reading.register(pipe, selectors.EVENT_READ)

    def wait(self, wall_s: float | None = None, idle_s: float | None = None, activity: Callable[[], object] | None = None) -> Exit:
        """How it ended: `exited` (its code, or minus its signal) or `killed` (the warden was); by then the tree is gone.

        `wall` (seconds since its start) and `idle` (seconds without output and with the same answer of `activity`) end only
        the waiting: call `end`, or wait on. `activity` is asked at least every 0.25 s and may raise to break the waiting off."""
        last = activity() if activity else None
        while self._exit is None:
            now = time.monotonic()
            if wall_s is not None and now - self._began >= wall_s:
                return Exit("wall", None, now - self._began)
            if idle_s is not None and now - self._heard >= idle_s:
                return Exit("idle", None, now - self._began)
            self._read(self._patience(now, wall_s, idle_s))
            if activity and (current := activity()) != last:
                last, self._heard = current, time.monotonic()
        return self._exit

    def _patience(self, now: float, wall_s: float | None, idle_s: float | None) -> float:
        ends = [self._began + wall_s] if wall_s is not None else []
        ends += [self._heard + idle_s] if idle_s is not None else []
        return max(0.0, min([LOOK_S, *(end - now for end in ends)]))

    def _read(self, patience_s: float) -> None:
        """Take what came. The status line is written last of all, so what lies in the pipes at that moment is the rest."""
        ready = {key.fd for key, _ in self._reading.select(patience_s)}
        for pipe in sorted(ready, key=lambda pipe: self._pipes[pipe] == "status"):
            name = self._pipes[pipe]
            chunk = os.read(pipe, CHUNK)
            if name == "status":
                self._said += chunk
            elif chunk:
                self._tell(name, chunk)
            if not chunk:
                self._reading.unregister(pipe)
                if name == "status":
                    self._finish()

    def _tell(self, name: str, chunk: bytes) -> None:
        self._heard = time.monotonic()
        if self._output is not None:
            self._output(name, chunk)

    def _finish(self) -> None:
        """The warden has closed its status: collect it, and what it left if it was killed; then the rest of the output."""
        self._bury()
        for pipe, name in self._pipes.items():
            while name != "status" and (chunk := _nonblocking(pipe)):
                self._tell(name, chunk)
        kind, _, rest = self._said.decode(errors="replace").partition("\n")[0].partition(" ")
        took = time.monotonic() - self._began
        if kind == "error":
            raise InfrastructureError(f"cannot start {self.argv[0]}: {rest}")
        if kind in ("exit", "signal"):
            self._exit = Exit("exited", int(rest) if kind == "exit" else -int(rest), took)
        else:
            self._exit = Exit("killed", None, took)

    def end(self, grace_s: float = 0.0) -> None:
        """Nothing of the tree is left on return. With `grace_s` the command is first asked (SIGTERM) and given that long.

        Raises InfrastructureError if something survives the killing for 10 s."""
        if self._exit is None and grace_s > 0:
            try:
                os.write(self._control, b"t")
            except BrokenPipeError:
                grace_s = 0
            self.wait(wall_s=time.monotonic() - self._began + grace_s)
        self._bury()
        self._exit = self._exit or Exit("killed", None, time.monotonic() - self._began)
        self._close()

    def _bury(self) -> None:
        if self._control >= 0:
            os.close(self._control)
            self._control = -1
        try:
            self._warden.wait(GONE_S)
        except subprocess.TimeoutExpired:
            alive = sorted(warden.descendants([self._warden.pid]))
            raise InfrastructureError(f"processes {alive} of {self.argv[0]} cannot be killed") from None
        with _birth:
            _wardens.discard(self._warden.pid)
        if self._warden.returncode != 0:
            _end_orphans(time.monotonic() + GONE_S)

    def _close(self) -> None:
        self._reading.close()
        for stream in (self._warden.stdout, self._warden.stderr):
            if stream is not None:
                stream.close()
        if self._status >= 0:
            os.close(self._status)
            self._status = -1

    def __enter__(self) -> "Tree":
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None) -> None:
        self.end()


def _nonblocking(pipe: int) -> bytes:
    try:
        return os.read(pipe, CHUNK)
    except (BlockingIOError, OSError):
        return b""


def _orphans() -> set[int]:
    """Children of ours that a killed warden left; see the module's first words."""
    us, session = os.getpid(), os.getsid(0)
    return {pid for pid, (parent, theirs, _) in warden.parents().items() if parent == us and theirs != session and pid not in _wardens}


def _end_orphans(deadline: float) -> None:
    while True:
        with _birth:
            left = _orphans()
            warden.send(left | warden.descendants(left), signal.SIGKILL)
            for pid in left:
                os.waitpid(pid, os.WNOHANG)
        if not left:
            return
        if time.monotonic() > deadline:
            raise InfrastructureError(f"processes {sorted(left)} cannot be killed")
        time.sleep(warden.PAUSE_S)
