"""Does it load, start, and put itself into every documented state? (P0, and the scenarios.)"""

from typing import Any

from _courier import COMET, FILL, SHIP, ahead, drawn, gap, legal, payout, speed, threat

from playproof.checks import check, frames, seconds

FIELDS = (
    "phase",
    "time",
    "score",
    "streak",
    "delivered",
    "target",
    "field",
    "ship",
    "cargo",
    "parcels",
    "stations",
    "comets",
    "pulse",
    "controls",
)


@check(
    "p0-opens-in-title", priority="P0", title="opens with a title panel, a legal snapshot and no exception", source="interface.md#snapshot"
)
def opens(game: Any) -> None:
    game.wait(seconds(0.3))
    snap = game.snapshot()
    for name in FIELDS:
        game.expect(name in snap, f"snapshot has {name}").is_true()
    game.expect(snap["phase"], "phase").equals("title")
    game.expect(snap["target"], "target").equals(6)
    legal(game, snap)
    text = game.text().lower()
    game.expect(text, "visible text").contains("comet courier")
    game.expect(text, "visible text").contains("start")
    game.wait(seconds(0.5))
    game.expect_unchanged(snap, game.snapshot())
    game.expect_no_exceptions()


@check("p0-enter-starts", priority="P0", title="Enter starts a run whose clock goes", source="game-spec.md#6")
def enter_starts(game: Any) -> None:
    game.wait(seconds(0.2))
    game.keyboard.press("Enter")
    game.wait(frames(3))
    first = game.snapshot()
    game.expect(first["phase"], "phase").equals("playing")
    game.wait(seconds(0.5))
    game.expect(game.snapshot()["time"], "time").greater_than(first["time"] + 0.4)
    game.expect_no_exceptions()


@check("p0-start-button", priority="P0", title="a click on the start button starts a run", source="interface.md#snapshot", timeout_s=120)
def start_button(game: Any) -> None:
    game.wait(seconds(0.2))
    before = game.snapshot()
    game.mouse.click(game.centre(before["controls"]["start"]))
    game.wait(frames(3))
    after = game.snapshot()
    game.expect(after["phase"], "phase").equals("playing")
    game.expect(after["controls"]["start"].value, "controls.start").equals(None)
    game.wait(frames(30))
    drawn(game, game.snapshot())


def _fresh(game: Any, snap: Any) -> None:
    for name in ("score", "streak", "delivered"):
        game.expect(snap[name], name).equals(0)
    game.expect(snap["time"], "time").at_most(0.05)
    game.expect([float(snap["ship"]["hull"]), float(snap["ship"]["energy"])], "hull and energy").equals([100.0, 100.0])
    game.expect(snap["cargo"].value, "cargo").equals(None)
    for one in [*snap["stations"], *snap["parcels"]]:
        game.expect(gap(one, snap["ship"]), f"way from the ship to {one['id']}").at_least(99)


def _loaded(game: Any, snap: Any, things: str, matching: bool | None) -> None:
    game.expect(snap["cargo"].value, "cargo").not_equals(None)
    goal, _ = ahead(
        game,
        snap,
        snap[things] if matching is None else [one for one in snap["stations"] if (one["color"] == snap["cargo"]["color"]) is matching],
    )
    game.expect(gap(goal, snap["ship"]), "way to go").at_least(138)


def _empty_ahead(game: Any, snap: Any, things: str) -> None:
    game.expect(snap["cargo"].value, "cargo").equals(None)
    ahead(game, snap, snap[things])


def _energy(game: Any, snap: Any, low: float, high: float) -> None:
    game.expect(snap["ship"]["energy"], "energy").at_least(low - 0.01).at_most(high + 0.01)


def _streak(game: Any, snap: Any, low: int, high: int, delivered: int | None = None) -> None:
    streak = int(snap["streak"])
    game.expect(streak, "streak").at_least(low).at_most(high)
    done = streak if delivered is None else delivered
    game.expect(snap["delivered"], "delivered").equals(done)
    if delivered is None:
        game.expect(snap["score"], "score").equals(sum(payout(n) for n in range(1, streak + 1)))


def _state(game: Any, name: str, snap: Any) -> None:
    """What the interface promises of one scenario."""
    if name == "fresh_run":
        _fresh(game, snap)
    elif name in ("parcel_ahead", "near_station_drained"):
        _empty_ahead(game, snap, "parcels" if name == "parcel_ahead" else "stations")
        _energy(game, snap, *((60, 90) if name == "parcel_ahead" else (20, 40)))
    elif name == "loaded_parcel_ahead":
        _loaded(game, snap, "parcels", None)
    elif name in ("loaded_near_match", "loaded_near_wrong"):
        _loaded(game, snap, "stations", name == "loaded_near_match")
        _streak(game, snap, 1, 4)
        _energy(game, snap, *((60, 90) if name == "loaded_near_match" else (40, 60)))
    elif name in ("low_energy", "empty_energy"):
        game.expect(snap["cargo"].value, "cargo").equals(None)
        _energy(game, snap, *((5, 20) if name == "low_energy" else (0, 0)))
    elif name == "one_delivery_left":
        _loaded(game, snap, "stations", True)
        _streak(game, snap, 1, 4, delivered=5)
        game.expect(snap["ship"]["hull"], "hull").equals(80)
    else:
        _streak(game, snap, *((1, 3) if name == "comet_incoming" else (2, 2)))
        game.expect(snap["ship"]["hull"], "hull").equals(100 if name == "comet_incoming" else 10)
        game.expect(threat(game, snap)[1], "seconds to the touch").at_least(1.1).at_most(1.9)


