"""The keeper of a box: standard library alone, and it never sees a check or anything else of the grader's.

It starts the file server and the browser, each under its own unprivileged uid when it may, watches over the memory of
the browser's tree, and ends everything when either of the two ends. With bubblewrap it is the first process in the box
and the kernel ends what it leaves; without, it collects every descendant (as a subreaper) and ends them itself.
"""

import contextlib
import ctypes
import json
import os
import resource
import select
import shutil
import signal
import socket
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from playproof_browser.served import Server

PIPE, OWNER, INFO, LOG = (3, 4), 7, 8, 9
"""Descriptors: Playwright's pipe to the browser; a pipe that ends with the grader; where our process id goes (in
the box bubblewrap has used it up already); by which the request log leaves."""

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 4, 36, 38
CLONE_NEWUSER = 0x10000000
WATCH_S = 0.1
"""Between two looks at the memory. A page was seen to take up to 0.7 GB a second, so it oversteps by about 70 MB."""
MERCY = 30
"""Looks after which a browser that stays above its memory though its pages were ended is ended itself."""

Config = Mapping[str, Any]


def prctl(option: int, value: int) -> None:
    ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def say(event: str, **facts: Any) -> None:
    write(json.dumps({"event": event, **facts}))


def write(line: str) -> None:
    with contextlib.suppress(OSError):  # a full disk outside must not end the box
        os.write(LOG, line.encode() + b"\n")


def close(*descriptors: int) -> None:
    for descriptor in descriptors:
        with contextlib.suppress(OSError):
            os.close(descriptor)


def become(uid: int | None) -> None:
    """Give up every right for good, and end with the keeper. Without a uid (already unprivileged) only new rights are refused."""
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # a change of uid clears it, so it comes last


def start(run: Callable[..., object], *args: Any) -> int:
    """A forked child that runs `run(*args)` and never comes back."""
    if pid := os.fork():
        return pid
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        run(*args)
    except BaseException:  # noqa: BLE001 (the edge of a process: Playwright shows what stands on standard error)
        traceback.print_exc()
    finally:
        os._exit(70)


def listen(config: Config) -> socket.socket:
    listener = socket.socket()
    listener.bind((config["address"], config["port"] if config["boxed"] else 0))
    listener.listen(512)
    return listener


def serve(config: Config, listener: socket.socket) -> None:
    close(*PIPE, OWNER)
    root, *shelves = (os.open(place, os.O_RDONLY | os.O_DIRECTORY) for place in (config["site"], *config["shelves"].values()))
    become(config["server_uid"])
    prctl(PR_SET_DUMPABLE, 0)  # so that a browser of the same uid cannot reach our descriptors through /proc
    given = dict(zip(config["shelves"], shelves, strict=True))
    Server(listener, root, f"{config['host']}:{config['port']}", not config["boxed"], write, given).serve_forever()


def has_user_namespaces() -> bool:
    """Whether Chromium can build its own sandbox here: it wants a user namespace of its own."""
    if not (pid := os.fork()):
        os._exit(ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWUSER) != 0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def joined(flags: Sequence[str], switch: str) -> list[str]:
    """The flags with all lists of one switch in one: Chromium heeds the last alone, and Playwright has one of its own."""
    lists = [flag.removeprefix(switch) for flag in flags if flag.startswith(switch)]
    return [*(flag for flag in flags if not flag.startswith(switch)), switch + ",".join(lists)]


