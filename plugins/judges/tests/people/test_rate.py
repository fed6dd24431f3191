"""Rating over plain HTTP: what is shown and what is hidden, what is written down, and what is refused."""

import json
from pathlib import Path

import pytest

from playproof.model import Asking, Check, Ref
from playproof.opinions import read_lines

from .runs import STACKS, Seen, Visitor, heading, made_run, made_task, picture, png, rating

SCALE = "playproof_toy:scales/manners-1.toml"
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&</pre>"


def all_pages(visitor: Visitor) -> list[str]:
    """Everything that a rater can come by: each page with its address, and every address in it."""
    texts = [visitor.enter().text, visitor.get("/list").text]
    for at, _ in enumerate(visitor.door.site.desk.items):
        texts += [visitor.get(f"/item/{visitor.door.site.desk.id(at)}").text, visitor.here]
    return texts


# --- blind ---


@pytest.mark.parametrize("form", ["verdict", "preference"])
def test_who_made_it_is_hidden_everywhere(tmp_path: Path, form: str) -> None:
    seen = {stack: [picture(10), Seen("note/1", value=f"made by {stack.upper()} on {stack}-model, yes")] for stack in STACKS}
    run = made_run(tmp_path, seen=seen)
    with rating(run, form=form) as door:
        pages = "\n".join(all_pages(Visitor(door)))
    for stack in STACKS:
        assert stack not in pages.lower(), "neither label nor model nor trial id"
    assert form == "preference" or pages.count("made by [hidden] on [hidden], yes") > len(STACKS)
    assert "as the verifier sees it" not in pages, "the verifier's word is hidden, too"


def test_ids_tell_nothing_and_change_with_each_session(run: Path) -> None:
    with rating(run) as first, rating(run) as second:
        assert not {first.site.desk.id(at) for at in range(4)} & {second.site.desk.id(at) for at in range(4)}


def order(run: Path, rater: str, form: str = "verdict", seed: int = 0) -> list[tuple[str, ...]]:
    with rating(run, rater, form, seed=seed) as door:
        return [(one.questions[0].id, *one.trials.values()) for one in door.site.desk.items]


def test_the_order_is_each_raters_own_and_stays(tmp_path: Path) -> None:
    tasks = [made_task(tmp_path, id="door"), made_task(tmp_path, id="gate")]
    run = made_run(tmp_path, stacks=[f"agent-{n}" for n in range(8)], tasks=tasks)
    ann = order(run, "ann")
    assert ann == order(run, "ann") and sorted(ann) == sorted(order(run, "bob"))
    assert ann not in (order(run, "bob"), order(run, "ann", seed=1), sorted(ann))
    questions = [row[0] for row in ann]
    assert questions == sorted(questions, key=questions.index), "one requirement after the other, for all submissions"
    tasks = [one.split("/")[0] for one in questions]
    assert tasks == sorted(tasks, key=tasks.index), "one task after the other"
    many = [order(run, f"rater-{n}") for n in range(6)]
    for what in (lambda row: row[0].split("/")[0], lambda row: row[0].split("/")[1], lambda row: row[1].split("/")[1]):
        assert len({tuple(dict.fromkeys(map(what, rows))) for rows in many}) > 1, "tasks, requirements and submissions are all shuffled"


def test_the_sides_of_a_pair_change_from_rater_to_rater(tmp_path: Path) -> None:
    run = made_run(tmp_path, samples=6)
    sides = [{row[1:] for row in order(run, rater, "preference")} for rater in ("ann", "bob", "carl", "dora")]
    assert all(len({frozenset(pair) for pair in one}) == 6 for one in sides), "sample by sample"
    assert len(set(map(frozenset, sides))) > 1
    assert len({pair[0].split("/")[1] for pair in sides[0]}) == 2, "no stack always stands on the left"


# --- shown ---


def test_markup_is_shown_and_never_followed(tmp_path: Path) -> None:
    check = Check("opens", "python", f"opens {HOSTILE}", asks=Asking(Ref("vision"), f"Is it open? {HOSTILE}"))
    task = made_task(tmp_path, title=f"Door {HOSTILE}", brief=f"# Brief {HOSTILE}\n")
    seen = {stack: [Seen("note/1", value={"said": HOSTILE}), Seen("page/1", HOSTILE.encode(), "text/html")] for stack in STACKS}
    run = made_run(tmp_path, tasks=[task], checks=[check], seen=seen)
    with rating(run) as door:
        visitor = Visitor(door)
        visitor.enter()
        shown = visitor.label("fail", **{"note-0": HOSTILE})
        visitor.label("pass")
        pages = [*all_pages(visitor), shown.text, visitor.post("/reveal", {}).text]
    whole = "\n".join(pages)
    assert "<script>alert" not in whole and "<img src=x" not in whole and "</pre>\"" not in whole
    assert whole.count("&lt;script&gt;alert(1)&lt;/script&gt;") > 10


