"""Flight: keys, letters, mouse, touch and the interface must move the same ship in the same way."""

import math
from collections.abc import Callable
from typing import Any

from _courier import KEYS, LETTERS, SHIP, inward, moved, overlap, seen_ship, speed, speed_after

from playproof.checks import check, frames, seconds


def _fly(game: Any, act: Callable[[Any], None]) -> tuple[Any, Any]:
    """A new run, the act, and 0.2 s of gliding; the snapshots before and after."""
    game.load("fresh_run")
    before = game.snapshot()
    act(before)
    game.wait(seconds(0.2))
    return before, game.snapshot()


@check(
    "p1-arrows-fly-with-inertia",
    priority="P1",
    title="each arrow key accelerates the ship its way; released, it glides on and slows down",
    source="game-spec.md#3",
    timeout_s=90,
)
def arrows(game: Any) -> None:
    for (dx, dy), key in KEYS.items():
        game.load("fresh_run")
        before = game.snapshot()
        game.keyboard.hold(key, seconds(0.3))
        thrust = game.snapshot()
        along = float(thrust["ship"]["vx"]) * dx + float(thrust["ship"]["vy"]) * dy
        across = abs(float(thrust["ship"]["vx"]) * dy) + abs(float(thrust["ship"]["vy"]) * dx)
        game.expect(along, f"{key}: velocity its way").close_to(speed_after(0.3), 16)
        game.expect(across, f"{key}: velocity across").at_most(2)
        game.wait(seconds(0.4))
        glide = game.snapshot()
        game.expect(speed(glide["ship"]), f"{key}: speed after gliding 0.4 s").close_to(along * math.exp(-0.8 * 0.4), 10)
        went = moved(thrust, glide)
        game.expect(went[0] * dx + went[1] * dy, f"{key}: way glided").at_least(20)
        game.expect(glide["ship"]["thrusting"], "thrusting after release").is_false()
        game.expect_pixels(glide["ship"]["bounds"]).shows(SHIP, share=0.2)
        game.expect(overlap(before["ship"]["bounds"], glide["ship"]["bounds"]), f"{key}: the ship is still where it was").is_false()
        game.expect_pixels(before["ship"]["bounds"]).lacks(SHIP, share=0.05)


@check(
    "p1-keys-equal-interface",
    priority="P1",
    title="arrow keys, letter keys and the interface's thrust give the same flight",
    source="interface.md#actions",
    timeout_s=90,
)
def keys_equal_interface(game: Any) -> None:
    for way in ((1, 0), (0, -1)):
        dx, dy = way
        ways = [
            _fly(game, lambda _, key=KEYS[way]: game.keyboard.hold(key, seconds(0.3))),
            _fly(game, lambda _, key=LETTERS[way]: game.keyboard.hold(key, seconds(0.3))),
            _fly(game, lambda _, dx=dx, dy=dy: (game.input({"type": "thrust", "dx": dx, "dy": dy, "ms": 300}), game.wait(seconds(0.3)))),
        ]
        flights = [moved(*one) for one in ways]
        for flight, (before, after) in zip(flights, ways, strict=True):
            game.expect(flight, f"way flown towards {way}").close_to(flights[0], 7)
            game.expect(flight[0] * dx + flight[1] * dy, "way flown").at_least(25)
            game.expect(after["ship"]["energy"], "energy").close_to(float(before["ship"]["energy"]) - 2.4, 0.5)
            game.expect(after["ship"]["thrusting"], "thrusting").is_false()
        seen_ship(game)


def _spot(snap: Any, across: float, down: float) -> tuple[float, float]:
    """A viewport point away from the ship, towards the middle of the field."""
    side, below = inward(snap)
    bounds = snap["ship"]["bounds"]
    return float(bounds["x"]) + float(bounds["width"]) / 2 + side * across, float(bounds["y"]) + float(bounds["height"]) / 2 + below * down


def _press(game: Any, snap: Any) -> None:
    game.mouse.move(_spot(snap, 160, 90))
    game.mouse.down()
    game.wait(seconds(0.3))
    game.mouse.up()


def _steer(game: Any, snap: Any) -> None:
    x, y = _spot(snap, 160, 90)
    game.expect(game.input({"type": "steer", "x": x, "y": y, "ms": 300})["ok"], "steer: ok").is_true()
    game.wait(seconds(0.3))


@check(
    "p1-mouse-steers",
    priority="P1",
    title="a held mouse button draws the ship towards the pressed point, as the interface's steer does",
    source="game-spec.md#2",
    timeout_s=90,
)
def mouse_steers(game: Any) -> None:
    pressed = _fly(game, lambda snap: _press(game, snap))
    side, below = inward(pressed[0])
    went = moved(*pressed)
    game.expect(went[0] * side, "way across").at_least(18)
    game.expect(went[1] * below, "way down or up").at_least(8)
    game.expect(abs(went[1]) / abs(went[0]), "slope of the flight").close_to(90 / 160, 0.12)
    game.expect(pressed[1]["ship"]["thrusting"], "thrusting after release").is_false()
    game.expect_pixels(pressed[1]["ship"]["bounds"]).shows(SHIP, share=0.2)
    steered = _fly(game, lambda snap: _steer(game, snap))
    game.expect([abs(part) for part in moved(*steered)], "way flown by steer").close_to([abs(part) for part in went], 7)


