"""Freezing a hostile workspace: every refusal is a problem with its path, nothing outside is read, and the digest is the tree's."""

import os
import socket
from pathlib import Path

import pytest

from playproof.errors import InfrastructureError
from playproof.model import Ended, Ending, Reason, Submission
from playproof.submission import BOUNDS, Bounds, freeze, tree_digest

DONE = Ending(Ended.COMPLETED)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    made = tmp_path / "workspace"
    (made / "js").mkdir(parents=True)
    (made / "index.html").write_text("<p>")
    (made / "js" / "game.js").write_text("play()")
    return made


def frozen(workspace: Path, deliver: tuple[str, ...] = ("index.html",), bounds: Bounds = BOUNDS) -> Submission:
    return freeze(workspace, workspace.parent / "frozen", deliver, DONE, "test", bounds=bounds)


def refusal(workspace: Path, bounds: Bounds = BOUNDS) -> str:
    """The one problem of a refused workspace, of which nothing was kept."""
    made = frozen(workspace, bounds=bounds)
    assert [problem.reason for problem in made.problems] == [Reason.UNDELIVERED]
    assert (made.files, made.bytes) == (0, 0) and list(made.root.iterdir()) == []
    assert frozen(workspace, bounds=bounds).digest == made.digest
    return made.problems[0].message


def test_a_sound_workspace_is_copied_and_named_by_its_content(workspace: Path) -> None:
    made = frozen(workspace)
    assert made.problems == () and made.ending is DONE and (made.files, made.bytes) == (2, 9)
    assert (made.root / "js" / "game.js").read_text() == "play()"
    assert made.digest == frozen(workspace).digest == tree_digest(workspace) == tree_digest(made.root)


def test_the_digest_hears_names_contents_modes_and_targets_and_nothing_else(workspace: Path) -> None:
    seen = [frozen(workspace).digest]
    (workspace / "index.html").touch()
    (workspace / "index.html").chmod(0o600)
    (workspace / "empty").mkdir()
    assert frozen(workspace).digest == seen[0], "times, other permissions and empty folders do not count"
    (workspace / "index.html").write_text("<b>")
    seen.append(frozen(workspace).digest)
    (workspace / "index.html").chmod(0o755)
    seen.append(frozen(workspace).digest)
    (workspace / "js").rename(workspace / "es")
    seen.append(frozen(workspace).digest)
    (workspace / "to").symlink_to("es")
    seen.append(frozen(workspace).digest)
    (workspace / "to").unlink()
    (workspace / "to").symlink_to("index.html")
    seen.append(frozen(workspace).digest)
    assert len(set(seen)) == len(seen)


def test_links_inside_stay_links(workspace: Path) -> None:
    (workspace / "js" / "page").symlink_to("../index.html")
    (workspace / "dangling").symlink_to("js/none")
    (workspace / "loop").symlink_to("loop")
    made = frozen(workspace)
    assert made.problems == () and (made.root / "js" / "page").is_symlink() and (made.root / "js" / "page").read_text() == "<p>"


@pytest.mark.parametrize("target", ["/etc/passwd", "../outside", "js/../../outside", "../frozen/index.html"])
def test_links_that_leave_are_refused_and_never_followed(workspace: Path, target: str) -> None:
    (workspace.parent / "outside").write_text("secret")
    (workspace / "out").symlink_to(target)
    assert refusal(workspace) == f"'out': is a link that leaves the submission, to {target!r}"


def test_a_link_that_leaves_over_another_link_is_refused(workspace: Path) -> None:
    """As written `far/a/b/up/../../..` stays inside; resolved it does not, since `up` leads elsewhere."""
    (workspace / "far" / "a" / "b").mkdir(parents=True)
    (workspace / "far" / "a" / "b" / "up").symlink_to("../../../js")
    (workspace / "far" / "a" / "b" / "out").symlink_to("up/../../../etc")
    assert "'far/a/b/out': is a link that leaves" in refusal(workspace)


