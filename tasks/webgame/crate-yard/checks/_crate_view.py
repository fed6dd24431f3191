"""Where things of Crate Yard must appear on the screen, worked out from the camera alone, and the colour key."""

import math
from typing import Any

from _crate_yard import ARROWS, DIRS, NAMES, SETTLED, Point, Yard, cell_of, flat, point_of

from playproof.checks import seconds

CRATE = {"red": "#e5383b", "blue": "#2f6fed", "yellow": "#ffc400", "green": "#35c759"}
PAD = {"red": "#7a1f21", "blue": "#1b3c80", "yellow": "#806200", "green": "#1f7a35"}
ROBOT, WALL, FLOOR, CHARGER, DRONE = "#f5f7fa", "#5b6472", "#2b3038", "#14b8c4", "#d946ef"
NEAR = 20
"""Colours count as the key's within this distance; the key's own colours are at least 40 apart."""


def towards(yaw: float) -> int:
    """The index in NAMES of the grid direction nearest to where a camera at this yaw looks along the ground."""
    return max(range(4), key=lambda k: -DIRS[NAMES[k]][0] * math.sin(math.radians(yaw)) - DIRS[NAMES[k]][1] * math.cos(math.radians(yaw)))


def key_for(direction: str, yaw: float, keys: tuple[str, ...] = ARROWS) -> str:
    """The key that drives the robot in a grid direction, for a camera at this yaw."""
    return keys[(NAMES.index(direction) - towards(yaw)) % 4]


def project(snap: Any, point: Point) -> tuple[float, float]:
    """Where a world point appears, in CSS pixels of the viewport, by the camera and view of the snapshot alone."""
    eye, target = point_of(snap["camera"]["position"]), point_of(snap["camera"]["target"])
    ahead = _unit([t - e for t, e in zip(target, eye, strict=True)])
    right = _unit([-ahead[2], 0.0, ahead[0]])
    up = [right[1] * ahead[2] - right[2] * ahead[1], right[2] * ahead[0] - right[0] * ahead[2], right[0] * ahead[1] - right[1] * ahead[0]]
    away = [p - e for p, e in zip(point, eye, strict=True)]
    depth, x, y = _dot(away, ahead), _dot(away, right), _dot(away, up)
    view = snap["view"]
    width, height = float(view["width"]), float(view["height"])
    scale = height / 2 / math.tan(math.radians(float(snap["camera"]["fov"])) / 2) / max(depth, 1e-6)
    return float(view["x"]) + width / 2 + x * scale, float(view["y"]) + height / 2 - y * scale


def _dot(a: Any, b: Any) -> float:
    return float(sum(p * q for p, q in zip(a, b, strict=True)))


def _unit(vector: list[float]) -> list[float]:
    length = math.sqrt(_dot(vector, vector)) or 1.0
    return [part / length for part in vector]


def hidden(snap: Any, point: Point) -> bool:
    """Whether a crate, a wall, the robot or the drone may stand between the camera and a world point."""
    yard, eye = Yard(snap), point_of(snap["camera"]["position"])
    robot, drone = point_of(snap["robot"]["position"]), point_of(snap["drone"]["position"])
    crates = [point_of(crate["position"]) for crate in snap["crates"]]
    for k in range(1, 50):
        y = point[1] + 0.03 * k
        t = (y - point[1]) / max(1e-6, eye[1] - point[1])
        if y > 1.4 or t >= 1:
            return False
        at = (point[0] + (eye[0] - point[0]) * t, y, point[2] + (eye[2] - point[2]) * t)
        if y < 0.6 and (round(at[0]), round(at[2])) in yard.walls:
            return True
        near = [(one, 0.44) for one in crates if y < 0.79] + [(robot, 0.44)] * (y < 0.49) + [(drone, 0.6)] * (y > 0.95)
        if any(max(abs(at[0] - x), abs(at[2] - z)) < half for (x, _, z), half in near):
            return True
    return False


