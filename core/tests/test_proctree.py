"""Nothing that a command starts outlives it, whoever is killed, and within two seconds."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from playproof import warden
from playproof.errors import InfrastructureError
from playproof.proctree import Tree

SOON_S = 2.0

ESCAPE = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
def forked(name, work):
    if os.fork():
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    with open(f"{sys.argv[1]}/{name}.part", "w") as out:
        out.write(str(os.getpid()))
    os.rename(f"{sys.argv[1]}/{name}.part", f"{sys.argv[1]}/{name}")
    work()
def spin():
    while True:
        pass
forked("sleeper", lambda: time.sleep(600))
forked("spinner", spin)
"""


def until(true: Callable[[], bool], within_s: float) -> bool:
    end = time.monotonic() + within_s
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def alive(pid: int) -> bool:
    return warden.parents().get(pid, (0, 0, "Z"))[2] != "Z"


def escaped(folder: Path) -> list[int]:
    """The two processes that forked twice and left the session, once they run."""
    places = [folder / "sleeper", folder / "spinner"]
    assert until(lambda: all(place.exists() for place in places), 10)
    pids = [int(place.read_text()) for place in places]
    assert all(map(alive, pids))
    return pids


def escaping(folder: Path, then: str = "time.sleep(600)") -> list[str]:
    return [sys.executable, "-c", ESCAPE + then, str(folder)]


def test_output_input_and_codes() -> None:
    heard: list[tuple[str, bytes]] = []
    with Tree(["sh", "-c", "cat; echo wrong >&2; exit 3"], stdin=b"hello", output=lambda *one: heard.append(one)) as tree:
        end = tree.wait(10)
    assert (end.ended, end.code) == ("exited", 3)
    assert sorted(heard) == [("stderr", b"wrong\n"), ("stdout", b"hello")]


def test_output_of_a_megabyte_arrives_whole() -> None:
    heard = bytearray()
    with Tree(["sh", "-c", "head -c 1000000 /dev/zero; printf end"], output=lambda _, chunk: heard.extend(chunk)) as tree:
        assert tree.wait(20).code == 0
    assert len(heard) == 1_000_003 and heard.endswith(b"end")


def test_a_signal_is_a_negative_code() -> None:
    with Tree(["sh", "-c", "kill -SEGV $$"]) as tree:
        assert tree.wait(10).code == -signal.SIGSEGV


def test_a_missing_program_is_named() -> None:
    with pytest.raises(InfrastructureError, match="nonesuch"), Tree(["/nonesuch"]) as tree:
        tree.wait(10)


def test_wall_clock_and_idle_clock() -> None:
    with Tree(["sleep", "600"]) as tree:
        assert tree.wait(wall_s=0.2).ended == "wall"
        assert tree.wait(wall_s=60, idle_s=0.3).ended == "idle"
    with Tree(["sh", "-c", "for i in 1 2 3 4 5 6; do echo; sleep 0.1; done"], output=lambda *_: None) as tree:
        assert tree.wait(wall_s=20, idle_s=0.45).ended == "exited"


def test_activity_keeps_a_silent_command_alive_and_may_break_off() -> None:
    with Tree(["sleep", "600"]) as tree:
        assert tree.wait(wall_s=0.8, idle_s=0.4, activity=time.monotonic).ended == "wall"
        with pytest.raises(KeyboardInterrupt):
            tree.wait(activity=_interrupt)
    assert not alive(tree.pid)


def _interrupt() -> object:
    raise KeyboardInterrupt


def test_what_a_command_leaves_behind_is_gone_when_it_exits(tmp_path: Path) -> None:
    wait = f"import os.path\nwhile not (os.path.exists('{tmp_path}/sleeper') and os.path.exists('{tmp_path}/spinner')): time.sleep(.01)"
    with Tree(escaping(tmp_path, wait)) as tree:
        assert tree.wait(20).code == 0
    assert not any(alive(int((tmp_path / name).read_text())) for name in ("sleeper", "spinner"))


