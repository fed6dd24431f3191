"""A browser counts as found once it has opened a page; a lack comes with its remedy."""

import json
import os
from pathlib import Path

import pytest

from playproof.errors import InfrastructureError, UsageError
from playproof.interfaces import Services
from playproof_browser import box_mounts, diagnosis, finding
from playproof_browser.diagnosis import BrowserDiagnosis
from playproof_browser.finding import VARIABLE, Found, NoBrowser, candidates, find, program_of

PROGRAM = Path("/bin/true").resolve()


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Stands for the opening of a page, to count how often it happens."""
    opened: list[Path] = []

    def open_page(program: Path) -> Found:
        opened.append(program)
        return Found(str(program), "156.0.1.2")

    monkeypatch.setattr(finding, "open_page", open_page)
    return opened


@pytest.mark.heavy
def test_an_installed_browser_opens_a_page_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = find(tmp_path, os.environ)
    assert found.path.is_absolute()
    assert found.path.read_bytes()[:4] == b"\x7fELF"
    assert found.major > 100

    def no_more(program: Path) -> Found:
        raise AssertionError(f"{program} was remembered")

    monkeypatch.setattr(finding, "open_page", no_more)
    assert find(tmp_path, os.environ) == found


@pytest.mark.heavy
def test_a_program_that_opens_no_page_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NoBrowser, match="did not start") as caught:
        find(tmp_path, {VARIABLE: str(PROGRAM)})
    assert list(caught.value.tried) == [str(PROGRAM)]
    assert isinstance(caught.value, InfrastructureError)
    assert not list(tmp_path.rglob("*.json"))


def test_one_that_is_named_is_the_only_one(tmp_path: Path, opened: list[Path]) -> None:
    assert list(candidates({VARIABLE: "/opt/my/chrome"})) == [Path("/opt/my/chrome")]
    assert next(candidates({VARIABLE: "true"})).name == "true"
    with pytest.raises(NoBrowser, match="/opt/my/chrome: no such program"):
        find(tmp_path, {VARIABLE: "/opt/my/chrome"})
    assert opened == []


def test_another_program_at_the_same_place_is_tried_again(tmp_path: Path, opened: list[Path]) -> None:
    program = tmp_path / "chrome"
    program.write_bytes(PROGRAM.read_bytes())
    program.chmod(0o755)
    named = {VARIABLE: str(program)}
    assert find(tmp_path / "cache", named) == find(tmp_path / "cache", named)
    assert opened == [program]
    os.utime(program, (1, 1))
    find(tmp_path / "cache", named)
    assert opened == [program, program]


def test_a_spoilt_record_is_no_browser(tmp_path: Path, opened: list[Path]) -> None:
    for text in ("", "[]", "{}", json.dumps({"program": "x"}), json.dumps({"program": "x", "version": "1", "more": 1})):
        record = finding.record_of(tmp_path, PROGRAM)
        record.parent.mkdir(exist_ok=True)
        record.write_text(text)
        assert find(tmp_path, {VARIABLE: str(PROGRAM)}).program == str(PROGRAM)
    assert len(opened) == 5


def test_a_launcher_script_stands_for_the_program_beside_it(tmp_path: Path) -> None:
    script, program = tmp_path / "google-chrome", tmp_path / "chrome"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    assert program_of(script) is None
    program.write_bytes(PROGRAM.read_bytes())
    program.chmod(0o755)
    link = tmp_path / "bin"
    link.symlink_to(script)
    assert program_of(script) == program_of(link) == program
    assert program_of(tmp_path / "nothing") is None


def lacks(cache: Path) -> dict[str, tuple[str, str, tuple[str, ...]]]:
    found = BrowserDiagnosis({}, Services(cache)).lacks()
    return {lack.what.partition(" (")[0]: (lack.why, lack.remedy, tuple(lack.command)) for lack in found}


@pytest.mark.parametrize(
    ("apt", "system", "command"),
    [
        (True, "debian ", ("apt-get", "install", "-y", "chromium")),
        (True, "ubuntu debian", ("playwright", "install", "--with-deps", "chromium")),
        (False, "debian ", ("playwright", "install", "chromium")),
    ],
)
def test_a_missing_browser_has_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, apt: bool, system: str, command: tuple[str, ...]
) -> None:
    monkeypatch.setenv(VARIABLE, "/opt/my/chrome")
    monkeypatch.setattr(diagnosis, "can_apt", lambda: apt)
    monkeypatch.setattr(diagnosis, "distribution", lambda: system)
    why, remedy, run = lacks(tmp_path)["a browser"]
    assert "/opt/my/chrome: no such program" in why
    assert run[-len(command) :] == command
    assert remedy == " ".join(run)


def test_missing_bubblewrap_has_a_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: list[Path]) -> None:
    monkeypatch.setenv(VARIABLE, str(PROGRAM))
    monkeypatch.setattr(diagnosis, "why_no_bubblewrap", lambda: None)
    assert lacks(tmp_path) == {}
    monkeypatch.setattr(diagnosis, "why_no_bubblewrap", lambda: "not here")
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert lacks(tmp_path)["bubblewrap"] == ("not here", "as root: apt-get install -y bubblewrap", ())
    monkeypatch.setattr(diagnosis, "can_apt", lambda: True)
    assert lacks(tmp_path)["bubblewrap"][2] == ("apt-get", "install", "-y", "bubblewrap")
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    _why, remedy, run = lacks(tmp_path)["bubblewrap"]
    assert "apparmor_restrict_unprivileged_userns" in remedy
    assert run == ()


def test_the_diagnosis_takes_no_options(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="takes no options; given: speed"):
        BrowserDiagnosis({"speed": 1}, Services(tmp_path))


def test_one_that_cannot_be_remembered_is_found_all_the_same(tmp_path: Path, opened: list[Path]) -> None:
    (tmp_path / "cache").write_text("no folder can be made here")
    program = tmp_path / "chrome"
    program.write_bytes(PROGRAM.read_bytes())
    program.chmod(0o755)
    assert find(tmp_path / "cache", {VARIABLE: str(program)}).path == program


def test_a_bubblewrap_that_was_just_installed_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert box_mounts.why_no_bubblewrap() == "bubblewrap is not installed"
    works = tmp_path / "bwrap"
    works.write_text("#!/bin/sh\nexit 0\n")
    works.chmod(0o755)
    assert box_mounts.why_no_bubblewrap() is None
