"""What the checks of Crate Yard know by themselves of grid and rules.

Nothing here asks the game for an answer: a snapshot gives positions, and what must follow from them is worked out here.
"""

import math
from collections import deque
from collections.abc import Sequence
from typing import Any

from playproof.checks import seconds

Cell = tuple[int, int]
Point = tuple[float, float, float]

DIRS: dict[str, Cell] = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
NAMES = tuple(DIRS)
ARROWS = ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft")
LETTERS = ("w", "d", "s", "a")
COLOURS = ("red", "blue", "yellow", "green")
SETTLED = seconds(0.4)


def opposite(direction: str) -> str:
    return NAMES[(NAMES.index(direction) + 2) % 4]


def stepped(cell: Cell, direction: str, count: int = 1) -> Cell:
    dx, dz = DIRS[direction]
    return cell[0] + dx * count, cell[1] + dz * count


def cell_of(seen: Any) -> Cell:
    return int(seen["col"]), int(seen["row"])


def plain_cell(cell: Cell) -> dict[str, int]:
    return {"col": cell[0], "row": cell[1]}


def point_of(seen: Any) -> Point:
    return float(seen["x"]), float(seen["y"]), float(seen["z"])


def flat(seen: Any) -> tuple[float, float]:
    return float(seen["x"]), float(seen["y"])