@check(
    "p1-mouse-is-followed",
    priority="P1",
    scenario="fresh_run",
    title="the ship turns when the held pointer moves, and stops thrusting on release",
    source="game-spec.md#2",
)
def mouse_followed(game: Any) -> None:
    before = game.snapshot()
    side, below = inward(before)
    game.mouse.move(_spot(before, 150, 0))
    game.mouse.down()
    game.wait(seconds(0.2))
    first = game.snapshot()
    game.expect(first["ship"]["thrusting"], "thrusting while pressed").is_true()
    game.mouse.move(_spot(first, 0, 140))
    game.wait(seconds(0.25))
    second = game.snapshot()
    game.mouse.up()
    game.wait(frames(3))
    released = game.snapshot()
    game.expect(float(first["ship"]["vx"]) * side, "velocity towards the first point").greater_than(50)
    game.expect(abs(float(first["ship"]["vy"])), "velocity across").at_most(8)
    game.expect(float(second["ship"]["vy"]) * below, "velocity towards the second point").greater_than(60)
    game.expect(released["ship"]["thrusting"], "thrusting after release").is_false()


@check(
    "p1-touch-steers",
    priority="P1",
    scenario="fresh_run",
    touch=True,
    title="a finger held in the field steers the ship",
    source="game-spec.md#2",
)
def touch_steers(game: Any) -> None:
    before = game.snapshot()
    side, below = inward(before)
    game.touch.drag(_spot(before, 150, 60), _spot(before, 170, 68), seconds(0.3))
    game.wait(frames(12))
    after = game.snapshot()
    went = moved(before, after)
    game.expect(went[0] * side, "way across").at_least(18)
    game.expect(went[1] * below, "way down or up").at_least(5)
    game.expect(after["ship"]["thrusting"], "thrusting after the finger is lifted").is_false()
    game.expect_pixels(after["ship"]["bounds"]).shows(SHIP, share=0.2)


@check(
    "p1-thrust-drains-energy",
    priority="P1",
    scenario="fresh_run",
    title="thrust drains energy by its rate, gliding drains none",
    source="game-spec.md#3",
)
def drains(game: Any) -> None:
    key = KEYS[(inward(seen_ship(game))[0], 0)]
    game.keyboard.hold(key, seconds(0.5))
    thrust = seen_ship(game)
    game.expect(thrust["ship"]["energy"], "energy after 0.5 s of thrust").close_to(96, 0.5)
    game.wait(seconds(0.5))
    game.expect(game.snapshot()["ship"]["energy"], "energy after gliding").close_to(thrust["ship"]["energy"], 0.2)


@check(
    "p2-weak-without-energy",
    priority="P2",
    scenario="empty_energy",
    title="without energy the ship still flies, weakly",
    source="game-spec.md#3",
)
def weak(game: Any) -> None:
    game.keyboard.hold(KEYS[(inward(game.snapshot())[0], 0)], seconds(0.4))
    after = game.snapshot()
    game.expect(speed(after["ship"]), "speed after 0.4 s of thrust").close_to(speed_after(0.4, 0.35), 8)
    game.expect(after["ship"]["energy"], "energy").equals(0)


@check(
    "p2-diagonal-is-no-stronger",
    priority="P2",
    scenario="fresh_run",
    title="two keys at once fly diagonally, with the strength of one",
    source="game-spec.md#3",
)
def diagonal(game: Any) -> None:
    side, below = inward(game.snapshot())
    pair = KEYS[(side, 0)], KEYS[(0, below)]
    for key in pair:
        game.keyboard.down(key)
    game.wait(seconds(0.3))
    after = game.snapshot()
    for key in pair:
        game.keyboard.up(key)
    game.expect(float(after["ship"]["vx"]) * side, "vx inwards").close_to(speed_after(0.3) / math.sqrt(2), 14)
    game.expect(float(after["ship"]["vy"]) * below, "vy inwards").close_to(speed_after(0.3) / math.sqrt(2), 14)


@check("p2-border-holds", priority="P2", scenario="fresh_run", title="the ship stops at the border of the field", source="game-spec.md#3")
def border(game: Any) -> None:
    ship = game.snapshot()["ship"]
    up = ship["y"] < 330
    game.keyboard.hold(KEYS[(0, -1 if up else 1)], seconds(2))
    after = game.snapshot()["ship"]
    game.expect(after["y"], "ship.y").close_to(16 if up else 644, 0.6)
    game.expect(after["vy"], "ship.vy").close_to(0, 8)
    game.expect_pixels(after["bounds"]).shows(SHIP, share=0.2)


@check(
    "p2-near-press-is-no-thrust",
    priority="P2",
    scenario="fresh_run",
    title="a press upon the ship itself gives no thrust",
    source="game-spec.md#3",
)
def near_press(game: Any) -> None:
    before = game.snapshot()
    game.mouse.move(game.centre(before["ship"]["bounds"]))
    game.mouse.down()
    game.wait(seconds(0.3))
    game.mouse.up()
    game.expect(speed(game.snapshot()["ship"]), "speed").at_most(2)