def browse(config: Config, flags: list[str], port: int) -> NoReturn:
    home = config["home"]
    close(OWNER)
    os.setsid()
    if config["browser_uid"] is not None and not config["boxed"]:
        os.chown(home, config["browser_uid"], config["browser_uid"])
    cookie = Path(config["xauthority"]).read_bytes() if config.get("xauthority") else b""
    become(config["browser_uid"])
    environment = {**config["env"], "HOME": home, "TMPDIR": home}
    if cookie:
        environment["XAUTHORITY"] = f"{home}/xauthority"
        Path(environment["XAUTHORITY"]).write_bytes(cookie)
    own_sandbox = has_user_namespaces()
    flags = joined([flag for flag in flags if not flag.startswith(("--user-data-dir=", "--no-sandbox"))], "--disable-features=")
    flags += [f"--user-data-dir={home}/profile", *([] if own_sandbox else ["--no-sandbox"])]
    if not config["boxed"]:
        flags += [f"--proxy-server=http://{config['host']}:{port}", "--proxy-bypass-list=<-loopback>", "--disable-quic"]
        flags += ["--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "--webrtc-ip-handling-policy=disable_non_proxied_udp"]
    say("browser", own_sandbox=own_sandbox, uid=os.getuid())
    os.close(LOG)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if config["process_memory"]:
        resource.setrlimit(resource.RLIMIT_DATA, (config["process_memory"], config["process_memory"]))
    os.execve(config["chromium"], [config["chromium"], *flags], environment)


def parents() -> dict[int, int]:
    """The parent of every process that is seen."""
    found = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 (a look every 0.1 s: half the time of iterdir)
        if name.isdecimal():
            with contextlib.suppress(OSError):
                found[int(name)] = int(Path(f"/proc/{name}/stat").read_bytes().rpartition(b")")[2].split()[1])
    return found


def below(root: int) -> set[int]:
    """Every descendant of `root`, itself left out."""
    all_parents = parents()
    found, fresh = set[int](), {root}
    while fresh:
        fresh = {pid for pid, parent in all_parents.items() if parent in fresh} - found
        found |= fresh
    return found


def memory_of(pid: int) -> int:
    """Resident memory in bytes that is no file's; 0 of a process that is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(errors="replace").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(("RssAnon:", "RssShmem:")))


def is_renderer(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return b"--type=renderer" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


class Memory:
    """Keeps the browser's tree below `limit` bytes by ending the largest page; the browser itself only when that is no help."""

    def __init__(self, browser: int, limit: int) -> None:
        self.browser, self.limit, self.looks = browser, limit, 0

    def look(self) -> None:
        held = {pid: memory_of(pid) for pid in (self.browser, *below(self.browser))}
        total = sum(held.values())
        if total <= self.limit:
            self.looks = 0
            return
        self.looks += 1
        pages = [pid for pid in held if is_renderer(pid)]
        if self.looks > 1 and self.looks <= MERCY and not any(held[pid] > self.limit / 4 for pid in pages):
            return  # a page was ended just now, and the browser is still giving back what it held for it
        victim = max(pages, key=lambda pid: held[pid]) if pages and self.looks <= MERCY else self.browser
        say("memory", bytes=total, limit=self.limit, freed=held[victim], browser=victim == self.browser)
        with contextlib.suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)


def ended_children() -> dict[int, int]:
    """Exit codes of the children that have ended since the last call."""
    ended = {}
    with contextlib.suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG)) and found[0]:
            ended[found[0]] = os.waitstatus_to_exitcode(found[1])
    return ended


def watch(config: Config, server: int, browser: int, wake: int, owners: Sequence[int]) -> int:
    """Until the browser ends (its exit code), the server does (70), or one of those for whom we work is gone (71)."""
    memory = Memory(browser, config["memory"]) if config["memory"] else None
    while True:
        ready = select.select([wake, *owners], [], [], WATCH_S)[0]
        if wake in ready:
            os.read(wake, 512)
        ended = ended_children()
        if server in ended:
            say("server-ended", code=ended[server])
            return 70
        if browser in ended:
            say("browser-ended", code=ended[browser])
            return ended[browser] if ended[browser] >= 0 else 128 - ended[browser]
        if any(owner in ready for owner in owners):
            return 71
        if memory:
            memory.look()


def end_all() -> None:
    """End every descendant; returns when none is left. As a subreaper we inherit those whose parent has died."""
    while True:
        for pid in below(os.getpid()):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def keep(config: Config, flags: list[str], *owners: int) -> int:
    wake, woken = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    try:
        listener = listen(config)
        server = start(serve, config, listener)
        browser = start(browse, config, flags, listener.getsockname()[1])
        close(*PIPE, listener.detach())
        return watch(config, server, browser, wake, (OWNER, *owners))
    finally:
        end_all()
        if not config["boxed"]:
            shutil.rmtree(config["home"], ignore_errors=True)


def keep_apart(config: Config, flags: list[str]) -> int:
    """Without a PID namespace: the keeper in a session of its own, so that the kill of Playwright's process group reaches
    only this stub, whose end the keeper sees by a pipe."""
    seen, held = os.pipe()
    if keeper := os.fork():
        close(*PIPE, OWNER, INFO, LOG, seen)
        return os.waitstatus_to_exitcode(os.waitpid(keeper, 0)[1])
    code = 70
    try:
        os.close(held)
        os.setsid()
        prctl(PR_SET_CHILD_SUBREAPER, 1)
        os.write(INFO, json.dumps({"child-pid": os.getpid()}).encode())
        os.close(INFO)
        code = keep(config, flags, seen)
    except BaseException:  # noqa: BLE001 (the edge of a process: Playwright shows what stands on standard error)
        traceback.print_exc()
    finally:
        os._exit(code)


def main(arguments: list[str]) -> NoReturn:
    config = json.loads(Path(arguments[0]).read_text())
    raise SystemExit((keep if config["boxed"] else keep_apart)(config, arguments[1:]))
