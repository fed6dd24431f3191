"""`check_task`: what is wrong with a task, all at once, and the text that its checks share with its brief."""

import shutil
from pathlib import Path

import pytest

from playproof.testing import ContractBroken, check_task, fake_task, shared_text


@pytest.mark.parametrize("name", ["night-lamp", "blinker"])
def test_the_toy_tasks(toy: Path, name: str, tmp_path: Path) -> None:
    assert check_task(toy / name, tmp_path) == []


def test_what_a_task_does_wrong_is_told_at_once(toy: Path, tmp_path: Path) -> None:
    root = Path(shutil.copytree(toy / "blinker", tmp_path / "blinker"))
    shutil.rmtree(root / "reference")
    shutil.rmtree(root / "accepted")
    (root / "broken" / "never" / "expected.toml").unlink()
    with pytest.raises(ContractBroken) as fault:
        check_task(root, tmp_path)
    told = str(fault.value)
    assert [line.split(": ")[0] for line in told.splitlines()] == [
        str(root / "reference"), str(root / "accepted"), str(root / "broken" / "never" / "expected.toml")]
    (root / "task.toml").write_text("schema = 1\n")
    with pytest.raises(ContractBroken, match=r"task\.toml: missing key"):
        check_task(root, tmp_path)


def test_text_that_checks_and_brief_share(tmp_path: Path) -> None:
    task = fake_task(tmp_path)
    (task.root / "brief" / "spec.md").write_text(
        "When the timer ends, the lamp goes out at once and stays dark until somebody presses the switch again.\n"
        "Its `shows.light` and next_state_name are given in machine.json as isLit says, and so on and so forth, you see.\n")
    checks = task.root / "checks"
    (checks / "own.py").write_text('lamp.expect(lamp.state()["light"], "the lamp goes out")  # words of its own\nvalue = shows_light\n')
    (checks / "near.py").write_text('title = "the lamp goes out at once and stays on"\n')
    assert shared_text(checks, task.root / "brief") == [
        f'{checks / "near.py"} shares with {task.root / "brief" / "spec.md"}: "the lamp goes out at once and stays"']
    (checks / "near.py").write_text('title = "the lamp goes out at once and then stays"\n')
    assert shared_text(checks, task.root / "brief") == []
    (checks / "copy.toml").write_text('title = "The lamp goes out at once, and stays dark until somebody presses the switch again."\n')
    (checks / "comment.py").write_text("# until somebody presses\n# the switch again. Its shows.light and next_state_name are given in\n")
    told = shared_text(checks, task.root / "brief")
    assert len(told) == 2 and told[0].endswith('"until somebody presses the switch again its and are given in"')
    assert "the lamp goes out at once and stays dark until somebody presses the switch again" in told[1]
