"""The workspace as an agent finds it, and what a task ships laid over it; every fault names the file and the place."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from playproof import sources, workspace
from playproof.errors import InfrastructureError, TaskError, UsageError
from playproof.model import Budget, Ended, Ending, LayIn, Task
from playproof.sources import materialise
from playproof.submission import freeze
from playproof.taskfile import read_task
from playproof.workspace import agent_view_digest, prepare, take_back, tree_digest

TOML = """
schema = 1
id = "tiny"
version = "1.0.0"
domain = "toy"
kind = "generation"
title = "A tiny task"
deliver = ["index.html"]
[runtime]
driver = "toy"
[[examiners]]
driver = "python"
"""

FILES = {
    "task.toml": TOML, "brief/instruction.md": "Make it.", "starter/index.html": "<!-- empty -->", "starter/lib/kit.js": "kit",
    "checks/secret.py": "held out", "reference/index.html": "<p>one two</p>\n", "accepted/other/index.html": "<div>",
    "broken/dead/build.toml": 'base = "reference"\n[[replace]]\nfile = "index.html"\nfind = "two"\nwith = "three"\n',
    "broken/dead/expected.toml": "all = true",
}


@pytest.fixture
def task(tmp_path: Path) -> Task:
    root = tmp_path / "task"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return read_task(root)


@pytest.fixture
def made(task: Task, tmp_path: Path) -> Callable[[str], Path]:
    def make(source: str) -> Path:
        materialise(task, source, tmp_path / "workspace", tmp_path / "cache")
        return tmp_path / "workspace"

    return make


def recipe(task: Task, text: str, **files: str) -> None:
    """The broken variant `dead` with another build.toml."""
    for name, content in {"build.toml": text, **files}.items():
        (task.root / "broken" / "dead" / name).write_text(content)


def names(folder: Path) -> list[str]:
    return sorted(str(one.relative_to(folder)) for one in folder.rglob("*") if not one.is_dir())


def test_an_agent_finds_starter_and_brief_and_nothing_held_out(task: Task, tmp_path: Path) -> None:
    prepare(task, tmp_path / "workspace", tmp_path / "cache")
    assert names(tmp_path / "workspace") == ["brief/instruction.md", "index.html", "lib/kit.js"]
    assert (tmp_path / "workspace" / "brief" / "instruction.md").stat().st_mode & 0o222 == 0
    assert not (tmp_path / "workspace.part").exists()


def test_sources_lie_over_it(made: Callable[[str], Path]) -> None:
    assert (made("nothing") / "index.html").read_text() == "<!-- empty -->"
    assert (made("reference") / "index.html").read_text() == "<p>one two</p>\n"
    assert names(made("accepted:other")) == ["brief/instruction.md", "index.html", "lib/kit.js"]
    assert (made("broken:dead") / "index.html").read_text() == "<p>one three</p>\n"
    assert names(made("broken:dead")) == ["brief/instruction.md", "index.html", "lib/kit.js"], "build.toml and expected.toml stay"


def test_truncate_keeps_a_share_and_own_files_come_before_changes(task: Task, made: Callable[[str], Path]) -> None:
    recipe(task, 'base = "accepted:other"\ntruncate = { file = "index.html", keep = 0.6 }', **{"more.txt": "more"})
    workspace = made("broken:dead")
    assert (workspace / "index.html").read_text() == "<di" and (workspace / "more.txt").read_text() == "more"


def test_a_patch_is_applied_inside_a_repository_too(task: Task, made: Callable[[str], Path], tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    head = "diff --git a/index.html b/index.html\n"  # with it, and inside a repository, git would skip the file in silence
    change = head + "--- a/index.html\n+++ b/index.html\n@@ -1 +1 @@\n-<p>one two</p>\n+<p>patched</p>\n"
    recipe(task, 'base = "reference"\npatch = "change.diff"', **{"change.diff": change})
    workspace = made("broken:dead")
    assert (workspace / "index.html").read_text() == "<p>patched</p>\n" and not (workspace / "change.diff").exists()


def test_a_pinned_package_as_base(task: Task, made: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "packages" / "node_modules" / "@scope" / "kit"
    package.mkdir(parents=True)
    (package / "package.json").write_text('{"version": "2.0.0"}')
    (package / "index.html").write_text("from a package")
    monkeypatch.setattr(sources, "lay_in", lambda lock, cache: tmp_path / "packages")
    recipe(task, 'base = "@scope/kit@2.0.0"\nlock = "package-lock.json"')
    assert (made("broken:dead") / "index.html").read_text() == "from a package"
    recipe(task, 'base = "@scope/kit@3.0.0"\nlock = "package-lock.json"')
    with pytest.raises(TaskError, match=r"has @scope/kit in version 2.0.0, not 3.0.0 @ \$.base"):
        made("broken:dead")


@pytest.mark.parametrize(("text", "fault"), [
    ("base = ", "Invalid value"), ('bass = "reference"', "unknown key 'bass'"), ("base = 3", r"expected str, not int @ \$.base"),
    ('base = "elsewhere"', r"expected reference, accepted:NAME"),
    ('base = "broken:dead"', "leads back to itself: broken:dead -> broken:dead"),
    ('base = "accepted:none"', "there is no folder"), ('base = "accepted:../broken/dead"', "expected reference, accepted:NAME"),
    ('base = "kit@1"', r"needs `lock`"), ('base = "reference"\npatch = "no.diff"', r"no file 'no.diff' @ \$.patch"),
    ('base = "reference"\n[[replace]]\nfile = "index.html"\nfind = "zero"\nwith = ""', r"occurs 0 times.* @ \$.replace\[0\].find"),
    ('base = "reference"\n[[replace]]\nfile = "index.html"\nfind = "o"\nwith = ""', "occurs 2 times"),
    ('base = "reference"\n[[replace]]\nfile = "index.html"\nfind = ""\nwith = ""', "find"),
    ('base = "reference"\n[[replace]]\nfile = "none.html"\nfind = "o"\nwith = ""', r"no file 'none.html' to change @ \$.replace\[0\].file"),
    ('base = "reference"\n[[replace]]\nfile = "../../task/task.toml"\nfind = "o"\nwith = ""', "no file '../../task/task.toml' to change"),
    ('base = "reference"\n[[replace]]\nfile = "index.html"\nfind = "o"', r"missing key 'with'.* @ \$.replace\[0\]"),
    ('base = "reference"\n[[replace]]\nfile = "index.html"\nfind = "o"\nwith = ""\nwhen = 1', r"unknown key 'when' @ \$.replace\[0\]"),
    ('base = "reference"\ntruncate = { file = "index.html", keep = 1.5 }', r"keep"),
])
def test_a_wrong_recipe_is_refused_by_file_and_place(task: Task, made: Callable[[str], Path], text: str, fault: str) -> None:
    recipe(task, text)
    with pytest.raises(TaskError, match=fault) as refused:
        made("broken:dead")
    assert str(task.root / "broken" / "dead" / "build.toml") in str(refused.value)


def test_a_patch_that_does_not_fit_or_leaves_is_refused(task: Task, made: Callable[[str], Path]) -> None:
    for change in ("--- a/index.html\n+++ b/index.html\n@@ -1 +1 @@\n-<p>never</p>\n+<p>patched</p>\n",
                   "--- /dev/null\n+++ b/../out.html\n@@ -0,0 +1 @@\n+out\n"):
        recipe(task, 'base = "reference"\npatch = "change.diff"', **{"change.diff": change})
        with pytest.raises(TaskError, match=r"change\.diff: error: "):
            made("broken:dead")


def test_sources_that_are_not_there(made: Callable[[str], Path], tmp_path: Path) -> None:
    for source in ("broken:none", "broken:", "surprise", "accepted:a/b"):
        with pytest.raises(TaskError, match="source"):
            made(source)
    with pytest.raises(UsageError, match="nothing to replay"):
        made(f"replay:{tmp_path}/none")


def test_replay_of_a_folder_a_file_and_of_what_no_submission_may_be(task: Task, made: Callable[[str], Path], tmp_path: Path) -> None:
    left = tmp_path / "left"
    left.mkdir()
    (left / "page.html").write_text("alone")
    assert (made(f"replay:{left}") / "page.html").read_text() == "alone"
    assert (made(f"replay:{left}/page.html") / "index.html").read_text() == "alone", "one file stands for the one to be delivered"

    def problem() -> str:
        workspace = made(f"replay:{left}")
        return freeze(workspace, tmp_path / "frozen", ("index.html",), Ending(Ended.COMPLETED), "replay").problems[0].message

    (left / "out").symlink_to("/etc")
    assert problem() == "'out': is a link that leaves the submission, to '/etc'"
    (left / "out").unlink()
    with (left / "big").open("wb") as big:
        big.truncate(2 << 30)
    assert problem().startswith("'big': more than")
    (left / "big").unlink()
    (left / "lib").symlink_to("page.html")
    assert (made(f"replay:{left}") / "lib").is_symlink(), "a link takes the place of a starter's folder"


def test_packages_land_below_the_fixed_part_of_their_glob(task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = tmp_path / "laid" / "node_modules" / "kit"
    (tree / "build" / "deep").mkdir(parents=True)
    for name in ("build/kit.js", "build/deep/part.js", "build/kit.css"):
        (tree / name).write_text(name)
    monkeypatch.setattr(workspace, "lay_in", lambda lock, cache: tmp_path / "laid")

    def laid(*files: str) -> list[str]:
        prepare(evolve(task, lay_in=[LayIn("package-lock.json", "vendor/kit", files)]), tmp_path / "workspace", tmp_path / "cache")
        return names(tmp_path / "workspace" / "vendor" / "kit")

    assert laid("kit/build/kit.js") == ["kit.js"]
    assert laid("kit/build/**/*.js") == ["deep/part.js", "kit.js"]
    assert laid() == ["kit/build/deep/part.js", "kit/build/kit.css", "kit/build/kit.js"]
    with pytest.raises(TaskError, match=r"task.toml: 'kit/none' @ \$.lay_in.files matches nothing"):
        laid("kit/none")


def test_a_starter_may_be_a_package_with_a_change(task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So a fault is seeded: the repository holds the change alone. Every source stands on it, and the agent's view hears of it."""
    kit = tmp_path / "laid" / "node_modules" / "kit" / "src"
    (kit / "deep").mkdir(parents=True)
    (kit / "deep" / "part.js").write_text("left = hands[0];")
    monkeypatch.setattr(workspace, "lay_in", lambda lock, cache: tmp_path / "laid")

    def seeded(find: str) -> Task:
        table = ('[[lay_in]]\nlock = "package-lock.json"\ninto = "src"\nfiles = ["kit/src/**/*"]\n'
                 f'[[lay_in.replace]]\nfile = "deep/part.js"\nfind = "{find}"\nwith = "hands[1]"\n')
        (task.root / "task.toml").write_text(TOML.replace("[runtime]", table + "[runtime]"))
        return read_task(task.root)

    changed = seeded("hands[0]")
    materialise(changed, "broken:dead", tmp_path / "workspace", tmp_path / "cache")
    assert (tmp_path / "workspace" / "src" / "deep" / "part.js").read_text() == "left = hands[1];"
    assert (kit / "deep" / "part.js").read_text() == "left = hands[0];"
    assert agent_view_digest(changed) != agent_view_digest(seeded("hands"))
    with pytest.raises(TaskError, match=r"task.toml: the text occurs 0 times in deep/part.js, .* @ \$.lay_in.replace\[0\].find"):
        materialise(seeded("hand[0]"), "nothing", tmp_path / "workspace", tmp_path / "cache")


