"""Every task's certificate stands, and one task of each kind is certified again from the start."""

from pathlib import Path

import pytest

from playproof.author.certificate import read_certificate, standing
from playproof.cli import cli
from playproof.model import Task
from playproof.taskfile import find_tasks

ROOT = Path(__file__).parents[1]
TASKS = find_tasks([ROOT / "tasks"])
AGAIN = ("webgame/comet-courier", "xr/hand-therapist", "blender/joiners-bench")
"""The cheapest of each kind to play: a game, an XR application; and a Blender project."""
SDK, CHEAT = "xr/sdk-turned-groups", "broken:all-green"
"""Work on an SDK, whose tests take a minute for each variant; and one that tells the runner that all is well."""


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_every_task_is_certified_as_it_stands(task: Task) -> None:
    assert standing(task) == "certified"
    certificate = read_certificate(task)
    assert certificate is not None and not certificate.unkilled and not certificate.surprises


@pytest.mark.heavy
@pytest.mark.parametrize("name", AGAIN)
def test_one_of_each_kind_is_certified_again(name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ["certify", str(ROOT / "tasks" / name), "--quick", "-q", "--out", str(tmp_path / "out")]
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    said = capfd.readouterr().out
    assert ended.value.code == 0, said
    assert f"{Path(name).name}: certified" in said


@pytest.mark.heavy
def test_work_on_an_sdk_is_graded_and_a_cheat_is_caught(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ["check", str(ROOT / "tasks" / SDK), "--variant", "reference", "--variant", CHEAT, "-q"]
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    said = capfd.readouterr().out
    assert ended.value.code == 0, said
    assert "reference: 9 of 9 checks hold" in said and f"{CHEAT}: " in said
