"""After the labels: where raters differ, from each other and from the verifier, and what is settled."""

from pathlib import Path

from attrs import evolve

from playproof.model import Outcome
from playproof.opinions import append, read_lines
from playproof_judges.people.labels import Labels

from .runs import Visitor, made_run, rating


def label_all(run: Path, rater: str, value: object, form: str = "verdict") -> None:
    """`value`: an answer, or what gives one for an item."""
    with rating(run, rater, form) as door:
        visitor = Visitor(door)
        visitor.enter()
        for _ in door.site.desk.items:
            item = door.site.desk.items[door.site.desk.place(visitor.item)]
            visitor.label(value(item) if callable(value) else value)


def test_others_are_seen_by_those_who_are_done_and_own_labels_stay_blind(run: Path) -> None:
    label_all(run, "annika", "pass")
    with rating(run, "bob") as door:
        visitor = Visitor(door)
        visitor.enter()
        first = visitor.item
        assert visitor.post("/reveal", {}).status == 409 and visitor.get("/disputes").status == 200
        assert "annika" not in visitor.get("/disputes").text and visitor.here.startswith("/item/")
        assert visitor.post("/settle", {"item": first, "value-0": "pass"}).status == 409
        visitor.get("/")
        for value in ("fail", "pass", "pass", "unsure"):
            visitor.label(value)
        assert "annika" not in visitor.get("/done").text
        shown = visitor.post("/reveal", {})
        assert shown.text.count('class="card"') == 2 and "2 raters: annika, bob" in shown.text
        assert "as the verifier sees it" in shown.text
        assert visitor.post("/label", {"item": first, "value-0": "pass"}).status == 409
        visitor.post("/settle", {"item": first, "value-0": "fail", "cause": "narrow", "note-0": "agreed"})
        assert "agreed" in visitor.get("/disputes").text
    with rating(run, "bob") as door:
        assert "Consensus and disputes" in Visitor(door).enter().text, "who has settled something stays closed"
    line = next(one for one in read_lines(run / "labels.jsonl") if one.opinion.by.name == "consensus")
    assert line.opinion.by.settings == {"page": "rate/1", "recorded_by": "bob", "raters": ["annika", "bob"], "cause": "narrow"}
    assert line.opinion.value.verdict is False


def test_where_people_and_the_verifier_differ(tmp_path: Path) -> None:
    run = made_run(tmp_path, outcome=Outcome.FAIL)
    for rater in ("ann", "bob"):
        label_all(run, rater, lambda item: "pass" if item.check.id == "opens" else "fail")
    with rating(run, "carl", closed=True) as door:
        page = Visitor(door).enter().text
    assert "Where raters differ <small>0</small>" in page and "Where people and the verifier differ <small>2</small>" in page


def test_three_people_and_a_majority(tmp_path: Path) -> None:
    run = made_run(tmp_path, samples=2)
    left = {"ann": "agent-alpha", "bob": "agent-alpha", "carl": "agent-beta"}

    def prefers(rater: str):
        def choose(item):
            if "/1" in item.trials["a"]:
                return {"ann": "tie", "bob": "unsure", "carl": "a"}[rater]
            return next(side for side, trial in item.trials.items() if left[rater] in trial)
        return choose

    for rater in left:
        label_all(run, rater, prefers(rater), "preference")
    with rating(run, "moderator", "preference", closed=True) as door:
        page = Visitor(door).enter().text
        first = next(one for one in door.site.desk.items if "/0" in one.trials["a"])
    side = "the left one, A" if "alpha" in first.trials["a"] else "the right one, B"
    assert f"The majority says {side}." in page and page.count("A split vote") == 1


def test_a_consensus_is_no_rater(run: Path) -> None:
    label_all(run, "ann", "pass")
    lines = read_lines(run / "labels.jsonl")
    append(run / "labels.jsonl", [evolve(one, id="c" + one.id[1:], opinion=evolve(one.opinion, by=evolve(one.opinion.by, name="consensus")))
                                  for one in lines])
    assert Labels(run / "labels.jsonl").names == ["ann"]
