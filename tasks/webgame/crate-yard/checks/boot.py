"""P0: the page is there, the picture is the yard of the snapshot, a key moves the robot, and scenarios are what they say."""

from typing import Any

from _crate_view import FLOOR, ROBOT, WALL, Look, in_full_view, key_for, look_down, settled
from _crate_yard import SETTLED, Yard, cell_of, expect_legal, opposite, state, stepped

from playproof.checks import check, seconds


@check("p0-boot", priority="P0", title="the page boots without an error into a legal, playable yard", source="interface.md")
def boots(game: Any) -> None:
    game.wait(seconds(0.5))
    snap = game.snapshot()
    yard = expect_legal(game, snap)
    game.expect(snap["phase"], "phase").equals("playing")
    game.expect(yard.delivered(), "crates delivered at the start").equals(0)
    game.expect(len(game.dom("canvas")), "canvas elements").at_least(1)
    game.expect([float(snap["view"][k]) for k in ("x", "y", "width", "height")], "view").close_to([0, 0, 1280, 800], within=1)
    game.expect("crate yard" in " ".join(str(game.text()).split()).lower(), "the game's name on the page").is_true()
    game.expect_no_exceptions()


@check("p0-picture", priority="P0", scenario="fresh", title="crates, pads, robot, charger and floor are drawn where the snapshot says",
       source="game-spec.md#colour-key")
def picture(game: Any) -> None:
    look = settled(game)
    snap = look.snap
    game.expect(look.holds(), "entities in view").at_least(len(snap["crates"]) + 2)
    yard = Yard(snap)
    bare = [cell for cell in yard.cells() if yard.free(cell) and cell not in (*yard.pads.values(), yard.charger, yard.robot, *yard.lane)]
    seen = [cell for cell in bare if in_full_view(snap, (cell[0], 0, cell[1]))]
    game.expect(len(seen), "bare cells in view").at_least(5)
    for cell in seen:
        look.shows((cell[0], 0, cell[1]), FLOOR, "bare floor")
    above = Look(game, look_down(game))
    for col, row in sorted(yard.walls):
        if in_full_view(above.snap, (col, 0.61, row)):
            above.shows((col, 0.55, row), WALL, "a wall")


@check("p0-keys", priority="P0", scenario="fresh", title="an arrow key moves the robot one cell, in the state and on the screen",
       source="game-spec.md#moving-and-pushing")
def keys(game: Any) -> None:
    game.wait(SETTLED)
    before = game.snapshot()
    yard = Yard(before)
    direction = yard.way_out()
    game.keyboard.press(key_for(direction, float(before["camera"]["yaw"])))
    look = settled(game)
    after = look.snap
    game.expect(cell_of(after["robot"]["cell"]), "robot.cell").equals(stepped(yard.robot, direction))
    game.expect(after["robot"]["facing"], "robot.facing").equals(direction)
    game.expect(after["moves"], "moves").equals(before["moves"] + 1)
    look.shows(_at(after), ROBOT, "the robot")
    look.lacks(_at(before), ROBOT, "the robot's old place")


def _at(snap: Any) -> tuple[float, float, float]:
    col, row = cell_of(snap["robot"]["cell"])
    return col, 0.5, row


def _beside_crate(game: Any, snap: Any, yard: Yard) -> None:
    ready = [d for d, crate, beyond in yard.pushable() if beyond != yard.pad_of(crate)]
    game.expect(len(ready), "crates that can be pushed, not onto their pad").at_least(1)


def _crate_blocked(game: Any, snap: Any, yard: Yard) -> None:
    game.expect(len(yard.neighbours()) - len(yard.pushable()), "blocked crates next to the robot").at_least(1)


def _wrong_pad(game: Any, snap: Any, yard: Yard) -> None:
    wrong = [d for d, crate, beyond in yard.pushable() if beyond in yard.pads.values() and beyond != yard.pad_of(crate)]
    game.expect(len(wrong), "crates before a pad of another colour").at_least(1)


def _last_push(game: Any, snap: Any, yard: Yard) -> None:
    game.expect(yard.delivered(), "crates delivered").equals(len(yard.crates) - 1)
    game.expect(len([d for d, crate, beyond in yard.pushable() if beyond == yard.pad_of(crate)]), "crates before their pad").equals(1)
    game.expect(snap["battery"], "battery").at_least(20)


def _low_battery(game: Any, snap: Any, yard: Yard) -> None:
    game.expect(snap["battery"], "battery").close_to(2, within=0.1)
    game.expect(yard.robot in (*yard.lane, yard.charger), "robot on the charger or the lane").is_false()


def _near_charger(game: Any, snap: Any, yard: Yard) -> None:
    game.expect(snap["battery"], "battery").close_to(40, within=0.1)
    game.expect(yard.charger in [stepped(yard.robot, d) for d in yard.free_ways()], "charger next to the robot and free").is_true()
    game.expect(yard.charger in yard.lane, "charger on the lane").is_false()


def _drone_lane(game: Any, snap: Any, yard: Yard) -> None:
    game.expect(snap["battery"], "battery").close_to(60, within=0.1)
    game.expect(yard.robot, "robot.cell").one_of(yard.lane)
    apart = abs(yard.robot[0] - yard.drone[0]) + abs(yard.robot[1] - yard.drone[1])
    game.expect(apart, "cells between robot and drone").at_least(2).at_most(5)
    onward = stepped(yard.drone, str(snap["drone"]["heading"]), apart) if str(snap["drone"]["heading"]) in _HEADINGS else None
    game.expect(onward, "where the drone's heading leads").equals(yard.robot)


def _half_done(game: Any, snap: Any, yard: Yard) -> None:
    game.expect(yard.delivered(), "crates delivered").at_least(1).at_most(len(yard.crates) - 2)
    game.expect(snap["moves"], "moves").greater_than(0)


_HEADINGS = ("north", "east", "south", "west")
_TABLE = {
    "beside_crate": _beside_crate, "crate_blocked": _crate_blocked, "wrong_pad": _wrong_pad, "last_push": _last_push,
    "low_battery": _low_battery, "near_charger": _near_charger, "drone_lane": _drone_lane, "half_done": _half_done,
}


@check("p0-scenarios", priority="P0", title="each scenario is the legal state that it is said to be, and an unknown one changes nothing",
       source="interface.md#loadscenarioname", timeout_s=90)
def scenarios(game: Any) -> None:
    for name, holds in _TABLE.items():
        game.load(name)
        snap = game.snapshot()
        yard = expect_legal(game, snap)
        game.expect(snap["phase"], f"phase in {name}").equals("playing")
        game.expect(snap["undoDepth"], f"undoDepth in {name}").equals(0)
        game.expect(snap["selected"].value, f"selected in {name}").equals(None)
        game.expect([float(snap["camera"][k]) for k in ("yaw", "pitch")], f"camera in {name}").close_to([20, 55], within=0.01)
        holds(game, snap, yard)
    before = game.snapshot()
    game.expect(opposite(opposite(str(before["robot"]["facing"]))), "robot.facing").one_of(_HEADINGS)
    game.wait(seconds(0.2))
    game.expect(state(game.snapshot()), "state a moment later").equals(state(before))
