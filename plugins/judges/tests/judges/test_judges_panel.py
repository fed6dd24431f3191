"""`panel`: strict majorities of all that were asked, and medians. `pairwise`: both orders."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from playproof.bench import Budget, Purse
from playproof.errors import BudgetReached, ModelUnavailable, RequestRejected
from playproof.opinion import Opinion, Question, Trouble
from playproof.testing import FakeBench, fake_question
from playproof_judges.testing import DRIVERS, Asked, Fail, Turn

Court = Any
NAMES = ("one", "two", "three", "four")
REFUSED = Turn("No.", stop="refused")
RUBBISH = Turn("Well.")


def voted(court: Court, *steps: Any, text: str = "Red?") -> Opinion:
    """A panel of as many models as there are steps; each says its own, however often it is asked."""
    names = NAMES[: len(steps)]
    court.server._answer = lambda asked: steps[names.index(asked.model)]
    judge = court.judge("panel", of={"judge": "vision", "options": {"side": 200}}, models=list(names))
    opinion: Opinion = judge.judge(Question("t/c", text), {"submission": [court.picture(court.drawn())]}, court.bench(names=names))
    return opinion


@pytest.mark.parametrize(("votes", "wanted"), [
    ("ppf", True), ("pff", False), ("ppp", True), ("ppff", None), ("pppf", True), ("pf", None), ("pp", True), ("fff", False),
    ("ppr", True), ("ppm", True), ("ffr", False),
])
def test_a_strict_majority_of_all_decides(votes: str, wanted: bool | None, court: Court) -> None:
    said = {"p": court.said(True, "E1", issues=["thin"]), "f": court.said(False, "E1", issues=["blue"]), "r": REFUSED, "m": RUBBISH}
    opinion = voted(court, *[said[one] for one in votes])
    if wanted is None:
        assert opinion.trouble is Trouble.UNDECIDED and "no strict majority" in opinion.message
        return
    assert opinion.value.verdict is wanted and list(opinion.issues) == (["thin"] if wanted else ["blue"])
    assert opinion.message.startswith(f"{len(votes)} asked: ") and len(opinion.raw) == len(votes)


@pytest.mark.parametrize(("votes", "wanted"), [
    ("pfr", Trouble.REFUSED), ("pmm", Trouble.MALFORMED), ("prr", Trouble.REFUSED), ("rrr", Trouble.REFUSED), ("mmm", Trouble.MALFORMED),
    ("pr", Trouble.REFUSED), ("rrm", Trouble.REFUSED),
])
def test_a_refusal_that_decides_is_a_refusal_of_the_panel(votes: str, wanted: Trouble, court: Court) -> None:
    """Or else a picture that makes some models of a panel refuse would buy an absent score."""
    said = {"p": court.said(True, "E1"), "f": court.said(False), "r": REFUSED, "m": RUBBISH}
    assert voted(court, *[said[one] for one in votes]).trouble is wanted


def test_the_members_opinions_are_kept(court: Court) -> None:
    opinion = voted(court, court.said(True, "E1", why="It is red."), court.said(False, why="It is pink."), court.said(True, "E1"))
    members = [json.loads(one) for one in opinion.raw]
    assert [one["seat"] for one in members] == ["one", "two", "three"] and members[1]["message"] == "It is pink."
    assert [one["value"]["verdict"] for one in members] == [True, False, True] and all(one["raw"] for one in members)
    assert opinion.tokens.output == 60 and opinion.by.name == "panel"
    assert [one["model"] for one in opinion.by.settings["members"]] == ["one", "two", "three"]


def test_votes_of_one_judge_share_no_reply(court: Court) -> None:
    said = iter([court.said(True, "E1"), court.said(False), court.said(True, "E1")] * 2)
    court.server._answer = lambda asked: next(said)
    judge, bench = court.judge("panel", of={"judge": "vision"}, votes=3), court.bench()
    shown = {"submission": [court.picture(court.drawn())]}
    assert len(judge.planned(Question("t/c", "Red?"), shown, bench)) == 3
    assert judge.judge(Question("t/c", "Red?"), shown, bench).value.verdict is True and len(court.server.asked) == 3
    assert judge.judge(Question("t/c", "Red?"), shown, bench).value.verdict is True and len(court.server.asked) == 3
    assert judge.judge(Question("t/c", "Red?"), shown, bench.revote(1)).value.verdict is True and len(court.server.asked) == 6


def test_a_model_that_is_down_is_waited_for_unless_the_rest_decide(court: Court) -> None:
    opinion = voted(court, court.said(True, "E1"), court.said(True, "E1"), Fail(401))
    assert opinion.value.verdict is True and "unavailable" in opinion.message and json.loads(opinion.raw[2])["fault"]
    with pytest.raises(RequestRejected):
        voted(court, court.said(True, "E1"), court.said(False), Fail(401), text="Blue?")


def test_a_budget_stops_a_panel(court: Court) -> None:
    court.server._answer = lambda asked: court.said(True, "E1")
    judge = court.judge("panel", of={"judge": "vision"}, votes=3)
    with pytest.raises(BudgetReached):
        judge.judge(Question("t/c", "?"), {"submission": [court.picture(court.drawn())]}, court.bench(purse=Purse(Budget(requests=2))))


@pytest.mark.parametrize(("ratings", "wanted"), [
    ([2, 3, 5], 3), ([1, 4], 1), ([5, 1, 3, 4], 3), ([4, 4, None], 4), ([4, None], None), ([2, None, None], None),
])
def test_ratings_by_a_panel_are_the_median(ratings: Sequence[int | None], wanted: int | None) -> None:
    from playproof.dialogue import Reply, Stop, Text
    from playproof.drivers import build
    from playproof.interfaces import Services
    from playproof.model import Ref

    def saying(rating: int | None) -> Any:
        if rating is None:
            return lambda request: Reply([Text("no")], Stop.REFUSED)
        one = {"issues": [f"issue of {rating}"], "rating": rating, "cites": ["E1"], "change": ["step"]}
        return lambda request: {"ratings": [{"item": name, **one} for name in ("clear", "quick")], "tampering": []}

    bench = FakeBench({NAMES[at]: saying(one) for at, one in enumerate(ratings)})
    judge = build("judge", Ref("panel", {"of": {"judge": "rating"}, "models": list(bench.models)}), Services(Any))
    opinion = judge.judge(fake_question("rating"), {"submission": [bench.see("fake.state/1", {})]}, bench)
    assert (opinion.value.rating if opinion.value else None) == wanted
    assert wanted is None or opinion.issues[0] == f"issue of {wanted}"


# --- pairwise ---


@pytest.fixture
def pair(court: Court) -> dict[str, list[Any]]:
    return {"a": [court.picture(court.drawn("red"), source="exported:opus.png")],
            "b": [court.picture(court.drawn("blue"), source="exported:b.png")]}


def preferring(which: str, *cites: str) -> Turn:
    return Turn(data={"reasoning": f"The {which}.", "preference": which, "cites": list(cites or ("E1", "E2")), "tampering": [],
                      "issues": [f"{which} is plain"]})


def compared(court: Court, pair: Any, driver: str = "openai", **options: Any) -> Opinion:
    question = Question("task", "Which is redder?", "preference")
    opinion: Opinion = court.judge("pairwise", **options).judge(question, pair, court.bench(driver))
    return opinion


def red_first(court: Court, asked: Asked) -> bool:
    red, _, _ = court.opened(asked.pictures[0]).getpixel((160, 100))
    return bool(red > 200)


@pytest.mark.parametrize("driver", DRIVERS)
def test_both_orders_agree(driver: str, court: Court, pair: Any) -> None:
    court.server._answer = lambda asked: preferring("first" if red_first(court, asked) else "second")
    opinion = compared(court, pair, driver)
    assert opinion.value.preference == "a" and len(court.server.asked) == 2 and set(opinion.cites) == {pair["a"][0].id, pair["b"][0].id}
    first, second = court.server.asked
    assert first.pictures == list(reversed(second.pictures)) and first.system == second.system
    assert first.text == second.text and "opus" not in first.text
    assert dict(opinion.exhibits) == {"a": [pair["a"][0].id], "b": [pair["b"][0].id]}


@pytest.mark.parametrize(("first", "second", "wanted"), [
    ("first", "first", "tie"), ("second", "second", "tie"), ("first", "second", "a"), ("second", "first", "b"), ("tie", "tie", "tie"),
    ("first", "tie", "tie"), ("tie", "first", "tie"),
])
def test_where_the_orders_disagree_it_is_a_tie(first: str, second: str, wanted: str, court: Court, pair: Any) -> None:
    court.server.script(preferring(first), preferring(second))
    opinion = compared(court, pair)
    assert opinion.value.preference == wanted and len(opinion.raw) == 2 and opinion.tokens.output == 40
    assert ("the orders disagree" in opinion.message) == ({first, second} not in ({"tie"}, {"first", "second"}))


def test_a_trouble_in_one_order_is_a_trouble(court: Court, pair: Any) -> None:
    court.server.script(preferring("first"), RUBBISH, RUBBISH)
    opinion = compared(court, pair)
    assert opinion.trouble is Trouble.MALFORMED and opinion.message.startswith("with b before a: ") and len(opinion.raw) == 3
    court.server.script(REFUSED, REFUSED)
    other = court.judge("pairwise", seed=1).judge(Question("task", "Which?", "preference"), pair, court.bench())
    assert other.trouble is Trouble.REFUSED and len(court.server.asked) == 5


def test_each_submission_is_cited(court: Court, pair: Any) -> None:
    court.server.script(preferring("first", "E1"), preferring("first"), preferring("second"))
    assert compared(court, pair).value.preference == "a"
    assert "at least one exhibit of each submission" in court.server.asked[1].text


def test_each_submission_has_half_the_room(court: Court, pair: Any) -> None:
    court.server.script(preferring("tie"), preferring("tie"))
    many = {key: [court.picture(court.drawn(colour, (50 + n, 40)), tick=n) for n in range(6)]
            for key, colour in (("a", "red"), ("b", "blue"))}
    compared(court, many, pictures=4)
    assert [len(asked.pictures) for asked in court.server.asked] == [4, 4]
    assert "of the first: 4 x image.png/1" in court.server.asked[0].text


def test_two_requests_are_planned_and_sent(court: Court, pair: Any) -> None:
    court.server.script(preferring("tie"), preferring("tie"))
    judge, bench, question = court.judge("pairwise"), court.bench(), Question("task", "Which?", "preference")
    planned = judge.planned(question, pair, bench)
    judge.judge(question, pair, bench)
    assert len(planned) == 2 and all(bench.kept(bench.key(one.model, one.request)) for one in planned)


def test_one_submission_without_exhibits(court: Court, pair: Any) -> None:
    opinion = compared(court, {"a": pair["a"], "b": []})
    assert opinion.trouble is Trouble.NO_EVIDENCE and "of 'b'" in opinion.message and not court.server.asked


def test_a_down_model_leaves_pairwise(court: Court, pair: Any) -> None:
    bench = FakeBench({"default": _down}, blobs={one.blob: court.blob(one.blob) for side in pair.values() for one in side})
    with pytest.raises(ModelUnavailable):
        court.judge("pairwise").judge(Question("task", "Which?", "preference"), pair, bench)


def _down(request: Any) -> Any:
    raise ModelUnavailable("down")
