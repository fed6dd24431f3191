"""The games' certificates stand, and one game of the domain is certified again from the start."""

from pathlib import Path

import pytest

from playproof.author.certificate import read_certificate, standing
from playproof.cli import cli
from playproof.model import Task
from playproof.taskfile import find_tasks

ROOT = Path(__file__).parents[1]
GAMES = find_tasks([ROOT / "tasks" / "webgame"])
AGAIN = "comet-courier"
"""The cheapest of the games to play."""


@pytest.mark.parametrize("task", GAMES, ids=lambda task: task.id)
def test_every_game_is_certified_as_it_stands(task: Task) -> None:
    assert standing(task) == "certified"
    certificate = read_certificate(task)
    assert certificate is not None and not certificate.unkilled and not certificate.surprises


@pytest.mark.heavy
def test_one_game_is_certified_again(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ["certify", str(ROOT / "tasks" / "webgame" / AGAIN), "--quick", "-q", "--out", str(tmp_path / "out")]
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    said = capfd.readouterr().out
    assert ended.value.code == 0, said
    assert f"{AGAIN}: certified" in said
