"""The process between Playproof and a command: whatever the command starts, ends with it.

    python -I -S warden.py CONTROL STATUS COMMAND...

A child subreaper, so that every orphan below comes back to it. CONTROL is the reading end of a pipe from Playproof: "t" asks the
command to terminate, end of file (also after kill -9 of Playproof) ends the tree. When the command is over, or CONTROL is, it
kills until it has no child left (ECHILD, which the kernel only says when there is no descendant either) and then writes one line
to STATUS: "exit 3", "signal 9" or "error No such file ...". Standard library only, and few modules: it starts with every command.
"""

# pathlib and contextlib would cost 10 ms with every command.
# ruff: noqa: PTH123, PTH208, SIM105

import ctypes
import os
import select
import signal
import sys
from collections.abc import Iterable

SUBREAPER = 36
PAUSE_S = 0.01


def adopt_orphans() -> None:
    """Make this process the parent of every descendant whose own parent dies (Linux 3.4)."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER)")


def parents() -> dict[int, tuple[int, int, str]]:
    """Parent, session and state (Z is a zombie) of every process that can be seen."""
    seen = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as stat:
                    state, parent, _, session = stat.read().rpartition(b")")[2].split()[:4]
            except (OSError, ValueError):
                continue
            seen[int(name)] = (int(parent), int(session), state.decode())
    return seen


def descendants(roots: Iterable[int]) -> set[int]:
    """Every living process below the roots, without them."""
    children: dict[int, list[int]] = {}
    table = parents()
    for pid, (parent, _, _) in table.items():
        children.setdefault(parent, []).append(pid)
    found: set[int] = set()
    left = list(roots)
    while left:
        below = [pid for pid in children.get(left.pop(), ()) if pid not in found]
        found.update(below)
        left += below
    return {pid for pid in found if table[pid][2] != "Z"}


def send(pids: Iterable[int], number: int) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except (ProcessLookupError, PermissionError):  # gone; or a set-user-id program, which its own parent's death must end
            pass


def end(reap: dict[int, int]) -> None:
    """Kill until there is no child. Stopped first and killed when a second look finds nobody new, or a fork bomb outruns it."""
    stopped: set[int] = set()
    while _reap(reap):
        alive = descendants([os.getpid()])
        send(alive, signal.SIGKILL if alive <= stopped else signal.SIGSTOP)
        stopped |= alive
        select.select([], [], [], PAUSE_S)


def _reap(statuses: dict[int, int]) -> bool:
    """Collect the dead; False when no child is left at all."""
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return False
        if not pid:
            return True
        statuses[pid] = status


def _start(command: list[str], status: int) -> int:
    pid = os.fork()
    if pid:
        return pid
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)
    except OSError as fault:
        os.write(status, f"error {fault.strerror}: {command[0]}\n".encode())
    os._exit(127)


def _let_go(keep: set[int]) -> None:
    """Close every other descriptor: a second copy of the command's pipes here would keep them open after its end."""
    for name in os.listdir("/proc/self/fd"):
        if int(name) not in keep:
            try:
                os.close(int(name))
            except OSError:  # the one that read the list
                pass


def _watch(main: int, control: int, woken: int) -> dict[int, int]:
    """Wait for the end of the command or of the pipe; SIGCHLD wakes it, so that waiting costs nothing."""
    statuses: dict[int, int] = {}
    while main not in statuses:
        ready, _, _ = select.select([control, woken], [], [])
        if woken in ready:
            os.read(woken, 512)
        if control in ready:
            if not os.read(control, 1):
                break
            send([main], signal.SIGTERM)
        _reap(statuses)
    return statuses


def main() -> None:
    control, status, *command = sys.argv[1:]
    adopt_orphans()
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    for held in (int(control), int(status)):
        os.set_inheritable(held, False)
    pid = _start(command, int(status))
    _let_go(keep={int(control), int(status), woken, wake})
    statuses = _watch(pid, int(control), woken)
    end(statuses)
    code = os.waitstatus_to_exitcode(statuses[pid]) if pid in statuses else -signal.SIGKILL
    os.write(int(status), (f"exit {code}\n" if code >= 0 else f"signal {-code}\n").encode())


if __name__ == "__main__":
    main()