def in_open_view(snap: Any, at: tuple[float, float]) -> bool:
    """Whether a screen point lies clear of HUD, buttons and the edges."""
    width, height = float(snap["view"]["width"]), float(snap["view"]["height"])
    return 12 < at[0] < width - 12 and 98 < at[1] < height - 68 and not (at[0] > width - 228 and at[1] > height - 198)


def disc(point: Point) -> list[Point]:
    """Nine points of a disc of 0.17 units lying flat around a world point."""
    return [(point[0] + a, point[1], point[2] + b) for a in (-0.12, 0.0, 0.12) for b in (-0.12, 0.0, 0.12)]


def in_full_view(snap: Any, point: Point) -> bool:
    """Whether the disc around a world point lies clear of HUD and buttons, and nothing stands before it."""
    return in_open_view(snap, project(snap, point)) and not any(hidden(snap, at) for at in disc(point))


class Look:
    """One picture of the whole page, held against the world points of a snapshot."""

    def __init__(self, game: Any, snap: Any) -> None:
        self.game, self.snap, self.picture = game, snap, game.screenshot()

    def near(self, point: Point, colour: str) -> int:
        """How many of nine points of a disc of 0.17 units, lying flat around a world point, have a colour of the key."""
        wanted = tuple(int(colour[k : k + 2], 16) for k in (1, 3, 5))
        return sum(self._close(project(self.snap, at), wanted) for at in disc(point))

    def _close(self, at: tuple[float, float], wanted: tuple[int, ...]) -> bool:
        self.game.expect(0 <= at[0] < self.picture.width and 0 <= at[1] < self.picture.height, f"{at} on the screen").is_true()
        return bool(max(abs(p - q) for p, q in zip(self.picture.pixel(*at), wanted, strict=True)) <= NEAR)

    def shows(self, point: Point, colour: str, what: str) -> None:
        self.game.expect(self.near(point, colour), f"of 9 points of {what} at {_told(point)}, those that show {colour}").at_least(8)

    def lacks(self, point: Point, colour: str, what: str) -> None:
        self.game.expect(self.near(point, colour), f"of 9 points of {what} at {_told(point)}, those that show {colour}").at_most(1)

    def holds(self) -> int:
        """Hold every entity of the snapshot against the picture: place by our own projection, colour by the key.
        Gives how many were looked at."""
        looked, yard = 0, Yard(self.snap)
        for what, colour in entities(self.snap):
            point = point_of(what["position"])
            at = project(self.snap, point)
            self.game.expect(flat(what["screen"]), f"{what.path}.screen").close_to(at, within=2.0)
            covered = point[1] == 0 and cell_of(what["cell"]) in (*yard.crates.values(), yard.robot)
            if not covered and in_full_view(self.snap, point):
                self.shows(point, colour, what.path)
                looked += 1
        return looked


def _told(point: Point) -> str:
    return f"({point[0]:g}, {point[1]:g}, {point[2]:g})"


def entities(snap: Any) -> list[tuple[Any, str]]:
    """Everything that the colour key names, but for walls and floor, with its colour."""
    found = [(crate, CRATE.get(str(crate["colour"]), "")) for crate in snap["crates"]]
    found += [(pad, PAD.get(str(pad["colour"]), "")) for pad in snap["pads"]]
    return [*found, (snap["robot"], ROBOT), (snap["charger"], CHARGER)]


def settled(game: Any) -> Look:
    """What is to be seen when slides and short effects of a moment ago have ended."""
    game.wait(SETTLED)
    return Look(game, game.snapshot())


def look_down(game: Any, yaw: float = 20) -> Any:
    """Turn the camera so steep that nothing hides the floor; gives the snapshot after a frame."""
    game.input({"type": "camera", "yaw": yaw, "pitch": 85})
    game.wait(seconds(0.1))
    return game.snapshot()
