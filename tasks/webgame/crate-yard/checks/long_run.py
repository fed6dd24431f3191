"""P1: what only shows after a while: other yards, later minutes, more scans, a long history, and a bar that follows the battery."""

from typing import Any

from _crate_view import in_open_view, key_for, project
from _crate_yard import LETTERS, SETTLED, Cell, Yard, cell_of, drained, find, first, plain_cell, state, stepped

from playproof.checks import check, frames, seconds

SMALL = [360, 240]
"""A window whose many frames are drawn quickly, for checks that look at the state alone."""


def _shapes(yard: Yard) -> dict[str, tuple[Any, ...]]:
    """Walls, pads and crates of a yard, each alike for all its eight turned and mirrored forms, colours aside."""
    found = {}
    for name, cells in (("walls", yard.walls), ("pads", yard.pads.values()), ("crates", yard.crates.values())):
        found[name] = min(_turned(yard, list(cells), k) for k in range(8))
    return found


def _turned(yard: Yard, cells: list[Cell], k: int) -> tuple[Any, ...]:
    cols, rows = yard.cols, yard.rows
    moved = [(cols - 1 - col if k & 1 else col, rows - 1 - row if k & 2 else row) for col, row in cells]
    return (rows, cols, *sorted((row, col) for col, row in moved)) if k & 4 else (cols, rows, *sorted(moved))


@check("p1-other-plans", priority="P1", viewport=SMALL, title="new yards are more than one plan, turned, mirrored or recoloured",
       source="game-spec.md#the-yard")
def other_plans(game: Any) -> None:
    seen: list[dict[str, tuple[Any, ...]]] = []
    for _ in range(10):
        game.reset()
        seen.append(_shapes(Yard(game.snapshot())))
    for name in ("walls", "pads", "crates"):
        game.expect(len({one[name] for one in seen}), f"different {name} of ten yards, seen from all sides").at_least(3)


@check("p1-late-drain", priority="P1", viewport=SMALL, title="the battery drains on as a shift grows long",
       source="game-spec.md#battery", timeout_s=120)
def late_drain(game: Any) -> None:
    game.reset()
    yard = Yard(game.snapshot())
    quiet = [(len(way), way) for cell, way in yard.ways().items() if cell not in (*yard.lane, yard.charger)]
    for direction in min(quiet, default=(0, [yard.way_out()]))[1]:
        game.input({"type": "move", "dir": direction})
    begun = before = game.snapshot()
    for late in (14, 28, 42):
        game.wait(seconds(14))
        after = game.snapshot()
        game.expect(after["time"], f"time after {late} s").close_to(float(begun["time"]) + late, within=0.3)
        game.expect(after["battery"], f"battery after {late} s").close_to(drained(before, after, 14), within=0.3)
        before = after


@check("p1-many-scans", priority="P1", scenario="drone_lane", viewport=SMALL, title="each pass of the drone is one more scan",
       source="game-spec.md#drone", timeout_s=120)
def many_scans(game: Any) -> None:
    begun = game.snapshot()
    yard = Yard(begun)
    trip = seconds(round(2 * (len(yard.lane) - 1) / 1.5 + 1, 1))
    before = begun
    for count in range(1, 5):
        scanned = game.wait_until(lambda snap, wanted=count: snap["scans"] >= begun["scans"] + wanted, within=trip,
                                  every=frames(6), what=f"scan {count} of a robot that stays on the lane")
        game.expect(scanned["scans"], f"scans after pass {count}").equals(begun["scans"] + count)
        passed = float(scanned["time"]) - float(before["time"])
        game.expect(scanned["battery"], f"battery after pass {count}").close_to(drained(before, scanned, passed), within=0.2)
        before = scanned


@check("p1-undo-far", priority="P1", scenario="fresh", viewport=SMALL, title="undo reaches back over thirty moves to the start of the yard",
       source="game-spec.md#undo-and-restart")
def undo_far(game: Any) -> None:
    past = []
    for direction in _to_a_push(Yard(game.snapshot()), game.snapshot()):
        past.append(state(game.snapshot(), ("scans",)))
        game.expect(game.input({"type": "move", "dir": direction})["accepted"], "accepted").is_true()
    while len(past) < 30:
        now = game.snapshot()
        past.append(state(now, ("scans",)))
        game.expect(game.input({"type": "move", "dir": Yard(now).way_out()})["accepted"], "accepted").is_true()
    game.expect(game.snapshot()["undoDepth"], "undoDepth").equals(len(past))
    for k, wanted in enumerate(reversed(past)):
        game.expect(game.input({"type": "undo"})["accepted"], f"accepted of undo {k + 1}").is_true()
        game.expect(state(game.snapshot(), ("scans",)), f"state after undo {k + 1}").equals(wanted)
    game.expect(game.input({"type": "undo"})["accepted"], "accepted of undo at the start").is_false()


def _to_a_push(yard: Yard, snap: Any) -> list[str]:
    """The shortest way to the first crate that can be pushed, and the push."""
    ways = yard.ways()
    found = [[*ways[stand], d] for at in yard.crates.values() for d in ("north", "east", "south", "west")
             if (stand := stepped(at, d, -1)) in ways and yard.free(stepped(at, d))]
    return list(first(sorted(found, key=len), snap, "crate that can be pushed"))


