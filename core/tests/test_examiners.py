"""The three examiners: what each finds, and what it makes of a submission."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from playproof.canonical import plain, structure
from playproof.drivers import build
from playproof.errors import TaskError
from playproof.examiners.python import PythonExaminer
from playproof.examiners.rubric import RubricExaminer
from playproof.examiners.scripts import load_scripts
from playproof.interfaces import Services
from playproof.model import Case, Check, ExaminerRef, Outcome, Part, RatingRef, Reason, Ref, Verdict
from playproof.testing import check_examiner, fake_grading, fake_submission, fake_task

# --- python ---

SCRIPT = """from playproof.checks import check
from playproof.errors import ExpectationFailed, NotApplicable, SubmissionFault

@check("first", title="first", priority="P1")
def first(session):
    session.note("first")
    session.wait(500)

@check("second", title="second", optional_feature=True)
def second(session):
    raise NotApplicable("no sound")

@check("third", title="third")
def third(session):
    session.wait(7)
    raise ExpectationFailed("n is 1, wanted 2", 1, 2)

@check("fourth", title="fourth")
def fourth(session):
    raise SubmissionFault("state.x", "missing")
"""


@pytest.fixture
def scripted(tmp_path: Path) -> Path:
    task = fake_task(tmp_path / "task")
    (task.root / "checks" / "b.py").write_text(SCRIPT)
    (task.root / "checks" / "a.py").write_text("from _common import check\n@check('zeroth', title='zeroth')\ndef zeroth(session): pass\n")
    (task.root / "checks" / "_common.py").write_text("from playproof.checks import check\n")
    return task.root


def test_python_finds_checks_in_the_order_of_files_and_lines(scripted: Path, tmp_path: Path) -> None:
    task = fake_task(scripted)
    examiner = PythonExaminer({"files": ["*.py"]}, Services(tmp_path))
    assert [check.id for check in examiner.checks(task)] == ["zeroth", "first", "second", "third", "fourth"]
    assert PythonExaminer({"files": ["b.py", "a.py"]}, Services(tmp_path)).checks(task)[0].id == "first"


def test_python_keeps_its_contract(scripted: Path, tmp_path: Path) -> None:
    grading = fake_grading(tmp_path, task=fake_task(scripted))
    check_examiner(PythonExaminer, grading.task, options={"files": ["*.py"]}, grading=grading)


def test_python_turns_signals_into_verdicts(scripted: Path, tmp_path: Path) -> None:
    grading = fake_grading(tmp_path, task=fake_task(scripted))
    examiner = PythonExaminer({"files": ["b.py"]}, grading.services)
    found = {one.check: one for check in examiner.checks(grading.task) for one in examiner.examine([check], Case(), grading)}
    assert {id: (one.outcome.value, one.reason.value, one.tick) for id, one in found.items()} == {
        "first": ("pass", "OK", 500), "second": ("not_applicable", "OK", 0), "third": ("fail", "FAIL", 7),
        "fourth": ("fail", "SUBMISSION_FAULT", 0)}
    assert (found["third"].seen, found["third"].wanted, found["fourth"].message) == ("1", "2", "state.x: missing")


def test_each_check_has_a_session_of_its_own(scripted: Path, tmp_path: Path) -> None:
    grading = fake_grading(tmp_path, task=fake_task(scripted))
    examiner = PythonExaminer({"files": ["b.py"]}, grading.services)
    checks = examiner.checks(grading.task)
    list(examiner.examine(checks[:1], Case(), grading))
    list(examiner.examine(checks[:1], Case(), grading))
    sessions = grading.runtime.sessions  # type: ignore[attr-defined]
    assert [one.log for one in sessions] == [[(0, "first")]] * 2


def test_two_folders_of_scripts_do_not_share_a_name(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "checks.py").write_text(
            f"from playproof.checks import check\n@check('{name}', title='x')\ndef f(session): pass\n")
    assert [list(load_scripts(tmp_path / name, ["*.py"])) for name in ("one", "two")] == [["one"], ["two"]]


# --- rubric ---

RUBRIC = """
[[criteria]]
id = "lit"
importance = "major"
asks = { driver = "toy.reaches", shows = { light = true } }
[[criteria]]
id = "blue"
weight = 7
category = "colour"
required = false
asks = { driver = "toy.reaches", shows = { colour = "blue" } }
"""

LAMP = {"start": "dark", "states": {"dark": {"shows": {"light": False}, "on": {"switch": "lit"}}, "lit": {"shows": {"light": True}}}}


@pytest.fixture
def rubric(toy: Path, tmp_path: Path) -> Callable[..., Sequence[Verdict]]:
    def run(machine: Any, text: str = RUBRIC, ticks: int = 90_000, every_s: float = 0.5) -> Sequence[Verdict]:
        task = fake_task(tmp_path / "task")
        (task.root / "checks" / "r.toml").write_text(text)
        services = Services(tmp_path)
        runtime = build("runtime", Ref("toy.lamp"), services)
        presser = build("actor", Ref("toy.presser", {"button": "switch", "every_s": every_s, "first_s": every_s}), services)
        grading = fake_grading(tmp_path, task=task, runtime=runtime, cast=[presser],
                               submission=fake_submission(tmp_path / "given", {"machine.json": json.dumps(machine)}))
        examiner = RubricExaminer({"files": ["r.toml"], "ticks": ticks}, services)
        return list(examiner.examine(examiner.checks(task), Case(), grading))

    return run


def test_rubric_lets_the_cast_play_and_asks_offline(rubric: Callable[..., Sequence[Verdict]]) -> None:
    lit, blue = rubric(LAMP)
    assert (lit.outcome, lit.tick, lit.observer, lit.seen) == (Outcome.PASS, 90_000, "outside", "first at 45000 ticks")
    assert blue.outcome is Outcome.FAIL and lit.cites == blue.cites and len(lit.cites) == 1


PARTED = """
[[criteria]]
id = "lamp"
source = ["brief/a.json#/lamp", "brief/b.md#It glows"]
[[criteria.parts]]
title = "it is lit"
weight = 3
asks = { driver = "toy.reaches", shows = { light = true } }
[[criteria.parts]]
title = "it is blue"
asks = { driver = "toy.reaches", shows = { colour = "blue" } }
"""


def test_a_criterion_of_parts_passes_when_all_hold_and_is_graded_by_their_weight(rubric: Callable[..., Sequence[Verdict]]) -> None:
    (verdict,) = rubric(LAMP, PARTED)
    assert (verdict.outcome, verdict.graded) == (Outcome.FAIL, 0.75)
    assert [(one.title, one.outcome) for one in verdict.parts] == [("it is lit", Outcome.PASS), ("it is blue", Outcome.FAIL)]
    assert verdict.message.startswith("1 of 2 parts hold; it is blue: ") and len(verdict.cites) == 1
    assert structure(plain(verdict), Verdict) == verdict, "parts are stored"
    blue = {**LAMP, "states": {**LAMP["states"], "lit": {"shows": {"light": True, "colour": "blue"}}}}
    (verdict,) = rubric(blue, PARTED)
    assert (verdict.outcome, verdict.graded, verdict.message) == (Outcome.PASS, 1.0, "all 2 parts hold")


def test_a_verdict_is_not_graded_without_parts_nor_with_a_void_one() -> None:
    plain_one = Verdict("a", "default", Outcome.PASS, Reason.OK)
    parts = [Part("x", Outcome.PASS), Part("y", Outcome.VOID)]
    void = Verdict("a", "default", Outcome.VOID, Reason.INFRA, parts=parts)
    assert (plain_one.graded, void.graded) == (None, None)


def test_rubric_stops_the_cast_at_its_ticks(rubric: Callable[..., Sequence[Verdict]]) -> None:
    assert [one.outcome for one in rubric(LAMP, ticks=40_000)] == [Outcome.FAIL, Outcome.FAIL]


def test_rubric_fails_everything_where_the_session_does(rubric: Callable[..., Sequence[Verdict]], monkeypatch: pytest.MonkeyPatch) -> None:
    from playproof_toy.lamp import LampSession  # type: ignore[import-not-found, unused-ignore]

    from playproof.errors import SubmissionFault

    def spoilt(self: object, ask: object) -> None:
        raise SubmissionFault("history", "missing")

    monkeypatch.setattr(LampSession, "observe", spoilt)
    assert [(one.reason.value, one.message) for one in rubric(LAMP)] == [("SUBMISSION_FAULT", "history: missing")] * 2


def test_the_last_rubric_of_a_task_takes_what_ratings_are_given_on(toy: Path, tmp_path: Path) -> None:
    task = fake_task(tmp_path / "task", ratings=[RatingRef("playproof_toy:scales/manners-1.toml", ["toy.state/1"])],
                     examiners=[ExaminerRef("rubric", ["first.toml"]), ExaminerRef("rubric", ["last.toml"])])  # fmt: skip
    for name in ("first", "last"):
        (task.root / "checks" / f"{name}.toml").write_text(RUBRIC)
    services = Services(tmp_path)
    first, last = (RubricExaminer({"files": [f"{name}.toml"]}, services) for name in ("first", "last"))
    assert first._shown(first.checks(task), task) == {"toy.history/1"}
    assert last._shown(last.checks(task), task) == {"toy.history/1", "toy.state/1"}
    assert last._shown(last.checks(task)[:1], task) == {"toy.history/1"}, "what is narrowed is not rated"


def test_rubric_weights(tmp_path: Path) -> None:
    task = fake_task(tmp_path)
    (task.root / "checks" / "r.toml").write_text(RUBRIC)
    checks = RubricExaminer({"files": ["*.toml"]}, Services(tmp_path)).checks(task)
    assert [(one.weight, one.category, one.required) for one in checks] == [(3.0, None, True), (7.0, "colour", False)]


def test_rubric_whose_evidence_is_slow_gets_more_time(tmp_path: Path) -> None:
    task = fake_task(tmp_path)
    (task.root / "checks" / "r.toml").write_text(RUBRIC)
    for options, wanted in ({}, 60), ({"timeout_s": 600}, 600):
        assert {one.timeout_s for one in RubricExaminer({"files": ["*.toml"], **options}, Services(tmp_path)).checks(task)} == {wanted}


@pytest.mark.parametrize(("text", "message"), [
    ("criteria = 3", "r.toml: expected a list, not int @ $.criteria"), ("[[criteria]]\nid = 1", "r.toml: "), ("[[criteria", "r.toml: "),
    ('[[criteria]]\nid = "a"\nasks = {}', "r.toml: a: asks names neither a driver nor a judge"),
    ('[[criteria]]\nid = "a"\nimportance = "huge"\nasks = { driver = "x" }', "importance 'huge'; known: major, secondary, detail"),
    ('[[criteria]]\nid = "a"\nasks = { driver = "x" }\nparts = [{ title = "b", asks = { driver = "x" } }]',
     "r.toml: a: wanted either asks or parts"),
    ('[[criteria]]\nid = "a"\nparts = [{ title = "b", asks = { judge = "x" } }]', "r.toml: a: the part 'b' names no driver"),
    ('[[criteria]]\nid = "a"\nparts = [{ title = "b", weight = 0, asks = { driver = "x" } }]', "@ $.criteria[0].parts[0]"),
    ('[[criteria]]\nid = "a"\nsource = 7\nasks = { driver = "x" }', "r.toml: a: source: "),
    ('[[unchecked]]\nsource = "a"\nreason = ""', "r.toml: "),
    ('[[criteria]]\nid = "a"\ncolour = 1\nasks = { driver = "toy.reaches" }', "unknown key 'colour' @ $.criteria[0]"),
])
def test_rubric_refuses_with_file_and_place(tmp_path: Path, text: str, message: str) -> None:
    task = fake_task(tmp_path)
    (task.root / "checks" / "r.toml").write_text(text)
    with pytest.raises(TaskError) as fault:
        RubricExaminer({"files": ["*.toml"]}, Services(tmp_path)).checks(task)
    assert message in str(fault.value)


def test_an_assertion_refuses_its_options_when_the_task_is_planned(toy: Path, tmp_path: Path) -> None:
    examiner = RubricExaminer({"files": ["*.toml"]}, Services(tmp_path))
    with pytest.raises(TaskError, match=r"options of 'toy\.reaches': unknown key 'show' @ \$"):
        examiner.reads([Check("a", "rubric", "A", options={"asks": {"driver": "toy.reaches", "show": {}}})])
