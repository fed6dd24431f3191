"""What makes it whole: other window sizes, every button, every alternate key. (P2.)"""

from typing import Any

from _courier import SHIP, drawn, inward, legal, moved, within

from playproof.checks import check, frames, seconds


def _fits(game: Any, width: int, height: int) -> None:
    game.wait(seconds(0.3))
    snap = game.snapshot()
    legal(game, snap)
    screen = {"x": 0, "y": 0, "width": width, "height": height}
    game.expect(within(snap["field"]["bounds"], screen), "the field is in the window").is_true()
    for name in ("pause", "pulse"):
        game.expect(within(snap["controls"][name], screen), f"the {name} button is in the window").is_true()
    ratio = float(snap["field"]["bounds"]["height"]) / float(snap["field"]["bounds"]["width"])
    game.expect(ratio, "height of the field for its width").close_to(0.55, 0.01)
    drawn(game, snap)
    x, y = game.centre(snap["ship"]["bounds"])
    side, _ = inward(snap)
    game.mouse.move((x + side * 90, y))
    game.mouse.down()
    game.wait(seconds(0.3))
    game.mouse.up()
    after = game.snapshot()
    game.expect(moved(snap, after)[0] * side, "way flown towards the press").at_least(12)
    game.expect_pixels(after["ship"]["bounds"]).shows(SHIP, share=0.15)


@check(
    "p2-smaller-window",
    priority="P2",
    scenario="fresh_run",
    viewport=[900, 640],
    title="field, buttons and steering fit a smaller window",
    source="game-spec.md#1",
    timeout_s=120,
)
def smaller(game: Any) -> None:
    _fits(game, 900, 640)


@check(
    "p2-larger-window",
    priority="P2",
    scenario="fresh_run",
    viewport=[1600, 900],
    title="field, buttons and steering fit a larger window",
    source="game-spec.md#1",
    timeout_s=120,
)
def larger(game: Any) -> None:
    _fits(game, 1600, 900)


@check(
    "p2-buttons-by-touch",
    priority="P2",
    scenario="fresh_run",
    touch=True,
    title="pulse, pause and resume can be tapped",
    source="game-spec.md#2",
)
def buttons(game: Any) -> None:
    game.touch.tap(game.centre(game.snapshot()["controls"]["pulse"]))
    game.wait(frames(3))
    game.expect(game.snapshot()["ship"]["energy"], "energy").close_to(75, 0.1)
    game.touch.tap(game.centre(game.snapshot()["controls"]["pause"]))
    game.wait(frames(3))
    paused = game.snapshot()
    game.expect(paused["phase"], "phase").equals("paused")
    game.touch.tap(game.centre(paused["controls"]["resume"]))
    game.wait(frames(3))
    game.expect(game.snapshot()["phase"], "phase").equals("playing")


@check(
    "p2-alternate-keys",
    priority="P2",
    scenario="fresh_run",
    title="Escape pauses and resumes; R restarts out of a pause",
    source="game-spec.md#2",
)
def alternate(game: Any) -> None:
    for wanted in ("paused", "playing", "paused"):
        game.keyboard.press("Escape")
        game.wait(frames(3))
        game.expect(game.snapshot()["phase"], "phase").equals(wanted)
    game.keyboard.press("r")
    game.wait(frames(3))
    snap = game.snapshot()
    game.expect(snap["phase"], "phase").equals("playing")
    game.expect(snap["time"], "time").at_most(0.3)


@check(
    "p2-thrust-is-seen",
    priority="P2",
    scenario="fresh_run",
    title="thrust shows behind the ship, gliding does not",
    source="game-spec.md#7",
)
def flame(game: Any) -> None:
    side, _ = inward(game.snapshot())
    game.keyboard.hold("ArrowRight" if side > 0 else "ArrowLeft", seconds(0.3))
    bounds = game.snapshot()["ship"]["bounds"]
    x, y = game.centre(bounds)
    behind = (x - 48 if side > 0 else x + 20, y - 14, 28, 28)
    burning = game.screenshot(behind)
    game.wait(seconds(0.8))
    game.expect(burning.differs(game.screenshot(behind)), "share of the place behind the ship that the flame lit").greater_than(0.05)
