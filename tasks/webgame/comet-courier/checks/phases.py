"""Phases: pause, victory, defeat, restart, and what is refused in each."""

from typing import Any

from _courier import COMET, KEYS, ahead, approach, drawn, gap, inward, legal, payout, playing_since, refused, seen_ship, speed, threat

from playproof.checks import check, frames, seconds

THRUST = {"type": "thrust", "dx": 1, "dy": 0, "ms": 300}


@check(
    "p1-pause-holds-everything",
    priority="P1",
    scenario="fresh_run",
    title="P stops comets, ship and clock, and goes on from there",
    source="game-spec.md#6",
)
def pause(game: Any) -> None:
    key = KEYS[(inward(seen_ship(game))[0], 0)]
    game.keyboard.hold(key, seconds(0.2))
    game.keyboard.press("p")
    game.wait(frames(3))
    held = game.snapshot()
    game.expect(held["phase"], "phase").equals("paused")
    game.expect(game.text().lower(), "visible text").contains("paused")
    game.keyboard.hold(key, seconds(0.4))
    refused(game, THRUST, "wrong_phase")
    refused(game, {"type": "pulse"}, "wrong_phase")
    game.wait(seconds(0.6))
    game.expect_unchanged(held, game.snapshot())
    game.keyboard.press("p")
    game.wait(frames(2))
    now = game.snapshot()
    game.expect(now["phase"], "phase").equals("playing")
    game.expect(float(now["time"]) - float(held["time"]), "seconds since the pause").at_most(0.2)
    game.expect(speed(now["ship"]), "speed").close_to(speed(held["ship"]), 8)
    playing_since(game, now, seconds(0.5))


def _over(game: Any, phase: str, words: str) -> None:
    """A run that is over says so, stands still and refuses flight."""
    game.wait(frames(6))
    end = game.snapshot()
    game.expect(end["phase"], "phase").equals(phase)
    game.expect(game.text().lower(), "visible text").contains(words)
    game.expect(game.text(), "visible text").contains(str(int(end["score"])))
    refused(game, THRUST, "wrong_phase")
    refused(game, {"type": "pulse"}, "wrong_phase")
    refused(game, {"type": "pause"}, "wrong_phase")
    game.keyboard.hold("ArrowRight", seconds(0.3))
    game.wait(seconds(0.5))
    game.expect_unchanged(end, game.snapshot())


@check(
    "p1-sixth-delivery-wins",
    priority="P1",
    scenario="one_delivery_left",
    title="the last delivery is paid and wins the run",
    source="game-spec.md#6",
)
def victory(game: Any) -> None:
    before = seen_ship(game)
    game.expect(before["phase"], "phase before the last delivery").equals("playing")
    goal, way = ahead(game, before, [one for one in before["stations"] if one["color"] == before["cargo"]["color"]])
    won = approach(game, goal, way, lambda snap: snap["phase"] != "playing", "the run ended")
    game.expect(won["phase"], "phase").equals("won")
    game.expect(gap(goal, won["ship"]), "way from the station at the last delivery").at_most(50)
    game.expect(won["delivered"], "delivered").equals(6)
    game.expect(won["score"], "score").equals(before["score"] + payout(int(before["streak"]) + 1))
    _over(game, "won", "route complete")
    game.expect_no_exceptions()


@check(
    "p1-empty-hull-loses", priority="P1", scenario="last_hull", title="the hit that empties the hull loses the run", source="game-spec.md#6"
)
def defeat(game: Any) -> None:
    before = seen_ship(game)
    comet, due = threat(game, before)
    game.expect_pixels(comet["bounds"]).shows(COMET, share=0.3)
    game.wait(seconds(max(0.3, due - 0.4)))
    game.expect(game.snapshot()["phase"], "phase shortly before the touch").equals("playing")
    lost = game.wait_until(lambda snap: snap["phase"] != "playing", within=seconds(1.5), every=frames(3), what="the run ended")
    game.expect(lost["phase"], "phase").equals("lost")
    game.expect(lost["ship"]["hull"], "hull").equals(0)
    game.expect(lost["streak"], "streak").equals(0)
    game.expect(lost["score"], "score").equals(before["score"])
    _over(game, "lost", "ship lost")
    game.expect_no_exceptions()


def _new_run(game: Any, snap: Any) -> None:
    game.expect(snap["phase"], "phase").equals("playing")
    game.expect([int(snap[name]) for name in ("score", "streak", "delivered")], "score, streak, delivered").equals([0, 0, 0])
    game.expect([float(snap["ship"]["hull"]), float(snap["ship"]["energy"])], "hull, energy").equals([100.0, 100.0])
    game.expect(snap["time"], "time").at_most(0.3)
    game.expect(snap["cargo"].value, "cargo").equals(None)
    game.expect(speed(snap["ship"]), "speed of the ship").at_most(0.01)
    legal(game, snap)


