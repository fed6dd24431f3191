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
    options = {"script": str(script), "folder": str(inside), "save": str(inside / name), "project": str(inside / name) if there else None}
    staged = stages.run("build_project", script.parent, None, options, WALL_S, {str(inside): inside})
    if failed := staged.get("failed"):
        raise TaskError(f"{script}: the script failed in Blender: {failed.value['why'].strip()}")
    if not staged.whole or not (inside / name).is_file():
        raise InfrastructureError(f"{script}: {staged.fault()}")
    shutil.rmtree(workspace)
    shutil.copytree(inside, workspace, symlinks=True)
