"""Submissions that a script makes: run by the task's runtime, kept with one digest, and never delivered with their scripts."""

import json
import shutil
from pathlib import Path

import pytest

from playproof import building
from playproof.errors import TaskError
from playproof.sources import materialise
from playproof.taskfile import read_task
from playproof.testing.fakes import FakeRuntime
from playproof.workspace import tree_digest


def shipped(lamp: Path, source: str, **files: str) -> None:
    folder = lamp / source.replace(":", "/")
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in files.items():
        (folder / name.replace("__", ".")).parent.mkdir(parents=True, exist_ok=True)
        (folder / name.replace("__", ".")).write_text(text)


@pytest.fixture
def scripted(lamp: Path) -> Path:
    """A reference that a script makes, and a variant that another makes of it."""
    machine = (lamp / "reference" / "machine.json").read_text()
    shipped(lamp, "reference", build__toml='script = "make.json"', make__json=machine, part__json="{}", notes__txt="kept")
    shipped(lamp, "broken:late", build__toml='base = "reference"\nscript = "late.json"', late__json='{"start": "lit"}',
            expected__toml="all = true")  # fmt: skip
    return lamp


def test_a_script_makes_the_reference_and_another_changes_it(scripted: Path, cache: Path, tmp_path: Path) -> None:
    task = read_task(scripted)
    materialise(task, "reference", tmp_path / "good", cache)
    materialise(task, "broken:late", tmp_path / "bad", cache)
    good, bad = (json.loads((tmp_path / name / "machine.json").read_text()) for name in ("good", "bad"))
    assert good["start"] == "dark" and {**good, "start": "lit"} == bad
    assert not list((tmp_path / "bad").glob("*.toml")) and sorted(one.name for one in (tmp_path / "good").glob("*.*")) == [
        "machine.json", "notes.txt", "stamp.txt"], "scripts are no part of what they make"  # fmt: skip


def test_what_was_made_is_kept_until_a_script_changes(scripted: Path, cache: Path, tmp_path: Path) -> None:
    task = read_task(scripted)

    def made() -> str:
        materialise(task, "reference", tmp_path / "out", cache)
        return tree_digest(tmp_path / "out")

    first = made()
    assert made() == first, "a build that writes the time has one digest all the same"
    (scripted / "reference" / "part.json").write_text("[]")
    second = made()
    assert second != first, "what a script may import is part of it"


def test_a_script_that_fails_or_is_not_there_is_the_authors(scripted: Path, cache: Path, tmp_path: Path) -> None:
    task = read_task(scripted)
    (scripted / "reference" / "make.json").write_text("{")
    with pytest.raises(TaskError, match=r"make.json: Expecting property name"):
        materialise(task, "reference", tmp_path / "out", cache)
    assert not (tmp_path / "out").exists() and not list((cache / "built").rglob("*.json")), "half a build is not kept"
    (scripted / "reference" / "make.json").unlink()
    with pytest.raises(TaskError, match=r"build.toml: there is no file 'make.json'"):
        materialise(task, "reference", tmp_path / "out", cache)


def test_a_runtime_that_runs_no_scripts_says_so(scripted: Path, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "build", lambda *_: FakeRuntime())
    with pytest.raises(TaskError, match=r"runtime 'toy.lamp' makes nothing of scripts; ship the files themselves"):
        materialise(read_task(scripted), "reference", tmp_path / "out", cache)