def test_a_linked_folder_is_not_entered(workspace: Path) -> None:
    (workspace / "everything").symlink_to("/")
    assert "'everything'" in refusal(workspace)


def test_devices_sockets_and_fifos_are_refused_unopened(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(workspace / "js" / "pipe")
    assert refusal(workspace) == "'js/pipe': is a device, a socket or a FIFO"
    (workspace / "js" / "pipe").unlink()
    monkeypatch.chdir(workspace)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        assert refusal(workspace) == "'socket': is a device, a socket or a FIFO"
    Path("socket").unlink()
    if os.geteuid() == 0:
        os.mknod("zero", 0o20666, os.makedev(1, 5))
        assert refusal(workspace) == "'zero': is a device, a socket or a FIFO"


def test_two_sparse_gibibytes_are_refused_without_reading_them(workspace: Path) -> None:
    with (workspace / "big").open("wb") as big:
        big.truncate(2 << 30)
    assert refusal(workspace) == f"'big': more than {1 << 30} bytes in all (this file: {2 << 30})"


def test_too_many_too_deep_and_too_large_together(workspace: Path) -> None:
    assert "more than 2 files and folders" in refusal(workspace, Bounds(entries=2))
    assert "'js/game.js': more than 8 bytes" in refusal(workspace, Bounds(bytes=8))
    (workspace / "/".join("d" * 400)).mkdir(parents=True)
    assert "more than 32 folders deep" in refusal(workspace)


def test_a_name_that_is_not_utf_8_is_refused(workspace: Path) -> None:
    Path(os.fsdecode(os.fsencode(workspace) + b"/\xff.js")).touch()
    assert refusal(workspace) == r"b'\xff.js': its name is not UTF-8"


def test_markup_and_escapes_in_a_name_are_spelled_out(workspace: Path) -> None:
    (workspace / "\x1b[31m<b>\n").symlink_to("/")
    assert refusal(workspace).startswith(r"'\x1b[31m<b>\n': is a link")


def test_absent_a_link_or_a_file_instead_of_a_workspace(workspace: Path, tmp_path: Path) -> None:
    assert refusal(tmp_path / "none") == "there is no submission: its folder does not exist"
    assert refusal(workspace / "index.html") == "the submission is no folder"
    (tmp_path / "link").symlink_to(workspace)
    assert refusal(tmp_path / "link") == "the submission is itself a link"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file: run as another user")
def test_what_cannot_be_read_is_refused(workspace: Path) -> None:
    (workspace / "js" / "game.js").chmod(0)
    assert refusal(workspace) == "'js/game.js': cannot be read: Permission denied"
    (workspace / "js").chmod(0)
    assert refusal(workspace) == "'js': cannot be read: Permission denied"
    (workspace / "js").chmod(0o700)


@pytest.mark.parametrize(("glob", "why"), [
    ("dist/index.html", "there is no such file"), ("game.js", "there is no such file"), ("*.js", "there is no such file"),
    ("empty.txt", "it is empty"), ("link.html", "it is a link, not a file"), ("js", "there is no such file"),
])
def test_what_was_to_be_delivered_and_was_not(workspace: Path, glob: str, why: str) -> None:
    (workspace / "empty.txt").touch()
    (workspace / "link.html").symlink_to("index.html")
    made = frozen(workspace, ("index.html", glob))
    assert [problem.message for problem in made.problems] == [f"{glob!r} was not delivered: {why}"]
    assert made.files == 3, "the rest is kept, to be looked at"


@pytest.mark.parametrize("glob", ["index.html", "*.html", "js/*.js", "**/*.js", "**/index.html", "js/**", "inde?.html"])
def test_globs_that_are_delivered(workspace: Path, glob: str) -> None:
    assert frozen(workspace, (glob,)).problems == ()


def test_a_disk_that_cannot_be_written_is_nobodys_fault(workspace: Path) -> None:
    (workspace.parent / "taken").touch()
    with pytest.raises(InfrastructureError, match="cannot write the submission"):
        freeze(workspace, workspace.parent / "taken" / "frozen", ("index.html",), DONE, "test")