def test_what_is_lent_is_an_agents_alone_and_taken_back(task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "laid" / "node_modules" / "runner").mkdir(parents=True)
    (tmp_path / "laid" / "node_modules" / "runner" / "run.js").write_text("run")
    (tmp_path / "laid" / "node_modules" / "runner" / "run.js").chmod(0o555)
    monkeypatch.setattr(workspace, "lay_in", lambda lock, cache: tmp_path / "laid")
    task = evolve(task, lay_in=[LayIn("package-lock.json", "node_modules", delivered=False)])
    materialise(task, "reference", tmp_path / "source", tmp_path / "cache")
    assert not (tmp_path / "source" / "node_modules").exists()
    prepare(task, tmp_path / "workspace", tmp_path / "cache")
    lent = tmp_path / "workspace" / "node_modules"
    assert names(lent) == ["runner/run.js"] and os.access(lent / "runner" / "run.js", os.X_OK)
    take_back(task, tmp_path / "workspace")
    assert not lent.exists() and (tmp_path / "workspace" / "index.html").exists()
    lent.symlink_to(tmp_path / "laid")
    take_back(task, tmp_path / "workspace")
    assert not lent.is_symlink() and (tmp_path / "laid").exists(), "a link that an agent left is no way to elsewhere"


def test_a_python_package_may_lend_folders_and_files(task: Task, tmp_path: Path) -> None:
    def laid(**wanted: object) -> Path:
        prepare(evolve(task, lay_in=[LayIn(**wanted)]), tmp_path / "workspace", tmp_path / "cache")  # type: ignore[arg-type]
        return tmp_path / "workspace"

    folder = laid(resource="playproof.author:templates", into="kit", delivered=False)
    assert "judge.py.txt" in names(folder / "kit"), "the whole folder"
    assert (laid(resource="playproof:py.typed", into="typed.txt") / "typed.txt").is_file()
    assert not (tmp_path / "workspace" / "kit").exists()
    for words, message in (({"resource": "playproof:gone"}, "playproof has no 'gone' @"), ({"lock": "playproof:"}, "has no '' @"),
                           ({"resource": "no_such.pkg:a"}, "No module named")):
        with pytest.raises(TaskError, match=message):
            laid(into="kit", **words)
    for words in ({"into": "kit"}, {"into": "kit", "lock": "a", "resource": "b:c"}):
        with pytest.raises(ValueError, match="wants either lock or resource"):
            LayIn(**words)


def test_the_agents_view_hears_what_it_is_given_and_nothing_held_out(task: Task) -> None:
    view = agent_view_digest(task)
    for name in ("checks/secret.py", "reference/index.html", "broken/dead/build.toml"):
        (task.root / name).write_text("changed")
    shutil.rmtree(task.root / "accepted")
    assert agent_view_digest(evolve(task, scoring={"rules": []}, observe={"x": {}})) == view
    assert agent_view_digest(evolve(task, budget=Budget(wall_s=5))) != view
    for name in ("brief/instruction.md", "starter/lib/kit.js"):
        (task.root / name).write_text("changed")
        assert (view := agent_view_digest(task)) != agent_view_digest(evolve(task, deliver=["other"]))
    assert tree_digest(task.root / "none") == tree_digest(task.root / "accepted"), "of nothing, where there is nothing"


def test_a_disk_that_cannot_be_written_is_nobodys_fault(task: Task, tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    with pytest.raises(InfrastructureError):
        prepare(task, tmp_path / "taken" / "workspace", tmp_path / "cache")