def test_end_ends_everything_at_once(tmp_path: Path) -> None:
    tree = Tree(escaping(tmp_path))
    pids = escaped(tmp_path)
    began = time.monotonic()
    tree.end()
    assert not any(map(alive, pids))
    assert time.monotonic() - began < SOON_S


def test_a_fork_bomb_is_outrun(tmp_path: Path) -> None:
    bomb = f"""
import os, time
most = len(os.listdir("/proc")) + 100
ends = time.monotonic() + 20
open({str(tmp_path / "on")!r}, "w").close()
while time.monotonic() < ends:
    if len(os.listdir("/proc")) < most:
        os.fork()
"""
    tree = Tree([sys.executable, "-c", bomb])
    assert until((tmp_path / "on").exists, 10)
    tree.end()
    assert not warden.descendants([tree.pid])


def test_grace_lets_a_command_say_goodbye(tmp_path: Path) -> None:
    tree = Tree(["sh", "-c", f"trap 'echo bye > {tmp_path}/bye; exit 0' TERM; touch {tmp_path}/on; while :; do sleep 0.05; done"])
    assert until((tmp_path / "on").exists, 10)
    tree.end(grace_s=10)
    assert (tmp_path / "bye").read_text() == "bye\n"


def test_a_killed_warden_leaves_nothing(tmp_path: Path) -> None:
    other = Tree(["sleep", "600"])
    bystander = subprocess.Popen(["sleep", "600"])
    tree = Tree(escaping(tmp_path))
    pids = escaped(tmp_path)
    os.kill(tree.pid, signal.SIGKILL)
    began = time.monotonic()
    assert tree.wait(10).ended == "killed"
    assert not any(map(alive, pids))
    assert time.monotonic() - began < SOON_S
    tree.end()
    assert other.wait(0.1).ended == "wall" and bystander.poll() is None, "another tree and our own child are not touched"
    other.end()
    bystander.kill()
    bystander.wait()


def test_kill_9_of_the_orchestrator_leaves_nothing(tmp_path: Path) -> None:
    script = f"""
        from playproof.proctree import Tree
        tree = Tree({escaping(tmp_path)!r})
        tree.wait()
    """
    orchestrator = subprocess.Popen([sys.executable, "-c", textwrap.dedent(script)])
    pids = escaped(tmp_path)
    held = [*pids, *warden.descendants([orchestrator.pid])]
    orchestrator.kill()
    orchestrator.wait()
    assert until(lambda: not any(map(alive, held)), SOON_S)


def test_a_tree_in_a_tree_ends_with_the_outer_one(tmp_path: Path) -> None:
    inner = f"from playproof.proctree import Tree\nTree({escaping(tmp_path)!r}).wait()"
    outer = Tree([sys.executable, "-c", inner])
    pids = escaped(tmp_path)
    outer.end()
    assert not any(map(alive, pids))


def test_descriptors_are_passed_and_close_with_the_command() -> None:
    reading, writing = os.pipe()
    with Tree(["sh", "-c", f"echo through > /proc/self/fd/{writing}; exec sleep 600"], fds=[writing]) as tree:
        os.close(writing)
        assert os.read(reading, 100) == b"through\n"
        tree.end()
        assert os.read(reading, 100) == b""
    os.close(reading)


def test_nothing_of_ours_leaks_into_the_command() -> None:
    heard = bytearray()
    with Tree(["ls", "/proc/self/fd"], output=lambda _, chunk: heard.extend(chunk)) as tree:
        tree.wait(10)
    assert heard.split() == [b"0", b"1", b"2", b"3"], "the standard three, and the folder that ls reads"


def test_no_descriptor_or_process_is_left_here() -> None:
    before, others = sorted(Path("/proc/self/fd").iterdir()), warden.descendants([os.getpid()])
    for _ in range(3):
        with Tree(["true"], output=lambda *_: None) as tree:
            tree.wait(10)
    assert sorted(Path("/proc/self/fd").iterdir()) == before
    assert not warden.descendants([os.getpid()]) - others
