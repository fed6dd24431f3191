"""Parcels and stations: taking aboard, delivering, pay and streak, refusals, recharging."""

import re
from typing import Any

from _courier import COMET, FILL, KEYS, ahead, approach, gap, ids, legal, named, payout, says, seen_ship

from playproof.checks import check, frames, seconds


def _kept(game: Any, before: Any, after: Any, *names: str) -> None:
    for name in names:
        game.expect(after[name].value, name).equals(before[name].value)


def _hud(game: Any, label: str, value: Any) -> None:
    """The HUD's own text, read from the page and not from the interface."""
    game.expect(
        re.search(rf"{label}\s+{value}(?!\d)", game.text(), re.IGNORECASE) is not None, f"visible text says {label} {value}"
    ).is_true()


@check(
    "p1-collect",
    priority="P1",
    scenario="parcel_ahead",
    title="flown onto with an empty hold, a parcel leaves the field and is seen on the ship",
    source="game-spec.md#4",
)
def collect(game: Any) -> None:
    before, text = seen_ship(game), game.text()
    goal, way = ahead(game, before, before["parcels"])
    fill = FILL[goal["color"].value]
    game.expect_pixels(goal["bounds"]).shows(fill, share=0.3)
    game.expect_pixels(before["ship"]["bounds"]).lacks(fill, share=0.02)
    taken = approach(game, goal, way, lambda snap: snap["cargo"].value is not None, "the parcel was taken aboard")
    game.expect(gap(goal, taken["ship"]), "way from the parcel when it was taken").at_most(32)
    game.expect(taken["cargo"].value, "cargo").equals({"id": goal["id"].value, "color": goal["color"].value})
    game.expect(sorted(ids(taken["parcels"])), "waiting parcels").equals(sorted(set(ids(before["parcels"])) - {goal["id"].value}))
    _kept(game, before, taken, "score", "streak", "delivered")
    says(game, "aboard", text)
    game.keyboard.hold(KEYS[(-way[0], -way[1])], seconds(0.9))
    after = game.snapshot()
    game.expect_pixels(goal["bounds"]).lacks(fill, share=0.05)
    game.expect_pixels(after["ship"]["bounds"]).shows(fill, share=0.04)
    game.expect_no_exceptions()


@check(
    "p1-collects-only-near",
    priority="P1",
    scenario="parcel_ahead",
    title="a parcel that the ship only comes near to stays",
    source="game-spec.md#4",
)
def only_near(game: Any) -> None:
    before = seen_ship(game)
    goal, way = ahead(game, before, before["parcels"])
    near = approach(
        game,
        {"x": float(goal["x"]) - way[0] * 50, "y": float(goal["y"]) - way[1] * 50},
        way,
        lambda snap: gap(goal, snap["ship"]) < 70,
        "the ship came within 70 units",
        cruise=60,
    )
    game.expect(near["cargo"].value, "cargo").equals(None)
    game.expect(named(near["parcels"], goal["id"]) is not None, "the parcel still waits").is_true()


@check(
    "p1-hold-takes-one",
    priority="P1",
    scenario="loaded_parcel_ahead",
    title="a second parcel stays where it is while one is carried",
    source="game-spec.md#4",
)
def hold_takes_one(game: Any) -> None:
    before, text = seen_ship(game), game.text()
    goal, way = ahead(game, before, before["parcels"])
    over = approach(game, goal, way, lambda snap: gap(goal, snap["ship"]) < 16, "the ship came over the parcel")
    _kept(game, before, over, "cargo", "score", "streak", "delivered", "parcels")
    says(game, "hold full", text)
    game.keyboard.hold(KEYS[(-way[0], -way[1])], seconds(0.9))
    _kept(game, before, game.snapshot(), "cargo", "parcels")
    game.expect_pixels(goal["bounds"]).shows(FILL[goal["color"].value], share=0.3)


