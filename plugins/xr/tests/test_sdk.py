"""A submission that is the source of a package: built from what it is now, and played by pages that it has never seen."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from playproof.errors import TaskError
from playproof.interfaces import Grading, Services
from playproof.model import case
from playproof.stage import stage
from playproof.testing import fake_grading, fake_submission, fake_task
from playproof_xr.runtime import WebXRRuntime

APPS = Path(__file__).parent / "apps"
FILE = "examples/jsm/libs/stats.module.js"
SDK = {"package": "three", "bundles": {FILE: "src/entry.ts"}, "pages": "pages"}
ENTRY = {"src/entry.ts": 'import {shade} from "./shade";\nexport default function colour(): string { return shade; }\n'}


@pytest.fixture(scope="module")
def runtime(cache: Path) -> Iterator[WebXRRuntime]:
    with ExitStack() as exits:
        yield WebXRRuntime({"packages": ["three"], "sdk": SDK}, Services(cache, exits))


def given(folder: Path, runtime: WebXRRuntime, files: dict[str, str]) -> Grading:
    """A grading of a source, whose held-out page colours a cube as the package says."""
    task = fake_task(folder / "task", deliver=["src/**"])
    page = (APPS / "cube.html").read_text()
    page = page.replace('import * as THREE from "three";', 'import * as THREE from "three";\nimport colour from "tested";')
    page = page.replace('{"imports": {', f'{{"imports": {{"tested": "https://cdn.jsdelivr.net/npm/three@0.184.0/{FILE}", ')
    page = page.replace("color: 0xff8800", "color: colour()")
    (task.root / "checks" / "pages").mkdir()
    (task.root / "checks" / "pages" / "index.html").write_text(page)
    return fake_grading(folder, runtime=runtime, task=task, submission=fake_submission(folder / "given", files))


@pytest.mark.heavy
def test_pages_are_held_out_and_play_what_is_built(runtime: WebXRRuntime, tmp_path: Path) -> None:
    """Configuration, packages and pages of the submission change nothing."""
    spoilers = {"tsconfig.json": "{", "src/tsconfig.json": '{"extends": "nowhere"}', "index.html": "<p>mine", "shade.ts": "no"}
    grading = given(tmp_path, runtime, {**ENTRY, **spoilers, "src/shade.ts": 'export const shade: string = "#123456";\n'})
    assert list(runtime.preflight(grading)) == []
    with stage(grading, case()) as staged:
        session: Any = staged.session
        assert session.find(name="cube").colour.value == "#123456"


@pytest.mark.heavy
def test_a_source_that_cannot_be_built_does_not_load(runtime: WebXRRuntime, tmp_path: Path) -> None:
    problem, = runtime.preflight(given(tmp_path, runtime, ENTRY))
    assert problem.reason == "LOAD_FAIL"
    assert "bundle: the source cannot be bundled" in problem.message and 'Could not resolve "./shade"' in problem.message


def test_a_source_without_its_entry_is_not_delivered(runtime: WebXRRuntime, tmp_path: Path) -> None:
    problem, = runtime.preflight(given(tmp_path, runtime, {"src/shade.ts": "1"}))
    assert (problem.reason, problem.message) == ("UNDELIVERED", "there is no src/entry.ts")


def test_options_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="bundles"):
        WebXRRuntime({"sdk": {**SDK, "bundles": {}}}, Services(tmp_path))