@check("p1-bar", priority="P1", title="the battery's bar is filled as far as the battery goes", source="game-spec.md#feedback")
def bar(game: Any) -> None:
    for scenario, level in (("near_charger", 0.40), ("drone_lane", 0.60)):
        game.load(scenario)
        game.wait(SETTLED)
        found = game.dom('[data-bar="battery"]')
        game.expect(len(found), "bars of the battery").equals(1)
        box = found[0]["bounds"]
        game.expect(box["width"], "width of the bar").at_least(60)
        filled = _filled(game.screenshot(box))
        game.expect(filled, f"share of the bar that is filled at battery {100 * level:g}").close_to(level, within=0.1)


def _filled(picture: Any) -> float:
    """The share of the bar's middle row that looks like a point near its left end rather than like one near its right end."""
    y, width = picture.height // 2, picture.width
    left, right = picture.pixel(round(width * 0.12), y), picture.pixel(round(width * 0.88), y)
    if max(abs(a - b) for a, b in zip(left, right, strict=True)) < 24:
        return 1.0
    row = [picture.pixel(x, y) for x in range(width)]
    return float(sum(_apart(one, left) < _apart(one, right) for one in row) / width)


def _apart(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


@check("p1-hold-letters", priority="P1", scenario="fresh", viewport=SMALL, title="a held letter key repeats as an arrow key does",
       source="game-spec.md#controls")
def hold_letters(game: Any) -> None:
    yard = Yard(game.snapshot())
    # Five free cells if the yard has them; three are enough to tell repeats from one press.
    runs = [(-run, len(way), cell, d) for cell, way in yard.ways().items() for d in ("north", "east", "south", "west") for run in (3, 5)
            if all(yard.free(stepped(cell, d, k)) for k in range(1, run + 1))]
    _, _, cell, direction = first(sorted(runs), yard.snap, "straight free way of three cells")
    for leg in yard.ways()[cell]:
        game.input({"type": "move", "dir": leg})
    before = game.snapshot()
    game.keyboard.hold(key_for(direction, float(before["camera"]["yaw"]), LETTERS), seconds(0.8))
    after = game.snapshot()
    game.expect(after["moves"], "moves after holding for 0.8 s").at_least(before["moves"] + 3).at_most(before["moves"] + 5)


@check("p2-nudge", priority="P2", scenario="crate_blocked", title="the robot gives a nudge that is seen when a move is refused",
       source="game-spec.md#moving-and-pushing")
def nudge(game: Any) -> None:
    game.wait(SETTLED)
    snap = game.snapshot()
    yard = Yard(snap)
    direction = first([one for one in yard.neighbours() if not yard.free(one[2])], snap, "blocked crate next to the robot")[0]
    box = snap["robot"]["bounds"]
    calm = game.screenshot(box)
    game.keyboard.press(key_for(direction, float(snap["camera"]["yaw"])))
    most = 0.0
    for _ in range(5):
        game.wait(frames(2))
        most = max(most, float(calm.differs(game.screenshot(box))))
    game.expect(most, "share of the robot's pixels that change at a refusal").greater_than(0.02)


@check("p2-win-shows", priority="P2", scenario="last_push", title="winning shows an effect beyond the crate that was delivered last",
       source="game-spec.md#feedback")
def win_shows(game: Any) -> None:
    before = game.snapshot()
    yard = Yard(before)
    ready = [one for one in yard.pushable() if one[2] == yard.pad_of(one[1])]
    direction, crate, _ = first(ready, before, "crate before its pad")
    game.keyboard.press(key_for(direction, float(before["camera"]["yaw"])))
    game.expect(game.snapshot()["phase"], "phase").equals("won")
    early = []
    for _ in range(3):
        game.wait(seconds(0.2))
        early.append(game.screenshot())
    game.wait(seconds(1.6))
    snap, late = game.snapshot(), game.screenshot()
    goal = cell_of(find(snap, crate)["cell"])
    points = _away_from(snap, goal)
    changed = max(sum(_apart(one.pixel(*at), late.pixel(*at)) > 60 for at in points) for one in early)
    game.expect(changed, f"of {len(points)} points away from {plain_cell(goal)}, those that differ from the scene at rest").at_least(8)


def _away_from(snap: Any, goal: Cell) -> list[tuple[int, int]]:
    """Points of the picture, 5 pixels apart, clear of HUD and buttons and two cells from what was pushed last."""
    x, y = project(snap, (goal[0], 0.5, goal[1]))
    near = 2.2 * max(abs(project(snap, (goal[0] + 1, 0.5, goal[1]))[0] - x), 40)
    width, height = int(float(snap["view"]["width"])), int(float(snap["view"]["height"]))
    return [(col, row) for col in range(0, width, 5) for row in range(0, height, 5)
            if in_open_view(snap, (col, row)) and max(abs(col - x), abs(row - y)) > near]
