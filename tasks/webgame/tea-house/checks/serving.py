"""Right and wrong servings, by mouse, by finger and through the interface."""

from _tea import (
    DISHES,
    FOLLOW,
    MARKS,
    NEAR,
    ROBE,
    SETTLE,
    bare_floor,
    colour_share,
    expect_dish,
    expect_mark,
    find,
    first_match,
    ids,
    lift,
    matches,
    mismatch,
    pay,
    rectangle,
)

from playproof.checks import check, frames, seconds

LASTING = ("coins", "hearts", "combo", "served", "lost_customers", "goal", "menu", "tables", "burners", "tray", "phase", "outcome")


def expect_served(game, before, after, slot, customer, took=0.0):
    """One right serving lies between the two snapshots; `took` is how long the hand was under way, in seconds."""
    low = float(customer["patience"]) - took / float(customer["patience_seconds"])
    gained = after["coins"] - before["coins"]
    run = before["combo"]
    most = pay(before, customer["order"], customer["patience"], run)
    game.expect(gained, "coins earned").at_least(pay(before, customer["order"], low, run)).at_most(most)
    game.expect(after["served"], "served").equals(before["served"] + 1)
    game.expect(after["combo"], "combo").equals(run + 1)
    game.expect(after["hearts"], "hearts").equals(before["hearts"])
    game.expect(ids(after), "customers left").equals([one for one in ids(before) if one != str(customer["id"].value)])
    game.expect(after["tray"][int(slot["slot"])]["dish"].value, "dish in the slot").equals(None)


def expect_nothing_lost(game, before, after):
    """All that a refusal must leave alone, apart from what natural time moves."""
    for name in LASTING:
        game.expect(after[name].value, name).equals(before[name].value)
    game.expect(ids(after), "customers").equals(ids(before))
    game.expect(after["drag"].value, "drag").equals(None)


@check("p1-drag-serves", priority="P1", scenario="tray_ready", title="dragging the right dish to a guest serves that guest",
       source="game-spec.md#controls")
def drag_serves(game):
    game.wait(SETTLE)
    before = game.snapshot()
    slot, customer = first_match(game, before)
    calm = game.idle_control(customer["bounds"])
    before = game.snapshot()
    slot, customer = first_match(game, before)
    game.mouse.drag(game.centre(slot["bounds"]), game.centre(customer["bounds"]), seconds(0.4))
    game.wait(FOLLOW)
    after = game.snapshot()
    expect_served(game, before, after, slot, customer, took=0.6)
    expect_mark(game, after, "paid", customer["bounds"])
    game.wait(seconds(1.6))
    game.expect_pixels(customer["bounds"]).differs_more_than(calm)
    page = game.screenshot()
    game.expect(colour_share(page, customer["bounds"], ROBE), "robe where the guest sat").at_most(0.04)
    expect_dish(game, page, customer["order_bounds"], None, 0, "the place of the order")
    expect_dish(game, page, slot["bounds"], None, 0, "the slot that was emptied")


@check("p1-touch-serves", priority="P1", scenario="tray_ready", title="a finger serves as the mouse does",
       source="game-spec.md#controls", touch=True)
def touch_serves(game):
    game.wait(SETTLE)
    for _ in range(2):
        before = game.snapshot()
        slot, customer = matches(before)[-1] if matches(before) else first_match(game, before)
        game.touch.drag(game.centre(slot["bounds"]), game.centre(customer["bounds"]), seconds(0.4))
        game.wait(FOLLOW)
        expect_served(game, before, game.snapshot(), slot, customer, took=0.6)
    free = game.snapshot()
    game.touch.tap(game.centre(free["menu"][3]["bounds"]))
    game.wait(FOLLOW)
    brewing = [one["dish"].value for one in game.snapshot()["burners"]]
    game.expect(brewing.count(free["menu"][3]["dish"].value), "burners with the tapped dish").equals(1)


@check("p1-hand-and-interface-agree", priority="P1", scenario="tray_ready", title="the interface and the hand bring about the same",
       source="interface.md#actions")