def test_the_brief_the_question_and_the_evidence_are_there(tmp_path: Path) -> None:
    task = made_task(tmp_path)
    (task.root / "brief" / "sketch.png").write_bytes(png(200))
    (task.root / "brief" / "sizes.json").write_text("{}")
    check = Check("opens", "python", "the door opens", asks=Asking(Ref("vision"), "Is the door open at the end?"))
    film = Seen("film/1", b"\x1aE\xdf\xa3 not much of a film", "video/webm")
    run = made_run(tmp_path, stacks=["one"], tasks=[task], checks=[check], seen={"one": [picture(3), film]})
    with rating(run) as door:
        visitor = Visitor(door)
        page = visitor.enter()
        assert heading(page) == "the door opens" and "Is the door open at the end?" in page.text
        assert "Make a door that opens and shuts." not in page.text or "<div class=\"instruction\">" in page.text
        assert "The brief also has sizes.json" in page.text and "<video" in page.text
        shown = visitor.ask("GET", f"/exhibit/{visitor.item}/submission/0")
        assert shown.body == png(3) and shown.headers["Content-Type"] == "image/png"
        assert "sandbox" in shown.headers["Content-Security-Policy"]
        assert visitor.ask("GET", f"/exhibit/{visitor.item}/submission/1").headers["Content-Type"] == "video/webm"
        assert visitor.ask("GET", f"/brief/{visitor.item}/0").body == png(200)


@pytest.mark.parametrize("path", [
    "/exhibit/{id}/submission/9", "/exhibit/{id}/submission/-1", "/exhibit/{id}/submission/%C2%B2", "/exhibit/{id}/a/0",
    "/exhibit/{id}/submission/99999999999", "/exhibit/unknown/submission/0", "/brief/{id}/0", "/brief/{id}/x", "/item/unknown",
    "/people.py", "/base.html", "/../people.css", "/%2e%2e/people.css", "/item/{id}/more", "/label", "/nothing",
])
def test_there_is_nothing_else_to_read(run: Path, path: str) -> None:
    with rating(run) as door:
        visitor = Visitor(door)
        visitor.enter()
        got = visitor.ask("GET", path.format(id=visitor.item))
        assert got.status == 404 and b"root" not in got.body


def test_a_picture_that_is_a_program_is_text(tmp_path: Path) -> None:
    svg = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    seen = [Seen("drawing/1", svg, "image/svg+xml"), Seen("page/1", b"<h1>x</h1>", "text/html")]
    run = made_run(tmp_path, stacks=["one"], seen={"one": seen})
    with rating(run) as door:
        visitor = Visitor(door)
        assert "<script>alert" not in visitor.enter().text
        for number in (0, 1):
            assert visitor.ask("GET", f"/exhibit/{visitor.item}/submission/{number}").status == 404


def test_much_evidence_is_shown_in_part_and_lost_evidence_is_told(tmp_path: Path) -> None:
    run = made_run(tmp_path, stacks=["one"], seen={"one": [picture(n % 256, width=100 + n) for n in range(60)]})
    with rating(run) as door:
        page = Visitor(door).enter()
        assert page.text.count("<figure") == 24 and "36 more pieces of evidence" in page.text
    for bundle in (run / "bundles").iterdir():
        bundle.unlink()
    with rating(run) as door:
        assert "Nothing that could be shown was recorded here." in Visitor(door).enter().text


def test_a_brief_that_is_gone_is_told(tmp_path: Path) -> None:
    run = made_run(tmp_path)
    (tmp_path / "task-door" / "brief" / "instruction.md").unlink()
    with rating(run) as door:
        assert "its brief cannot be read" in Visitor(door).enter().text


# --- written down ---


def test_a_label_is_one_line_of_the_common_form(run: Path) -> None:
    with rating(run) as door:
        visitor = Visitor(door)
        visitor.enter()
        first = visitor.item
        after = visitor.label("fail", **{"note-0": "it sticks", "cite": "submission-0"})
        assert visitor.item != first and "Saved." in after.text and "<b>1</b> of 4" in after.text
        item = door.site.desk.items[door.site.desk.place(first)]
    (line,) = read_lines(run / "labels.jsonl")
    said = line.opinion
    assert (said.value.verdict, said.message, said.by.kind, said.by.name) == (False, "it sticks", "person", "ann")
    assert said.question.id == item.questions[0].id and line.trials == item.trials and len(said.cites) == 1
    assert said.exhibits == {"submission": tuple(said.cites)} and said.at > 0
    assert line.grading == item.sides["submission"].done.grading["id"]
    assert json.loads((run / "labels.jsonl").read_text())["schema"] == "opinion/1"


