"""Models that play in a grading: who may, what it costs, and whose fault it is when one does not."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from playproof import workers
from playproof.canonical import plain
from playproof.dialogue import FREE, Tokens
from playproof.grading import Graded, Grader, GradingJob
from playproof.model import Ended, Ending, Ref
from playproof.plan import survey
from playproof.run import Request, plan
from playproof.store import Store
from playproof.submission import freeze
from playproof.taskfile import read_task
from playproof.trial import known, run

Small = Callable[..., Path]
Grade = Callable[..., Graded]

LIT = {"start": "dark", "states": {"dark": {"shows": {"light": False}, "on": {"switch": "lit"}}, "lit": {"shows": {"light": True}}}}
EVIL = {"start": "dark", "states": {"dark": {"shows": {"light": "evil"}, "on": {"switch": "lit"}}, "lit": {"shows": {"light": True}}}}

CHECKS = """
@check("lights", title="a model finds the switch", plays="default", timeout_s=1)
def lights(lamp):
    lamp.press(lamp.consult("Which button makes light?"))
    lamp.expect(lamp.state()["light"], "light").is_true()
"""


@pytest.fixture
def grade(small: Small, tmp_path: Path, cache: Path) -> Grade:
    count = iter(range(99))

    def graded(answer: str | None, machine: Mapping[str, Any] = LIT, checks: str = CHECKS, reference: Mapping[str, Any] = LIT,
               also: Mapping[str, Any] | None = None, repeat: int = 0) -> Graded:
        number = next(count)
        root = tmp_path / "task-0" if (tmp_path / "task-0").exists() else small(checks, id="task-0", reference=reference)
        task = read_task(root)
        (tmp_path / f"workspace-{number}").mkdir()
        (tmp_path / f"workspace-{number}" / "machine.json").write_text(json.dumps(machine))
        submission = freeze(tmp_path / f"workspace-{number}", tmp_path / f"frozen-{number}", task.deliver, Ending(Ended.COMPLETED), "test")
        cache.mkdir(exist_ok=True)
        options = {"model": "one", "log": str(tmp_path / "asked"), "usd": 0.5, **(also or {})}
        answers = [["evil", "REFUSE"], ["Which button", answer]]
        models = {} if answer is None else {"default": Ref("toy.parrot", {**options, "answers": answers})}
        job = GradingJob(root, survey(task, cache), submission, tmp_path / f"grading-{number}", cache, tmp_path / "controls", workers=1,
                         repeat=repeat, models=models)
        return Grader(job, task, lambda moment, facts: None).grade()

    return graded


def ruling(graded: Graded) -> tuple[str, str, str]:
    [verdict] = graded.verdicts
    return verdict.outcome.value, verdict.reason.value, verdict.message


def asked(folder: Path) -> int:
    return len((folder / "asked").read_text().splitlines())


def test_a_model_plays_and_the_same_grading_again_costs_nothing(grade: Grade, tmp_path: Path) -> None:
    first = grade("switch")
    assert ruling(first)[:2] == ("pass", "OK") and first.tokens == Tokens(900, 9, usd=0.5)
    again = grade("switch")
    assert ruling(again) == ruling(first) and again.verdicts[0].cites == first.verdicts[0].cites
    assert again.tokens == FREE and asked(tmp_path) == 1
    assert ruling(grade("switch", repeat=1))[0] == "pass" and asked(tmp_path) == 2, "a repeat is a new question"


def test_what_a_model_does_wrong_is_seen_on_the_machine(grade: Grade) -> None:
    assert ruling(grade("doorbell"))[:2] == ("fail", "FAIL")


def test_without_the_model_nothing_is_decided(grade: Grade) -> None:
    outcome, reason, message = ruling(grade(None))
    assert (outcome, reason) == ("void", "NO_MODEL") and "the model 'default' is to play, and there are: none" in message


def test_a_check_that_names_no_player_has_none(grade: Grade, tmp_path: Path) -> None:
    assert ruling(grade("switch", checks=CHECKS.replace('plays="default", ', "")))[:2] == ("void", "NO_MODEL")
    assert not (tmp_path / "asked").exists()


@pytest.mark.parametrize(("answer", "word"), [("DOWN", "it is down"), ("DENY", "the key in PARROT_KEY was refused")])
def test_a_model_that_does_not_answer_is_void_at_once(grade: Grade, tmp_path: Path, answer: str, word: str) -> None:
    outcome, reason, message = ruling(grade(answer))
    assert (outcome, reason) == ("void", "INFRA") and word in message
    assert asked(tmp_path) == 1, "no second run, no control"


def test_a_model_that_cannot_be_built_is_void_too(grade: Grade) -> None:
    outcome, reason, message = ruling(grade("switch", also={"no_such_option": 1}))
    assert (outcome, reason) == ("void", "INFRA") and "no_such_option" in message


def test_a_refusal_of_this_submission_alone_is_its_fault(grade: Grade) -> None:
    outcome, reason, message = ruling(grade("switch", EVIL))
    assert (outcome, reason) == ("fail", "JUDGE_REFUSED_ON_SUBMISSION") and "the model refused" in message


def test_a_refusal_of_the_reference_too_is_void(grade: Grade) -> None:
    assert ruling(grade("switch", EVIL, reference=EVIL))[:2] == ("void", "CONTROL_FAILED")


def test_a_slow_model_is_no_hang(grade: Grade, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "START_S", 2.0)
    slow = {"slow_s": 4.0, "model": "slow"}
    [verdict] = grade("SLOW", also=slow).verdicts
    assert verdict.reason == "FAIL" and not verdict.flaky, "the time of the check stood still for four seconds"
    monkeypatch.setattr(workers, "ASKING_S", 0.5)
    outcome, reason, message = ruling(grade("SLOW", also={**slow, "model": "slower"}))
    assert (outcome, reason) == ("void", "INFRA") and "did not answer within 0.5 s" in message


def test_who_plays_is_part_of_what_identifies_a_grading(small: Small, cache: Path, tmp_path: Path) -> None:
    root = small(CHECKS)
    silent = small(CHECKS.replace('plays="default", ', ""), id="silent")

    def trial(task: Path, **models: Ref) -> Any:
        return plan(Request([task], ["reference"], cache, workers=1, sandbox="process", models=models)).trials[0]

    one, other = Ref("toy.parrot", {"model": "one", "answers": [["", "switch"]]}), Ref("toy.parrot", {"model": "two"})
    ids = [trial(root, **models).grading_id("x") for models in ({}, {"default": one}, {"default": other}, {"default": one, "judge": other})]
    assert len(set(ids)) == 3 and ids[1] == ids[3]
    assert trial(silent, default=one).grading_id("x") == trial(silent).grading_id("x")
    moved = trial(root, default=Ref("toy.parrot", {"model": "one", "log": "elsewhere"}))
    assert moved.grading_id("x") == ids[1], "where a model lies is outside"

    store = Store(tmp_path / "run")
    without, played = trial(root), trial(root, default=one)
    assert [run(each, store, lambda moment, facts: None).verdicts[0].reason.value for each in (without, played)] == ["NO_MODEL", "OK"]
    record = known(played, store).grading
    assert record is not None and record["tokens"] == plain(Tokens(900, 9)) and record["inputs"]["players"]["default"]["model"] == "one"
