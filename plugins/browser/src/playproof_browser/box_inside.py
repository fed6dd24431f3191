"""The keeper: first process in the box. Standard library alone; it never sees a check or anything of the grader's.

It starts the file server and the browser, each under its own unprivileged uid when it may, watches over the memory of
the browser's tree, and ends everything when either of the two ends.
"""

import contextlib
import ctypes
import json
import os
import resource
import select
import signal
import socket
import sys
from pathlib import Path
from typing import Any, NoReturn

from playproof_browser.served import Server

LOG = 9
"""The inherited descriptor by which the request log leaves."""

PIPE = (3, 4)
"""Playwright's pipe to the browser."""

PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 4, 36, 38
CLONE_NEWUSER = 0x10000000
WATCH_S = 0.1


def prctl(option: int, value: int) -> None:
    ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def write(line: str) -> None:
    with contextlib.suppress(OSError):  # a full disk outside must not end the box
        os.write(LOG, line.encode() + b"\n")


def become(uid: int | None) -> None:
    """Give up every right for good. Without a uid (already unprivileged) only new ones are refused."""
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def start(run: Any, *args: Any) -> int:
    """A forked child that runs `run(*args)` and never comes back."""
    pid = os.fork()
    if pid:
        return pid
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    try:
        run(*args)
    finally:
        os._exit(70)


def listen(config: dict[str, Any]) -> socket.socket:
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((config["host"], 0 if config["proxy"] else config["port"]))
    listener.listen(512)
    return listener


def serve(config: dict[str, Any], listener: socket.socket) -> None:
    for fd in PIPE:
        os.close(fd)
    root = os.open(config["site"], os.O_RDONLY | os.O_DIRECTORY)
    become(config["server_uid"])
    prctl(PR_SET_DUMPABLE, 0)  # so that a browser of the same uid cannot reach our descriptors through /proc
    Server(listener, root, f"{config['host']}:{config['port']}", config["proxy"], write).serve_forever()


def has_user_namespaces() -> bool:
    """Whether Chromium can build its own sandbox here: it wants a user namespace of its own."""
    pid = os.fork()
    if not pid:
        os._exit(ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWUSER) != 0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def browse(config: dict[str, Any], flags: list[str], proxy_port: int) -> NoReturn:
    become(config["browser_uid"])
    home = Path(config["home"])
    (home / "profile").mkdir(parents=True, exist_ok=True)
    flags = [flag for flag in flags if not flag.startswith(("--user-data-dir=", "--no-sandbox"))]
    flags = [f"--user-data-dir={home}/profile", *flags]
    own_sandbox = has_user_namespaces()
    if not own_sandbox:
        flags = ["--no-sandbox", *flags]
    if config["proxy"]:
        flags = [f"--proxy-server=http://{config['host']}:{proxy_port}", *flags]
    write(json.dumps({"event": "browser", "own_sandbox": own_sandbox, "uid": os.getuid()}))
    os.close(LOG)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if config["process_memory"]:
        resource.setrlimit(resource.RLIMIT_DATA, (config["process_memory"],) * 2)
    os.execve(config["chromium"], [config["chromium"], *flags], {**config["env"], "HOME": str(home)})


def status_of(pid: int) -> tuple[int, int]:
    """Parent, and own memory in bytes: what is not a file's. A process that is gone has neither."""
    parent, memory = 0, 0
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text(errors="replace").splitlines():
            key, _, value = line.partition(":")
            if key == "PPid":
                parent = int(value)
            elif key in ("RssAnon", "RssShmem"):
                memory += int(value.split()[0]) * 1024
    return parent, memory


def tree(root: int) -> dict[int, int]:
    """Memory of every descendant of `root`, itself left out."""
    names = [place.name for place in Path("/proc").iterdir()]
    seen = {int(entry): status_of(int(entry)) for entry in names if entry.isdecimal()}
    below, fresh = set[int](), {root}
    while fresh:
        fresh = {pid for pid, (parent, _) in seen.items() if parent in fresh} - below
        below |= fresh
    return {pid: seen[pid][1] for pid in below}


def relieve(browser: int, limit: int) -> None:
    """When the browser's tree holds too much, end its largest process: a page dies, and the browser says so."""
    below = tree(browser)
    total = sum(below.values()) + status_of(browser)[1]
    if total > limit:
        victim = max(below, key=lambda pid: below[pid], default=browser)
        write(json.dumps({"event": "memory", "bytes": total, "limit": limit, "freed": below.get(victim, total)}))
        with contextlib.suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)


def watch(config: dict[str, Any], server: int, browser: int, wake: int) -> int:
    """Until the browser ends (its exit code) or the server does (70)."""
    while True:
        if select.select([wake], [], [], WATCH_S)[0]:
            os.read(wake, 512)
        while (ended := wait_any()) is not None:
            pid, code = ended
            if pid == server:
                write(json.dumps({"event": "server-ended", "code": code}))
                return 70
            if pid == browser:
                write(json.dumps({"event": "browser-ended", "code": code}))
                return code if code >= 0 else 128 - code
        if config["memory"]:
            relieve(browser, config["memory"])


def wait_any() -> tuple[int, int] | None:
    try:
        pid, status = os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return None
    return (pid, os.waitstatus_to_exitcode(status)) if pid else None


def main(arguments: list[str]) -> NoReturn:
    config = json.loads(Path(arguments[0]).read_text())
    wake, woken = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    listener = listen(config)
    server = start(serve, config, listener)
    browser = start(browse, config, arguments[1:], listener.getsockname()[1])
    for fd in (*PIPE, listener.detach()):
        os.close(fd)
    code = watch(config, server, browser, wake)
    for pid in (*tree(os.getpid()), server, browser):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    sys.exit(code)
