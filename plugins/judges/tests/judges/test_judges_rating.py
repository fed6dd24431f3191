"""`rating`: declared scales, one request for all items; and the scales that we ship."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from attrs import evolve

from playproof.errors import UsageError
from playproof.opinion import Question, Scale, Trouble, rating_question
from playproof.scales import scale
from playproof_judges.testing import DRIVERS, Turn

Court = Any
HEURISTICS = "playproof_xr:scales/heuristics-1.toml"
DIMENSIONS = "playproof_blender:scales/dimensions-1.toml"


def question(known: Scale, item: str) -> Question:
    return Question(rating_question("task", known.name, item), known.item(item).text, "rating", known, item, "Make a painting tool.")


def row(item: str, rating: Any = 3, **changes: Any) -> dict[str, Any]:
    return {"item": item, "issues": ["slow at 1.00 s (E1)"], "rating": rating, "cites": ["E1"], "change": ["Show the brush.", "Snap it."],
            **changes}


def rows(known: Scale, **changes: dict[str, Any]) -> Turn:
    return Turn(data={"ratings": [row(one.id, **changes.get(one.id.replace("-", "_"), {})) for one in known.items], "tampering": []})




@pytest.fixture
def film(court: Court) -> Any:
    return court.picture(court.animated(12), media_type="image/gif", source="exported:session.gif")


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("name", [HEURISTICS, DIMENSIONS])
def test_all_items_of_a_scale_cost_one_request(name: str, driver: str, court: Court, film: Any) -> None:
    known = scale(name)
    court.server.script(rows(known))
    judge, bench = court.judge("rating"), court.bench(driver)
    given = [judge.judge(question(known, one.id), {"submission": [film]}, bench) for one in known.items]
    assert [one.value.rating for one in given] == [3] * len(known.items) and all(list(one.cites) == [film.id] for one in given)
    assert len(court.server.asked) == 1 and bench.purse.cached == len(known.items) - 1
    assert given[0].tokens.output > 0 and given[1].tokens.output == 0 and all(one.issues for one in given)
    planned = {bench.key(one.model, one.request) for item in known.items
               for one in judge.planned(question(known, item.id), {"submission": [film]}, bench)}
    assert len(planned) == 1 and bench.kept(planned.pop())


def test_the_request_holds_the_scale_its_anchors_and_its_notes(court: Court, film: Any) -> None:
    known = scale(HEURISTICS)
    court.server.script(rows(known))
    court.judge("rating").judge(question(known, "consistency"), {"submission": [film]}, court.bench())
    text = court.server.asked[0].text
    assert all(one.id in text and one.text in text for one in known.items) and all(one in text for one in known.anchors.values())
    assert "rendered over the physical room are no error" in text and "timestamps" in text and "raise it to 4 or more" in text
    assert "Make a painting tool." in text and len(court.server.asked[0].pictures) == 12


def test_below_the_mark_a_rating_says_how_to_raise_it(court: Court, film: Any) -> None:
    known = scale(HEURISTICS)
    court.server.script(rows(known, consistency={"rating": 4}))
    judge, bench = court.judge("rating"), court.bench()
    low = judge.judge(question(known, "control-and-freedom"), {"submission": [film]}, bench)
    high = judge.judge(question(known, "consistency"), {"submission": [film]}, bench)
    assert low.message == "to raise it: 1. Show the brush. 2. Snap it." and not high.message and high.value.rating == 4


BAD = {
    "above": ({"rating": 6}, "is rated 6, and the scale goes from 1 to 5"), "below": ({"rating": 0}, "is rated 0"),
    "half": ({"rating": 3.5}, "consistency.rating is 3.5, not a whole number"), "text": ({"rating": "4"}, "is a text, not a whole number"),
    "uncited": ({"cites": []}, "cites no exhibit"), "unknown": ({"cites": ["E2"]}, "is no exhibit"),
    "no issue": ({"issues": [" "]}, "no issue says why it is not more"), "no advice": ({"change": []}, "no change says how to raise it"),
    "true": ({"rating": True}, "is True, not a whole number"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_rating_that_breaks_the_scale_is_repaired_once(what: str, court: Court, film: Any) -> None:
    known, (changes, problem) = scale(HEURISTICS), BAD[what]
    court.server.script(rows(known, consistency=changes), rows(known), rows(known, consistency=changes))
    judge = court.judge("rating")
    mended = judge.judge(question(known, "consistency"), {"submission": [film]}, court.bench())
    assert mended.value.rating == 3 and problem in court.server.asked[1].text
    again = evolve(question(known, "consistency"), brief="Another brief.")
    court.server.script(rows(known, consistency=changes))
    opinion = judge.judge(again, {"submission": [film]}, court.bench())
    assert opinion.trouble is Trouble.MALFORMED and problem in opinion.message


def test_a_fault_in_one_item_spoils_no_other(court: Court, film: Any) -> None:
    known = scale(HEURISTICS)
    court.server.script(rows(known, consistency={"rating": 9, "cites": None}))
    judge, bench = court.judge("rating"), court.bench()
    for one in known.items:
        if one.id != "consistency":
            assert judge.judge(question(known, one.id), {"submission": [film]}, bench).value.rating == 3
    assert len(court.server.asked) == 1


@pytest.mark.parametrize("count", [0, 2])
def test_each_item_is_rated_once(count: int, court: Court, film: Any) -> None:
    known = scale(HEURISTICS)
    spoiled = rows(known)
    others = [one for one in spoiled.data["ratings"] if one["item"] != "consistency"]
    bad = Turn(data={"ratings": [*others, *[row("consistency")] * count], "tampering": []})
    court.server.script(bad, bad)
    opinion = court.judge("rating").judge(question(known, "consistency"), {"submission": [film]}, court.bench())
    assert opinion.trouble is Trouble.MALFORMED and f"it has {count} ratings of the item 'consistency'" in opinion.message


def test_a_top_rating_needs_no_issue(court: Court, film: Any) -> None:
    known = scale(DIMENSIONS)
    court.server.script(rows(known, realism={"rating": 10, "issues": [], "change": []}))
    assert court.judge("rating").judge(question(known, "realism"), {"submission": [film]}, court.bench()).value.rating == 10


def test_a_question_without_a_scale_is_refused(court: Court, film: Any) -> None:
    for spoiled in (Question("t", "?", "rating"), evolve(question(scale(DIMENSIONS), "realism"), item="beauty")):
        with pytest.raises(UsageError, match="names no item of a scale"):
            court.judge("rating").judge(spoiled, {"submission": [film]}, court.bench())


# --- what we ship ---


def test_ten_heuristics() -> None:
    known = scale(HEURISTICS)
    assert (known.low, known.high, known.advise_below, len(known.items)) == (1, 5, 4, 10) and set(known.anchors) == set("12345")
    assert [one.id for one in known.items if one.ours] == ["comfort-and-placement"] and "Nielsen" in known.source


def test_items_that_are_asked_at_once_send_one_request(court: Court, film: Any) -> None:
    known = scale(HEURISTICS)
    court.server.script(rows(known))
    judge, bench = court.judge("rating"), court.bench()
    with ThreadPoolExecutor(10) as pool:
        given = list(pool.map(lambda one: judge.judge(question(known, one.id), {"submission": [film]}, bench), known.items))
    assert [one.value.rating for one in given] == [3] * 10 and len(court.server.asked) == 1
