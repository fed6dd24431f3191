"""Every refusal of a task names the file and the place."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from playproof.errors import TaskError, UsageError
from playproof.taskfile import find_tasks, read_task

GOOD = """
schema = 1
id = "a-task"
version = "1.0"
domain = "toy"
kind = "generation"
title = "A task"
deliver = ["out/*.json"]
[budget]
wall_s = 60
[runtime]
driver = "toy.lamp"
[[examiners]]
driver = "python"
files = ["*.py"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "brief").mkdir()
    (tmp_path / "brief" / "instruction.md").write_text("# Make it\n")
    (tmp_path / "task.toml").write_text(GOOD)
    return tmp_path


def test_a_good_task_is_read(folder: Path) -> None:
    task = read_task(folder)
    assert (task.id, task.root, task.deliver, task.budget.wall_s, task.budget.idle_s) == ("a-task", folder, ("out/*.json",), 60.0, 600.0)
    assert task.runtime.driver == "toy.lamp" and task.examiners[0].files == ("*.py",) and task.cast == ()


def edit(old: str, new: str) -> Callable[[str], str]:
    def changed(text: str) -> str:
        assert old in text
        return text.replace(old, new)

    return changed


BAD: list[tuple[str, Callable[[str], str], str]] = [
    ("not TOML", edit("schema = 1", "schema = = 1"), "line 2"),
    ("no schema", edit("schema = 1\n", ""), "schema is None, this core reads 1"),
    ("another schema", edit("schema = 1", "schema = 2"), "schema is 2, this core reads 1"),
    ("an unknown key", edit('title = "A task"', 'title = "A task"\ncolour = 1'), "unknown key 'colour' @ $"),
    ("an unknown key in a table", edit("wall_s = 60", "wall_s = 60\nwal_s = 1"), "unknown key 'wal_s' @ $.budget"),
    ("an unknown key in a row", edit('files = ["*.py"]', 'file = "x"'), "unknown key 'file' @ $.examiners[0]"),
    ("a missing key", edit('domain = "toy"\n', ""), "missing key 'domain' @ $.domain"),
    ("a missing table", edit('[runtime]\ndriver = "toy.lamp"\n', ""), "missing key 'runtime' @ $.runtime"),
    ("a text for a number", edit("wall_s = 60", 'wall_s = "60"'), "expected float, not str @ $.budget.wall_s"),
    ("a negative budget", edit("wall_s = 60", "wall_s = -1"), "@ $.budget"),
    ("a number for a text", edit('version = "1.0"', "version = 1.0"), "expected str, not float @ $.version"),
    ("a text for a list", edit('deliver = ["out/*.json"]', 'deliver = "out"'), "expected a list, not str @ $.deliver"),
    ("a text for a table", edit("[runtime]", 'labels = "x"\n[runtime]'), "unknown key 'labels' @ $.budget"),
    ("a text for the labels", edit("schema = 1", 'schema = 1\nlabels = "x"'), "expected a table, not str @ $.labels"),
    ("a number for options", edit('driver = "toy.lamp"', 'driver = "toy.lamp"\noptions = 3'), "a table, not int @ $.runtime.options"),
    ("a text for a driver", edit('[runtime]\ndriver = "toy.lamp"', 'runtime = "toy.lamp"'), "@ $"),
    ("a number for a driver", edit('schema = 1', "schema = 1\ncast = [3]"), "expected a table, not int @ $.cast[0]"),
    ("a table for a list", edit('[[examiners]]', "[examiners]"), "expected a list, not dict @ $.examiners"),
    ("a number in a list", edit('files = ["*.py"]', 'files = ["*.py", 3]'), "expected str, not int @ $.examiners[0].files[1]"),
    ("an id with a slash", edit('"a-task"', '"a/task"'), "id 'a/task' @ $.id is not"),
    ("an id with capitals", edit('"a-task"', '"A-Task"'), "@ $.id"),
    ("an empty id", edit('"a-task"', '""'), "@ $.id"),
    ("nothing to deliver", edit('["out/*.json"]', "[]"), "deliver @ $.deliver names no file"),
    ("delivery above the workspace", edit('["out/*.json"]', '["../x"]'), "'../x' @ $.deliver leaves the workspace"),
    ("an absolute delivery", edit('["out/*.json"]', '["/etc/passwd"]'), "'/etc/passwd' @ $.deliver leaves the workspace"),
    ("no examiner", lambda text: text[: text.index("[[examiners]]")] + "", "missing key 'examiners' @ $.examiners"),
    ("a root of its own", edit("schema = 1", 'schema = 1\nroot = "/etc"'), "unknown key 'root' @ $"),
]


@pytest.mark.parametrize(("change", "message"), [pytest.param(change, message, id=name) for name, change, message in BAD])
def test_a_bad_key_names_file_and_place(folder: Path, change: Callable[[str], str], message: str) -> None:
    place = folder / "task.toml"
    place.write_text(change(GOOD))
    with pytest.raises(TaskError, match=re.escape(str(place))) as fault:
        read_task(folder)
    assert message in str(fault.value)


def test_a_file_that_is_not_utf8_or_not_there(folder: Path) -> None:
    (folder / "task.toml").write_bytes(GOOD.encode() + b'# \xff"')
    with pytest.raises(TaskError, match=r"task\.toml: .*utf-8"):
        read_task(folder)
    (folder / "task.toml").unlink()
    with pytest.raises(TaskError, match=r"task\.toml: there is no such file"):
        read_task(folder)


def test_a_missing_or_empty_brief(folder: Path) -> None:
    instruction = folder / "brief" / "instruction.md"
    instruction.write_text(" \n")
    with pytest.raises(TaskError, match=r"instruction\.md: the brief is empty"):
        read_task(folder)
    instruction.unlink()
    with pytest.raises(TaskError, match=r"instruction\.md: the brief is missing"):
        read_task(folder)


def test_tasks_are_found_below_and_in_order(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    root = tmp_path_factory.mktemp("corpus")
    for name in ("b", "a"):
        (root / "deep" / name / "brief").mkdir(parents=True)
        (root / "deep" / name / "brief" / "instruction.md").write_text("x")
        (root / "deep" / name / "task.toml").write_text(GOOD.replace("a-task", name))
    assert [task.id for task in find_tasks([root])] == ["a", "b"]
    assert [task.id for task in find_tasks([root, root / "deep" / "a", folder])] == ["a", "a-task", "b"]


def test_two_tasks_of_one_id_and_none_at_all(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    (other / "brief").mkdir()
    (other / "brief" / "instruction.md").write_text("x")
    (other / "task.toml").write_text(GOOD)
    with pytest.raises(TaskError, match="id 'a-task' is taken by"):
        find_tasks([folder, other])
    with pytest.raises(UsageError, match="there is no such file or folder"):
        find_tasks([folder / "nowhere"])
    with pytest.raises(UsageError, match=r"no task\.toml at or below it"):
        find_tasks([tmp_path_factory.mktemp("empty")])
