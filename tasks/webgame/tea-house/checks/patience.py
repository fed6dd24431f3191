"""Natural time: patience, angry guests, the ends of a day, a new day."""

from _tea import (
    FILLS,
    FOLLOW,
    HEART,
    HEART_LOST,
    NEAR,
    ROBE,
    SETTLE,
    colour_share,
    dishes,
    expect_bar,
    expect_mark,
    find,
    first_match,
    ids,
    pay,
    places,
)

from playproof.checks import check, frames, seconds


def hurried(snap):
    """The customer with the least time left."""
    return min(snap["customers"], key=lambda one: float(one["patience"] * one["patience_seconds"]))


def emptied(early, late, bar, kind):
    """The part of a bar that was filled in the early picture and is not in the late one."""
    return colour_share(early, bar, FILLS[kind], step=1) - colour_share(late, bar, FILLS[kind], step=1)


def expect_hearts(game, snap, left):
    page = game.screenshot()
    for i, bounds in enumerate(snap["hud"]["hearts"]):
        there, gone = (HEART, HEART_LOST) if i < left else (HEART_LOST, HEART)
        game.expect(colour_share(page, bounds, there), f"colour of heart {i}").at_least(0.28)
        game.expect(colour_share(page, bounds, gone), f"other colour in heart {i}").at_most(0.04)


def expect_standstill(game, snap):
    """At an end nothing runs and play is refused."""
    game.wait(seconds(2))
    later = game.snapshot()
    game.expect_unchanged(snap, later, except_=("feedback",))
    dish = snap["menu"][0]["dish"].value
    for action in ({"type": "brew", "dish": dish}, {"type": "discard", "slot": 0}, {"type": "serve", "slot": 0, "customer": "any"}):
        answer = game.input(action)
        game.expect(answer["reason"], f"reason against {action['type']}").equals("not_playing")
    game.keyboard.press("1")
    game.wait(FOLLOW)
    game.expect_unchanged(snap, game.snapshot(), except_=("feedback",))


@check("p1-patience-runs", priority="P1", scenario="idle_burners",
       title="patience runs down in natural time, on screen and in the snapshot",
       source="game-spec.md#entities-and-transitions")
def patience_runs(game):
    game.wait(SETTLE)
    first = game.snapshot()
    one = first["customers"][-1]
    early = game.screenshot()
    game.wait(seconds(4))
    late = game.screenshot()                             # taken before the interface is asked again
    shrunk = emptied(early, late, one["patience_bounds"], "patience")
    game.expect(shrunk, "part of the bar that went in 4 s").close_to(4 / float(one["patience_seconds"]), within=0.05)
    gone = emptied(early, late, first["hud"]["time_bar"], "time")
    game.expect(gone, "part of the time bar that went in 4 s").close_to(4 / 90, within=0.02)
    then = game.snapshot()
    game.expect(first["time_left"] - then["time_left"], "time gone").close_to(4, within=0.1)
    for before in first["customers"]:
        after = find(then["customers"], "id", before["id"])
        game.expect(after is not None, "the same customers").is_true()
        fell = (before["patience"] - after["patience"]) * float(before["patience_seconds"])
        game.expect(fell, "seconds of patience gone").close_to(4, within=0.1)
        expect_bar(game, late, after["patience_bounds"], "patience", after["patience"], "the patience bar")


@check("p1-angry-leave", priority="P1", scenario="impatient",
       title="a guest whose patience ends leaves, a heart goes and the run is broken",
       source="game-spec.md#scoring")
def angry_leave(game):
    game.wait(SETTLE)
    before = game.snapshot()
    guest = hurried(before)
    expect_hearts(game, before, 3)
    game.wait(seconds(float(guest["patience"] * guest["patience_seconds"]) - 0.3))
    game.expect(ids(game.snapshot()), "customers just before").equals(ids(before))
    game.wait(seconds(0.45))
    after = game.snapshot()
    game.expect(ids(after), "customers").equals([one for one in ids(before) if one != str(guest["id"].value)])
    game.expect(after["hearts"], "hearts").equals(2)
    game.expect(after["lost_customers"], "lost customers").equals(1)
    game.expect(after["combo"], "combo").equals(0)
    for name in ("coins", "served", "phase"):
        game.expect(after[name], name).equals(before[name])
    expect_mark(game, after, "angry", guest["bounds"])
    expect_hearts(game, after, 2)
    slot, customer = first_match(game, after)
    game.input({"type": "serve", "slot": slot["slot"].value, "customer": customer["id"].value})
    gained = game.snapshot()["coins"] - after["coins"]
    game.expect(gained, "coins after the broken run").equals(pay(after, customer["order"], customer["patience"], 0))
    game.wait(seconds(1.6))
    game.expect_pixels(guest["bounds"]).lacks(ROBE, share=0.04, tolerance=NEAR)


