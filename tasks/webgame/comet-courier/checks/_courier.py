"""What several check scripts of Comet Courier need: geometry over snapshots, a pilot, the invariants."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from playproof.checks import frames, seconds

FILL = {"amber": "#ffb020", "cyan": "#19d3ff", "rose": "#ff4fa3"}
SHIP, COMET = "#f4f7ff", "#9aa7b8"
KEYS = {(1, 0): "ArrowRight", (-1, 0): "ArrowLeft", (0, 1): "ArrowDown", (0, -1): "ArrowUp"}
LETTERS = {(1, 0): "d", (-1, 0): "a", (0, 1): "s", (0, -1): "w"}
ACCEL, DECAY = 420.0, 0.8


def speed_after(thrust_s: float, strength: float = 1.0) -> float:
    """Speed from rest after `thrust_s` seconds of thrust, in units a second."""
    return strength * ACCEL / DECAY * (1 - math.exp(-DECAY * thrust_s))


def payout(streak: int) -> int:
    return 100 + 50 * min(streak - 1, 4)


def gap(a: Any, b: Any) -> float:
    """Distance of two centres in field units."""
    return math.hypot(float(a["x"]) - float(b["x"]), float(a["y"]) - float(b["y"]))


def speed(thing: Any) -> float:
    return math.hypot(float(thing["vx"]), float(thing["vy"]))


def ids(things: Iterable[Any]) -> list[str]:
    return [one["id"].value for one in things]


def named(things: Iterable[Any], wanted: Any) -> Any:
    """The thing with the id `wanted`, or None."""
    return next((one for one in things if one["id"] == wanted), None)


def overlap(a: Any, b: Any, slack: float = 4.0) -> bool:
    """Whether two bounds touch, or come within `slack` CSS pixels."""
    ax, ay, aw, ah = (float(a[key]) for key in ("x", "y", "width", "height"))
    bx, by, bw, bh = (float(b[key]) for key in ("x", "y", "width", "height"))
    return ax - slack < bx + bw and bx - slack < ax + aw and ay - slack < by + bh and by - slack < ay + ah


def within(inner: Any, outer: Any) -> bool:
    ix, iy, iw, ih = (float(inner[key]) for key in ("x", "y", "width", "height"))
    ox, oy, ow, oh = (float(outer[key]) for key in ("x", "y", "width", "height"))
    return ix >= ox and iy >= oy and ix + iw <= ox + ow and iy + ih <= oy + oh


def free(thing: Any, snap: Any) -> bool:
    """Whether nothing else lies over the thing, and the whole of it is in the field."""
    others = [one for kind in ("stations", "parcels", "comets") for one in snap[kind] if one["id"] != thing.get("id")]
    return within(thing["bounds"], snap["field"]["bounds"]) and not any(
        overlap(thing["bounds"], one["bounds"], 12) for one in [*others, snap["ship"]] if one["bounds"] != thing["bounds"]
    )


def ahead(game: Any, snap: Any, things: Iterable[Any]) -> tuple[Any, tuple[int, int]]:
    """The one thing that stands straight off the ship, 140 to 180 units away, and the direction to it."""
    ship = snap["ship"]
    for one in things:
        dx, dy = float(one["x"]) - float(ship["x"]), float(one["y"]) - float(ship["y"])
        if min(abs(dx), abs(dy)) < 2 and 138 <= math.hypot(dx, dy) <= 182:
            return one, (round(dx / math.hypot(dx, dy)), round(dy / math.hypot(dx, dy)))
    game.expect([ids(things)], "something straight ahead of the ship, 140 to 180 units away").equals("one of these")
    raise AssertionError("unreachable: the expectation above ends the check")


def threat(game: Any, snap: Any) -> tuple[Any, float]:
    """The comet that will touch the resting ship, and in how many seconds (between 1 and 2)."""
    ship, coming = snap["ship"], []
    for one in snap["comets"]:
        touch = float(one["radius"]) + 16
        for step in range(1, 300):
            t = step / 100
            if (
                math.hypot(
                    float(one["x"]) + float(one["vx"]) * t - float(ship["x"]), float(one["y"]) + float(one["vy"]) * t - float(ship["y"])
                )
                < touch
            ):
                coming.append((one, t))
                break
    game.expect(len(coming), "comets on a collision course within 3 s").equals(1)
    return coming[0]


def inward(snap: Any) -> tuple[int, int]:
    """A diagonal from the ship towards the middle of the field."""
    return (1 if snap["ship"]["x"] < 600 else -1, 1 if snap["ship"]["y"] < 330 else -1)


def moved(a: Any, b: Any) -> tuple[float, float]:
    """How far the ship went between two snapshots."""
    return float(b["ship"]["x"]) - float(a["ship"]["x"]), float(b["ship"]["y"]) - float(a["ship"]["y"])


def approach(
    game: Any, target: Any, way: tuple[int, int], done: Callable[[Any], bool], what: str, cruise: float = 100.0, within_s: float = 3.6
) -> Any:
    """Fly along one axis with real keys, slowing down before the target; returns the first snapshot that is `done`."""
    forward, back = KEYS[way], KEYS[(-way[0], -way[1])]
    held = None
    snap = game.snapshot()
    for _ in range(round(within_s / 0.1)):
        if done(snap):
            break
        left = (float(target["x"]) - float(snap["ship"]["x"])) * way[0] + (float(target["y"]) - float(snap["ship"]["y"])) * way[1]
        pace = float(snap["ship"]["vx"]) * way[0] + float(snap["ship"]["vy"]) * way[1]
        wanted = max(-cruise, min(cruise, left * 2.2))
        key = forward if pace < wanted - 20 else back if pace > wanted + 20 else None
        if key != held:
            _swap(game, held, key)
            held = key
        game.wait(frames(6))
        snap = game.snapshot()
    _swap(game, held, None)
    game.expect(done(snap), what).is_true()
    return snap


def _swap(game: Any, old: str | None, new: str | None) -> None:
    if old is not None:
        game.keyboard.up(old)
    if new is not None:
        game.keyboard.down(new)


def refused(game: Any, action: dict[str, Any], reason: str) -> None:
    """The action is refused for this reason, and nothing in the snapshot has changed."""
    before = game.snapshot()
    answer = game.input(action)
    game.expect(answer["ok"], f"{action}: ok").is_false()
    game.expect(answer["reason"], f"{action}: reason").equals(reason)
    game.expect_unchanged(before, game.snapshot())


def legal(game: Any, snap: Any) -> None:
    """The invariants that every snapshot must keep."""
    ship, field = snap["ship"], snap["field"]
    game.expect(ship["x"], "ship.x").at_least(15.9).at_most(1184.1)
    game.expect(ship["y"], "ship.y").at_least(15.9).at_most(644.1)
    game.expect(speed(ship), "the ship's speed").at_most(300.5)
    game.expect(ship["energy"], "energy").at_least(0).at_most(100)
    game.expect(ship["hull"], "hull").at_least(0).at_most(100)
    game.expect(sorted(one["color"].value for one in snap["stations"]), "colours of the stations").equals(["amber", "cyan", "rose"])
    game.expect(len(snap["parcels"]), "waiting parcels").equals(3 if snap["cargo"].value is None else 2)
    carried = [] if snap["cargo"].value is None else [snap["cargo"]["id"].value]
    known = [*ids(snap["parcels"]), *ids(snap["stations"]), *ids(snap["comets"]), *carried]
    game.expect(len(set(known)), "different ids").equals(len(known))
    placed = [*snap["stations"], *snap["parcels"]]
    for one in placed:
        game.expect([int(one["sector"]["column"]), int(one["sector"]["row"])], f"sector of {one['id']}").equals(
            [math.floor(float(one["x"]) / 200), math.floor(float(one["y"]) / 165)]
        )
    cells = {(int(one["sector"]["column"]), int(one["sector"]["row"])) for one in placed}
    game.expect(len(cells), "sectors with a station or a parcel").equals(len(placed))
    game.expect(snap["delivered"] == snap["target"], "all delivered").equals(snap["phase"] == "won")
    game.expect(ship["hull"] == 0, "hull gone").equals(snap["phase"] == "lost")
    _bounds(game, [*placed, *snap["comets"], ship], field)


def _bounds(game: Any, things: Sequence[Any], field: Any) -> None:
    """Bounds are centred on where the thing stands in the field."""
    scale = float(field["bounds"]["width"]) / 1200
    for one in things:
        x, y = game.centre(one["bounds"])
        at = (float(field["bounds"]["x"]) + scale * float(one["x"]), float(field["bounds"]["y"]) + scale * float(one["y"]))
        game.expect([float(x), float(y)], f"centre of the bounds of {one.path}").close_to(at, 1.5)


def drawn(game: Any, snap: Any) -> None:
    """Every thing that nothing covers shows its colour where the snapshot says, and no other colour of the key."""
    for kind, share in (("stations", 0.22), ("parcels", 0.3)):
        for one in snap[kind]:
            if free(one, snap):
                game.expect_pixels(one["bounds"]).shows(FILL[one["color"].value], share=share)
                picture = game.screenshot(one["bounds"])
                for other in set(FILL) - {one["color"].value}:
                    game.expect(picture.share(FILL[other]), f"share of {other} on {one['id']}").at_most(0.05)
    for one in snap["comets"]:
        if free(one, snap):
            game.expect_pixels(one["bounds"]).shows(COMET, share=0.3)
    if free(snap["ship"], snap):
        game.expect_pixels(snap["ship"]["bounds"]).shows(SHIP, share=0.2)


def seen_ship(game: Any) -> Any:
    """A snapshot, after three frames, in which the ship is seen where it is said to be."""
    game.wait(frames(3))
    snap = game.snapshot()
    game.expect_pixels(snap["ship"]["bounds"]).shows(SHIP, share=0.2)
    return snap


def says(game: Any, words: str, before: str) -> None:
    """The page shows the words more often than in the text `before`: something has just been announced."""
    game.wait(frames(3))
    game.expect(game.text().lower().count(words) > before.lower().count(words), f"the page announces {words!r}").is_true()


def playing_since(game: Any, snap: Any, ticks: int) -> Any:
    """Let time pass without touching anything; the game's own clock must have run with it."""
    game.wait(ticks)
    now = game.snapshot()
    game.expect(float(now["time"]) - float(snap["time"]), "seconds by the game's clock").close_to(ticks / seconds(1), 0.06)
    return now
