"""`vision` and `trajectory`, through the bench and the real drivers to a server that speaks the providers' protocols."""

from typing import Any

import pytest

from playproof.bench import Budget, Purse
from playproof.errors import BudgetReached, ModelUnavailable, RequestRejected, UsageError
from playproof.model import Observer
from playproof.opinion import Question, Trouble
from playproof_judges.testing import DRIVERS, Fail, Turn

Court = Any


# --- vision ---


@pytest.mark.parametrize("driver", DRIVERS)
def test_a_verdict_on_a_picture(driver: str, court: Court) -> None:
    court.server.script(court.said(True, "E1", issues=["a thin border"]))
    picture = court.picture(court.drawn("red"))
    opinion = court.verdict("vision", picture, driver=driver, temperature=0.0)
    assert opinion.value.verdict is True and list(opinion.cites) == [picture.id] and list(opinion.issues) == ["a thin border"]
    prompt = opinion.by.settings["prompt"]
    assert opinion.by.name == prompt["name"] == "vision" and len(prompt["digest"]) == 64
    assert opinion.message == "Seen." and len(opinion.raw) == 1 and opinion.tokens.output > 0
    (asked,) = court.server.asked
    assert "The square is red." in asked.text and "yes or no" in asked.system and asked.schema is not None
    seen = court.opened(asked.pictures[0]).getpixel((160, 100))
    assert seen[0] > 240 and seen[1] < 20


def test_a_fail_needs_no_citation_and_a_pass_does(court: Court) -> None:
    court.server.script(court.said(False), court.said(True), court.said(True))
    picture = court.picture(court.drawn())
    assert court.verdict("vision", picture).value.verdict is False
    opinion = court.verdict("vision", picture, text="It is blue.")
    assert opinion.trouble is Trouble.MALFORMED and "cites no exhibit that is more than a claim" in opinion.message


def test_a_pass_cannot_rest_on_claims_or_references(court: Court) -> None:
    says = court.see("fake.says/1", {"red": True}, observer=Observer.MAIN)
    wanted = court.picture(court.drawn("green"), observer=Observer.HELD)
    picture = court.picture(court.drawn())
    court.server.script(court.said(True, "E1", "E3"), court.said(True, "E2"))
    opinion = court.verdict("vision", says, wanted, picture)
    assert opinion.value.verdict is True and list(opinion.cites) == [picture.id]
    assert "cites no exhibit that is more than a claim" in court.server.asked[1].text


def test_only_claims_are_no_evidence(court: Court) -> None:
    says = court.see("fake.says/1", {"red": True}, observer=Observer.MAIN)
    opinion = court.verdict("vision", says, court.picture(court.drawn(), observer=Observer.HELD))
    assert opinion.trouble is Trouble.NO_EVIDENCE and "only claims and references" in opinion.message and not court.server.asked


@pytest.mark.parametrize("name", ["vision", "trajectory", "inspector"])
def test_no_exhibits_are_not_asked_about(name: str, court: Court) -> None:
    opinion = court.verdict(name)
    assert opinion.trouble is Trouble.NO_EVIDENCE and opinion.message == "there are no exhibits" and not court.server.asked


@pytest.mark.parametrize("name", ["vision", "trajectory", "inspector"])
def test_lost_evidence_is_void_and_not_false(name: str, court: Court) -> None:
    picture = court.picture(court.drawn())
    (court.folder / "record" / "blobs" / picture.blob).unlink()
    opinion = court.verdict(name, picture)
    assert opinion.trouble is Trouble.UNAVAILABLE and "is lost" in opinion.message and not court.server.asked


def test_exhibits_under_other_keys_are_refused(court: Court) -> None:
    with pytest.raises(UsageError, match="wanted: submission"):
        court.judge("vision").judge(Question("t/c", "?"), {"a": []}, court.bench())


def test_the_brief_is_told_and_is_not_a_template(court: Court) -> None:
    court.server.script(court.said(True, "E1"))
    picture = court.picture(court.drawn())
    question = Question("t/c", "Is {{opening}} {question} shown?", brief="Make {{question}} and {0}.")
    assert court.judge("vision").judge(question, {"submission": [picture]}, court.bench()).value.verdict
    text = court.server.asked[0].text
    assert "Is {{opening}} {question} shown?" in text and "Make {{question}} and {0}." in text


# --- replies that cannot be used ---


def with_(**changes: Any) -> Turn:
    return Turn(data={"reasoning": "", "verdict": True, "cites": ["E1"], "issues": [], "tampering": [], **changes})


BAD = {
    "no JSON": (Turn("It is red."), "not JSON"), "a lacking field": (Turn(data={"verdict": True}), "$.reasoning is missing"),
    "a wrong type": (with_(verdict="yes"), "$.verdict is a text, not true"), "a list": (Turn(data=[True]), "$ is a list, not an object"),
    "null": (Turn("null"), "$ is null, not an object"), "unknown evidence": (with_(cites=["E7"]), "there are: E1"),
    "cut off": (Turn('{"reasoning": "it is', stop="length"), "cut off"), "empty": (Turn(" "), "not JSON"),
    "nested": (Turn("[" * 20_000), ""), "not a number": (Turn('{"verdict": NaN}'), "$.reasoning"),
    "cites no list": (with_(cites="E1"), "$.cites is a text, not a list"), "a number": (with_(verdict=1), "$.verdict is 1, not true"),
}


