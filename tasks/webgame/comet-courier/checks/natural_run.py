"""A run as a person has it: begun by Enter, flown by keys, in no scenario, and on a screen that nobody asks."""

import math
import re
from typing import Any

from _courier import COMET, KEYS, SHIP, free, gap, ids, legal, named, overlap, says, speed

from playproof.checks import check, frames, seconds


def _begin(game: Any) -> Any:
    """Start a run with the keyboard."""
    game.wait(seconds(0.2))
    game.keyboard.press("Enter")
    game.wait(frames(3))
    snap = game.snapshot()
    game.expect(snap["phase"], "phase").equals("playing")
    return snap


def _steer(game: Any, held: set[str], snap: Any, pace: tuple[float, float]) -> None:
    """Hold the arrow keys that bring the ship's velocity towards `pace` (units a second)."""
    wanted = set()
    for axis, (name, aim) in enumerate(zip(("vx", "vy"), pace, strict=True)):
        lack = aim - float(snap["ship"][name])
        if abs(lack) > 20:
            sign = 1 if lack > 0 else -1
            wanted.add(KEYS[(sign, 0) if axis == 0 else (0, sign)])
    for key in held - wanted:
        game.keyboard.up(key)
    for key in wanted - held:
        game.keyboard.down(key)
    held.clear()
    held.update(wanted)


def _towards(snap: Any, goal: Any, cruise: float = 240.0) -> tuple[float, float]:
    """The velocity of a flight to `goal` that slows down before it."""
    far = max(1.0, gap(goal, snap["ship"]))
    fast = min(cruise, 1.6 * far)
    return tuple(fast * (float(goal[axis]) - float(snap["ship"][axis])) / far for axis in ("x", "y"))


def _fly_to(game: Any, goal: Any, done: Any, what: str, within_s: float = 14.0) -> Any:
    """Fly across the field with the arrow keys; the first snapshot that is `done`."""
    held: set[str] = set()
    snap = game.snapshot()
    for _ in range(round(within_s / 0.1)):
        if done(snap):
            break
        _steer(game, held, snap, _towards(snap, goal))
        game.wait(frames(6))
        snap = game.snapshot()
    for key in held:
        game.keyboard.up(key)
    game.expect(done(snap), what).is_true()
    return snap


def _told(game: Any, label: str) -> int:
    """The whole number that the page's own text gives after `label`."""
    found = re.search(rf"{label}\s+(\d+)", game.text(), re.IGNORECASE)
    game.expect(found is not None, f"visible text says {label} and a number").is_true()
    return int(found.group(1)) if found else -1


def _expect_comets(game: Any, start: Any, after: float) -> int:
    """The comets are seen where `after` seconds of straight flight bring them; how many could be looked at."""
    field = start["field"]["bounds"]
    left, top = float(field["x"]), float(field["y"])
    scale = float(field["width"]) / 1200
    boxes = []
    for one in start["comets"]:
        x, y = (float(one[a]) + float(one["v" + a]) * after for a in ("x", "y"))
        r = float(one["radius"])
        boxes.append((x, y, r, {"x": left + (x - r) * scale, "y": top + (y - r) * scale, "width": 2 * r * scale, "height": 2 * r * scale}))
    things = [one["bounds"] for one in [*start["stations"], *start["parcels"]]]
    seen = 0
    for index, (x, y, r, box) in enumerate(boxes):
        covered = any(overlap(box, other, 12) for other in [*things, *(b[3] for i, b in enumerate(boxes) if i != index)])
        if covered or not (r < x < 1200 - r and r < y < 660 - r) or _meets(start, start["comets"][index], after):
            continue
        picture = game.screenshot((box["x"], box["y"], box["width"], box["height"]))
        game.expect(picture.share(COMET), f"share of the comet's colour where {start['comets'][index]['id']} must be by now").at_least(0.3)
        seen += 1
    return seen


def _meets(start: Any, comet: Any, until: float) -> bool:
    """Whether the comet comes near where the ship is kept."""
    ship = start["ship"]
    steps = [until * k / 40 for k in range(41)]
    return any(
        math.hypot(*(float(comet[a]) + float(comet["v" + a]) * t - float(ship[a]) for a in ("x", "y"))) < float(comet["radius"]) + 60
        for t in steps
    )


@check(
    "p1-screen-lives-unasked",
    priority="P1",
    title="played by keys alone, field and figures keep up without a call of the interface",
    source="game-spec.md#7",
    timeout_s=120,
)
def unasked(game: Any) -> None:
    start = _begin(game)
    game.wait(seconds(1.8))
    passed, seen = 1.8, _expect_comets(game, start, 1.8)
    looks, told = [game.screenshot()], [_told(game, "Energy")]
    side = "ArrowRight" if start["ship"]["x"] < 600 else "ArrowLeft"
    other = "ArrowLeft" if side == "ArrowRight" else "ArrowRight"
    for _ in range(2):
        game.keyboard.hold(side, seconds(0.25))
        game.keyboard.hold(other, seconds(0.5))
        game.keyboard.hold(side, seconds(0.25))
        game.wait(seconds(0.6))
        passed += 1.6
        seen += _expect_comets(game, start, passed)
        looks.append(game.screenshot())
        told.append(_told(game, "Energy"))
        game.expect(looks[-1].differs(looks[-2]), "change of the screen within 1.6 s").greater_than(0)
        game.expect(told[-1], "energy told after a second of thrust").close_to(told[-2] - 8, 1.6)
    last = game.text().lower()
    snap = game.snapshot()
    game.expect(snap["time"], "time").close_to(passed + 0.05, 0.15)
    for label, value in (("Energy", snap["ship"]["energy"]), ("Hull", snap["ship"]["hull"]), ("Score", snap["score"])):
        game.expect(re.search(rf"{label.lower()}\s+{round(float(value))}(?!\d)", last) is not None, f"{label} was told").is_true()
    game.expect(seen, "looks at comets").at_least(1)


