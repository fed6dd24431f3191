"""What a mutant is: how it is named, drawn, kept, and made into a submission; and what its grading asks."""

import json
from pathlib import Path

import pytest
from attrs import evolve

from playproof.canonical import digest
from playproof.errors import InfrastructureError, TaskError
from playproof.events import Events
from playproof.model import Equivalent
from playproof.mutation import Mutant, applied, drawn, keep, kept, named, place_of
from playproof.run import Request, carry_out, plan
from playproof.sources import beneath, materialise, origins, reference_digest
from playproof.store import Store
from playproof.taskfile import read_task

from .conftest import LAMP, MakeTask
from .test_grading import Grade, Tried, grade  # noqa: F401 - a fixture


def mutant(line: int = 1, **changes: object) -> Mutant:
    made = Mutant("machine.json", line, 1, "number", "level: 80", "level: 81", 0, 2, "81", "states.lit.level")
    return evolve(made, **changes)


# --- names and order ---


def test_an_id_follows_from_content_and_outlives_what_moves_the_code() -> None:
    first, twin, other = named([mutant(1), mutant(5), mutant(9, text="0", after="level: 0")])
    assert len({first.id, twin.id, other.id}) == 3 and len(first.id) == 12
    moved = named([mutant(31, start=500, end=502), mutant(35), mutant(2, within="states.dark.level")])
    assert [one.id for one in moved[:2]] == [first.id, twin.id] and moved[2].id not in {first.id, twin.id, other.id}


def test_every_line_has_its_first_before_any_has_its_second() -> None:
    found = named([mutant(line, text=str(text), after=str(text)) for line in range(1, 6) for text in range(8)])
    order = drawn(found, 0)
    assert sorted(order, key=lambda one: one.id) == sorted(found, key=lambda one: one.id)
    for turn in range(8):
        assert {one.line for one in order[turn * 5 : turn * 5 + 5]} == {1, 2, 3, 4, 5}
    assert [one.id for one in drawn(list(reversed(found)), 0)] == [one.id for one in order]
    assert [one.id for one in drawn(found, 1)] != [one.id for one in order]


def test_a_change_is_of_bytes_and_is_one() -> None:
    assert applied(mutant(start=3, end=5, text="é"), "aé80b".encode()) == "aééb".encode()
    assert applied(mutant(start=2, end=2, text="x"), b"abc") == b"abxc"
    for start, end, text, why in ((2, 9, "x", "not in a file of 3"), (2, 1, "x", "not in a file"), (0, 2, "ab", "changes nothing")):
        with pytest.raises(ValueError, match=why):
            applied(mutant(start=start, end=end, text=text), b"abc")


@pytest.mark.parametrize("keys", [{}, {"reason": ""}])
def test_a_mark_says_what_it_marks_and_why(keys: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"says of no mutant|Length of 'reason'"):
        Equivalent(**{"reason": "because", **keys})


# --- as a source of submissions ---


@pytest.fixture
def task(small: MakeTask) -> Path:
    return small('@check("lights", priority="P1", title="x")\ndef lights(lamp):\n    lamp.press("switch")\n'
                 '    lamp.expect(lamp.state()["level"], "level").equals(80)\n')


def kept_mutant(task: Path, cache: Path, find: str = "80", text: str = "81") -> Mutant:
    content = (task / "reference" / "machine.json").read_bytes()
    at = content.index(find.encode())
    (made,) = named([mutant(start=at, end=at + len(find), text=text)])
    keep(made, reference_digest(read_task(task)), cache)
    return made


def test_a_mutant_is_the_reference_with_one_change(task: Path, cache: Path, tmp_path: Path) -> None:
    made, read = kept_mutant(task, cache), read_task(task)
    materialise(read, f"mutant:{made.id}", tmp_path / "out", cache)
    reference = (task / "reference" / "machine.json").read_text()
    assert (tmp_path / "out" / "machine.json").read_text() == reference.replace("80", "81")
    assert (tmp_path / "out" / "brief" / "instruction.md").is_file()
    assert kept(place_of(made.id, reference_digest(read), cache)) == made


def test_a_mutant_may_be_a_script_that_the_runtime_runs(task: Path, cache: Path, tmp_path: Path) -> None:
    changed = json.loads((task / "reference" / "machine.json").read_text())
    changed["states"]["lit"]["shows"]["level"] = 7
    (made,) = named([mutant(start=0, end=0, text="", script=json.dumps(changed))])
    keep(made, reference_digest(read_task(task)), cache)
    materialise(read_task(task), f"mutant:{made.id}", tmp_path / "out", cache)
    assert json.loads((tmp_path / "out" / "machine.json").read_text()) == changed
    (other,) = named([mutant(start=0, end=0, text="", script="{}")])
    assert other.id != made.id, "what a script does is part of its name"


