"""What a sandbox promises is tried from inside, as a hostile command would."""

import os
import pwd
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog.testing

from playproof import warden
from playproof.errors import InfrastructureError, TaskError, UsageError
from playproof.interfaces import Box, Exit, Limits, Services
from playproof.sandboxes import PATH, cgroup
from playproof.sandboxes.bubblewrap import Bubblewrap
from playproof.sandboxes.process import Process


def needs_bubblewrap(test: Callable[..., None]) -> Any:
    absent = shutil.which("bwrap") is None and os.geteuid() != 0 and not os.environ.get("CI")
    return pytest.mark.heavy(pytest.mark.skipif(absent, reason="bubblewrap is not installed: apt-get install bubblewrap")(test))


def services(folder: Path) -> Services:
    return Services(cache=folder / "cache")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    made = tmp_path / "workspace"
    made.mkdir()
    (made / "there.txt").write_text("from outside")
    return made


class Heard:
    def __init__(self) -> None:
        self.out, self.err = bytearray(), bytearray()

    def __call__(self, name: str, chunk: bytes) -> None:
        (self.out if name == "stdout" else self.err).extend(chunk)


def tried(box: Box, script: str, **more: object) -> tuple[Exit, Heard]:
    heard = Heard()
    with Bubblewrap({}, services(box.workspace)).open(box) as shell:
        end = shell.run(["bash", "-c", script], output=heard, wall_s=30, **more)  # type: ignore[arg-type]
    return end, heard


@needs_bubblewrap
def test_a_command_works_in_its_workspace(workspace: Path) -> None:
    end, heard = tried(Box(workspace), "pwd; cat there.txt; cat; echo $WORD; echo made > made.txt; echo no >&2; exit 5",
                       stdin=b"+stdin+", env={"WORD": "given"})
    assert (end.ended, end.code) == ("exited", 5), heard.err
    assert heard.out == b"/workspace\nfrom outside+stdin+given\n" and heard.err == b"no\n"
    assert (workspace / "made.txt").read_text() == "made\n"


@needs_bubblewrap
def test_what_programs_need_to_start_can_be_read(workspace: Path) -> None:
    """Programs read their settings in /etc; node does not start without its own."""
    end, heard = tried(Box(workspace), "grep -c ^root: /etc/passwd")
    assert (end.code, heard.out) == (0, b"1\n"), heard.err