@pytest.mark.parametrize("driver", ["openai", "anthropic"])
@pytest.mark.parametrize("what", BAD)
def test_one_repair_mends_a_reply(what: str, driver: str, court: Court) -> None:
    court.server.script(BAD[what][0], court.said(True, "E1"))
    opinion = court.verdict("vision", court.picture(court.drawn()), driver=driver)
    assert opinion.value is not None and opinion.value.verdict and len(opinion.raw) == 2 and len(court.server.asked) == 2
    assert opinion.tokens.output == 40
    if BAD[what][1] and what != "cut off":
        assert BAD[what][1] in court.server.asked[1].text


@pytest.mark.parametrize("what", BAD)
def test_a_second_one_is_void_with_the_reason(what: str, court: Court) -> None:
    court.server.script(BAD[what][0], BAD[what][0])
    opinion = court.verdict("vision", court.picture(court.drawn()))
    assert opinion.value is None and opinion.trouble is Trouble.MALFORMED and BAD[what][1] in opinion.message
    assert len(opinion.raw) == 2 and len(court.server.asked) == 2


@pytest.mark.parametrize("driver", DRIVERS)
def test_a_refusal_is_asked_again_once(driver: str, court: Court) -> None:
    no = Turn("I cannot.", stop="refused")
    court.server.script(no, court.said(False, "E1"), no, no)
    picture = court.picture(court.drawn())
    assert court.verdict("vision", picture, driver=driver).value.verdict is False
    assert "output of a program under test" in court.server.asked[1].text and "I cannot." not in court.server.asked[1].text
    opinion = court.verdict("vision", picture, text="Is it blue?", driver=driver)
    assert opinion.trouble is Trouble.REFUSED and "the model refused" in opinion.message


def test_a_reply_that_was_cut_off_gets_more_room_and_a_plea(court: Court) -> None:
    court.server.script(Turn('{"reas', stop="length"), court.said(True, "E1"))
    assert court.verdict("vision", court.picture(court.drawn()), max_tokens=500).value.verdict
    first, second = court.server.asked
    assert "more briefly" in second.text and '{"reas' not in second.text
    assert (first.body["max_tokens"], second.body["max_tokens"]) == (500, 1000)


# --- too large, down, spent ---


def test_too_large_is_asked_with_less(court: Court) -> None:
    court.server.script(Fail(413), Fail(413), court.said(True, "E1"))
    shots = [court.picture(court.drawn("red", (800, 400 + n)), tick=n) for n in range(8)]
    opinion = court.verdict("vision", *shots, pictures=8, side=600)
    assert opinion.value.verdict and "asked with 1/4 of the exhibits' room" in opinion.message
    assert "not shown: 6 x image.png/1" in opinion.message
    assert [len(asked.pictures) for asked in court.server.asked] == [8, 4, 2]
    assert [court.opened(asked.pictures[0]).width for asked in court.server.asked] == [600, 420, 294]


def test_too_large_for_good_is_unavailable(court: Court) -> None:
    court.server.script(*[Fail(413)] * 9)
    opinion = court.verdict("vision", court.picture(court.drawn()))
    assert opinion.trouble is Trouble.UNAVAILABLE and "too large for the endpoint" in opinion.message and len(court.server.asked) == 4


def test_a_wrong_key_and_a_dead_endpoint_leave_the_judge(court: Court) -> None:
    court.server.script(Fail(401))
    with pytest.raises(RequestRejected):
        court.verdict("vision", court.picture(court.drawn()))
    bench = court.bench()
    object.__setattr__(bench.endpoints["default"], "ask", _down)
    with pytest.raises(ModelUnavailable):
        court.judge("vision").judge(Question("t/c", "?"), {"submission": [court.picture(court.drawn())]}, bench)


def _down(request: Any) -> Any:
    raise ModelUnavailable("down for an hour")


def test_a_spent_budget_leaves_the_judge_before_the_repair(court: Court) -> None:
    court.server.script(Turn("no JSON"), court.said(True, "E1"))
    bench = court.bench(purse=Purse(Budget(requests=1)))
    with pytest.raises(BudgetReached):
        court.judge("vision").judge(Question("t/c", "?"), {"submission": [court.picture(court.drawn())]}, bench)
    assert len(court.server.asked) == 1


def test_what_is_planned_is_what_is_sent(court: Court) -> None:
    court.server.script(court.said(True, "E1"))
    judge, bench, shown = court.judge("vision"), court.bench(), {"submission": [court.picture(court.drawn())]}
    (planned,) = judge.planned(Question("t/c", "Red?"), shown, bench)
    assert not court.server.asked and planned.turns == 2 and planned.model == "default"
    judge.judge(Question("t/c", "Red?"), shown, bench)
    assert bench.kept(bench.key("default", planned.request)) and not judge.planned(Question("t/c", "?"), {"submission": []}, bench)
