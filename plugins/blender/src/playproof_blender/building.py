"""Submissions that a script of a task's author makes: references, variants, and mutants."""

import shutil
from pathlib import Path

from playproof.errors import InfrastructureError, TaskError
from playproof_blender.stages import Stages

WALL_S = 600.0


def build(stages: Stages, script: Path, workspace: Path, project: str, scratch: Path) -> None:
    """Run a script in Blender over a workspace, boxed: in the project that is there, or in an empty file; then save the project.

    The script finds the workspace as its working folder, and may write there: exported media, textures. Raises TaskError with what it
    said where it failed, InfrastructureError where Blender did not come to an end."""
    there = sorted(workspace.glob(project))
    name = there[0].name if there else project.replace("*", "project")
    inside = scratch / "making"
    shutil.rmtree(inside, ignore_errors=True)
    shutil.copytree(workspace, inside, symlinks=True)
    readable = _readable(script.parent, scratch / "scripts")
    options = {"script": str(readable / script.name), "folder": str(inside), "save": str(inside / name),
               "project": str(inside / name) if there else None}  # fmt: skip
    staged = stages.run("build_project", readable, None, options, WALL_S, {str(inside): inside})
    if failed := staged.get("failed"):
        raise TaskError(f"{script}: the script failed in Blender: {failed.value['why'].strip().replace(str(readable), str(script.parent))}")
    if not staged.whole or not (inside / name).is_file():
        raise InfrastructureError(f"{script}: {staged.fault()}")
    shutil.rmtree(workspace)
    shutil.copytree(inside, workspace, symlinks=True)


def _readable(folder: Path, into: Path) -> Path:
    """The scripts of a folder where the box's user may read them, whatever the modes of a task's folders are."""
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True, mode=0o755)
    for place in sorted(folder.rglob("*.py")):
        target = into / place.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o755)
        target.write_bytes(place.read_bytes())
        target.chmod(0o644)
    return into
