"""`trajectory`: what happened, by evidence in the order of time."""

from typing import Any

import pytest

from playproof.model import TICKS, Observer
from playproof.opinion import Trouble
from playproof_judges.testing import Turn

Court = Any


def happened(verdict: bool = True, interaction: str = "shown", acted: tuple[str, ...] = ("E2",), response: bool = True,
             responded: tuple[str, ...] = ("E3",), doubts: tuple[str, ...] = (), issues: tuple[str, ...] = ()) -> Turn:
    return Turn(data={"reasoning": "In order.", "interaction": interaction, "interaction_cites": list(acted), "response": response,
                      "response_cites": list(responded), "doubts": list(doubts), "verdict": verdict, "issues": list(issues),
                      "tampering": []})


@pytest.fixture
def story(court: Court) -> list[Any]:
    """Before, the pinch, after, and what the actor says at the end."""
    return [
        court.see("fake.scene/1", {"cube": [0, 0, 0]}, tick=TICKS),
        court.see("fake.hand/1", {"pinch": True}, tick=2 * TICKS),
        court.picture(court.drawn("red"), tick=3 * TICKS),
        court.see("adaptive.end/1", {"claim": "the cube moved"}, tick=4 * TICKS, source="actor:adaptive"),
    ]


def test_evidence_stands_in_the_order_of_time(court: Court, story: list[Any]) -> None:
    court.server.script(happened())
    opinion = court.verdict("trajectory", *reversed(story))
    assert opinion.value.verdict is True and list(opinion.cites) == [story[1].id, story[2].id]
    text = court.server.asked[0].text
    assert text.index("E1: probe of the verifier; kind fake.scene/1; seen at 1.00 s") < text.index("E2: probe") < text.index("E4: claim of")
    assert "stale" in court.server.asked[0].system and "not proof" in court.server.asked[0].system


def test_a_picture_before_a_probe_stands_before_it(court: Court, story: list[Any]) -> None:
    court.server.script(happened(acted=("E3",), responded=("E4",)))
    opinion = court.verdict("trajectory", court.picture(court.drawn("blue"), tick=0), *story)
    assert list(opinion.cites) == [story[1].id, story[2].id]


@pytest.mark.parametrize(("reply", "problem"), [
    (happened(responded=("E4",)), "rests on nothing that is more than a claim"), (happened(responded=()), "rests on nothing"),
    (happened(responded=("E1",)), "the response is stale"),
    (happened(acted=("E3",), responded=("E1", "E2", "E4")), "the response is stale"),
    (happened(response=False), "the response is not shown"), (happened(interaction="not_shown"), "interaction is not shown"),
    (happened(acted=()), "no exhibit is cited for it"), (happened(doubts=("E1 and E3 disagree",)), "there is a doubt: E1 and E3 disagree"),
    (happened(acted=("E9",)), "which is no exhibit"), (happened(interaction="maybe"), "which is none of: shown, not_shown, none_demanded"),
])
def test_a_pass_that_contradicts_itself_is_not_taken(court: Court, story: list[Any], reply: Turn, problem: str) -> None:
    court.server.script(reply, reply, reply, happened(False, response=False))
    opinion = court.verdict("trajectory", *story)
    assert opinion.trouble is Trouble.MALFORMED and problem in opinion.message
    assert court.verdict("trajectory", *story, text="Again?").value.verdict is False
    assert problem in court.server.asked[-1].text


@pytest.mark.parametrize("reply", [
    happened(False, "not_shown", ()), happened(False, response=False, responded=()), happened(False, doubts=("stale",)),
    happened(False, "not_shown", (), False, ()),
])
def test_missing_evidence_is_false(court: Court, story: list[Any], reply: Turn) -> None:
    court.server.script(reply)
    opinion = court.verdict("trajectory", *story)
    assert opinion.value.verdict is False and list(opinion.issues) == [f"doubt: {one}" for one in reply.data["doubts"]]


def test_what_happens_by_itself_needs_no_interaction(court: Court, story: list[Any]) -> None:
    court.server.script(happened(interaction="none_demanded", acted=()))
    assert court.verdict("trajectory", *story).value.verdict is True


def test_an_actors_words_alone_are_no_evidence(court: Court, story: list[Any]) -> None:
    page = court.see("fake.says/1", {"moved": True}, observer=Observer.MAIN)
    opinion = court.verdict("trajectory", story[3], page)
    assert opinion.trouble is Trouble.NO_EVIDENCE and not court.server.asked
