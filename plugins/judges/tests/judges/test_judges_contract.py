"""Every judge of ours before the public contract check, as a third party's would be; and the check before judges that break it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from playproof.dialogue import Call, Reply, Request
from playproof.drivers import load
from playproof.interfaces import Bench, Exhibits, Services
from playproof.model import Options
from playproof.opinion import Opinion, Question, Trouble, Value
from playproof.testing import ContractBroken, FakeBench, check_judge, fake_exhibits, fake_question
from playproof_judges.judges.vision import VisionJudge

PASS = {"reasoning": "E2 shows it.", "verdict": True, "cites": ["E2"], "issues": [], "tampering": []}
HAPPENED = {"reasoning": "E1, then E2.", "interaction": "none_demanded", "interaction_cites": [], "response": True,
            "response_cites": ["E2"], "doubts": [], "verdict": True, "issues": [], "tampering": []}
RATED = {"ratings": [{"item": name, "issues": ["slow at 0.01 s"], "rating": 3, "cites": ["E1"], "change": ["Answer at once."]}
                     for name in ("clear", "quick")], "tampering": []}


def preferring_a(request: Request) -> Mapping[str, Any]:
    """Looks for the submission whose light is on, wherever it stands."""
    told = "\n".join(part.text for message in request.messages for part in message.parts if hasattr(part, "text"))
    first, _, _ = told.partition("The second submission:")
    return {"reasoning": "The light is on.", "preference": "first" if '"light":true' in first else "second", "cites": ["E1", "E2"],
            "issues": [], "tampering": []}


def inspecting(request: Request) -> Reply:
    """Reads E2, then concludes."""
    if len(request.messages) == 1:
        return Reply([Call("1", "read_json", {"evidence": "E2", "pointer": "/light"})])
    return Reply([Call("2", "conclude", PASS)])


ANSWERS: Mapping[str, tuple[Options, Mapping[str, Any]]] = {
    "vision": ({}, {"verdict": lambda request: PASS}),
    "trajectory": ({"temperature": 0}, {"verdict": lambda request: HAPPENED}),
    "rating": ({"seed": 7}, {"rating": lambda request: RATED}),
    "pairwise": ({}, {"preference": preferring_a}),
    "inspector": ({"turns": 4}, {"verdict": inspecting}),
    "panel": ({"of": {"judge": "vision"}, "votes": 3}, {"verdict": lambda request: PASS}),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_ours_keep_the_contract(name: str) -> None:
    options, answers = ANSWERS[name]
    given = check_judge(load("judge", name), answers, options=options)
    values = {"verdict": Value(verdict=True), "rating": Value(rating=3), "preference": Value(preference="a")}
    assert {form: one.value for form, one in given.items()} == {form: values[form] for form in answers}


@pytest.mark.parametrize(("name", "option"), [
    ("vision", {"pictures": 0}), ("vision", {"side": "large"}), ("vision", {"encoding": "bmp"}), ("rating", {"temperature": "cold"}),
    ("inspector", {"turns": 0}), ("panel", {"of": {"judge": "vision"}}), ("panel", {"of": {"judge": "vision"}, "votes": 1}),
    ("panel", {"of": {"judge": "vision"}, "models": ["a", "a"]}), ("panel", {"of": {"judge": "vision"}, "models": ["a", "b"], "votes": 2}),
    ("panel", {"of": {"judge": "vision", "options": {"colour": 1}}, "votes": 2}), ("panel", {"of": {"judge": "no.such"}, "votes": 2}),
])
def test_options_that_make_no_sense_are_refused(name: str, option: Options, tmp_path: Path) -> None:
    from playproof.errors import TaskError

    with pytest.raises(TaskError):
        load("judge", name)(option, Services(tmp_path))


@pytest.mark.parametrize("name", ANSWERS)
def test_a_question_of_another_form_or_version_is_refused(name: str, tmp_path: Path) -> None:
    from playproof.errors import UsageError

    judge = load("judge", name)(ANSWERS[name][0], Services(tmp_path))
    form = next(iter(judge.forms))
    bench = FakeBench({"default": lambda request: PASS})
    other = fake_question("preference" if form != "preference" else "verdict")
    with pytest.raises(UsageError, match="answers"):
        judge.judge(other, fake_exhibits(bench, form), bench)
    with pytest.raises(UsageError, match="version 1 of its prompt"):
        judge.judge(evolve(fake_question(form), prompt_version=2), fake_exhibits(bench, form), bench)
    assert not bench.asked


# --- the check itself ---


class Broken(VisionJudge):
    """A judge that keeps the contract but for one thing."""

    def spoilt(self, opinion: Opinion, exhibits: Exhibits) -> Opinion:
        return opinion

    def judge(self, question: Question, exhibits: Exhibits, bench: Bench) -> Opinion:
        return self.spoilt(super().judge(question, exhibits, bench), exhibits)


class Foreign(Broken):
    def spoilt(self, opinion: Opinion, exhibits: Exhibits) -> Opinion:
        return evolve(opinion, cites=["f" * 64]) if opinion.value else opinion


class Bare(Broken):
    def spoilt(self, opinion: Opinion, exhibits: Exhibits) -> Opinion:
        return evolve(opinion, cites=[])


class Forgetful(Broken):
    def spoilt(self, opinion: Opinion, exhibits: Exhibits) -> Opinion:
        return evolve(opinion, raw=[])


class Kind(Broken):
    def spoilt(self, opinion: Opinion, exhibits: Exhibits) -> Opinion:
        return evolve(opinion, value=Value(verdict=True), trouble=Trouble.NONE) if exhibits["submission"] else opinion


class Hasty(VisionJudge):
    def judge(self, question: Question, exhibits: Exhibits, bench: Bench) -> Opinion:
        if not exhibits["submission"]:
            bench.ask("default", Request([]))
        return super().judge(question, exhibits, bench)


class Nameless(VisionJudge):
    @property
    def settings(self) -> Options:
        return {"model": "default"}


class Careless(VisionJudge):
    def __init__(self, options: Options, services: Services) -> None:
        super().__init__({}, services)


@pytest.mark.parametrize(("judge", "problem"), [
    (Foreign, "not among the exhibits"), (Bare, "cites the evidence that decides"), (Forgetful, "kept in raw"),
    (Kind, "a refusal gives"), (Hasty, "though there are no exhibits"),
    (Nameless, "no digest of the prompt"), (Careless, "an unknown option is accepted"),
])
def test_a_broken_judge_is_told_what_is_wrong(judge: type, problem: str) -> None:
    with pytest.raises(ContractBroken, match=problem):
        check_judge(judge, {"verdict": lambda request: PASS})
