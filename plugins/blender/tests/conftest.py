"""Projects made by a few lines of bpy in the private Blender, and the real stages, runtime and rubric on them."""

import functools
import hashlib
import json
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from playproof.evidence import Record
from playproof.examiners.rubric import RubricExaminer
from playproof.interfaces import Grading, Services
from playproof.model import Ask, Case, Evidence, ExaminerRef, Ref, Verdict
from playproof.stage import stage
from playproof.testing import fake_grading, fake_task
from playproof_blender.backend import Blender, NoBlender, find
from playproof_blender.runtime import ProjectRuntime
from playproof_blender.scene import Scene
from playproof_blender.shapes import Shapes
from playproof_blender.shapes import read as shapes_from
from playproof_blender.stages import Staged, Stages

MAKING_S = 180
HEAD = """\
import sys, bpy
place = sys.argv[1]
bpy.ops.wm.read_factory_settings(use_empty=True)
"""
FOOT = """
if not __import__("os").path.exists(place):
    bpy.ops.wm.save_as_mainfile(filepath=place, compress=True)
"""


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of this run's own; but for Blender and packages, which are a user's: they are fetched and found once."""
    users = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "playproof"
    mine = tmp_path_factory.mktemp("cache")
    for name in ("blender", "packages"):
        (users / name).mkdir(parents=True, exist_ok=True)
        (mine / name).symlink_to(users / name)
    return mine


@pytest.fixture(scope="session")
def blender(cache: Path) -> Blender:
    try:
        return find(cache, os.environ)
    except NoBlender as fault:
        pytest.fail(str(fault), pytrace=False)


@pytest.fixture(scope="session")
def made(blender: Blender, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """`made(script, name="project.blend")`: the .blend that a few lines of bpy make of an empty scene, alone in its folder. The same
    script is run once. `place` is where the file will be: a script that saves there itself is left to it. Files beside the project are
    given as `files` (path in the folder -> bytes), and are there before the script runs."""
    shelf = tmp_path_factory.mktemp("made")

    def make(script: str, name: str = "project.blend", files: Mapping[str, bytes] | None = None) -> Path:
        key = hashlib.sha256(repr((script, name, sorted((files or {}).items()))).encode()).hexdigest()[:16]
        place = shelf / key / name
        if not place.exists():
            for path, content in (files or {}).items():
                (shelf / key / path).parent.mkdir(parents=True, exist_ok=True)
                (shelf / key / path).write_bytes(content)
            place.parent.mkdir(parents=True, exist_ok=True)
            maker = shelf / f"{key}.py"
            maker.write_text(HEAD + script + FOOT)
            done = subprocess.run([str(blender.program), "-I", str(maker), str(place)], capture_output=True, text=True, check=False,
                                  timeout=MAKING_S, stdin=subprocess.DEVNULL)  # fmt: skip
            assert place.exists(), f"the script made no project: {done.stdout[-1000:]}{done.stderr[-3000:]}"
        return place

    return make


@pytest.fixture(scope="session")
def services(cache: Path) -> Iterator[Services]:
    with ExitStack() as exits:
        yield Services(cache, exits)


@pytest.fixture(scope="session")
def staged(blender: Blender, services: Services, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Staged]:
    """`staged("inspect_project", project, **options)`: one stage in its box, with the project's folder as the submission."""
    stages = Stages(blender, services, tmp_path_factory.mktemp("stages"))

    def run(stage: str, project: Path, wall_s: float = 180, **options: Any) -> Staged:
        return stages.run(stage, project.parent, project.name, options, wall_s)

    return run


@pytest.fixture(scope="session")
def script() -> Callable[[str], str]:
    """`script("meshes")`: lines of bpy that make one of the scenes that are told of."""
    return lambda name: (Path(__file__).parent / "scripts" / f"scene_{name}.txt").read_text("utf-8")


@pytest.fixture(scope="session")
def inspected(made: Callable[..., Path], staged: Callable[..., Staged], script: Callable[[str], str]) -> Callable[..., Any]:
    """`inspected("meshes")`: the scene and the shapes of the project that a script makes; each is looked at once."""

    @functools.cache
    def inspect(name: str) -> tuple[Scene, Shapes]:
        done = staged("inspect_project", made(script("tools") + script(name)))
        return Scene(json.loads(done.named("scene").read()), ["scene"]), shapes_from(done.named("shapes").read(), "shapes")

    return inspect


@pytest.fixture
def grading(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Grading]:
    """`grading(folder or project, observe={kind: options}, **options of the runtime)`: as a worker would build it for a toy task."""

    def make(submission: Path, observe: Mapping[str, Any] | None = None, **options: Any) -> Grading:
        folder = tmp_path_factory.mktemp("grading")
        runtime = ProjectRuntime(options, services)
        task = fake_task(folder / "task", domain="blender", runtime=Ref("blender.project", options), deliver=["*.blend"],
                         observe=observe or {}, examiners=[ExaminerRef("rubric", ["rubric.toml"])])  # fmt: skip
        root = submission if submission.is_dir() else submission.parent
        return evolve(fake_grading(folder, runtime=runtime, task=task, submission=root), services=services)

    return make


@pytest.fixture
def graded(grading: Callable[..., Grading], services: Services) -> Callable[..., Sequence[Verdict]]:
    """`graded(project, rubric)`: the verdicts of a rubric (TOML) on a project, after its preflight; `graded.grading` is what it was
    done in. A project that the preflight refuses fails the test."""

    def grade(submission: Path, rubric: str, **settings: Any) -> Sequence[Verdict]:
        given = grading(submission, **settings)
        (given.held_out / "rubric.toml").write_text(rubric)
        assert (problems := given.runtime.preflight(given)) == [], problems
        examiner = RubricExaminer({"files": ["rubric.toml"]}, services)
        given = evolve(given, record=Record(given.scratch / "checked"))
        grade.grading = given  # type: ignore[attr-defined]
        return list(examiner.examine(examiner.checks(given.task), Case(), given))

    return grade


@pytest.fixture
def looked() -> Callable[..., tuple[Mapping[str, Any], Sequence[Evidence]]]:
    """`looked(grading, kind, **options)`: what one look at the project tells (`blender.views/1`), and all that it wrote down."""

    def look(given: Grading, kind: str = "image.render/1", **options: Any) -> tuple[Mapping[str, Any], Sequence[Evidence]]:
        with stage(given, Case()) as running:
            seen = running.session.observe(Ask(kind, options))
        return next((one.value for one in seen if one.kind == "blender.views/1"), {}), seen

    return look
