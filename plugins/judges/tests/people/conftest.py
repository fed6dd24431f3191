"""What tests of `rate` and `serve` share."""

import sys
from pathlib import Path

import pytest

from playproof.cli import _guarded

from .programs import Refused


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
