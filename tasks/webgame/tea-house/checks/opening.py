"""The page opens, its interface answers, and a person can begin a day."""

import math

from _tea import DISHES, dishes, matches, rectangle

from playproof.checks import check, frames, seconds

SCENARIOS = ("fresh_day", "idle_burners", "busy_burners", "tray_ready", "full_tray", "impatient", "last_heart", "near_goal", "closing_time")
ENTITIES = ("tables", "customers", "menu", "burners", "tray")


def expect_numbers(game, snap):
    day, goal = snap["day_length"], snap["goal"]
    game.expect(day, "day_length").equals(90)
    game.expect(snap["time_left"], "time_left").at_least(0).at_most(day)
    game.expect(int(goal), "goal").at_least(300).at_most(360)
    game.expect(int(snap["coins"]), "coins").at_least(0)
    game.expect(snap["hearts"] + snap["lost_customers"], "hearts and lost customers").equals(3)
    game.expect(snap["combo"], "combo").at_least(0).at_most(snap["served"])
    game.expect(len(snap["menu"]), "dishes on the menu").equals(5)
    game.expect(sorted(str(item["dish"].value) for item in snap["menu"]), "dishes").equals(sorted(DISHES))
    for item in snap["menu"]:
        game.expect(int(item["price"]), "price").at_least(8).at_most(14)
        game.expect(item["brew_seconds"], "brew_seconds").at_least(2).at_most(4)
    game.expect(len(snap["burners"]), "burners").equals(2)
    game.expect([int(one["slot"]) for one in snap["tray"]], "slots of the tray").equals([0, 1, 2, 3])
    game.expect(len(snap["tables"]), "tables").at_least(4).at_most(6)
    game.expect([snap["drag"].value, len(snap["feedback"])], "drag and marks").equals([None, 0])


def expect_places(game, snap, width=1280, height=800):
    named = [(f"{name}[{i}]", one["bounds"]) for name in ENTITIES for i, one in enumerate(snap[name])]
    for part in ("order_bounds", "patience_bounds"):
        named += [(f"customers[{i}].{part}", one[part]) for i, one in enumerate(snap["customers"])]
    named += [("bin", snap["bin"]["bounds"]), ("coins_bar", snap["hud"]["coins_bar"]), ("time_bar", snap["hud"]["time_bar"])]
    for name, bounds in named:
        x, y, wide, high = rectangle(bounds)
        inside = x >= -1 and y >= -1 and x + wide <= width + 1 and y + high <= height + 1 and wide >= 10 and high >= 10
        game.expect(inside, f"{name} at {x:.0f}, {y:.0f}, {wide:.0f} x {high:.0f} inside the viewport").is_true()


def expect_customers(game, snap):
    tables = [str(table["id"].value) for table in snap["tables"]]
    seats = [str(one["table"].value) for one in snap["customers"]]
    game.expect(len(set(seats)), "tables taken").equals(len(seats))
    for one in snap["customers"]:
        game.expect(tables, "tables").contains(str(one["table"].value))
        game.expect(list(DISHES), "dishes").contains(str(one["order"].value))
        game.expect(one["patience"], "patience").greater_than(0).at_most(1)
        game.expect(one["patience_seconds"], "patience_seconds").at_least(16).at_most(24)


@check("p0-opens", priority="P0", title="the page opens on its title screen and the interface answers", source="interface.md#snapshot")
def opens(game):
    game.wait(frames(10))
    snap = game.snapshot()
    game.expect(snap["phase"], "phase").equals("title")
    game.expect(snap["outcome"].value, "outcome").equals(None)
    expect_numbers(game, snap)
    expect_places(game, snap)
    start = snap["buttons"]["start"]
    game.expect(start["width"], "width of the start button").at_least(40)
    page = game.screenshot()
    colours = {page.pixel(x, y) for x in range(8, page.width, 16) for y in range(8, page.height, 16)}
    game.expect(len(colours), "colours on the title screen").at_least(8)
    game.wait(seconds(1))
    game.expect(game.snapshot()["time_left"], "time left on the title").equals(snap["day_length"])
    game.expect_no_exceptions()