class Yard:
    """The grid of a snapshot, in plain numbers. Reading it is what finds a malformed snapshot."""

    def __init__(self, snap: Any) -> None:
        self.snap = snap
        self.cols, self.rows = int(snap["yard"]["cols"]), int(snap["yard"]["rows"])
        self.walls = frozenset(cell_of(wall) for wall in snap["walls"])
        self.robot = cell_of(snap["robot"]["cell"])
        self.colours = {str(crate["id"]): str(crate["colour"]) for crate in snap["crates"]}
        self.crates = {str(crate["id"]): cell_of(crate["cell"]) for crate in snap["crates"]}
        self.pads = {str(pad["colour"]): cell_of(pad["cell"]) for pad in snap["pads"]}
        for colour in self.colours.values():
            if colour not in self.pads:
                raise snap["pads"].fault(f"no pad for the {colour} crate")
        self.charger = cell_of(snap["charger"]["cell"])
        self.drone = cell_of(snap["drone"]["cell"])
        self.lane = lane_of(cell_of(snap["drone"]["lane"]["from"]), cell_of(snap["drone"]["lane"]["to"]))

    def inside(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.cols and 0 <= cell[1] < self.rows

    def open(self, cell: Cell) -> bool:
        return self.inside(cell) and cell not in self.walls

    def free(self, cell: Cell) -> bool:
        return self.open(cell) and cell not in self.crates.values()

    def cells(self) -> list[Cell]:
        return [(col, row) for row in range(self.rows) for col in range(self.cols)]

    def crate_at(self, cell: Cell) -> str | None:
        return next((name for name, at in self.crates.items() if at == cell), None)

    def pad_of(self, crate: str) -> Cell:
        return self.pads[self.colours[crate]]

    def delivered(self) -> int:
        return sum(at == self.pad_of(name) for name, at in self.crates.items())

    def neighbours(self) -> list[tuple[str, str, Cell]]:
        """Crates next to the robot: direction, id, the cell beyond."""
        found = []
        for direction in NAMES:
            crate = self.crate_at(stepped(self.robot, direction))
            if crate is not None:
                found.append((direction, crate, stepped(self.robot, direction, 2)))
        return found

    def pushable(self) -> list[tuple[str, str, Cell]]:
        return [one for one in self.neighbours() if self.free(one[2])]

    def free_ways(self) -> list[str]:
        return [direction for direction in NAMES if self.free(stepped(self.robot, direction))]

    def way_out(self) -> str:
        """A free way for one move, if possible neither onto the charger nor onto the drone's lane."""
        busy = (self.charger, *self.lane)
        return str(first(sorted(self.free_ways(), key=lambda d: stepped(self.robot, d) in busy), self.snap, "free way for the robot"))

    def plain_push(self) -> tuple[str, str, Cell]:
        """A push that does not deliver: direction, id, the cell beyond."""
        plain: tuple[str, str, Cell] = first(
            [one for one in self.pushable() if one[2] != self.pad_of(one[1])], self.snap, "crate to push, not onto its pad")
        return plain

    def ways(self) -> dict[Cell, list[str]]:
        """A shortest way as direction names to every cell that can be walked to."""
        return ways_from(self.robot, self.free)


def drained(before: Any, after: Any, seconds_passed: float, spent: float = 0) -> float:
    """The battery that must be left: time away from the charger, costs of moves, and scans that came in between."""
    scans = int(after["scans"]) - int(before["scans"])
    return float(before["battery"]) - 0.5 * seconds_passed - spent - 8 * scans


def first(options: Sequence[Any], snap: Any, what: str) -> Any:
    """The first option; to have none is the submission's fault."""
    if not options:
        raise snap.fault(f"no {what}")
    return options[0]


def find(snap: Any, crate: str) -> Any:
    return first([one for one in snap["crates"] if str(one["id"]) == crate], snap, f"crate {crate!r}")


def lane_of(start: Cell, end: Cell) -> list[Cell]:
    count = min(16, max(abs(end[0] - start[0]), abs(end[1] - start[1])))
    step = ((end[0] > start[0]) - (end[0] < start[0]), (end[1] > start[1]) - (end[1] < start[1]))
    return [(start[0] + step[0] * k, start[1] + step[1] * k) for k in range(count + 1)]


def ways_from(start: Cell, free: Any) -> dict[Cell, list[str]]:
    found: dict[Cell, list[str]] = {start: []}
    queue = deque([start])
    while queue:
        at = queue.popleft()
        for direction in NAMES:
            to = stepped(at, direction)
            if to not in found and free(to):
                found[to] = [*found[at], direction]
                queue.append(to)
    return found


# --- the rules, as far as two ways to the same state must agree ---

COUNTS = ("phase", "moves", "pushes", "scans", "score", "delivered", "undoDepth", "selected")


def state(snap: Any, but: tuple[str, ...] = ()) -> dict[str, Any]:
    """Everything discrete of a snapshot; what slides or drains is left out."""
    told = {name: snap[name].value for name in COUNTS if name not in but}
    told["robot"] = (cell_of(snap["robot"]["cell"]), str(snap["robot"]["facing"]))
    told["crates"] = sorted((str(c["id"]), str(c["colour"]), cell_of(c["cell"]), bool(c["delivered"])) for c in snap["crates"])
    return told


def layout(snap: Any) -> dict[str, Any]:
    """What makes one yard another."""
    yard = Yard(snap)
    return {"walls": sorted(yard.walls), "pads": sorted(yard.pads.items()), "charger": yard.charger, "lane": yard.lane,
            "crates": sorted(yard.crates.items()), "robot": yard.robot}


def expect_legal(game: Any, snap: Any) -> Yard:
    """The invariants of a snapshot, held against our own count."""
    yard = Yard(snap)
    game.expect(yard.cols, "yard.cols").one_of(range(7, 12))
    game.expect(yard.rows, "yard.rows").one_of(range(7, 12))
    solid = [*yard.walls, *yard.crates.values(), yard.robot]
    game.expect(len(set(solid)), "cells of robot, crates and walls").equals(len(snap["walls"]) + len(snap["crates"]) + 1)
    placed = [*solid, *yard.pads.values(), yard.charger, *yard.lane]
    game.expect([cell for cell in placed if not yard.inside(cell)], "cells outside the yard").equals([])
    game.expect(len(yard.crates), "number of crates").one_of((3, 4))
    game.expect(sorted(yard.colours.values()), "crate colours").equals(sorted(yard.pads))
    game.expect(sorted(set(yard.pads) - set(COLOURS)), "colours outside the key").equals([])
    game.expect(len(yard.lane), "cells of the drone's lane").at_least(4)
    game.expect([bool(c["delivered"]) for c in snap["crates"]], "delivered of each crate").equals(
        [yard.crates[str(c["id"])] == yard.pad_of(str(c["id"])) for c in snap["crates"]])
    game.expect(snap["delivered"], "delivered").equals(yard.delivered())
    bonus = 10 * math.floor(float(snap["battery"])) if str(snap["phase"]) == "won" else 0
    game.expect(snap["score"], "score").equals(100 * yard.delivered() + bonus)
    game.expect(snap["battery"], "battery").at_least(0).at_most(100)
    game.expect(snap["pushes"], "pushes").at_least(0).at_most(snap["moves"])
    return yard
