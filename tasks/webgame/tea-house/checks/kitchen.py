"""Menu, burners, tray and bin."""

from _tea import DISHES, FOLLOW, NEAR, SETTLE, dishes, expect_bar, expect_dish, find, first_match

from playproof.checks import check, seconds


def brewing(snap):
    return [dish for dish in dishes(snap["burners"]) if dish is not None]


def on_tray(snap):
    return [dish for dish in dishes(snap["tray"]) if dish is not None]


@check("p1-brew-in-natural-time", priority="P1", scenario="idle_burners",
       title="a dish pressed on the menu brews in natural time and lands on the tray",
       source="game-spec.md#entities-and-transitions")
def brew(game):
    game.wait(SETTLE)
    before = game.snapshot()
    item, calm = before["menu"][1], game.idle_control(before["burners"][0]["bounds"])
    game.mouse.click(game.centre(item["bounds"]))
    game.wait(FOLLOW)
    snap = game.snapshot()
    game.expect(brewing(snap), "dishes on the burners").equals([item["dish"].value])
    game.expect(on_tray(snap), "dishes on the tray").equals([])
    burner = find(snap["burners"], "dish", item["dish"])
    at = dishes(snap["burners"]).index(item["dish"].value)
    if at == 0:
        game.expect_pixels(burner["bounds"]).differs_more_than(calm)
    game.wait(seconds(float(item["brew_seconds"]) * 0.5))
    page = game.screenshot()
    half = game.snapshot()["burners"][at]
    game.expect(half["progress"], "progress at half time").close_to(0.5, within=0.06)
    expect_bar(game, page, burner["progress_bounds"], "progress", half["progress"], "the progress bar")
    expect_dish(game, page, burner["bounds"], item["dish"].value, 0.12, "the burner")
    game.wait(seconds(float(item["brew_seconds"]) * 0.4))
    game.expect(on_tray(game.snapshot()), "dishes on the tray before time").equals([])
    game.wait(seconds(float(item["brew_seconds"]) * 0.1 + 0.2))
    done = game.snapshot()
    game.expect(done["tray"][0]["dish"], "dish in the first slot").equals(item["dish"])
    game.expect(brewing(done), "dishes on the burners").equals([])
    game.wait(SETTLE)
    page = game.screenshot()
    expect_dish(game, page, done["tray"][0]["bounds"], item["dish"].value, 0.2, "the first slot")
    expect_dish(game, page, burner["bounds"], None, 0, "the free burner")


@check("p1-keys-brew", priority="P1", scenario="idle_burners", title="number keys brew the dishes of the menu in its order",
       source="game-spec.md#controls")
def keys(game):
    before = game.snapshot()
    game.keyboard.press("4")
    game.wait(FOLLOW)
    game.expect(brewing(game.snapshot()), "dishes on the burners").equals([before["menu"][3]["dish"].value])
    game.keyboard.press("2")
    game.wait(FOLLOW)
    both = sorted(brewing(game.snapshot()))
    game.expect(both, "dishes on the burners").equals(sorted(before["menu"][i]["dish"].value for i in (1, 3)))
    game.wait(seconds(4.3))
    game.expect(sorted(on_tray(game.snapshot())), "dishes on the tray").equals(both)


@check("p1-busy-burners-refuse", priority="P1", scenario="busy_burners",
       title="with both burners busy an order is refused; each dish is done in its own time",
       source="game-spec.md#entities-and-transitions")
def busy(game):
    before = game.snapshot()
    answer = game.input({"type": "brew", "dish": before["menu"][0]["dish"].value})
    game.expect(answer["accepted"], "accepted").is_false()
    game.expect(answer["reason"], "reason").equals("no_free_burner")
    game.expect_unchanged(before, game.snapshot())
    game.mouse.click(game.centre(before["menu"][2]["bounds"]))
    game.wait(FOLLOW)
    held = game.snapshot()
    game.expect(dishes(held["burners"]), "dishes on the burners").equals(dishes(before["burners"]))
    game.expect(on_tray(held), "dishes on the tray").equals([])
    times = {item["dish"].value: float(item["brew_seconds"]) for item in held["menu"]}
    left = {one["dish"].value: (1 - float(one["progress"])) * times[one["dish"].value] for one in held["burners"]}
    first, second = sorted(left, key=lambda dish: left[dish])
    game.wait(seconds(left[first] + 0.1))
    game.expect(game.snapshot()["tray"][0]["dish"], "dish done first").equals(first)
    game.wait(seconds(left[second] - left[first] + 0.1))
    game.expect(game.snapshot()["tray"][1]["dish"], "dish done second").equals(second)


@check("p1-bin", priority="P1", scenario="tray_ready", title="a dish dragged to the bin is gone, at no cost",
       source="game-spec.md#entities-and-transitions")
def to_the_bin(game):
    game.wait(SETTLE)
    before = game.snapshot()
    slot = before["tray"][1]
    game.mouse.drag(game.centre(slot["bounds"]), game.centre(before["bin"]["bounds"]), seconds(0.3))
    game.wait(FOLLOW)
    after = game.snapshot()
    wanted = dishes(before["tray"])
    wanted[1] = None
    game.expect(dishes(after["tray"]), "tray").equals(wanted)
    for name in ("coins", "hearts", "combo", "served", "lost_customers"):
        game.expect(after[name], name).equals(before[name])
    game.expect_pixels(slot["bounds"]).lacks(DISHES[slot["dish"].value], share=0.04, tolerance=NEAR)
    other = after["tray"][3]
    game.expect(game.input({"type": "discard", "slot": 3})["accepted"], "accepted").is_true()
    game.expect_unchanged(after, game.snapshot(), except_=("tray",))
    game.wait(FOLLOW)
    game.expect_pixels(other["bounds"]).lacks(DISHES[other["dish"].value], share=0.04, tolerance=NEAR)


@check("p2-full-tray-waits", priority="P2", scenario="full_tray", title="a finished dish waits on its burner until the tray has room",
       source="game-spec.md#entities-and-transitions")
def full_tray(game):
    start = game.snapshot()
    dish = brewing(start)[0]
    game.wait(seconds(2.5))
    waiting = game.snapshot()
    game.expect(find(waiting["burners"], "dish", dish)["progress"], "progress of the waiting dish").close_to(1, within=0.001)
    game.expect(dishes(waiting["tray"]), "tray").equals(dishes(start["tray"]))
    slot, customer = first_match(game, waiting)
    game.mouse.drag(game.centre(slot["bounds"]), game.centre(customer["bounds"]), seconds(0.3))
    game.wait(FOLLOW)
    after = game.snapshot()
    game.expect(after["served"], "served").equals(waiting["served"] + 1)
    game.expect(after["tray"][int(slot["slot"])]["dish"], "dish that took the free slot").equals(dish)
    game.expect(brewing(after), "dishes on the burners").equals([])