def test_a_mutant_of_another_reference_or_of_nobody_is_refused(task: Path, cache: Path, tmp_path: Path) -> None:
    made, read = kept_mutant(task, cache), read_task(task)
    (cache / "outside.json").write_text("{}")
    with pytest.raises(TaskError, match="there is no mutant"):
        origins(read, "mutant:../../outside", cache)
    (task / "reference" / "machine.json").write_text((task / "reference" / "machine.json").read_text() + "\n")
    for name, at in ((made.id, cache), ("", cache), (made.id, None)):
        with pytest.raises(TaskError, match=r"there is no mutant .*`playproof certify` makes them"):
            origins(read, f"mutant:{name}", at)
    with pytest.raises(TaskError, match="there is no mutant"):
        plan(Request([task], [f"mutant:{made.id}"], cache))


def test_a_kept_change_that_does_not_fit_is_ours(task: Path, cache: Path, tmp_path: Path) -> None:
    (made,) = named([mutant(start=5000, end=5001)])
    keep(made, reference_digest(read_task(task)), cache)
    with pytest.raises(InfrastructureError, match=r"does not fit the reference \(bytes 5000 to 5001"):
        materialise(read_task(task), f"mutant:{made.id}", tmp_path / "out", cache)


def test_what_a_reference_stands_on(task: Path, cache: Path, tmp_path: Path) -> None:
    (task / "starter").mkdir()
    (task / "starter" / "given.txt").write_text("given")
    (task / "reference" / "given.txt").write_text("changed")
    beneath(read_task(task), "reference", tmp_path / "out", cache)
    assert (tmp_path / "out" / "given.txt").read_text() == "given" and not (tmp_path / "out" / "machine.json").exists()


def test_the_same_content_has_the_same_grading(task: Path, cache: Path) -> None:
    """A mutant's identity is its content: what is graded once is not graded again when the reference has moved on around it."""
    made = kept_mutant(task, cache)
    (trial,) = plan(Request([task], [f"mutant:{made.id}"], cache, first_fail=True)).trials
    assert trial.id == f"small/mutant:{made.id}/0" and trial.narrowed
    plainly = evolve(trial, first_fail=False)
    assert trial.grading_id("x") != plainly.grading_id("x")
    assert evolve(trial, order=["lights"]).grading_id("x") == trial.grading_id("x")
    assert "first_fail" not in plainly.grading_inputs("x"), "gradings of before keep their identity"
    assert trial.subject.inputs["digest"] != digest([]) and trial.generation_id != evolve(trial, seed=1).generation_id


# --- a grading that ends at the first fail ---

FOUR = "".join(f'@check("{name}", priority="{priority}", title="x")\ndef {name}(lamp):\n    lamp.expect({expected}, "x").equals(1)\n'
               for name, priority, expected in (("a", "P1", 1), ("b", "P2", 2), ("c", "P1", 3), ("d", "P1", 4)))


def asked(tried: Tried) -> list[tuple[str, str]]:
    return [(one.check, one.outcome.value) for one in tried.graded.verdicts]


@pytest.mark.parametrize(("order", "wanted"), [
    ((), [("a", "pass"), ("b", "fail"), ("c", "fail")]),
    (("d", "a"), [("d", "fail")]),
    (("b", "d"), [("b", "fail"), ("d", "fail")]),
])
def test_nothing_is_asked_after_the_first_required_fail(small: MakeTask, grade: Grade, order: tuple[str, ...],  # noqa: F811
                                                        wanted: list[tuple[str, str]]) -> None:
    """A check that is not required stops nothing; the verdicts stand in the order of the checks."""
    assert asked(grade(small(FOUR), LAMP, first_fail=True, order=order)) == wanted


def test_an_error_is_settled_only_where_no_other_check_has_failed(small: MakeTask, grade: Grade) -> None:  # noqa: F811
    """The control and the second run of a check that hangs cost minutes; they are for a mutant that nothing else kills."""
    raises = '@check("a", priority="P1", title="x")\ndef a(lamp):\n    assert lamp.state()["light"].value is False\n'
    fails = '@check("b", priority="P1", title="x")\ndef b(lamp):\n    lamp.expect(lamp.state()["level"], "x").equals(0)\n'
    lit = {"start": "x", "states": {"x": {"shows": {"light": True, "level": 80}}}}
    assert asked(grade(small(raises + fails), lit, first_fail=True)) == [("b", "fail")]
    alone = grade(small(raises, id="alone"), lit, first_fail=True)
    assert alone.rulings == {"a": ("fail", "CHECK_ERROR_ON_SUBMISSION")}


def test_a_trial_that_ended_early_has_no_score(small: MakeTask, cache: Path, tmp_path: Path) -> None:
    run = plan(Request([small(FOUR)], ["reference"], cache, workers=1, first_fail=True))
    (done,) = carry_out(run, Store(tmp_path / "out"), Events(), 1, ready=lambda trial: evolve(trial, order=["d"]))
    assert [one.check for one in done.graded] == ["d"] and not done.result().valid
