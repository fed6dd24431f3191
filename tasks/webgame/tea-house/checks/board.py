"""What the snapshot says is what is seen; days differ; a day can be played with the mouse alone."""

from _tea import (
    FOLLOW,
    SETTLE,
    dishes,
    expect_dish,
    expect_seen,
    first_match,
    matches,
    overlap,
    pay,
    places,
    rectangle,
)

from playproof.checks import check, frames, seconds


def expect_apart(game, snap):
    """Places of different entities do not overlap."""
    taken = [("guest", one["bounds"]) for one in snap["customers"]]
    taken += [(part, one[part]) for one in snap["customers"] for part in ("order_bounds", "patience_bounds")]
    taken += [(name, one["bounds"]) for name in ("menu", "burners", "tray") for one in snap[name]]
    taken += [("progress bar", one["progress_bounds"]) for one in snap["burners"]]
    taken += [("bin", snap["bin"]["bounds"]), ("coins bar", snap["hud"]["coins_bar"]), ("time bar", snap["hud"]["time_bar"])]
    for i, (name, one) in enumerate(taken):
        for other_name, other in taken[i + 1 :]:
            game.expect(overlap(one, other), f"overlap of {name} and {other_name}").is_false()


@check("p1-board-is-seen", priority="P1", title="guests, orders, dishes and bars are seen where the snapshot says",
       source="game-spec.md#colour-key", timeout_s=120)
def board(game):
    for name in ("tray_ready", "impatient", "busy_burners", "tray_ready"):
        game.load(name)
        game.wait(SETTLE)
        snap = game.snapshot()
        expect_apart(game, snap)
        expect_seen(game, snap, game.screenshot())


@check("p1-days-differ", priority="P1", title="every day is drawn anew, within its bounds", source="game-spec.md#a-day")
def days_differ(game):
    days = []
    for _ in range(3):
        game.reset()
        days.append(game.snapshot())
    for name, draw in (
        ("tables", places),
        ("menu", lambda snap: [(one["dish"].value, one["price"].value, one["brew_seconds"].value) for one in snap["menu"]]),
    ):
        drawn = [draw(snap) for snap in days]
        alike = any(one == other for i, one in enumerate(drawn) for other in drawn[i + 1 :])
        game.expect(alike, f"two of three days have the same {name}").is_false()
    trays, guests = set(), set()
    for _ in range(5):
        game.load("tray_ready")
        snap = game.snapshot()
        trays.add(str(dishes(snap["tray"])))
        guests.add(str([(one["order"].value, round(float(one["patience"]), 3)) for one in snap["customers"]]))
    game.expect(len(trays), "different trays in five loads").at_least(2)
    game.expect(len(guests), "different guests in five loads").at_least(4)


def serve_one(game, snap, slot, customer):
    game.mouse.drag(game.centre(slot["bounds"]), game.centre(customer["bounds"]), seconds(0.25))
    game.wait(frames(2))
    after = game.snapshot()
    low = float(customer["patience"]) - 0.4 / float(customer["patience_seconds"])
    game.expect(after["coins"] - snap["coins"], "coins earned").at_least(pay(snap, customer["order"], low, snap["combo"])).at_most(
        pay(snap, customer["order"], customer["patience"], snap["combo"])
    )


@check("p1-day-by-hand", priority="P1", title="from the title screen, a day is played with the mouse alone",
       source="instruction.md", timeout_s=150)
def day_by_hand(game):
    game.wait(frames(5))
    game.mouse.click(game.centre(game.snapshot()["buttons"]["start"]))
    for _ in range(90):
        game.wait(frames(15))
        snap = game.snapshot()
        if snap["served"] >= 3:
            break
        coming = dishes(snap["tray"]) + dishes(snap["burners"])
        missing = [one["order"].value for one in snap["customers"] if one["order"].value not in coming]
        if matches(snap):
            serve_one(game, snap, *first_match(game, snap))
        elif missing and None in dishes(snap["burners"]):
            item = next(item for item in snap["menu"] if item["dish"] == missing[0])
            game.mouse.click(game.centre(item["bounds"]))
    end = game.snapshot()
    game.expect(end["served"], "guests served").at_least(3)
    game.expect(end["combo"], "combo").equals(end["served"])
    game.expect(end["hearts"], "hearts").equals(3)
    game.wait_until(lambda snap: len(snap["feedback"]) == 0, within=seconds(1.6), what="no marks over the places")
    expect_seen_after_play(game)
    game.expect_no_exceptions()


def expect_seen_after_play(game):
    """A guest may just have come in, so that entrances are let pass first."""
    game.wait(SETTLE)
    snap = game.snapshot()
    expect_seen(game, snap, game.screenshot())


@check("p2-small-window", priority="P2", scenario="tray_ready", title="the game is whole and playable at 1024 x 640",
       source="game-spec.md#where-things-are-on-screen", viewport=[1024, 640])
def small_window(game):
    game.wait(SETTLE)
    before = game.snapshot()
    everything = [one["bounds"] for name in ("tables", "customers", "menu", "burners", "tray") for one in before[name]]
    for bounds in [*everything, before["bin"]["bounds"], before["hud"]["coins_bar"], before["hud"]["time_bar"]]:
        x, y, width, height = rectangle(bounds)
        game.expect(x >= -1 and y >= -1 and x + width <= 1025 and y + height <= 641, f"{bounds.path} inside 1024 x 640").is_true()
    page = game.screenshot()
    for one in before["customers"]:
        expect_dish(game, page, one["order_bounds"], one["order"].value, 0.2, f"the order of guest {one['id']}")
    slot, customer = first_match(game, before)
    game.mouse.drag(game.centre(slot["bounds"]), game.centre(customer["bounds"]), seconds(0.3))
    game.wait(FOLLOW)
    game.expect(game.snapshot()["served"], "served").equals(1)


@check("p2-mood-shows", priority="P2", scenario="idle_burners", title="a guest's mood shows before patience ends",
       source="game-spec.md#feedback")
def mood(game):
    game.wait(SETTLE)
    guest = game.snapshot()["customers"][0]
    game.wait(seconds(0.5))
    glad = [game.screenshot(guest["bounds"])]
    for _ in range(8):
        game.wait(frames(11))
        glad.append(game.screenshot(guest["bounds"]))
    game.wait(seconds(float(guest["patience"] * guest["patience_seconds"]) - 4.5))
    cross = game.screenshot(guest["bounds"])
    known = min(cross.differs(one) for one in glad)
    game.expect(known, "least difference of the guest near the end from any look before").greater_than(0.002)
