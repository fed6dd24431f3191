"""What a grading's identity is made of besides its submission: a starter counts where verdicts rest on it."""

from pathlib import Path

import pytest
from attrs import evolve

from playproof.model import ExaminerRef, Ref, Task
from playproof.plan import survey
from playproof.testing import fake_task

pytestmark = pytest.mark.heavy

PRESERVED = '[[criteria]]\nid = "kept"\nasks = { driver = "blender.preservation", edited = ["Lamp"] }\n'
COUNTED = '[[criteria]]\nid = "counted"\nasks = { driver = "blender.count", objects = "*", at_least = 1 }\n'


def task(root: Path, rubric: str) -> Task:
    made = evolve(fake_task(root, domain="blender", deliver=["*.blend"], examiners=[ExaminerRef("rubric", ["r.toml"])]),
                  runtime=Ref("blender.project", {}))  # fmt: skip
    (made.root / "checks" / "r.toml").write_text(rubric)
    (made.root / "starter").mkdir(exist_ok=True)
    return made


@pytest.mark.parametrize(("rubric", "counts"), [(PRESERVED, True), (COUNTED, False)])
def test_a_starter_counts_where_something_is_held_against_it(tmp_path: Path, cache: Path, rubric: str, counts: bool) -> None:
    given = task(tmp_path, rubric)
    (given.root / "starter" / "shop.blend").write_bytes(b"one")
    before = survey(given, cache).grading_inputs()
    (given.root / "starter" / "shop.blend").write_bytes(b"another")
    assert (survey(given, cache).grading_inputs() != before) is counts
    assert ("starter" in before) is counts, "gradings that rest on none keep their identity"
