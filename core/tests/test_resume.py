"""kill -9 at any moment, then the same command: what is finished is kept, nothing runs twice, and the result is the same."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from playproof.canonical import plain
from playproof.run import score, stored
from playproof.store import Store

PLAYPROOF = [sys.executable, "-c", "from playproof.cli import main; main()"]
SUBJECTS = ("reference", "accepted", "nothing", "broken:dead-switch", "broken:malformed", "broken:no-timer", "broken:truncated")


GONE_S = 15.0
"""That it is 2 s is a test of process trees; here other work of the machine must not decide."""


def start(task: Path, out: Path, cache: Path, jobs: int, mark: str) -> subprocess.Popen[bytes]:
    command = [*PLAYPROOF, "run", str(task), *(word for one in SUBJECTS for word in ("--harness", one)), "-n", "2", "-o", str(out),
               "--cache", str(cache), "-j", str(jobs), "-q", "--no-html", "--no-table", "--workers", "1"]
    return subprocess.Popen(command, env={**os.environ, "PLAYPROOF_TEST": mark})


def left(mark: str) -> list[tuple[int, bytes]]:
    """Processes of the run, whatever they call themselves."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            alive = (place / "stat").read_text().rpartition(") ")[2][0] != "Z"
            if alive and f"PLAYPROOF_TEST={mark}\0".encode() in (place / "environ").read_bytes():
                found.append((int(place.name), (place / "cmdline").read_bytes()))
        except OSError:
            continue
    return found


def gone(mark: str, within_s: float) -> bool:
    end = time.monotonic() + within_s
    while left(mark):
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def records(out: Path) -> dict[str, bytes]:
    return {str(place.relative_to(out)): place.read_bytes() for place in (out / "records").rglob("[!.]*.json")}


def tries(out: Path, record: str) -> int:
    return len(list((out / "tries" / Path(record).stem).glob("*.json")))


def result(out: Path) -> tuple[Any, Any]:
    """Everything that does not depend on how long things took."""
    done = stored(Store(out))
    verdicts = {one.trial.id: [{**row, "wall_ms": 0} for row in plain(one.verdicts)] for one in done}
    return verdicts, plain(score(done))


@pytest.mark.heavy
def test_a_run_that_is_killed_twenty_times_ends_as_an_undisturbed_one(lamp: Path, cache: Path, tmp_path: Path) -> None:
    calm, out, chance = tmp_path / "calm", tmp_path / "killed", random.Random(20)
    began = time.monotonic()
    assert start(lamp, calm, cache, 2, "calm").wait(600) == 0
    whole_s = time.monotonic() - began
    kept: dict[str, bytes] = {}
    spent: dict[str, int] = {}
    for number in range(20):
        running = start(lamp, out, cache, 1 + number % 3, f"kill-{number}")
        time.sleep(chance.uniform(0, whole_s / 4))
        running.send_signal(signal.SIGKILL)
        running.wait()
        assert gone(f"kill-{number}", GONE_S), f"left after kill {number}: {left(f'kill-{number}')}"
        now = records(out)
        assert {name: now.get(name) for name in kept} == kept, "a finished record is lost or changed"
        assert {name: tries(out, name) for name in kept} == spent, "a finished phase was run again"
        kept, spent = now, {name: tries(out, name) for name in now}
    assert start(lamp, out, cache, 4, "last").wait(600) == 0
    final = records(out)
    assert {name: final[name] for name in kept} == kept and {name: tries(out, name) for name in kept} == spent
    assert set(final) == set(records(calm))
    assert result(out) == result(calm)
    for record in records(out).values():
        assert (out / "bundles" / f"{json.loads(record)['bundle']}.zip").is_file()
    assert not list((out / "work").glob("*"))


def test_a_second_command_does_nothing_again(lamp: Path, cache: Path, tmp_path: Path) -> None:
    def run(jobs: int) -> None:
        command = [*PLAYPROOF, "run", str(lamp), "--harness", "reference", "--harness", "nothing", "-o", str(tmp_path / "out"),
                   "--cache", str(cache), "-j", str(jobs), "-q", "--no-html", "--no-table"]
        assert subprocess.run(command, check=False).returncode == 0

    run(1)
    before = {place: place.stat().st_mtime_ns for place in (tmp_path / "out").rglob("*") if place.suffix in (".json", ".zip")}
    run(3)
    after = {place: place.stat().st_mtime_ns for place in (tmp_path / "out").rglob("*") if place.suffix in (".json", ".zip")}
    changed = {place.name for place in after if before.get(place) != after[place]}
    assert changed <= {"run.json"}
