"""A brief is taken apart into requirements, and each of them is asked for by a check or listed with a reason."""

from pathlib import Path

import pytest
from attrs import evolve

from playproof.author.requirements import Mapped, document, mapped
from playproof.errors import TaskError
from playproof.model import Check, ExaminerRef, Task
from playproof.testing import fake_task

INSTRUCTION = """# Build a bench

A bench for *two*. It is of
oak, about 0.5 m high.

- Four `Leg *` objects. Each stands
  on the floor.

| part | length |
|---|---|
| seat | 1200 mm |

![front](front.png)

```
bench.blend
```
"""
SPEC = '{"unit": "mm", "seat": {"size": [1200, 300], "a/b": "oak"}, "parts": [{"name": "Leg"}], "none": {}}'


@pytest.fixture
def task(tmp_path: Path) -> Task:
    task = fake_task(tmp_path / "task", examiners=[ExaminerRef("rubric", ["r.toml"])])
    for name, text in (("instruction.md", INSTRUCTION), ("spec.json", SPEC), ("front.png", "a picture")):
        (task.root / "brief" / name).write_text(text)
    (task.root / "checks" / "r.toml").write_text("criteria = []\n")
    return task


def checks(*sources: str) -> list[Check]:
    return [Check("a", "rubric", "A", source=list(sources))]


def test_a_brief_is_taken_apart_into_sentences_values_and_pictures(task: Task) -> None:
    assert list(document(task.root / "brief" / "instruction.md").places) == [
        "A bench for two.", "It is of oak, about 0.5 m high.", "Four Leg * objects.", "Each stands on the floor.", "seat | 1200 mm",
        "bench.blend"]
    assert list(document(task.root / "brief" / "spec.json").places) == [
        "/unit mm", "/seat/size [1200, 300]", "/seat/a~1b oak", "/parts/0/name Leg", "/none {}"]
    assert list(document(task.root / "brief" / "front.png").places) == [""]


def test_no_sentence_hides_behind_another(task: Task) -> None:
    place = task.root / "brief" / "instruction.md"
    place.write_text('It opens.  \nThe key turns.\n\n(By hand.) The lid "lifts." It stays.\n\n<div>Hinges are iron.</div>\n\n<!-- no -->\n')
    assert list(document(place).places) == [
        "It opens.", "The key turns.", "(By hand.)", 'The lid "lifts."', "It stays.", "Hinges are iron."]


def test_what_nobody_asks_for_is_told_with_its_place(task: Task) -> None:
    found = mapped(task, checks("brief/instruction.md#A bench for two. It is of oak", "brief/instruction.md#`Leg *` objects",
                                "brief/instruction.md#seat | 1200", "brief/spec.json#/seat", "brief/front.png"))
    assert found is not None and (found.asked, found.unchecked) == (7, 0)
    none = "no check asks for it, and no rubric lists it as unchecked"
    assert list(found.faults) == [
        f"brief/instruction.md: {none}: Each stands on the floor.", f"brief/instruction.md: {none}: bench.blend",
        f"brief/spec.json: {none}: /unit mm", f"brief/spec.json: {none}: /parts/0/name Leg", f"brief/spec.json: {none}: /none {{}}"]


def test_what_is_left_out_with_a_reason_is_counted_apart(task: Task) -> None:
    left = ["brief/instruction.md#Each stands", "brief/instruction.md#bench.blend", "brief/spec.json#/unit", "brief/spec.json#/none"]
    (task.root / "checks" / "r.toml").write_text(
        "criteria = []\n" + "".join(f'[[unchecked]]\nsource = "{source}"\nreason = "x"\n' for source in left))
    found = mapped(task, checks("brief/instruction.md#A bench for two. It", "brief/instruction.md#Four Leg", "brief/instruction.md#seat |",
                                "brief/spec.json#/seat/size/1", "brief/spec.json#/seat/a~1b", "brief/spec.json#/parts", "brief/front.png"))
    assert found == Mapped(8, 4, [])


@pytest.mark.parametrize(("source", "message"), [
    ("brief/instruction.md#five legs", "the text does not say this"),
    ("brief/instruction.md#o", "times; say more of it"), ("brief/instruction.md#", "words of the text are wanted behind '#'"),
    ("brief/spec.json#/seat/siz", "nothing stands there"), ("brief/spec.json#/seat/size/2", "nothing stands there"),
    ("brief/spec.json#seat", "a JSON pointer is wanted"), ("brief/front.png#top", "named as a whole"),
    ("brief/back.png", "no such file in the brief; there are: brief/front.png, brief/instruction.md, brief/spec.json"),
    ("instruction.md", "no such file in the brief"),
])
def test_a_source_that_names_nothing_is_told(task: Task, source: str, message: str) -> None:
    found = mapped(task, checks(source))
    assert found is not None and found.faults[0].startswith(f"a: source {source!r}: ") and message in found.faults[0]
    assert found.asked == 0


def test_a_file_named_without_a_place_in_it_marks_nothing(task: Task) -> None:
    found = mapped(task, checks("brief/instruction.md", "brief/spec.json"))
    assert found is not None and (found.asked, len(found.faults)) == (0, 12)


def test_a_task_with_scripts_is_not_asked(task: Task) -> None:
    assert mapped(evolve(task, examiners=[*task.examiners, ExaminerRef("python", ["*.py"])]), []) is None


def test_a_document_that_cannot_be_read_is_named(task: Task) -> None:
    (task.root / "brief" / "spec.json").write_text("{")
    with pytest.raises(TaskError, match=r"spec\.json: "):
        mapped(task, [])
    (task.root / "brief" / "instruction.md").write_bytes(b"\xff\xfe")
    with pytest.raises(TaskError, match=r"instruction\.md: "):
        mapped(task, [])