NAMES = (
    "fresh_run",
    "parcel_ahead",
    "loaded_parcel_ahead",
    "loaded_near_match",
    "loaded_near_wrong",
    "near_station_drained",
    "low_energy",
    "empty_energy",
    "comet_incoming",
    "one_delivery_left",
    "last_hull",
)


@check(
    "p1-scenarios-are-as-told",
    priority="P1",
    title="each scenario is the state that the interface promises, and the clock goes on in it",
    source="interface.md#scenarios",
    timeout_s=120,
)
def scenarios(game: Any) -> None:
    places: list[Any] = []
    for name in (name for name in NAMES for _ in range(2)):
        game.expect(game.load(name)["ok"], f"loadScenario({name})").is_true()
        snap = game.snapshot()
        game.expect(snap["phase"], f"{name}: phase").equals("playing")
        game.expect(speed(snap["ship"]), f"{name}: speed of the ship").at_most(0.01)
        game.expect(len(snap["comets"]), f"{name}: comets").at_least(4).at_most(6)
        legal(game, snap)
        _state(game, name, snap)
        places.append([(float(one["x"]), float(one["y"])) for one in snap["parcels"]])
        game.wait(seconds(0.3))
        after = game.snapshot()
        game.expect(float(after["time"]) - float(snap["time"]), f"{name}: seconds by its clock").close_to(0.3, 0.06)
        game.expect([gap(one, snap["ship"]) for one in after["comets"]], f"{name}: ways of the comets").not_equals(
            [gap(one, snap["ship"]) for one in snap["comets"]]
        )
    for name, first, second in zip(NAMES, places[::2], places[1::2], strict=True):
        game.expect(first == second, f"{name}: the parcels stand where they stood the last time").is_false()


@check(
    "p1-unknown-scenario",
    priority="P1",
    scenario="loaded_near_match",
    title="a scenario that does not exist is refused and nothing changes",
    source="interface.md",
)
def unknown_scenario(game: Any) -> None:
    before = game.snapshot()
    answer = game.load("seven_stations")
    game.expect(answer["ok"], "ok").is_false()
    game.expect(answer["reason"], "reason").equals("unknown_scenario")
    game.expect_unchanged(before, game.snapshot())


@check(
    "p1-layout-is-drawn-and-varies",
    priority="P1",
    title="stations, parcels, comets and ship are seen where the snapshot says, elsewhere in each run",
    source="game-spec.md#colour-key",
    timeout_s=120,
)
def layout(game: Any) -> None:
    seen = []
    for _ in range(3):
        game.load("fresh_run")
        game.wait(frames(40))
        snap = game.snapshot()
        if len(seen) < 2:
            drawn(game, snap)
            _void_is_empty(game, snap)
        seen.append(sorted((int(one["sector"]["column"]), int(one["sector"]["row"]), one["color"].value) for one in snap["stations"]))
    game.expect(seen[0] == seen[1] == seen[2], "the same stations three times").is_false()


def _void_is_empty(game: Any, snap: Any) -> None:
    """Sectors in which nothing stands show none of the colours of the key."""
    field = snap["field"]["bounds"]
    things = [*snap["stations"], *snap["parcels"], *snap["comets"], snap["ship"]]
    bare = 0
    for cell in range(24):
        region = {"x": float(field["x"]) + cell % 6 * 200 + 20, "y": float(field["y"]) + cell // 6 * 165 + 20, "width": 160, "height": 125}
        if bare < 3 and not any(_touch(region, one["bounds"]) for one in things):
            bare += 1
            box = (region["x"], region["y"], region["width"], region["height"])
            picture = game.screenshot(box)
            for colour in (*FILL.values(), SHIP, COMET):
                game.expect(picture.share(colour), f"share of {colour} in an empty sector").at_most(0.02)


def _touch(region: dict[str, float], bounds: Any) -> bool:
    return (
        region["x"] - 30 < float(bounds["x"]) + float(bounds["width"])
        and float(bounds["x"]) - 30 < region["x"] + region["width"]
        and region["y"] - 30 < float(bounds["y"]) + float(bounds["height"])
        and float(bounds["y"]) - 30 < region["y"] + region["height"]
    )
