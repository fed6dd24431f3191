"""Projects in one workspace folder, worked on by a Blender that is started for each thing that is done."""

import filecmp
import glob
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import field, frozen

from playproof.errors import SessionError
from playproof.interfaces import Services
from playproof_blender.backend import Blender
from playproof_blender.delivery import find as delivered
from playproof_blender.stages import CHATTER, Staged, Stages
from playproof_blender.tools.calls import Failed

NEW = "project.blend"
MOST_WORDS = 2000


@frozen
class Done:
    """What came of a script or an exchange: `project` was saved, `output` is what was printed, cut, `told` what the stage says of it."""

    project: str
    output: str
    told: Any
    objects: int

    @property
    def saved(self) -> str:
        return f"Saved {self.project}: {self.objects} objects in the scene."


@frozen(eq=False)
class Workshop:
    """`root` is the workspace, `scratch` a folder of ours. A Blender runs with the rights of its caller, without a box of its own: whoever
    calls is in one, and a script of theirs may do what they may do. `wall_s` bounds each stage."""

    root: Path
    stages: Stages
    blender: Blender
    scratch: Path
    wall_s: float = 120.0
    _scenes: dict[str, Mapping[str, Any]] = field(factory=dict, init=False)

    def script(self, code: str, name: str = "script.py", project: str | None = None) -> Done:
        """Run code in a project, or in an empty file where there is none; then save it. Raises Failed with why, and then the project is
        as it was, whatever the code did to its file."""
        return self._edit({"script": {"code": code, "name": name}}, project, save=True)

    def exchange(self, way: str, path: Path, objects: list[str] | None, project: str | None = None) -> Done:
        """Bring a file into a project (`import`, `append`), or make one of it (`export`, in which nothing is saved)."""
        asked = {"way": way, "path": str(path), "objects": objects}
        return self._edit({"exchange": asked}, project, save=way != "export")

    def bring(self, asset: Mapping[str, Any], project: str | None = None) -> Done:
        """Bring an asset into a project; see the stage's `assets.bring`."""
        return self._edit({"asset": asset}, project, save=True)

    def project(self, wanted: str | None, *, may_be_new: bool = False) -> tuple[str, bool]:
        """The path of a project in the workspace, and whether it has yet to be made. Without a wish it is the only one."""
        if wanted is None:
            there = sorted(place.name for place in self.root.glob("*.blend"))
            if len(there) > 1:
                raise Failed(f"there are {len(there)} projects, so `project` has to name one: {', '.join(there[:8])}")
            wanted = there[0] if there else NEW
        place = self.within(wanted)
        if place.suffix != ".blend":
            raise Failed(f"{wanted!r} is no project: its name does not end with .blend")
        name = place.relative_to(self.root).as_posix()
        if not os.path.lexists(place):
            if not may_be_new:
                raise Failed(f"there is no project {name} yet; a script or an import makes one")
            return name, True
        found = delivered(self.root, glob.escape(name), self.blender)
        if found.project is None:
            raise Failed(found.problems[0].message)
        return name, False

    def within(self, path: str) -> Path:
        """A path of the workspace. Raises Failed for one that leads out of it."""
        place = Path(os.path.normpath(self.root / path))
        if not place.is_relative_to(self.root) or place == self.root:
            raise Failed(f"{path!r} is not in the workspace; give a path relative to it")
        return place

    def file(self, path: str) -> Path:
        """A file of the workspace to be read. Raises Failed where there is none, or a link leads out."""
        place = Path(os.path.realpath(self.within(path)))  # which, unlike Path.resolve, has no quarrel with links in a circle
        if not place.is_relative_to(self.root):
            raise Failed(f"{path!r} is a link that leads out of the workspace")
        if not place.is_file():
            raise Failed(f"there is no file {path!r} in the workspace")
        return place

    def run(self, stage: str, project: str | None, options: Mapping[str, Any], wall_s: float | None = None) -> Staged:
        return self.stages.run(stage, self.root, project, options, wall_s or self.wall_s, {str(self.root): self.root})

    def scene(self, project: str | None = None) -> Mapping[str, Any]:
        """`blender.scene/1` of a project; read once for as long as its file stays what it is."""
        name, _ = self.project(project)
        digest = hashlib.sha256((self.root / name).read_bytes()).hexdigest()
        if digest not in self._scenes:
            staged = self.run("inspect_project", name, {})
            with _as_answer(staged):
                seal = staged.named("scene")
            self._scenes.clear()
            self._scenes[digest] = json.loads(seal.read())
        return self._scenes[digest]

    def _edit(self, work: Mapping[str, Any], project: str | None, *, save: bool) -> Done:
        name, is_new = self.project(project, may_be_new=save)
        target = self.root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f".{target.stem}.{os.getpid()}.part.blend")
        with self._kept(target, is_new) as settle:
            options = {**work, "new": is_new, "folder": str(self.root), "save": str(part) if save else None}
            try:
                staged = self.run("edit_project", None if is_new else name, options)
                told = self._told(staged)
                if save:
                    part.replace(target)
                    settle()
            finally:
                part.unlink(missing_ok=True)
        return Done(name, told["output"], told["told"], told["objects"])

    def _told(self, staged: Staged) -> Mapping[str, Any]:
        if failed := staged.get("failed"):
            output = f"\n\nIt had printed:\n{failed.value['output']}" if failed.value["output"] else ""
            raise Failed(f"{failed.value['why']}{output}")
        with _as_answer(staged):
            told: Mapping[str, Any] = staged.named("done").value
        return told

    @contextmanager
    def _kept(self, target: Path, is_new: bool) -> Iterator[Callable[[], None]]:
        """A file that is as it was afterwards, unless the caller calls what it is given: a script may have saved to it by itself."""
        held, settled = self.scratch / "before.blend", list[bool]()
        if not is_new:
            shutil.copy2(target, held)
        try:
            yield lambda: settled.append(True)
        finally:
            if not settled:
                _restore(target, None if is_new else held)


def _restore(target: Path, held: Path | None) -> None:
    if held is None:
        target.unlink(missing_ok=True)
    elif not target.is_file() or not filecmp.cmp(target, held, shallow=False):
        shutil.copy2(held, target)


@contextmanager
def _as_answer(staged: Staged) -> Iterator[None]:
    """A Blender that hung or died, told to the one who asked with what it last said."""
    try:
        yield
    except SessionError as fault:
        lines = [line for line in staged.words.splitlines() if line.strip() and not line.startswith(CHATTER)]
        said = "\n".join(lines)[-MOST_WORDS:]
        raise Failed(f"{fault}\n\nIt had printed:\n{said}" if said else str(fault)) from None


@contextmanager
def opened(root: Path, blender: Blender, services: Services, wall_s: float) -> Iterator[Workshop]:
    with tempfile.TemporaryDirectory(prefix="playproof-tools-") as scratch:
        stages = Stages(blender, services, Path(scratch) / "stages", sandbox="process")
        yield Workshop(root.resolve(), stages, blender, Path(scratch), wall_s)