def test_the_last_label_counts_and_the_same_one_is_no_news(run: Path) -> None:
    with rating(run) as door:
        visitor = Visitor(door)
        visitor.enter()
        first = f"/item/{visitor.item}"
        for value in ("fail", "fail", "pass"):
            visitor.get(first)
            visitor.label(value)
        assert 'value="pass" data-key="p" aria-pressed="true"' in visitor.get(first).text
    assert len((run / "labels.jsonl").read_text().splitlines()) == 2
    (line,) = read_lines(run / "labels.jsonl")
    assert line.opinion.value.verdict is True


def test_unsure_is_an_answer_without_a_value(run: Path) -> None:
    with rating(run) as door:
        visitor = Visitor(door)
        visitor.enter()
        visitor.label("unsure", **{"note-0": "too dark"})
    (line,) = read_lines(run / "labels.jsonl")
    assert (line.opinion.value, line.opinion.trouble, line.opinion.message) == (None, "undecided", "too dark")


def test_what_is_labelled_is_passed_over_also_by_the_next_session(run: Path) -> None:
    met = []
    for _ in range(4):
        with rating(run) as door:
            visitor = Visitor(door)
            visitor.enter()
            met.append(door.site.desk.items[door.site.desk.place(visitor.item)].key)
            visitor.label("pass")
    assert len(set(met)) == 4
    with rating(run) as door:
        assert "All 4 are labelled." in Visitor(door).enter().text


def test_skipped_items_come_back_at_the_end(run: Path) -> None:
    with rating(run) as door:
        visitor, desk = Visitor(door), door.site.desk
        visitor.enter()
        visitor.get(f"/item/{desk.id(2)}")
        visitor.label("pass")
        assert visitor.item == desk.id(3)
        visitor.label("pass")
        assert visitor.item == desk.id(0)


@pytest.mark.parametrize(("fields", "status"), [
    ({"item": "unknown", "value-0": "pass"}, 404), ({"item": "", "value-0": "pass"}, 404), ({"value-0": "maybe"}, 400),
    ({"value-0": "5"}, 400), ({"value-0": "a"}, 400), ({"value-1": "pass"}, 400), ({}, 400), ({"value-0": "pass", "cause": "x"}, 400),
    ({"value-0": "<b>"}, 400),
])
def test_what_is_no_label_is_refused_and_not_written(run: Path, fields: dict[str, str], status: int) -> None:
    with rating(run) as door:
        visitor = Visitor(door)
        visitor.enter()
        assert visitor.post("/label", {"item": visitor.item, **fields}).status == status
    assert not (run / "labels.jsonl").exists()


def test_a_long_note_is_cut_and_an_unknown_citation_left_out(run: Path) -> None:
    with rating(run) as door:
        visitor = Visitor(door)
        visitor.enter()
        visitor.label("pass", **{"note-0": "x" * 9000, "cite": ["submission-7", "b-0", "../etc"]})
    (line,) = read_lines(run / "labels.jsonl")
    assert len(line.opinion.message) == 4000 and not line.opinion.cites


def test_a_scale_is_rated_item_by_item(toy: Path, tmp_path: Path) -> None:
    run = made_run(tmp_path, tasks=[made_task(tmp_path, scale=SCALE)])
    with rating(run, form="rating") as door:
        visitor = Visitor(door)
        page = visitor.enter()
        assert page.text.count('class="row"') == 2 and 'value="5"' in page.text and 'value="6"' not in page.text
        item = visitor.item
        left = visitor.label("4", quiet="1")
        assert json.loads(left.text) == {"finished": 0, "of": 2, "left": 1}
        assert visitor.post("/label", {"item": item, "value-1": "6"}).status == 400
        assert visitor.post("/label", {"item": item, "value-1": "0"}).status == 400
        assert "<b>1</b> of 2" in visitor.post("/label", {"item": item, "value-0": "4", "value-1": "1", "note-1": "more light"}).text
        assert visitor.item != item
    first, second = read_lines(run / "labels.jsonl")
    assert (first.opinion.value.rating, second.opinion.value.rating, second.opinion.message) == (4, 1, "more light")
    assert first.opinion.question.id == f"door/manners/{first.opinion.question.item}" and first.opinion.question.scale.name == "manners"