@check(
    "p1-deliver-pays-streak",
    priority="P1",
    title="the station of its colour takes the parcel and pays by the streak",
    source="game-spec.md#4",
    timeout_s=90,
)
def deliver(game: Any) -> None:
    for turn in range(2):
        game.load("loaded_near_match")
        before, text = seen_ship(game), game.text()
        goal, way = ahead(game, before, [one for one in before["stations"] if one["color"] == before["cargo"]["color"]])
        after = approach(game, goal, way, lambda snap: snap["cargo"].value is None, "the parcel was delivered")
        game.expect(gap(goal, after["ship"]), "way from the station at the delivery").at_most(50)
        streak = int(before["streak"]) + 1
        game.expect(after["streak"], "streak").equals(streak)
        game.expect(after["delivered"], "delivered").equals(before["delivered"] + 1)
        game.expect(after["score"], "score").equals(before["score"] + payout(streak))
        game.wait(frames(3))
        if turn == 0:
            says(game, f"+{payout(streak)}", text)
        _hud(game, "Score", int(after["score"]))
        _hud(game, "Streak", streak)
        _hud(game, "Delivered", rf"{int(after['delivered'])}\s*/\s*6")
        new = set(ids(after["parcels"])) - set(ids(before["parcels"]))
        game.expect(len(new), "new parcels").equals(1)
        game.expect(new == {before["cargo"]["id"].value}, "the new parcel is the old one").is_false()
        legal(game, after)
        game.wait(seconds(0.6))
        _shown(game, game.snapshot(), new.pop())
    game.expect_no_exceptions()


def _shown(game: Any, snap: Any, parcel: str) -> None:
    """The new parcel is drawn, unless a comet or the ship lies over it."""
    fresh = named(snap["parcels"], parcel)
    if fresh is not None and all(gap(fresh, one) > 70 for one in [*snap["comets"], snap["ship"]]):
        game.expect_pixels(fresh["bounds"]).shows(FILL[fresh["color"].value], share=0.3)
        game.expect_pixels(fresh["bounds"]).lacks(COMET, share=0.05)


@check(
    "p1-wrong-station-refuses",
    priority="P1",
    scenario="loaded_near_wrong",
    title="a station of another colour leaves hold, score and streak as they were",
    source="game-spec.md#4",
)
def wrong_station(game: Any) -> None:
    before, text = seen_ship(game), game.text()
    goal, way = ahead(game, before, [one for one in before["stations"] if one["color"] != before["cargo"]["color"]])
    there = approach(game, goal, way, lambda snap: gap(goal, snap["ship"]) < 30, "the ship came over the station")
    _kept(game, before, there, "cargo", "score", "streak", "delivered", "parcels")
    says(game, "wrong station", text)
    game.expect_pixels(there["ship"]["bounds"]).shows(FILL[goal["color"].value], share=0.02)
    game.wait(seconds(0.3))
    _kept(game, before, game.snapshot(), "cargo", "score", "streak", "delivered", "parcels")


@check(
    "p1-station-recharges",
    priority="P1",
    scenario="near_station_drained",
    title="energy rises over a station by its rate, and only there",
    source="game-spec.md#3",
)
def recharges(game: Any) -> None:
    before = seen_ship(game)
    goal, way = ahead(game, before, before["stations"])
    game.wait(seconds(0.2))
    game.expect(game.snapshot()["ship"]["energy"], "energy away from the station").close_to(before["ship"]["energy"], 0.1)
    there = approach(game, goal, way, lambda snap: gap(goal, snap["ship"]) < 34, "the ship came over the station", cruise=90)
    game.wait(frames(12))
    after = game.snapshot()
    game.expect(gap(goal, after["ship"]), "way from the station, still").at_most(47)
    game.expect(float(after["ship"]["energy"]) - float(there["ship"]["energy"]), "energy won in 0.2 s").close_to(5, 0.8)
    game.expect(after["ship"]["energy"], "energy").at_most(100)
    _hud(game, "Energy", round(float(after["ship"]["energy"])))