def hand_and_interface(game):
    for by_hand in (False, True, False):
        game.load("tray_ready")
        game.wait(SETTLE)
        before = game.snapshot()
        slot, customer = matches(before)[1] if len(matches(before)) > 1 else first_match(game, before)
        if by_hand:
            game.mouse.drag(game.centre(slot["bounds"]), game.centre(customer["bounds"]), seconds(0.3))
        else:
            answer = game.input({"type": "serve", "slot": slot["slot"].value, "customer": customer["id"].value})
            game.expect(answer["accepted"], "accepted").is_true()
            expect_served(game, before, game.snapshot(), slot, customer)
        game.wait(FOLLOW)
        after = game.snapshot()
        expect_served(game, before, after, slot, customer, took=0.5 if by_hand else 0.0)
        expect_mark(game, after, "paid", customer["bounds"])
        game.wait(seconds(1.6))
        game.expect_pixels(customer["bounds"]).lacks(ROBE, share=0.04, tolerance=NEAR)
        game.expect_pixels(slot["bounds"]).lacks(DISHES[customer["order"].value], share=0.04, tolerance=NEAR)


@check("p1-wrong-dish-refused", priority="P1", scenario="tray_ready", title="a wrong dish dragged to a guest changes nothing and is shown",
       source="game-spec.md#feedback")
def wrong_dish(game):
    game.wait(SETTLE)
    slot, customer = mismatch(game, game.snapshot())
    calm = game.idle_control(customer["bounds"])
    before = game.snapshot()
    game.mouse.drag(game.centre(slot["bounds"]), game.centre(customer["bounds"]), seconds(0.4))
    game.wait(FOLLOW)
    after = game.snapshot()
    expect_nothing_lost(game, before, after)
    then, now = customer["patience"], find(after["customers"], "id", customer["id"])["patience"]
    game.expect(then - now, "patience lost meanwhile").less_than(1.3 / float(customer["patience_seconds"]))
    mark = expect_mark(game, after, "wrong", customer["bounds"])
    game.expect_pixels(customer["bounds"]).differs_more_than(calm)
    game.wait(seconds(1.6))
    game.expect(len(game.snapshot()["feedback"]), "marks after their time").equals(0)
    game.expect_pixels(mark).lacks(MARKS["wrong"], share=0.03, tolerance=NEAR)
    expect_dish(game, game.screenshot(), slot["bounds"], slot["dish"].value, 0.2, "the slot that kept its dish")


@check("p1-wrong-dish-keeps-run", priority="P1", scenario="tray_ready", title="a refused dish does not break the run",
       source="game-spec.md#scoring")
def wrong_keeps_run(game):
    slot, customer = first_match(game, game.snapshot())
    game.input({"type": "serve", "slot": slot["slot"].value, "customer": customer["id"].value})
    before = game.snapshot()
    slot, customer = mismatch(game, before)
    answer = game.input({"type": "serve", "slot": slot["slot"].value, "customer": customer["id"].value})
    game.expect(answer["accepted"], "accepted").is_false()
    game.expect(answer["reason"], "reason").equals("wrong_dish")
    after = game.snapshot()
    game.expect_unchanged(before, after, except_=("feedback",))
    game.expect(len(after["feedback"]), "marks").equals(len(before["feedback"]) + 1)
    slot, customer = first_match(game, after)
    game.input({"type": "serve", "slot": slot["slot"].value, "customer": customer["id"].value})
    expect_served(game, after, game.snapshot(), slot, customer)


@check("p1-refusals", priority="P1", scenario="tray_ready", title="deeds that cannot be done are refused and leave everything as it was",
       source="interface.md#actions")
