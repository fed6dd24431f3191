"""Every task that we ship is one that `check_task` finds nothing wrong with."""

import os
from pathlib import Path

import pytest

from playproof.cli.options import default_cache
from playproof.testing import check_task
from playproof_blender.backend import NAMED_BY, find

TASKS = sorted(place.parent for place in (Path(__file__).parents[1] / "tasks").rglob("task.toml"))
SAME_WORDS = 3
"""So many passages may stand in the brief and in a check's title alike: a rule has few names. More is a check that was copied."""


@pytest.fixture
def users_blender(monkeypatch: pytest.MonkeyPatch) -> None:
    """A task is looked at with a cache of its own, and Blender is in the user's."""
    monkeypatch.setenv(NAMED_BY, str(find(default_cache(), os.environ).program))


@pytest.mark.heavy
@pytest.mark.usefixtures("users_blender")
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_a_task_is_whole(task: Path, tmp_path: Path) -> None:
    shared = check_task(task, tmp_path)
    assert len(shared) <= SAME_WORDS, "\n".join(shared)


def test_there_are_three_games() -> None:
    assert len([task for task in TASKS if task.parent.name == "webgame"]) >= 3
