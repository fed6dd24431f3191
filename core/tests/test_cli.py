"""The command line: exit codes, Ctrl-C, and nothing of a submission's text reaches the terminal raw."""

import errno
import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from playproof import warden
from playproof.cli import COMMANDS

PLAYPROOF = [sys.executable, "-c", "from playproof.cli import main; main()"]


Run = Callable[..., Any]


CHECKS = """
@check("lights", priority="P0", title="lights")
def lights(lamp):
    lamp.press("switch")
    lamp.expect(lamp.state()["light"], "light").is_true()

@check("dark", priority="P1", title="dark at first")
def dark(lamp):
    lamp.expect(lamp.state()["light"], "light").is_false()
"""
BROKEN = {"start": "dark", "states": {"dark": {"shows": {"light": False}}}}


def test_0_when_done_whatever_was_scored(small: Callable[..., Path], playproof: Run, tmp_path: Path) -> None:
    root = small(CHECKS, broken={"dead": BROKEN})
    said = playproof("run", root, "--harness", "reference", "--harness", "broken", "--harness", "nothing", "-o", "out", "--junit", "j.xml")
    assert said.code == 0
    assert re.search(r"small +reference .*pass +2/2", said.out) and re.search(r"small +broken:dead .*fail +1/2", said.out)
    assert "lights: light is false, wanted true" in said.out and "kept in out" in said.out
    assert (tmp_path / "out" / "report.html").is_file() and (tmp_path / "j.xml").read_text().startswith("<?xml")
    again = playproof("run", root, "--harness", "reference", "--harness", "broken", "--harness", "nothing", "-o", "out", "--json")
    assert again.code == 0 and json.loads(again.out) and again.err.count("already done") == 3


def test_what_is_stored_can_be_looked_at_again(small: Callable[..., Path], playproof: Run, tmp_path: Path) -> None:
    root = small(CHECKS, broken={"dead": BROKEN})
    playproof("run", root, "--harness", "broken:dead", "-o", "out", "-q", "--no-html", "--no-table")
    shown = playproof("show", "out", "dead", "lights", "--blobs", "blobs")
    assert shown.code == 0 and "light is false, wanted true" in shown.out and "toy.history/1 at 0 ticks, seen from outside" in shown.out
    assert json.loads(playproof("show", "out", "small", "--json").out)["trial"] == "small/broken:dead/0"
    assert playproof("show", "out", "other").code == 2 and playproof("show", "out", "dead", "lost").code == 2
    assert "pass@1" in playproof("score", "out").out and json.loads(playproof("score", "out", "--json").out)
    assert playproof("report", "out", "--format", "junit").code == 0 and (tmp_path / "out" / "junit.xml").is_file()
    assert playproof("score", tmp_path).code == 2


def test_1_when_a_required_check_fails(small: Callable[..., Path], playproof: Run, tmp_path: Path) -> None:
    root = small(CHECKS)
    (tmp_path / "machine.json").write_text(json.dumps(BROKEN))
    assert playproof("evaluate", root, root / "reference", "-q").code == 0
    said = playproof("evaluate", root, tmp_path / "machine.json", "-q")
    assert said.code == 1, said.err
    assert playproof("check", root, "-q").code == 0
    failing = playproof("check", root, "-q", "--submission", tmp_path / "machine.json")
    assert failing.code == 1 and "lights" in failing.out and "1 of 2 checks hold" in failing.out
    assert playproof("check", root, "-q", "--submission", tmp_path / "machine.json", "--only", "dark").code == 0


def test_2_for_usage_task_and_configuration(small: Callable[..., Path], playproof: Run, tmp_path: Path) -> None:
    root = small(CHECKS)
    for arguments, message in (
        (["run", root], "Missing option '--harness'"), (["run", root, "--harness", "reference", "--colour"], "No such option"),
        (["jump"], "No such command"), (["run", tmp_path / "nowhere", "--harness", "reference"], "there is no such file or folder"),
        (["run", root, "--harness", "gpt"], "no harness named 'gpt'; installed: "),
        (["run", root, "--harness", "command:true", "--sandbox", "bubble"], "no sandbox named 'bubble'; installed: "),
        (["run", root, "--harness", "command:'open", "-o", "x"], "No closing quotation"),
        (["run", root, "--harness", "reference", "-j", "0"], "-j"),
        (["run", root, "--harness", "command:true", "--set", "x"], "wanted KEY=JSON"),
        (["evaluate", root, tmp_path / "nothing"], "does not exist"), (["check", root, "--only", "lost"], "no check named 'lost'"),
    ):
        said = playproof(*arguments)
        assert said.code == 2 and message in said.err, arguments
        assert "Traceback" not in said.err
    (root / "task.toml").write_text((root / "task.toml").read_text() + "colour = 1\n")
    said = playproof("run", root, "--harness", "reference")
    assert said.code == 2 and f"{root}/task.toml: " in said.err and "colour" in said.err
    assert not (tmp_path / "runs").exists()