def refusals(game):
    game.wait(seconds(0.5))
    before = game.snapshot()
    guest, slot = before["customers"][0]["id"].value, before["tray"][0]["slot"].value
    refused = [
        ({"type": "serve", "slot": 9, "customer": guest}, "empty_slot"),
        ({"type": "serve", "slot": slot, "customer": "nobody at all"}, "no_customer"),
        ({"type": "discard", "slot": -1}, "empty_slot"),
        ({"type": "brew", "dish": "gravel"}, "unknown_dish"),
        ({"type": "start"}, "not_now"),
        ({"type": "sing"}, "unknown_action"),
    ]
    for action, reason in refused:
        answer = game.input(action)
        game.expect(answer["accepted"], f"{action['type']} accepted").is_false()
        game.expect(answer["reason"], f"reason against {action['type']}").equals(reason)
        game.expect_unchanged(before, game.snapshot())
    game.reset()
    title = game.snapshot()
    too_early = [
        ({"type": "brew", "dish": "taro"}, "not_playing"),
        ({"type": "discard", "slot": 0}, "not_playing"),
        ({"type": "restart"}, "not_now"),
    ]
    for action, reason in too_early:
        game.expect(game.input(action)["reason"], f"reason against {action['type']} on the title").equals(reason)
        game.expect_unchanged(title, game.snapshot())


@check("p1-drag-is-seen", priority="P1", scenario="tray_ready",
       title="a dragged dish follows the pointer; let go on the bare floor it is back",
       source="game-spec.md#controls")
def drag_is_seen(game):
    game.wait(SETTLE)
    before = game.snapshot()
    slot = before["tray"][2]
    dish, (x, y) = slot["dish"].value, bare_floor(game, before)
    around = (x - 18, y - 18, 36, 36)
    game.expect_pixels(around).lacks(DISHES[dish], share=0.05, tolerance=NEAR)
    lift(game, slot)
    game.wait(frames(2))
    game.mouse.move((x - 9, y + 5))
    game.wait(frames(2))
    game.mouse.move((x, y))
    game.wait(FOLLOW)
    held = game.snapshot()
    game.expect(held["drag"]["dish"], "dragged dish").equals(dish)
    game.expect(held["drag"]["slot"], "slot of the dragged dish").equals(2)
    game.expect((float(held["drag"]["x"]), float(held["drag"]["y"])), "place of the dragged dish").close_to((x, y), within=2)
    game.expect_pixels(around).shows(DISHES[dish], share=0.38, tolerance=NEAR)
    game.expect_pixels(slot["bounds"]).lacks(DISHES[dish], share=0.04, tolerance=NEAR)
    game.mouse.up()
    game.wait(seconds(0.5))
    expect_nothing_lost(game, before, game.snapshot())
    game.expect_pixels(slot["bounds"]).shows(DISHES[dish], share=0.18, tolerance=NEAR)
    game.expect_pixels(around).lacks(DISHES[dish], share=0.05, tolerance=NEAR)


@check("p1-tip-follows-patience", priority="P1", scenario="tray_ready", title="the tip follows the patience that is left",
       source="game-spec.md#scoring")
def tip(game):
    start = game.snapshot()
    for pause in (0.0, 2.6, 2.6):
        game.wait(seconds(pause))
        before = game.snapshot()
        slot, customer = first_match(game, before)
        first = find(start["customers"], "id", customer["id"])
        fell = (first["patience"] - customer["patience"]) * float(customer["patience_seconds"])
        game.expect(fell, "seconds of patience gone").close_to(start["time_left"] - before["time_left"], within=0.05)
        game.input({"type": "serve", "slot": slot["slot"].value, "customer": customer["id"].value})
        expect_served(game, before, game.snapshot(), slot, customer)
    game.expect(start["time_left"] - before["time_left"], "time that the servings took").close_to(5.2, within=0.1)


@check("p1-run-bonus", priority="P1", scenario="tray_ready", title="right servings in a row pay a growing bonus",
       source="game-spec.md#scoring")
def run_bonus(game):
    game.wait(SETTLE)
    for run in range(3):
        before = game.snapshot()
        game.expect(before["combo"], "combo").equals(run)
        slot, customer = first_match(game, before)
        target = customer["bounds"] if run % 2 == 0 else find(before["tables"], "id", customer["table"])["bounds"]
        x, y, width, height = rectangle(target)
        game.mouse.drag(game.centre(slot["bounds"]), (x + width / 2, y + height * (0.5 if run % 2 == 0 else 0.75)), seconds(0.25))
        game.wait(FOLLOW)
        expect_served(game, before, game.snapshot(), slot, customer, took=0.45)
    game.expect(len(game.snapshot()["customers"]), "customers left").equals(0)