@check("p1-last-heart", priority="P1", scenario="last_heart", title="losing the last heart ends the day",
       source="game-spec.md#terminal-conditions")
def last_heart(game):
    start = game.snapshot()
    game.expect(start["phase"], "phase").equals("playing")
    end = game.wait_until(lambda snap: snap["phase"] != "playing", within=seconds(3.4), what="an end of the day")
    game.expect(end["phase"], "phase").equals("lost")
    game.expect(end["outcome"], "outcome").equals("hearts")
    game.expect(end["hearts"], "hearts").equals(0)
    game.expect(start["time_left"] - end["time_left"], "time until the end").at_least(1.8)
    game.wait(FOLLOW)
    game.expect(game.snapshot()["buttons"]["restart"]["width"], "width of the restart button").at_least(40)
    expect_standstill(game, game.snapshot())


@check("p1-time-up", priority="P1", scenario="closing_time",
       title="closing time below the goal loses the day; the restart button opens a new one",
       source="game-spec.md#terminal-conditions")
def time_up(game):
    game.wait(SETTLE)
    start = game.snapshot()
    game.wait(seconds(float(start["time_left"]) - 0.3))
    game.expect(game.snapshot()["phase"], "phase just before closing").equals("playing")
    game.wait(seconds(0.6))
    end = game.snapshot()
    game.expect(end["phase"], "phase").equals("lost")
    game.expect(end["outcome"], "outcome").equals("time")
    game.expect(end["time_left"], "time left").close_to(0, within=0.001)
    button = end["buttons"]["restart"]
    game.wait(seconds(1))
    shown = game.screenshot(button)
    game.mouse.click(game.centre(button))
    game.wait(FOLLOW)
    fresh = game.snapshot()
    wanted = {"phase": "playing", "coins": 0, "hearts": 3, "combo": 0, "served": 0, "lost_customers": 0}
    for name, value in wanted.items():
        game.expect(fresh[name], name).equals(value)
    game.expect(fresh["time_left"], "time left").at_least(89.5)
    game.expect(len(fresh["customers"]), "customers").equals(0)
    game.expect(dishes(fresh["tray"]) + dishes(fresh["burners"]), "dishes").equals([None] * 6)
    game.expect(places(fresh), "tables of the new day").not_equals(places(end))
    game.expect(game.screenshot(button).differs(shown), "change where the restart button was").greater_than(0.3)
    expect_hearts(game, fresh, 3)
    game.wait_until(lambda snap: len(snap["customers"]) == 1, within=seconds(3.3), what="a first customer of the new day")


@check("p1-goal-wins", priority="P1", scenario="near_goal", title="the serving that reaches the goal wins the day",
       source="game-spec.md#terminal-conditions")
def goal_wins(game):
    game.wait(SETTLE)
    before = game.snapshot()
    slot, customer = first_match(game, before)
    game.mouse.drag(game.centre(slot["bounds"]), game.centre(customer["bounds"]), seconds(0.3))
    game.wait(frames(4))
    end = game.snapshot()
    game.expect(end["phase"], "phase").equals("won")
    game.expect(end["outcome"], "outcome").equals("goal")
    game.expect(end["coins"], "coins").at_least(end["goal"])
    most = pay(before, customer["order"], customer["patience"], before["combo"])
    game.expect(end["coins"] - before["coins"], "coins earned").at_most(most)
    game.expect(end["buttons"]["restart"]["width"], "width of the restart button").at_least(40)
    expect_standstill(game, end)
    game.keyboard.press("r")
    game.wait(FOLLOW)
    again = game.snapshot()
    for name, value in {"phase": "playing", "coins": 0, "hearts": 3}.items():
        game.expect(again[name], f"{name} of the new day").equals(value)


@check("p2-pause", priority="P2", scenario="busy_burners", title="P stops everything, and P goes on", source="game-spec.md#controls")
def pause(game):
    game.wait(frames(5))
    game.keyboard.press("p")
    game.wait(FOLLOW)
    held = game.snapshot()
    game.expect(held["phase"], "phase").equals("paused")
    game.wait(seconds(3))
    game.expect_unchanged(held, game.snapshot())
    game.expect(game.input({"type": "discard", "slot": 0})["reason"], "reason while paused").equals("not_playing")
    game.keyboard.press("p")
    game.wait(seconds(1))
    after = game.snapshot()
    game.expect(after["phase"], "phase").equals("playing")
    game.expect(held["time_left"] - after["time_left"], "time gone since").close_to(1, within=0.15)
