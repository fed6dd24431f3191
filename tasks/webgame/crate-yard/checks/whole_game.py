"""P1: yards differ, can be cleared and are cleared by keys alone. P2: buttons, texts and other windows."""

import math
from typing import Any

from _crate_solver import solve
from _crate_view import key_for, settled
from _crate_yard import ARROWS, LETTERS, Yard, cell_of, expect_legal, layout, state, stepped

from playproof.checks import check, seconds


@check("p1-yards-vary", priority="P1", title="each new yard is another one, legal and solvable",
       source="game-spec.md#the-yard", timeout_s=120)
def yards_vary(game: Any) -> None:
    seen: list[Any] = []
    for k in range(6):
        if k == 3:
            game.keyboard.press("n")
        else:
            game.reset()
        snap = game.snapshot()
        yard = expect_legal(game, snap)
        game.expect(snap["delivered"], "delivered in a new yard").equals(0)
        game.expect([snap["moves"].value, snap["undoDepth"].value, snap["scans"].value], "counters of a new yard").equals([0, 0, 0])
        game.expect(snap["battery"], "battery of a new yard").close_to(100, within=0.1)
        if layout(snap) not in seen:
            seen.append(layout(snap))
        if k < 3:
            game.expect(solve(yard) is not None, "a way to clear the yard").is_true()
        if k in (1, 3):
            settled(game).holds()
    game.expect(len(seen), "different yards among six").at_least(5)
    game.expect(len({str(one["pads"]) for one in seen}), "different places of pads").at_least(4)


@check("p1-whole-game", priority="P1", title="a new yard is cleared from beginning to end with the keyboard",
       source="game-spec.md#objective", timeout_s=150)
def whole_game(game: Any) -> None:
    game.reset()
    snap = game.snapshot()
    robot, plan = Yard(snap).robot, solve(Yard(snap))
    game.expect(plan is not None, "a way to clear the yard").is_true()
    yaw = float(snap["camera"]["yaw"])
    for k, direction in enumerate(plan or ()):
        game.keyboard.press(key_for(direction, yaw, LETTERS if k % 2 else ARROWS))
        game.wait(seconds(0.05))
        robot = stepped(robot, direction)
        if k % 5 == 0:
            game.expect(cell_of(game.snapshot()["robot"]["cell"]), f"robot.cell after move {k + 1}").equals(robot)
        if k % 15 == 14:
            look = settled(game)
            expect_legal(game, look.snap)
            if look.snap["phase"] == "playing":
                look.holds()
    end = game.snapshot()
    game.expect(end["phase"], "phase after the whole solution").equals("won")
    game.expect(end["moves"], "moves").equals(len(plan or ()))
    game.expect(end["score"], "score").equals(100 * len(end["crates"]) + 10 * math.floor(float(end["battery"])))
    game.expect_no_exceptions()


@check("p2-buttons", priority="P2", scenario="fresh", title="the buttons on the screen do what the keys do", source="game-spec.md#controls")
def buttons(game: Any) -> None:
    begun = game.snapshot()
    yard = Yard(begun)
    direction = yard.way_out()
    arrow = key_for(direction, float(begun["camera"]["yaw"]), ("up", "right", "down", "left"))
    _press(game, arrow)
    game.expect(cell_of(game.snapshot()["robot"]["cell"]), f"robot.cell after the {arrow} button").equals(stepped(yard.robot, direction))
    _press(game, "undo")
    game.expect(state(game.snapshot(), ("scans",)), "state after the undo button").equals(state(begun, ("scans",)))
    _press(game, arrow)
    _press(game, "restart")
    game.expect(state(game.snapshot()), "state after the restart button").equals(state(begun))
    _press(game, "new")
    game.expect(layout(game.snapshot()) == layout(begun), "the same yard after the new button").is_false()


def _press(game: Any, control: str) -> None:
    found = game.dom(f'button[data-control="{control}"]')
    game.expect(len(found), f"buttons for {control}").equals(1)
    game.mouse.click(game.centre(found[0]["bounds"]))
    game.wait(seconds(0.1))


@check("p2-texts", priority="P2", scenario="half_done", title="the HUD tells the state, and a refusal says why",
       source="game-spec.md#feedback")
def texts(game: Any) -> None:
    for _ in range(2):
        game.input({"type": "move", "dir": Yard(game.snapshot()).way_out()})
    game.wait(seconds(0.3))
    snap = game.snapshot()
    text = _words(game)
    levels = {math.floor(float(snap["battery"]) + shift) for shift in (0.45, 0.5, 0.55)}
    game.expect(any(f"battery {level}%" in text for level in levels), f"battery {levels}% in the page's text").is_true()
    for wanted in (f"moves {snap['moves']}", f"delivered {snap['delivered']}/{len(snap['crates'])}", f"score {snap['score']}"):
        game.expect(wanted in text, f"{wanted!r} in the page's text").is_true()
    game.input({"type": "walk", "cell": {"col": -1, "row": -1}})
    game.wait(seconds(0.1))
    message = str(game.snapshot()["message"])
    game.expect(len(message), "length of the message").greater_than(0)
    game.expect(" ".join(message.split()).lower() in _words(game), "the message in the page's text").is_true()
    game.wait(seconds(0.7))
    game.expect(game.snapshot()["message"], "message, 0.8 s later").equals(message)


def _words(game: Any) -> str:
    return " ".join(str(game.text()).split()).lower()


@check("p2-small-window", priority="P2", scenario="fresh", viewport=[960, 640], title="the picture fills a smaller window and stays true",
       source="game-spec.md#camera")
def small_window(game: Any) -> None:
    look = settled(game)
    snap = look.snap
    game.expect([float(snap["view"][k]) for k in ("x", "y", "width", "height")], "view").close_to([0, 0, 960, 640], within=1)
    game.expect(look.holds(), "entities looked at").at_least(3)
