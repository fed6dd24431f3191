"""`playproof replay`: what was done to a submission, done again without the check, and held against the record."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from .conftest import LAMP

Run = Callable[..., Any]

CHECKS = """
@check("lights", priority="P0", title="lights")
def lights(lamp):
    lamp.press("switch")
    lamp.wait(seconds(2))
    lamp.expect(lamp.state()["light"], "light").is_true()

@check("dark", priority="P1", title="dark at first", start=["dark", "lit"])
def dark(lamp):
    lamp.wait(seconds(1))
    lamp.press("switch")
"""


@pytest.fixture
def ran(small: Callable[..., Path], playproof: Run) -> Callable[..., Path]:
    """A run of a machine whose lit state does something."""

    def made(does: str | None = None) -> Path:
        states: Mapping[str, Any] = {**LAMP["states"], "lit": {**LAMP["states"]["lit"], "does": does}}
        root = small(CHECKS, reference={**LAMP, "states": states})
        assert playproof("run", root, "--harness", "reference", "-o", "out", "-q", "--no-table").code == 0
        return root

    return made


def tell(cache: Path) -> None:
    cache.mkdir(exist_ok=True)
    (cache / "toy-told").touch()


def test_every_session_is_played_again(ran: Callable[..., Path], playproof: Run) -> None:
    ran()
    said = playproof("replay", "out", "small")
    assert said.code == 0, said.err
    assert said.out.splitlines()[0].startswith("  same        lights: 2.0 s, 2 compared, ") and "dark [start=lit]: 1.0 s" in said.out
    assert said.err == "small/reference/0: 3 recorded sessions\n"


def test_one_check_one_case_several_times(ran: Callable[..., Path], playproof: Run) -> None:
    ran()
    told = json.loads(playproof("replay", "out", "small", "dark", "--case", "start=lit", "--times", "3", "--json").out)
    assert [(one["checks"], one["case"], one["state"]) for one in told["sessions"]] == [(["dark"], "start=lit", "same")] * 3
    assert len({one["digest"] for one in told["sessions"]}) == 1
    for words in (("lost",), ("dark", "--case", "start=gone")):
        said = playproof("replay", "out", "small", *words)
        assert said.code == 2 and "has no recorded session in" in said.err and words[-1] in said.err


def test_a_difference_is_told_and_exits_with_1(ran: Callable[..., Path], playproof: Run, cache: Path) -> None:
    ran("drift")
    tell(cache)
    said = playproof("replay", "out", "small", "lights")
    assert said.code == 1
    assert "different   lights" in said.out and "at 0.00 s: was {'level': 80, 'light': True}, is otherwise" in said.out


def test_what_cannot_be_played_exits_with_3_and_stops_nothing_else(ran: Callable[..., Path], playproof: Run, cache: Path) -> None:
    ran("die_when_told")
    tell(cache)
    told = playproof("replay", "out", "small", "--json")
    assert told.code == 3
    rows = {(*one["checks"], one["case"]): one for one in json.loads(told.out)["sessions"]}
    assert rows["lights", "default"]["state"] == "not played" and rows["lights", "default"]["why"].startswith("lost: ")
    assert len(rows) == 3


def test_a_task_that_is_gone_is_told(ran: Callable[..., Path], playproof: Run) -> None:
    ran().rename("elsewhere")
    said = playproof("replay", "out", "small")
    assert said.code == 2 and "the task is not there any more" in said.err
