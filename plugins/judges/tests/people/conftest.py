"""What tests of `rate` and `serve` share."""

import os
import shutil
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from playproof.cli import _guarded

from .programs import Refused
from .runs import made_run


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_run(tmp_path_factory.mktemp("made"))


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    """Two stacks at one task of two requirements: a copy that a test may label."""
    return Path(shutil.copytree(made, tmp_path / "run"))


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Refused:
    """`refused("rate", ...)`: what a command says that must end with 2, in the test's folder."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> str:
        monkeypatch.setattr(sys, "argv", ["playproof", *map(str, arguments)])
        code, said = _guarded(), capfd.readouterr()
        assert (code, said.out) == (2, "")
        return said.err

    return run


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser as the browser plugin finds it; that plugin is there for the tests, and no part of this one."""
    found = import_module if os.environ.get("CI") else pytest.importorskip
    driver, finding = (found(f"playproof_browser.{name}") for name in ("driver", "finding"))
    program = next(filter(None, map(finding.program_of, finding.candidates(os.environ))))
    arguments = ["--no-sandbox", "--autoplay-policy=no-user-gesture-required"]
    opened = driver.playwright().chromium.launch(executable_path=program, args=arguments)
    yield opened
    opened.close()
