"""The toy domain for core's own tests: see tests/toy. `toy` itself, the installed plugin, is a fixture of the root conftest."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import structlog

from playproof.cli import _guarded

MakeTask = Callable[..., Path]


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def lamp(toy: Path, tmp_path: Path) -> Path:
    """A copy of the night-lamp task that a test may spoil."""
    return Path(shutil.copytree(toy / "night-lamp", tmp_path / "night-lamp"))


class Said:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


Run = Callable[..., Said]


@pytest.fixture
def playproof(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """`playproof("run", ...)` in this process, in a folder of the test's own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PLAYPROOF_CACHE", str(cache))
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: str | Path) -> Said:
        monkeypatch.setattr(sys, "argv", ["playproof", *map(str, arguments)])
        try:
            code = int(_guarded())
        finally:
            structlog.reset_defaults()
        return Said(code, *capfd.readouterr())

    return run


TASK = """
schema = 1
id = "{id}"
version = "1"
domain = "toy"
kind = "generation"
title = "A small task"
deliver = ["machine.json"]
[runtime]
driver = "toy.lamp"
[[examiners]]
driver = "python"
files = ["*.py"]
[scoring]
rules = [{{ rule = "pass_at_k" }}]
"""

HEAD = "from playproof.checks import check, seconds\n"

LAMP: Mapping[str, Any] = {"start": "dark", "states": {
    "dark": {"shows": {"light": False, "level": 0}, "on": {"switch": "lit"}},
    "lit": {"shows": {"light": True, "level": 80}, "on": {"switch": "dark"}},
}}
"""A machine that does what small tasks ask for."""


@pytest.fixture
def small(toy: Path, tmp_path: Path) -> MakeTask:
    """`small(checks, id=..., reference=..., task=..., broken={name: machine})`: a task in the toy domain made of check scripts."""

    def make(checks: str, *, id: str = "small", reference: Mapping[str, Any] = LAMP, task: str = TASK,
             broken: Mapping[str, Mapping[str, Any]] | None = None) -> Path:
        root = tmp_path / id
        for name in ("brief", "checks", "reference"):
            (root / name).mkdir(parents=True)
        (root / "task.toml").write_text(task.format(id=id))
        (root / "brief" / "instruction.md").write_text("# A small task\n\nDeliver machine.json.\n")
        (root / "checks" / "checks.py").write_text(HEAD + checks)
        (root / "reference" / "machine.json").write_text(json.dumps(reference))
        for name, machine in (broken or {}).items():
            (root / "broken" / name).mkdir(parents=True)
            (root / "broken" / name / "machine.json").write_text(json.dumps(machine))
        return root

    return make


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 8 MiB."""
    place = tmp_path / "tiny"
    place.mkdir()
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(place)], check=False).returncode != 0:
        pytest.skip("mounting a small tmpfs needs root")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)