@check(
    "p1-fresh-run-delivers",
    priority="P1",
    title="in a run begun by Enter a parcel is fetched and delivered with the keys",
    source="game-spec.md#4",
    timeout_s=150,
)
def delivers(game: Any) -> None:
    start = _begin(game)
    homes = {one["color"].value: one for one in start["stations"]}
    goal = min(start["parcels"], key=lambda one: gap(one, start["ship"]) + gap(one, homes[one["color"].value]))
    taken = _fly_to(game, goal, lambda snap: snap["cargo"].value is not None, "a parcel was taken aboard")
    game.expect(taken["cargo"]["id"].value in ids(start["parcels"]), "the parcel in the hold was waiting").is_true()
    text = game.text()
    home = homes[taken["cargo"]["color"].value]
    given = _fly_to(game, home, lambda snap: snap["cargo"].value is None, "the parcel was delivered")
    game.expect(gap(home, given["ship"]), "way from the station at the delivery").at_most(75)
    game.expect([int(given["delivered"]), int(given["streak"]), int(given["score"])], "delivered, streak, score").equals([1, 1, 100])
    says(game, "+100", text)
    game.expect([_told(game, "Score"), _told(game, "Delivered")], "score and deliveries told").equals([100, 1])
    legal(game, given)


def _prey(snap: Any, known: str | None) -> Any:
    """The comet that was chased, as long as it is in the field; else the nearest one that is."""
    inside = [one for one in snap["comets"] if 20 < one["x"] < 1180 and 20 < one["y"] < 640] or list(snap["comets"])
    return next((one for one in inside if one["id"] == known), min(inside, key=lambda one: gap(one, snap["ship"])))


@check(
    "p1-fresh-run-comets-hit",
    priority="P1",
    title="in a run begun by Enter a comet that the ship is flown into costs hull",
    source="game-spec.md#5",
    timeout_s=150,
)
def hits(game: Any) -> None:
    snap, text = _begin(game), game.text()
    before, held, chased = snap, set(), None
    for _ in range(200):
        if snap["ship"]["hull"] < 100:
            break
        prey = _prey(snap, chased)
        chased = prey["id"].value
        pace = tuple(2.0 * (float(prey[a]) - float(snap["ship"][a])) + float(prey["v" + a]) for a in ("x", "y"))
        _steer(game, held, snap, pace)
        game.wait(frames(6))
        before, snap = snap, game.snapshot()
    gone = [one for one in before["comets"] if named(snap["comets"], one["id"]) is None]
    game.expect(len(gone), "comets that broke up on the ship").equals(1)
    game.expect(gap(gone[0], before["ship"]), "way between them before the hit").at_most(float(gone[0]["radius"]) + 80)
    game.expect(snap["ship"]["hull"], "hull").equals(100 - int(gone[0]["damage"]))
    game.expect(snap["ship"]["invulnerable"], "invulnerable").greater_than(1.0).at_most(1.2)
    says(game, "hull hit", text)
    game.expect(_told(game, "Hull"), "hull told").equals(int(snap["ship"]["hull"]))


@check(
    "p1-comets-never-rest",
    priority="P1",
    title="in a run begun by Enter comets still drift and come round after 16 s",
    source="game-spec.md#5",
    timeout_s=120,
)
def never_rest(game: Any) -> None:
    start = _begin(game)
    game.wait(seconds(16))
    late = game.snapshot()
    if late["phase"] == "lost":
        game.keyboard.press("r")
        game.wait(frames(3))
        start = game.snapshot()
        game.wait(seconds(16))
        late = game.snapshot()
    game.wait(seconds(1.5))
    last = game.snapshot()
    _drifted(game, start, late, 45)                       # a few crossings of the border may each have cost some units
    followed = _drifted(game, late, last, 45)
    game.expect(followed, "comets followed after 16 s").at_least(2)
    for one in last["comets"]:
        if free(one, last):
            game.expect_pixels(one["bounds"]).shows(COMET, share=0.3)
    game.expect_pixels(last["ship"]["bounds"]).shows(SHIP, share=0.2)


def _drifted(game: Any, old: Any, new: Any, slack: float) -> int:
    """Comets in both snapshots are where their velocity and the rule of the border bring them."""
    took, followed = float(new["time"]) - float(old["time"]), 0
    for one in old["comets"]:
        now = named(new["comets"], one["id"])
        if now is None:
            continue
        followed += 1
        game.expect(speed(now), "speed of a comet").at_least(59).at_most(151)
        game.expect([float(now["vx"]), float(now["vy"])], f"velocity of {one['id']}").close_to([float(one["vx"]), float(one["vy"])], 0.5)
        for axis, size in (("x", 1200), ("y", 660)):
            around = size + 2 * float(one["radius"])
            off = (float(now[axis]) - float(one[axis]) - float(one["v" + axis]) * took + around / 2) % around - around / 2
            game.expect(abs(off), f"way of {one['id']} along {axis} off its course").at_most(slack)
    return followed
