"""The mutator of scenes: it keeps the contract, every change can be seen, and what Blender makes of its scripts is what it says."""

import functools
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from playproof.errors import TaskError
from playproof.interfaces import Services
from playproof.model import Ended, Ending
from playproof.mutation import Mutant
from playproof.submission import freeze
from playproof.testing.fakes import fake_submission
from playproof.testing.mutators import check_mutator
from playproof_blender.mutator import SceneMutator
from playproof_blender.runtime import ProjectRuntime
from playproof_blender.scene import Scene
from playproof_blender.stages import Staged

pytestmark = pytest.mark.heavy

SCENE = """
parts = bpy.data.collections.new("Parts")
bpy.context.scene.collection.children.link(parts)
bpy.ops.mesh.primitive_cube_add(size=2, location=(0, 0, 1))
base = bpy.context.object
base.name = 'Base "one"'
bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, 2.5))
arm = bpy.context.object
arm.name = "Arm"
arm.parent = base
arm.matrix_parent_inverse = base.matrix_world.inverted()
arm.modifiers.new("Round", "BEVEL").width = 0.1
for one in (base, arm):
    one.users_collection[0].objects.unlink(one)
    parts.objects.link(one)
for frame, x in ((1, 0), (11, 1)):
    base.location.x = x
    base.keyframe_insert("location", frame=frame)
bpy.ops.object.light_add(type="SUN")
"""


@pytest.fixture
def reference(made: Callable[..., Path], tmp_path: Path) -> Path:
    folder = tmp_path / "reference"
    folder.mkdir()
    shutil.copy(made(SCENE), folder / "thing.blend")
    return folder


@pytest.fixture
def mutants(reference: Path, cache: Path, tmp_path: Path) -> list[Mutant]:
    def factory(options: Any, services: Services) -> SceneMutator:
        return SceneMutator(options, Services(cache, services.exits))

    submission = freeze(reference, tmp_path / "frozen", ["thing.blend"], Ending(Ended.COMPLETED), "reference")
    return list(check_mutator(factory, tmp_path / "contract", submission))


def test_each_thing_is_changed_in_each_way_that_it_can_be(mutants: list[Mutant]) -> None:
    kinds = {(one.within, one.kind) for one in mutants}
    assert {kind for name, kind in kinds if name == "Arm"} == {"move", "scale", "delete", "hide", "flip", "unlink", "detach", "bake"}
    assert {kind for name, kind in kinds if name == 'Base "one"'} == {"move", "scale", "delete", "hide", "flip", "unlink"}
    assert [one.kind for one in mutants if "Action" in one.within] == ["retime"] and not any("Sun" in one.within for one in mutants)
    assert {one.within for one in mutants[:3]} == {"Arm", 'Base "one"', next(one.within for one in mutants if one.kind == "retime")}


def test_blender_does_what_a_mutant_says(mutants: list[Mutant], reference: Path, cache: Path, tmp_path: Path,
                                        staged: Callable[..., Staged]) -> None:
    def scene(mutant: Mutant | None) -> Scene:
        folder = tmp_path / (mutant.id if mutant else "before")
        shutil.copytree(reference, folder)
        if mutant:
            script = tmp_path / f"{mutant.id}.py"
            script.write_text(mutant.script)
            ProjectRuntime({}, Services(cache)).build(script, folder)
        return Scene(json.loads(staged("inspect_project", folder / "thing.blend").named("scene").read()), [])

    @functools.cache
    def of(kind: str, name: str = "Arm") -> Scene:
        return scene(next(one for one in mutants if one.kind == kind and name in one.within))

    before = scene(None)
    size = [float(np.ptp(before.box_of([before.one("Arm")]), axis=0)[axis]) for axis in range(3)]
    arm = of("move")
    away = np.abs(np.subtract(arm.box_of([arm.one("Arm")])[0], before.box_of([before.one("Arm")])[0]))
    assert sorted(away)[-1] == pytest.approx(0.3, abs=1e-4) and sorted(away)[1] == pytest.approx(0, abs=1e-4)
    grown = of("scale")
    assert np.ptp(grown.box_of([grown.one("Arm")]), axis=0) == pytest.approx([1.35 * side for side in size], abs=1e-3)
    assert of("hide").one("Arm")["rendered"] is False and before.one("Arm")["rendered"] is True
    assert not of("delete").objects("Arm") and of("detach").one("Arm")["parent"] is None
    assert of("unlink").one("Arm")["collections"] != before.one("Arm")["collections"]
    assert before.one("Arm")["modifiers"] and not of("bake").one("Arm")["modifiers"]
    assert of("flip").mesh_of(of("flip").one("Arm"))["volume"] < 0 < before.mesh_of(before.one("Arm"))["volume"]
    [(_, slow)] = of("retime", "Action").value["actions"].items()
    assert slow["frames"] == pytest.approx([1, 17])


def test_what_is_no_project_has_no_mutants(cache: Path, tmp_path: Path) -> None:
    mutator = SceneMutator({}, Services(cache))
    spoiled = (({}, "has 0 .blend files"), ({"a.blend": b"", "b.blend": b""}, "has 2 .blend files"),
               ({"a.blend": b"text"}, "does not open"))  # fmt: skip
    for files, why in spoiled:
        with pytest.raises(TaskError, match=why):
            list(mutator.mutants(fake_submission(tmp_path / str(len(files)) / why[:8], files), 0, 3))
