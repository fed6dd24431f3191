"""The verbs of a check script on a real page: what each does, what it records, and how expectations fail."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from playproof.checks import frames, seconds
from playproof.errors import ExpectationFailed, NotApplicable, SubmissionFault
from playproof.model import Ask, Observer
from playproof_browser import observe

pytestmark = pytest.mark.heavy
Play = Callable[..., Any]

CALM = ("state.speed * step", "0 * step")


def kinds(game: Any) -> list[str]:
    return [entry.kind for entry in game.stage.evidence]


def test_time_passes_only_when_told_and_twice_the_same(play: Play) -> None:
    told = []
    for _ in range(2):
        with play(scenario="running") as game:
            first = game.snapshot()
            game.tab.page.wait_for_timeout(60)
            game.expect_unchanged(first, game.snapshot())
            game.wait(seconds(1.5))
            last = game.snapshot()
            game.expect(last["time"] - first["time"], "time").close_to(1.5, 1e-9)
            game.expect(last["x"] - first["x"], "way").close_to(90, 1e-9)
            game.mouse.drag(last["center"], (400, 300), seconds(0.4))
            game.wait(frames(7))
            told.append([first.value, last.value, game.snapshot().value, game.stage.clock.now])
    assert told[0] == told[1]
    with play(scenario="running", seed=5) as game:
        assert game.snapshot()["x"].value != told[0][0]["x"], "what is drawn by chance follows the grading's seed"


def test_mouse_and_keyboard_arrive_as_a_persons(play: Play) -> None:
    with play(scenario="still") as game:
        before = game.snapshot()
        game.mouse.click(before["center"])
        game.keyboard.hold("ArrowDown", frames(30))
        game.keyboard.press("Space")
        game.mouse.wheel(0, 120)
        game.wait(frames(2))
        after = game.snapshot()
        game.expect(after["score"], "score").equals(before["score"] + 1)
        assert after["y"] - before["y"] == pytest.approx(60), "half a second at 120 a second"
        assert after["seen"].value == ["press mouse", "down ArrowDown", "up ArrowDown", "down  ", "up  ", "wheel 0 120"]
        assert kinds(game).count("input.pointer/1") == 4 and kinds(game).count("input.key/1") == 4
        assert game.stage.clock.now == frames(4 + 30 + 4 + 2)


def test_a_drag_takes_its_time_in_steps_of_a_frame_and_ends_where_it_was_told(play: Play) -> None:
    with play(scenario="still") as game:
        start = game.snapshot()
        game.mouse.drag(game.centre(start["bounds"]), {"x": 500, "y": 320}, seconds(0.4))
        end = game.snapshot()
        assert game.centre(end["bounds"]) == (500, 320) and end["score"].value == 1
        assert game.stage.clock.now == seconds(0.4)
        moves = [(entry.tick, entry.value["x"]) for entry in game.stage.evidence.of("input.pointer/1") if entry.value["type"] == "move"]
        assert [tick for tick, _ in moves] == [0, *(frames(2 * (step + 1)) for step in range(12))]
        ways = [b[1] - a[1] for a, b in pairwise(moves[1:])]
        assert ways == pytest.approx([ways[0]] * len(ways)), "a straight line at one speed"


def test_a_finger_needs_a_touch_screen(play: Play) -> None:
    with play(scenario="still", touch=True) as game:
        game.touch.tap(game.snapshot()["center"])
        game.touch.drag(game.snapshot()["center"], (300, 100), frames(12))
        after = game.snapshot()
        assert after["score"].value == 2 and "press touch" in after["seen"]
        assert game.centre(after["bounds"]) == (300, 100)
    with play(scenario="still") as game, pytest.raises(ValueError, match="touch=True"):
        game.touch.tap((5, 5))


def test_pixels_are_held_against_the_snapshot(play: Play) -> None:
    with play(scenario="running") as game:
        game.wait(frames(2))
        snap = game.snapshot()
        game.expect_pixels(snap["bounds"]).shows("#ff8000", share=0.9).lacks("#101820")
        calm = game.idle_control((0, 0, 60, 60))
        assert calm.share == 0 and len(calm.shots) == 3
        moving = game.idle_control(snap["bounds"])
        assert moving.share > 0.4
        lane = game.idle_control((0, 200, 400, 40))
        game.wait(seconds(0.25))
        with pytest.raises(ExpectationFailed, match="change by themselves"):
            game.expect_pixels((0, 200, 400, 40)).differs_more_than(lane)  # it does move, but no more than by itself
        with pytest.raises(ExpectationFailed, match="change by themselves") as failed:
            game.expect_pixels((0, 0, 60, 60)).differs_more_than(calm)
        assert set(calm.last.cites) < set(failed.value.cites)
        game.expect_pixels((0, 0, 60, 60)).like(calm.last)
        with pytest.raises(ExpectationFailed, match=r"shows #ff8000 in 0\.0%"):
            game.expect_pixels((0, 0, 60, 60)).shows("#ff8000")
        game.wait(seconds(1))
        game.expect_pixels(snap["bounds"]).differs_more_than(game.idle_control((600, 300, 20, 20)))
        page = game.screenshot()
        assert (page.width, page.height) == (1280, 800) and page.pixel(1000, 600) == (0x20, 0x30, 0x40)


def test_a_region_off_the_screen_is_the_submissions_fault_and_a_literal_one_the_checks(play: Play) -> None:
    with play(("x: state.x, y: state.y, width", "x: state.x - 5000, y: state.y, width"), scenario="still") as game:
        with pytest.raises(SubmissionFault, match=r"snapshot\.bounds: .* has no pixel in the viewport"):
            game.screenshot(game.snapshot()["bounds"])
        with pytest.raises(ValueError, match="no pixel"):
            game.screenshot((-50, 0, 10, 10))


def test_wait_until_gives_the_snapshot_or_fails(play: Play) -> None:
    with play(scenario="running") as game:
        snap = game.wait_until(lambda snap: snap["time"] > 0.5, within=seconds(2))
        assert 0.5 < float(snap["time"]) < 0.61
        with pytest.raises(ExpectationFailed, match=r"a goal did not come within 0\.5 s") as failed:
            game.wait_until(lambda snap: snap["score"] > 0, within=seconds(0.5), what="a goal")
        assert failed.value.cites
        with pytest.raises(SubmissionFault, match=r"snapshot\.lives: missing"):
            game.wait_until(lambda snap: snap["lives"] > 0)


def test_input_and_refusals_come_back_wrapped(play: Play) -> None:
    with play(scenario="still") as game:
        before = game.snapshot()
        assert game.input({"type": "nonsense"})["accepted"].value is False
        game.expect_unchanged(before, game.snapshot())
        assert game.input({"type": "score"})["score"] == 1
        with pytest.raises(ExpectationFailed, match="score is 1, wanted 0"):
            game.expect_unchanged(before, game.snapshot(), except_=("time",))
        game.reset()
        assert game.snapshot()["phase"] == "title"
        assert game.load("still")["accepted"].value is True


def test_promises_of_the_interface_may_wait_for_time(play: Play) -> None:
    slow = ("reset() {", "async reset() { await new Promise((done) => setTimeout(done, 100));")
    with play(slow, scenario="running") as game:
        game.reset()
        assert game.snapshot()["phase"] == "title" and frames(6) <= game.stage.clock.now <= frames(8)
    never = ("reset() {", "reset() { return new Promise(() => {});")
    with play(never) as game, pytest.raises(SubmissionFault, match=r"reset\(\): its promise was not settled within 10 s"):
        game.reset()


def test_numbers_that_are_none_are_kept_and_told_with_their_place(play: Play) -> None:
    with play(("...state, bounds", "...state, score: NaN, bounds"), scenario="still") as game:
        snap = game.snapshot()
        with pytest.raises(SubmissionFault, match=r"snapshot\.score: nan"):
            game.expect(snap["score"], "score").at_least(0)
        assert game.stage.evidence.last("webgame.snapshot/1").value["score"] == {"$number": "nan"}


def test_uncaught_exceptions_fail_with_their_text(play: Play) -> None:
    with play(scenario="running") as game:
        game.wait(seconds(0.2))
        game.expect_no_exceptions()
    boom = ('if (keys.has("ArrowDown"))', 'if (state.score) throw new Error("boom " + state.score); if (keys.has("ArrowDown"))')
    with play(boom, scenario="running") as game:
        game.input({"type": "score"})
        game.wait(frames(2))
        with pytest.raises(ExpectationFailed, match="1 uncaught, first: Error: boom 1") as failed:
            game.expect_no_exceptions()
        seen = {entry.id: entry for entry in game.stage.evidence}
        assert {seen[cite].observer for cite in failed.value.cites} == {Observer.OUTSIDE}


def test_what_holds_is_written_down_as_the_ground_of_a_pass(play: Play) -> None:
    with play(scenario="still") as game:
        record = game.stage.grading.record
        game.wait(frames(2))
        snap = game.snapshot()
        assert record.grounds == ()
        for kind, hold in (
            ("webgame.snapshot/1", lambda: game.expect(snap["score"], "score").equals(0)),
            ("image.png/1", lambda: game.expect_pixels(snap["bounds"]).shows("#ff8000")),
            ("page.exceptions/1", game.expect_no_exceptions),
            ("webgame.snapshot/1", lambda: game.expect_unchanged(snap, game.snapshot())),
            ("webgame.snapshot/1", lambda: game.wait_until(lambda later: later["x"] == snap["x"])),
        ):
            before = len(record.grounds)
            hold()
            assert [entry.kind for entry in record.sealed() if entry.id in record.grounds[before:]] == [kind]


def test_a_page_that_floods_the_debugger_cannot_say_that_it_threw_nothing(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observe, "MOST_STOPS", 30)
    reject = "const one = Promise.reject(n); queueMicrotask(() => one.catch(() => {}));"
    flood = ("reset() {", f"reset() {{ for (let n = 0; n < 40; n++) {{ {reject} }}")
    with play(flood, scenario="still") as game:
        game.reset()
        game.wait(frames(2))
        with pytest.raises(ExpectationFailed, match="the debugger had to be switched off") as failed:
            game.expect_no_exceptions()
        assert [entry.kind for entry in game.stage.evidence if entry.id in failed.value.cites] == ["page.flooded/1"]


def test_not_applicable_says_what_shows_it(play: Play) -> None:
    with play(scenario="still") as game:
        snapshot, picture, region = game.snapshot(), game.screenshot(), game.idle_control((0, 0, 60, 60))
        (elements,) = game.observe(Ask("dom.elements/1", {"selector": "#trailer"}))
        with pytest.raises(NotApplicable, match="no trailer") as told:
            game.not_applicable("no trailer", picture, region, elements)
        assert told.value.cites == (*picture.cites, *region.cites, elements.id)
        for nothing in ((), (snapshot,), (picture, snapshot["phase"])):
            with pytest.raises(TypeError, match="needs what shows it"):
                game.not_applicable("no trailer", *nothing)


def test_the_document_and_the_counters(play: Play) -> None:
    with play(scenario="still") as game:
        game.input({"type": "score"})
        assert game.text() == "Score 1"
        (hud,) = game.dom("#hud")
        assert hud["visible"] and hud["bounds"]["x"] == 700 and hud["text"] == "Score 1"
        before = game.draws()
        game.wait(frames(10))
        after = game.draws()
        assert {name: after[name] - before[name] for name in after} == {"frames": 10, "draw_calls": 20}
    spoil = ("reset() {", "reset() { CanvasRenderingContext2D.prototype.fillRect = () => {};")
    with play(spoil) as game:
        game.reset()
        with pytest.raises(SubmissionFault, match="replaced what counts its drawing: fillRect"):
            game.draws()


def test_real_time_passes_by_itself(play: Play) -> None:
    with play(scenario="running", clock="real") as game:
        before = game.snapshot()
        game.wait(seconds(0.5))
        game.expect(game.snapshot()["time"] - before["time"], "time").at_least(0.3)
        first, last = game.stage.evidence.of("webgame.snapshot/1")
        assert last.tick - first.tick >= seconds(0.5), "evidence bears the time that has really passed"


def test_every_kind_can_be_observed_with_its_options(play: Play) -> None:
    with play(scenario="still") as game:
        picture = game.observe(Ask("image.png/1", {"region": [0, 0, 10, 20]}))[0]
        assert picture.source == "viewport 0,0 10x20"
        assert game.observe(Ask("dom.elements/1", {"selector": "b"}))[0].value[0]["text"] == "0"
        assert game.observe(Ask("page.requests/1"))[0].value[0]["path"] == "/index.html"
        assert {"type": "wheel", "capture": False, "passive": True, "once": False} in game.observe(Ask("page.listeners/1"))[0].value
        assert game.witness()[0].kind == "image.png/1"