@check(
    "p1-restart-after-defeat",
    priority="P1",
    scenario="last_hull",
    title="the restart button begins a whole new run, elsewhere",
    source="game-spec.md#6",
    timeout_s=120,
)
def restart(game: Any) -> None:
    lost = game.wait_until(lambda snap: snap["phase"] == "lost", within=seconds(3), what="the run was lost")
    game.wait(frames(6))
    game.mouse.click(game.centre(game.snapshot()["controls"]["restart"]))
    game.wait(frames(4))
    snap = game.snapshot()
    _new_run(game, snap)
    places = [[(float(one["x"]), float(one["y"])) for one in each["parcels"]] for each in (lost, snap)]
    game.expect(places[0] == places[1], "the parcels stand where they stood").is_false()
    game.expect("ship lost" in game.text().lower(), "the end panel is still shown").is_false()
    now = playing_since(game, snap, seconds(0.6))
    drawn(game, now)
    game.expect_no_exceptions()


@check(
    "p1-restart-in-play-and-reset",
    priority="P1",
    scenario="loaded_near_match",
    title="R begins anew in the middle of a run; reset leads to the title",
    source="interface.md",
)
def restart_in_play(game: Any) -> None:
    game.keyboard.down("ArrowLeft")
    game.wait(seconds(0.2))
    game.keyboard.press("r")
    game.keyboard.up("ArrowLeft")
    game.wait(frames(3))
    snap = game.snapshot()
    game.expect(snap["phase"], "phase").equals("playing")
    game.expect([int(snap[name]) for name in ("score", "streak", "delivered")], "score, streak, delivered").equals([0, 0, 0])
    game.expect(snap["cargo"].value, "cargo").equals(None)
    game.input({"type": "thrust", "dx": 1, "dy": 0, "ms": 2000})
    game.wait(frames(6))
    game.reset()
    game.wait(frames(2))
    title = game.snapshot()
    game.expect(title["phase"], "phase after reset").equals("title")
    game.expect(title["time"], "time after reset").equals(0)
    legal(game, title)
    game.wait(seconds(0.4))
    game.expect_unchanged(title, game.snapshot())
    game.expect(game.input({"type": "start"})["ok"], "start").is_true()
    game.wait(seconds(0.4))
    game.expect(speed(seen_ship(game)["ship"]), "speed: the old thrust is gone").at_most(0.01)


WRONG: tuple[dict[str, Any], ...] = (
    {},
    {"type": "warp"},
    {"type": "thrust", "dx": 2, "dy": 0, "ms": 300},
    {"type": "thrust", "dx": 0, "dy": 0, "ms": 300},
    {"type": "thrust", "dx": 1, "dy": 0, "ms": 0},
    {"type": "thrust", "dx": 1, "dy": 0, "ms": 5001},
    {"type": "thrust", "dx": 1, "dy": 0},
    {"type": "thrust", "dx": 1, "dy": 0, "ms": "long"},
    {"type": "steer", "x": 640, "ms": 300},
    {"type": "steer", "x": 640, "y": 20, "ms": 300},
    {"type": "steer", "x": "left", "y": 400, "ms": 300},
)


@check(
    "p1-invalid-actions-change-nothing",
    priority="P1",
    scenario="parcel_ahead",
    title="malformed actions are refused and leave no trace",
    source="interface.md#actions",
)
def invalid(game: Any) -> None:
    for action in WRONG:
        refused(game, action, "invalid")
    for kind in ("start", "resume"):
        refused(game, {"type": kind}, "wrong_phase")
    before = game.snapshot()
    game.wait(seconds(0.3))
    after = game.snapshot()
    game.expect([float(after["ship"]["x"]), float(after["ship"]["y"])], "place of the ship").close_to(
        [float(before["ship"]["x"]), float(before["ship"]["y"])], 0.1
    )
    game.expect(after["ship"]["energy"], "energy").close_to(before["ship"]["energy"], 0.01)


@check(
    "p1-stop-ends-thrust",
    priority="P1",
    scenario="fresh_run",
    title="a thrust order lasts its time, and a stop ends it earlier",
    source="interface.md#actions",
)
def stop(game: Any) -> None:
    order = {"type": "thrust", "dx": inward(seen_ship(game))[0], "dy": 0, "ms": 2000}
    game.expect(game.input(order)["ok"], "thrust").is_true()
    game.wait(seconds(0.2))
    game.expect(game.snapshot()["ship"]["thrusting"], "thrusting under the order").is_true()
    game.expect(game.input({"type": "stop"})["ok"], "stop").is_true()
    game.wait(frames(2))
    before = game.snapshot()
    game.expect(before["ship"]["thrusting"], "thrusting after stop").is_false()
    game.wait(seconds(0.3))
    after = game.snapshot()
    game.expect(speed(after["ship"]), "speed").less_than(speed(before["ship"]))
    game.expect(after["ship"]["energy"], "energy").close_to(before["ship"]["energy"], 0.05)