@needs_bubblewrap
def test_the_disk_is_not_there(workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("held out")
    _, heard = tried(Box(workspace), f"cat {tmp_path}/secret; ls {tmp_path.parent} /root /home /tmp; cat /etc/shadow; ls -A $HOME")
    assert b"held out" not in heard.out and b"root:" not in heard.out
    assert heard.err.count(b"No such file") >= 3
    before = Path("/etc/passwd").read_bytes()
    _, heard = tried(Box(workspace), "touch /usr/x; echo > /etc/passwd; touch /tmp/fine $HOME/fine && echo private")
    assert heard.out == b"private\n" and Path("/etc/passwd").read_bytes() == before
    assert not Path("/usr/x").exists() and not Path("/tmp/fine").exists()


@needs_bubblewrap
def test_mounts_are_read_only_and_outputs_are_not(workspace: Path, tmp_path: Path) -> None:
    checks, reports = tmp_path / "checks", tmp_path / "reports"
    checks.mkdir()
    reports.mkdir()
    (checks / "one").write_text("a check")
    checks.chmod(0o777)
    (checks / "one").chmod(0o666)
    box = Box(workspace, mounts={"/held/checks": checks, "/workspace/checks": checks}, outputs={"/reports": reports})
    _, heard = tried(box, "cat /held/checks/one; echo > /held/checks/one; rm -f checks/one; touch checks/two; echo said > /reports/report")
    assert heard.out == b"a check" and heard.err.count(b"Read-only file system") == 3
    assert [one.name for one in checks.iterdir()] == ["one"]
    assert (reports / "report").read_text() == "said\n"


@needs_bubblewrap
def test_other_processes_are_not_there(workspace: Path) -> None:
    _, heard = tried(Box(workspace), f"kill -9 {os.getpid()} {os.getppid()}; ls /proc | grep -cE '^[0-9]+$'")
    assert b"No such process" in heard.err or b"not permitted" in heard.err
    assert int(heard.out) <= 6


@needs_bubblewrap
def test_there_is_no_network_unless_it_is_asked_for(workspace: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        calls: list[object] = []
        threading.Thread(target=lambda: calls.append(server.accept()), daemon=True).start()
        reach = f"exec 3<>/dev/tcp/127.0.0.1/{server.getsockname()[1]} && echo reached"
        assert b"reached" not in tried(Box(workspace), reach)[1].out and not calls
        assert b"reached" in tried(Box(workspace, network=True), reach)[1].out


@needs_bubblewrap
def test_there_are_no_rights_to_gain(workspace: Path) -> None:
    gain = "(su root -c id || unshare -m id || mount -t tmpfs none /tmp) && echo gained"
    _, heard = tried(Box(workspace), f"grep -E '^(Cap|NoNewPrivs)' /proc/self/status; {gain}")
    lines = heard.out.decode().split("\n")
    assert all(line.endswith("0000000000000000") for line in lines if line.startswith("Cap")) and "NoNewPrivs:\t1" in lines
    assert "gained" not in lines


@needs_bubblewrap
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can change its user id: run the tests as root")
def test_root_becomes_somebody_whom_nobody_is(workspace: Path) -> None:
    workspace.parent.chmod(0o700)  # where only root can go
    workspace.chmod(0o700)
    ours = workspace.parent / "ours"
    ours.touch()
    (workspace / "theirs").symlink_to(ours)
    _, heard = tried(Box(workspace), "id -u; id -G; touch mine")
    uid = int(heard.out.split()[0])
    assert heard.out.split() == [str(uid).encode()] * 2 and (workspace / "mine").stat().st_uid == uid
    assert uid not in {entry.pw_uid for entry in pwd.getpwall()}
    assert ours.stat().st_uid == 0, "links are not followed when the workspace is handed over"


@needs_bubblewrap
def test_limits_hold(workspace: Path) -> None:
    limits = Limits(memory=256 << 20, processes=40, file_size=1 << 20)
    _, heard = tried(Box(workspace, limits=limits), "head -c 2000000 /dev/zero > big; stat -c %s big")
    assert heard.out == b"1048576\n"
    end, heard = tried(Box(workspace, limits=limits), "python3 -c 'print(len(bytearray(400 << 20)))'")
    assert end.code != 0 and not heard.out
    fork = "python3 -c 'import os, time\nfor n in range(100):\n  if not os.fork(): time.sleep(9)'"
    _, heard = tried(Box(workspace, limits=limits), fork)
    assert b"Resource temporarily unavailable" in heard.err


@needs_bubblewrap
@pytest.mark.skipif("memory" not in cgroup.places(), reason="no control group can be made here: needs root")
def test_memory_is_bounded_for_all_together_and_the_group_goes(workspace: Path) -> None:
    share = "python3 -c 'import time; x = bytearray(60 << 20); time.sleep(1.5); print(1)' & "
    _, heard = tried(Box(workspace, limits=Limits(memory=128 << 20)), share * 4 + "wait")
    assert heard.out.count(b"1") < 4
    assert not [left for place in cgroup.places().values() for left in place.glob(f"playproof-{os.getpid()}-*")]


@needs_bubblewrap
def test_clocks_end_the_whole_tree(workspace: Path) -> None:
    before = warden.descendants([os.getpid()])
    with Bubblewrap({}, services(workspace)).open(Box(workspace, limits=Limits(wall_s=0.5))) as shell:
        began = time.monotonic()
        assert shell.run(["bash", "-c", "(setsid sleep 600 &); while :; do :; done"]).ended == "wall"
        assert time.monotonic() - began < 2.5
        assert warden.descendants([os.getpid()]) == before
        assert shell.run(["sleep", "600"], wall_s=20, idle_s=0.3).ended == "idle"
        assert shell.run(["bash", "-c", "setsid sleep 600 & exit 0"], wall_s=20).code == 0
    assert warden.descendants([os.getpid()]) == before


@needs_bubblewrap
def test_a_missing_program_is_the_commands_fault(workspace: Path) -> None:
    heard = Heard()
    with Bubblewrap({}, services(workspace)).open(Box(workspace)) as shell:
        assert shell.run(["nonesuch"], output=heard).code == 127
    assert b"nonesuch" in heard.err


@needs_bubblewrap
def test_a_sandbox_that_cannot_start_is_nobodys_fault_and_cannot_be_feigned(workspace: Path) -> None:
    heard = Heard()
    box = Box(workspace, mounts={"/proc/sys/nowhere": workspace})
    with Bubblewrap({}, services(workspace)).open(box) as shell, pytest.raises(InfrastructureError, match="did not start: bwrap: "):
        shell.run(["true"], output=heard)
    feign = "echo 'bwrap: Creating new namespace failed' >&2; for f in $(seq 3 99); do echo '{}' >&$f; done 2>/dev/null; exit 1"
    end, _ = tried(Box(workspace), feign)
    assert (end.ended, end.code) == ("exited", 1)
    with pytest.raises(InfrastructureError, match="does not exist"), Bubblewrap({}, services(workspace)).open(Box(workspace / "gone")):
        pass


@pytest.fixture
def bare(workspace: Path) -> Iterator[Process]:
    yield Process({}, services(workspace))


def test_process_says_what_it_does_not_protect(bare: Process, workspace: Path) -> None:
    with structlog.testing.capture_logs() as lines, bare.open(Box(workspace)) as shell:
        heard = Heard()
        end = shell.run(["sh", "-c", "cat there.txt; pwd; echo $HOME; exit 4"], output=heard, env={"PATH": PATH})
    assert end.code == 4 and heard.out.decode().startswith(f"from outside{workspace}\n")
    assert not Path(heard.out.decode().split()[-1]).exists(), "its HOME is private and goes with the box"
    assert not any(bare.promises.values())
    assert [line["log_level"] for line in lines] == ["warning"] and "your network" in lines[0]["unprotected"]


def test_process_ends_the_tree_and_keeps_its_limits(bare: Process, workspace: Path) -> None:
    before = warden.descendants([os.getpid()])
    with bare.open(Box(workspace, limits=Limits(file_size=1000))) as shell:
        assert shell.run(["sh", "-c", "(setsid sleep 600 &); while :; do :; done"], wall_s=0.4).ended == "wall"
        assert warden.descendants([os.getpid()]) == before
        shell.run(["sh", "-c", "head -c 2000 /dev/zero > big"])
    assert (workspace / "big").stat().st_size == 1000


def test_process_refuses_what_it_cannot_show(bare: Process, workspace: Path) -> None:
    with pytest.raises(UsageError, match="use `bubblewrap`"), bare.open(Box(workspace, mounts={"/checks": workspace})):
        pass


def test_unknown_options_are_refused(workspace: Path) -> None:
    for driver in (Bubblewrap, Process):
        with pytest.raises(TaskError, match="unknown key 'jail'"):
            driver({"jail": 1}, services(workspace))
