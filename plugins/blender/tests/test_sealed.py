"""What is believed of a stage's folder, which a hostile project may have filled with anything."""

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from playproof.errors import SessionHung, SessionLost
from playproof.evidence import Record
from playproof.interfaces import Exit
from playproof.model import Ask
from playproof.testing import FakeClock
from playproof_blender import sealed as reading
from playproof_blender.expected import Expected
from playproof_blender.sealed import sealed, tidy
from playproof_blender.session import ProjectSession
from playproof_blender.stages import Staged

Line = Callable[..., None]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / "work" / "out").mkdir(parents=True)
    return tmp_path / "work" / "out"


@pytest.fixture
def seal(out: Path) -> Line:
    """As the stage does it; `content` is put into the file first."""

    def write(name: str, value: object = None, file: str | None = None, content: bytes = b"whole") -> None:
        line: dict[str, object] = {"name": name, "value": value}
        if file is not None:
            (out / file).write_bytes(content)
            line |= {"file": file, "sha256": hashlib.sha256(content).hexdigest()}
        with (out / "seals.jsonl").open("a") as lines:
            lines.write(json.dumps(line) + "\n")

    return write


def names(out: Path) -> list[str]:
    return [one.name for one in sealed(out)]


def test_values_and_files_that_are_what_was_sealed(out: Path, seal: Line) -> None:
    seal("opened", {"blocked": False})
    seal("scene", file="scene.json")
    seal("end")
    opened, scene, _ = sealed(out)
    assert (opened.value, opened.place, scene.read()) == ({"blocked": False}, None, b"whole")


def test_a_stage_that_left_nothing_sealed_nothing(out: Path) -> None:
    assert sealed(out) == [] and sealed(out / "nowhere") == []
    (out / "seals.jsonl").mkdir()
    assert sealed(out) == []


def test_files_that_are_not_what_was_sealed_are_left_out(out: Path, seal: Line, tmp_path: Path) -> None:
    for name in ("changed", "gone", "linked", "piped", "kept"):
        seal(name, file=name)
    (out / "changed").write_bytes(b"other")
    (out / "gone").unlink()
    (tmp_path / "secret").write_bytes(b"whole")
    (out / "linked").unlink()
    (out / "linked").symlink_to(tmp_path / "secret")
    (out / "piped").unlink()
    os.mkfifo(out / "piped")
    assert names(out) == ["kept"]


@pytest.mark.parametrize("file", ["../secret", "/etc/hostname", "..", ".", "", "deep/secret", "a\0b", 7, ["x"]])
def test_only_files_right_in_the_folder_count(file: object, out: Path, tmp_path: Path) -> None:
    (out.parent / "secret").write_bytes(b"whole")
    (out / "deep").mkdir()
    (out / "deep" / "secret").write_bytes(b"whole")
    (out / "seals.jsonl").write_text(json.dumps({"name": "x", "file": file, "sha256": hashlib.sha256(b"whole").hexdigest()}) + "\n")
    assert sealed(out) == []


def test_a_folder_or_a_record_that_is_a_link_is_not_followed(out: Path, seal: Line, tmp_path: Path) -> None:
    seal("scene", file="scene.json")
    (out / "seals.jsonl").rename(tmp_path / "elsewhere")
    (out / "seals.jsonl").symlink_to(tmp_path / "elsewhere")
    assert sealed(out) == []
    (out / "seals.jsonl").unlink()
    (tmp_path / "elsewhere").rename(out / "seals.jsonl")
    assert names(out) == ["scene"]
    out.rename(tmp_path / "moved")
    out.symlink_to(tmp_path / "moved")
    assert sealed(out) == []


