"""What the checks of this task share: the colour key, who wants which dish, what a serving is worth, and how much of a
place on screen has a colour."""

import math

from playproof.checks import frames, seconds

DISHES = {"sencha": "#3fa34d", "rooibos": "#c8372d", "bluepea": "#3a5fd9", "chrysanthemum": "#f4c20d", "taro": "#9b5de5"}
ROBE = "#3d405b"
HEART, HEART_LOST = "#ff3355", "#5a4a4a"
MARKS = {"wrong": "#ff00a8", "paid": "#00d9ff", "angry": "#ff6a00"}
FILLS = {"patience": "#00b8a9", "progress": "#f77f00", "coins": "#ffb000", "time": "#7fc8ff"}

NEAR = 24
"""Distance of a colour from the key's that anti-aliasing and rounding may bring about."""

SETTLE = seconds(0.85)
"""Entrances and other decoration are over by then."""

FOLLOW = frames(3)
"""The screen shows a change of state by then."""


def pay(snap, order, patience, run):
    """What a right serving brings, from prices that the day has drawn."""
    price = int(next(item["price"] for item in snap["menu"] if item["dish"] == order))
    return price + math.floor(price * float(patience)) + 2 * min(int(run), 5)


def matches(snap):
    """(slot, customer) for every customer whose order lies on the tray, the lowest slot first."""
    return [
        (slot, customer)
        for customer in snap["customers"]
        for slot in [next((one for one in snap["tray"] if one["dish"] == customer["order"]), None)]
        if slot is not None
    ]


def first_match(game, snap):
    found = matches(snap)
    game.expect(len(found), "customers whose order lies on the tray").at_least(1)
    return found[0]


def mismatch(game, snap):
    """A dish on the tray and a customer who did not order it."""
    found = [(slot, customer) for slot in snap["tray"] if slot["dish"].value is not None
             for customer in snap["customers"] if slot["dish"] != customer["order"]]
    game.expect(len(found), "pairs of a dish on the tray and a customer who did not order it").at_least(1)
    return found[0]


def find(items, key, value):
    """The entry of a list in the snapshot whose `key` is `value`, or None."""
    return next((one for one in items if one[key] == value), None)


def dishes(places):
    """What lies in each slot or on each burner, None for nothing."""
    return [one["dish"].value for one in places]


def places(snap):
    """Where the tables of a day stand, as plain values."""
    return [table["bounds"].value for table in snap["tables"]]


def ids(snap):
    return [str(customer["id"].value) for customer in snap["customers"]]


def rectangle(bounds):
    return tuple(float(bounds[key]) for key in ("x", "y", "width", "height"))


def overlap(one, other):
    ax, ay, aw, ah = rectangle(one)
    bx, by, bw, bh = rectangle(other)
    return ax < bx + bw and bx < ax + aw and ay < by + bh and by < ay + ah


def colour_share(picture, bounds, colour, step=2):
    """Share of the pixels inside `bounds` of a picture of the whole viewport that have the colour; every other pixel of
    every other row is looked at."""
    x, y, width, height = rectangle(bounds)
    columns = range(max(0, math.ceil(x)), min(picture.width, math.floor(x + width)), step)
    rows = range(max(0, math.ceil(y)), min(picture.height, math.floor(y + height)), step)
    want = tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))
    points = [(column, row) for row in rows for column in columns]
    near = sum(1 for column, row in points if max(abs(a - b) for a, b in zip(picture.pixel(column, row), want, strict=False)) <= NEAR)
    return near / len(points) if points else 0.0


def expect_dish(game, picture, bounds, dish, share, name):
    """The dish's colour takes its share of the place and no other dish is seen there; with `dish` None, no dish at all."""
    for kind, colour in DISHES.items():
        seen = colour_share(picture, bounds, colour)
        if kind == dish:
            game.expect(seen, f"share of {kind} in {name}").at_least(share - 0.02)
        else:
            game.expect(seen, f"share of {kind} in {name}").at_most(0.04)


def expect_bar(game, picture, bounds, kind, fraction, name):
    game.expect(colour_share(picture, bounds, FILLS[kind], step=1), f"filled part of {name}").close_to(float(fraction), 0.1)


def age(customer):
    """Seconds since a guest who came with full patience sat down."""
    return float((1 - customer["patience"]) * customer["patience_seconds"])


def expect_seen(game, snap, page, settled=0.0):
    """On a picture of the viewport, every entity of the colour key is seen at its reported place. A guest who sat down less
    than `settled` seconds before may still be coming in, and is not looked for."""
    for one in [one for one in snap["customers"] if age(one) >= settled]:
        name = f"guest {one['id']}"
        game.expect(colour_share(page, one["bounds"], ROBE), f"robe of {name}").at_least(0.18)
        expect_dish(game, page, one["order_bounds"], one["order"].value, 0.2, f"the order of {name}")
        expect_bar(game, page, one["patience_bounds"], "patience", one["patience"], f"the patience bar of {name}")
    for i, slot in enumerate(snap["tray"]):
        expect_dish(game, page, slot["bounds"], slot["dish"].value, 0.2, f"slot {i}")
    for i, burner in enumerate(snap["burners"]):
        expect_dish(game, page, burner["bounds"], burner["dish"].value, 0.12, f"burner {i}")
        expect_bar(game, page, burner["progress_bounds"], "progress", burner["progress"], f"the progress bar of burner {i}")
    for i, item in enumerate(snap["menu"]):
        expect_dish(game, page, item["bounds"], item["dish"].value, 0.06, f"dish {i} of the menu")
    expect_bar(game, page, snap["hud"]["coins_bar"], "coins", min(1.0, snap["coins"] / float(snap["goal"])), "the coins bar")
    expect_bar(game, page, snap["hud"]["time_bar"], "time", snap["time_left"] / float(snap["day_length"]), "the time bar")


def expect_mark(game, snap, kind, bounds):
    """One mark of the kind is reported over `bounds`, and is seen there."""
    found = [one for one in snap["feedback"] if one["kind"] == kind and overlap(one["bounds"], bounds)]
    game.expect(len(found), f"marks of kind {kind} over the customer").at_least(1)
    mark = found[0]["bounds"]
    for side in ("width", "height"):
        game.expect(mark[side], f"{side} of the mark").at_least(32)
    game.expect_pixels(mark).shows(MARKS[kind], share=0.18, tolerance=NEAR)
    return mark


def lift(game, slot):
    """Press on a dish of the tray with the mouse."""
    game.mouse.move(game.centre(slot["bounds"]))
    game.mouse.down()


def bare_floor(game, snap, reach=30):
    """A point of the viewport that is no nearer than `reach` pixels to anything in the snapshot."""
    taken = [one["bounds"] for name in ("tables", "customers", "menu", "burners", "tray") for one in snap[name]]
    taken += [one[name] for one in snap["customers"] for name in ("order_bounds", "patience_bounds")]
    taken += [snap["bin"]["bounds"], snap["hud"]["coins_bar"], snap["hud"]["time_bar"], *snap["hud"]["hearts"]]
    boxes = [rectangle(bounds) for bounds in taken]
    bare = [
        (x, y) for y in range(60, 760, 20) for x in range(60, 1240, 20)
        if all(x < bx - reach or x > bx + bw + reach or y < by - reach or y > by + bh + reach for bx, by, bw, bh in boxes)
    ]
    game.expect(len(bare), "places of bare floor").at_least(1)
    return bare[len(bare) // 2]