def test_3_when_coverage_is_too_low(small: Callable[..., Path], playproof: Run) -> None:
    root = small(CHECKS + '\n@check("mine", title="x")\ndef mine(lamp):\n    1 / 0\n')
    said = playproof("run", root, "--harness", "reference", "-o", "out")
    assert said.code == 3 and "void" in said.out and "coverage 0.0 %" in said.out, said.err
    assert playproof("run", root, "--harness", "reference", "-o", "out", "--min-coverage", "0").code == 0
    assert playproof("evaluate", root, root / "reference", "-q").code == 3


def test_70_for_what_is_ours(playproof: Run, small: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = small(CHECKS)
    (tmp_path / "file").write_text("in the way")
    said = playproof("run", root, "--harness", "reference", "-o", tmp_path / "file" / "out")
    assert said.code == 70 and said.err.startswith("playproof: cannot write ") and "Traceback" not in said.err

    def broken(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("playproof.cli.run.plan", broken)
    said = playproof("run", root, "--harness", "reference")
    assert said.code == 70 and "Traceback" in said.err and "a bug" in said.err


def interrupted(root: Path, out: Path, cache: Path, marker: Path, sig: int) -> tuple[int, str]:
    script = f"import os, time; open({str(marker)!r}, 'w').write(str(os.getpid())); time.sleep(300)"
    command = [*PLAYPROOF, "run", str(root), "--harness", "command", "--sandbox", "process", "--set",
               f"argv={json.dumps([sys.executable, '-c', script])}", "-o", str(out), "--cache", str(cache)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as running:
        end = time.monotonic() + 60
        while not (marker.exists() and marker.read_text()):
            assert running.poll() is None and time.monotonic() < end, running.communicate()
            time.sleep(0.02)
        running.send_signal(sig)
        _, err = running.communicate(timeout=60)
        return running.returncode, err


@pytest.mark.parametrize("sig", [signal.SIGINT, signal.SIGTERM])
def test_130_on_interruption_with_every_child_gone(small: Callable[..., Path], cache: Path, tmp_path: Path, sig: int) -> None:
    code, err = interrupted(small(CHECKS), tmp_path / "out", cache, tmp_path / "agent", sig)
    assert code == 130, err
    assert "the same command goes on from there" in err and "Traceback" not in err
    assert warden.parents().get(int((tmp_path / "agent").read_text()), (0, 0, "Z"))[2] == "Z"


# --- foreign text ---

ESCAPES = "\x1b]0;pwned\x07\x1b[31m[bold red]markup[/bold red]\r\u2028\u202e<script>alert(1)</script>\ud800\x9b31m"


MORE = """
@check("names", title="names")
def names(lamp):
    lamp.press("switch")
    lamp.expect(list(lamp.state().keys()), "names").contains("light")

@check("says", title="says")
def says(lamp):
    if str(lamp.state()["light"]) != "False":
        raise RuntimeError(str(lamp.state()["light"]))
"""


def hostile(small: Callable[..., Path]) -> Path:
    """A task with a broken variant whose every text is an attack."""
    machine = {"start": "dark", "states": {"dark": {"shows": {"light": ESCAPES}, "on": {"switch": "lit"}}, "lit": {"shows": {ESCAPES: 1}}}}
    root = small(CHECKS.replace('"dark at first"', repr("title " + ESCAPES[:40])), broken={"bad": machine})
    with (root / "checks" / "checks.py").open("a") as script:
        script.write(MORE)
    return root


def clean(text: str) -> bool:
    return not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u202e]", text.replace("\r\n", "\n"))


def test_foreign_text_is_never_raw(small: Callable[..., Path], playproof: Run, tmp_path: Path) -> None:
    root = hostile(small)
    said = playproof("run", root, "--harness", "broken:bad", "-o", "out", "-v", "--junit", "j.xml")
    assert said.code == 0 and clean(said.out) and clean(said.err), (said.out, said.err)
    assert "[bold red]markup[/bold red]" in said.err and said.err.count("fail") >= 4
    for arguments in (["show", "out", "bad"], ["show", "out", "bad", "dark"], ["score", "out"], ["report", "out", "--format", "table"],
                      ["check", root, "--variant", "nothing", "-q"]):
        shown = playproof(*arguments)
        assert clean(shown.out) and clean(shown.err), arguments
    assert "[bold red]markup" in playproof("show", "out", "bad", "dark").out
    page = (tmp_path / "out" / "report.html").read_text()
    assert "<script" not in page and "&lt;script&gt;alert(1)" in page and clean(page)
    assert clean((tmp_path / "j.xml").read_text())
    assert json.loads(playproof("report", "out", "--format", "json").out) and json.loads(playproof("show", "out", "bad", "--json").out)


def test_foreign_text_is_never_raw_on_a_terminal(small: Callable[..., Path], cache: Path, tmp_path: Path) -> None:
    """On a terminal rich draws with escapes of its own; those of a submission are not among them."""
    root = hostile(small)
    main, side = pty.openpty()
    seen = bytearray()

    def read() -> None:
        while True:
            try:
                seen.extend(os.read(main, 4096))
            except OSError:
                return

    reader = threading.Thread(target=read)
    reader.start()
    command = [*PLAYPROOF, "run", str(root), "--harness", "broken:bad", "-o", str(tmp_path / "out"), "-v",
               "--cache", str(cache)]
    env = {**os.environ, "TERM": "xterm"}
    code = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=side, stderr=side, check=False, env=env).returncode
    os.close(side)
    reader.join(30)
    os.close(main)
    assert code == 0, seen
    assert b"[bold red]markup[/bold red]" in seen and b"\x1b]" not in seen and b"\x07" not in seen
    assert not any(raw.encode() in seen for raw in ("\u2028", "\u202e", "\x9b")) and b"\x1b[31m[bold" not in seen


# --- what is here ---


def test_help_names_every_command(playproof: Run) -> None:
    said = playproof("--help")
    assert said.code == 0 and all(re.search(rf"^  {name} ", said.out, re.MULTILINE) for name in COMMANDS)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_explains_itself(playproof: Run, name: str) -> None:
    said = playproof(name, "--help")
    assert said.code == 0 and f"playproof {name}" in said.out


def test_tasks_and_plugins(lamp: Path, playproof: Run) -> None:
    said = playproof("tasks", lamp, "--json")
    assert [(row["id"], row["certificate"]) for row in json.loads(said.out)] == [("night-lamp", "none")]
    assert "A night lamp with a switch and a timer" in playproof("tasks", lamp).out
    rows = {(row["interface"], row["name"]): row for row in json.loads(playproof("plugins", "--json").out)}
    assert rows["runtime", "toy.lamp"]["state"] == "ok" and rows["runtime", "toy.lamp"]["distribution"] == "playproof-toy"
    assert all(row["state"] == "ok" for (_, name), row in rows.items() if row["distribution"] in ("playproof-core", "playproof-toy"))
    assert "toy.presser" in playproof("plugins").out


def test_doctor_names_lack_and_remedy(playproof: Run) -> None:
    said = playproof("doctor", "--json")
    assert said.code in (0, 1)
    found = json.loads(said.out)
    assert "core" in found and said.code == int(any(found.values()))
    assert all(set(lack) >= {"what", "why", "remedy"} for lacks in found.values() for lack in lacks)


def test_a_folder_that_cannot_be_written_is_told_in_one_line(small: Callable[..., Path], playproof: Run, tmp_path: Path,
                                                             monkeypatch: pytest.MonkeyPatch) -> None:
    playproof("run", small(CHECKS), "--harness", "reference", "-o", "out", "--json")

    def refuse(*_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system", "out/report.html")

    monkeypatch.setattr("playproof.cli.look.write_html", refuse)
    said = playproof("report", "out")
    assert said.code == 2 and "cannot write out/report.html: Read-only file system" in said.err and "Traceback" not in said.err


def test_a_misspelled_source_names_the_sources(small: Callable[..., Path], playproof: Run) -> None:
    said = playproof("run", small(CHECKS), "--harness", "referenc", "-o", "out")
    assert said.code == 2 and "no harness named 'referenc'" in said.err
    assert "sources of submissions: reference, accepted, broken" in said.err