@check("p0-start", priority="P0", title="pressing the start button with the mouse opens the house", source="game-spec.md#controls")
def start(game):
    game.wait(frames(10))
    button = game.snapshot()["buttons"]["start"]
    calm = game.idle_control(button)
    game.mouse.click(game.centre(button))
    game.wait(seconds(1))
    game.expect_pixels(button).differs_more_than(calm)
    snap = game.snapshot()
    game.expect(snap["phase"], "phase").equals("playing")
    game.expect(snap["buttons"]["start"].value, "start button").equals(None)
    game.expect(snap["time_left"], "time left").close_to(89, within=0.3)
    game.expect_no_exceptions()


@check("p0-arrivals", priority="P0", scenario="fresh_day", title="guests come in by themselves in natural time",
       source="game-spec.md#a-day")
def arrivals(game):
    game.expect(len(game.snapshot()["customers"]), "customers at opening").equals(0)
    one = game.wait_until(lambda snap: len(snap["customers"]) == 1, within=seconds(3.3), what="a first customer")
    expect_customers(game, one)
    game.expect(one["customers"][0]["patience"], "patience of a new customer").at_least(0.95)
    game.wait_until(lambda snap: len(snap["customers"]) == 2, within=seconds(7.3), what="a second customer")


def holds(snap, name):
    """Whether the state is the documented one, beyond what all have in common."""
    tray = [dish for dish in dishes(snap["tray"]) if dish is not None]
    brewing = [one for one in snap["burners"] if one["dish"].value is not None]
    left = [float(one["patience"] * one["patience_seconds"]) for one in snap["customers"]]
    orders = [one["order"].value for one in snap["customers"]]
    hurried = [orders[i] for i, rest in enumerate(left) if 1.9 <= rest <= 3.1]
    ordered = matches(snap)
    short = snap["goal"] - snap["coins"]
    return {
        "fresh_day": lambda: not orders and not tray and not brewing and snap["time_left"] > 89.9 and snap["coins"] == 0,
        "idle_burners": lambda: len(orders) >= 2 and not tray and not brewing and snap["coins"] == 0,
        "busy_burners": lambda: len(brewing) == 2 and not tray and brewing[0]["dish"] != brewing[1]["dish"] and len(orders) >= 1
        and all(0.09 <= float(one["progress"]) <= 0.41 for one in brewing),
        "tray_ready": lambda: len(tray) == 4 and len(set(orders)) == len(ordered) == 3 and not brewing and snap["hearts"] == 3,
        "full_tray": lambda: len(tray) == 4 and len(brewing) == 1 and 0.59 <= float(brewing[0]["progress"]) <= 0.86 and bool(ordered),
        "impatient": lambda: snap["combo"] >= 2 and snap["hearts"] == 3 and len(hurried) == 1 and hurried[0] not in tray and bool(ordered),
        "last_heart": lambda: snap["hearts"] == 1 and len(hurried) == 1 and hurried[0] not in tray,
        "near_goal": lambda: 1 <= short <= 6 and bool(ordered),
        "closing_time": lambda: short >= 30 and 2 <= float(snap["time_left"]) <= 4,
    }[name]()


@check("p0-scenarios", priority="P0", title="every scenario loads to the documented, legal state",
       source="interface.md#scenarios", timeout_s=90)
def scenarios(game):
    for name in SCENARIOS:
        game.load(name)
        snap = game.snapshot()
        game.expect(snap["phase"], f"phase of {name}").equals("playing")
        game.expect(snap["outcome"].value, f"outcome of {name}").equals(None)
        expect_numbers(game, snap)
        expect_customers(game, snap)
        expect_places(game, snap)
        game.expect(holds(snap, name), f"the documented state of {name}").is_true()
        game.expect(math.isfinite(float(snap["coins"])) and snap["coins"] < snap["goal"], f"{name} is not decided yet").is_true()