def test_too_much_is_not_read(out: Path, seal: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    seal("small", file="small")
    seal("large", file="large")
    os.truncate(out / "large", 1 << 40)  # sparse: to read it would fill any memory
    assert names(out) == ["small"]
    monkeypatch.setattr(reading, "MOST_SEALS", 3)
    for number in range(10):
        seal(str(number))
    assert names(out) == ["small", "0"]
    os.truncate(out / "seals.jsonl", 1 << 40)
    assert sealed(out) == []


@pytest.mark.parametrize("line", ['{"name": "sce', "[" * 100_000, "[1]", '{"value": 1}', "7", "\xff\xfe", "9" * 10_000])
def test_what_is_torn_or_no_seal_ends_the_record(line: str, out: Path, seal: Line) -> None:
    seal("before")
    with (out / "seals.jsonl").open("a", encoding="latin-1") as lines:
        lines.write(line + "\n")
    seal("after")
    assert names(out) == ["before"]


def test_the_end_is_the_last_seal(out: Path, seal: Line) -> None:
    for name in ("scene", "end", "scene"):
        seal(name, name if name == "end" else len(names(out)))
    assert names(out) == ["scene", "end"] and sealed(out)[0].value == 0


def test_a_stage_counts_by_its_seals_and_not_by_how_its_process_ended(out: Path, seal: Line) -> None:
    seal("scene", file="scene.json")
    died, hung = Exit("exited", 139, 1.0), Exit("wall", None, 30.2)
    lost = Staged("inspect_project", sealed(out), died, "EGL Error (0x3009)\nwhat(): std::bad_alloc\nInfo: so far\n")
    assert not lost.whole and lost.named("scene").read() == b"whole"
    with pytest.raises(SessionLost, match=r"^Blender died of SIGSEGV during inspect_project: what\(\): std::bad_alloc$"):
        lost.named("shapes")
    with pytest.raises(SessionHung, match=r"^Blender did not finish inspect_project within 30 s$"):
        Staged("inspect_project", sealed(out), hung, "").named("shapes")
    seal("end")
    for ended in (died, hung, Exit("killed", None, 1.0)):
        whole = Staged("inspect_project", sealed(out), ended, "")
        assert whole.whole and whole.named("scene").read() == b"whole"
    with pytest.raises(SessionLost, match="inspect_project sealed no shapes that holds"):
        Staged("inspect_project", sealed(out), Exit("exited", 0, 1.0), "").named("shapes")


@pytest.mark.parametrize(("code", "how"), [
    (134, "died of SIGABRT"), (137, "died of SIGKILL"), (9, "ended with code 9"), (None, "was killed"),
])
def test_the_way_a_process_ended_is_named(code: int | None, how: str) -> None:
    assert f"Blender {how} during render: no word" in str(Staged("render", [], Exit("exited" if code else "killed", code, 1.0), "").fault())


def test_what_was_not_sealed_is_removed(out: Path, seal: Line, tmp_path: Path) -> None:
    seal("scene", file="scene.json")
    seal("broken", file="broken.json")
    (out / "broken.json").write_bytes(b"other")
    (out / "filling").write_bytes(b"x" * 1000)
    (out / "deep" / "deeper").mkdir(parents=True)
    (out.parent / "job.json").write_text("{}")
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours" / "file").write_text("kept")
    (out.parent / "link").symlink_to(tmp_path / "ours")
    (out / "link").symlink_to(tmp_path / "ours")
    tidy(out.parent, sealed(out))
    assert [one.relative_to(out.parent).as_posix() for one in sorted(out.parent.rglob("*"))] == ["out", "out/scene.json"]
    assert (tmp_path / "ours" / "file").read_text() == "kept"
    out.rename(tmp_path / "moved")
    out.symlink_to(tmp_path / "ours")
    tidy(out.parent, [])
    assert (tmp_path / "ours" / "file").read_text() == "kept" and not out.is_symlink()


def test_evidence_that_is_too_large_to_take_is_told_and_not_left_out(out: Path, seal: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    seal("scene", file="scene.json")
    seal("end")
    monkeypatch.setattr(reading, "MOST_BYTES", 4)
    staged = Staged("inspect_project", sealed(out), Exit("exited", 0, 1.0), "")
    session = ProjectSession(lambda stage, options: staged, FakeClock(), Record(out), lambda kind, options: [], {},
                             Expected(out, lambda: ""))  # fmt: skip
    with pytest.raises(SessionLost, match=r"inspect_project sealed no scene that holds \(at most 536,870,912 bytes\)"):
        session.observe(Ask("blender.scene/1", {}))
