"""P1: the camera, and what pointer and touch choose through it."""

import math
from typing import Any

from _crate_view import CRATE, FLOOR, ROBOT, Look, hidden, in_full_view, in_open_view, key_for, look_down, project, settled
from _crate_yard import LETTERS, SETTLED, Yard, cell_of, drained, find, first, plain_cell, point_of, state, stepped

from playproof.checks import check, seconds


@check("p1-projection", priority="P1", scenario="half_done", title="from every side, what is reported is what the camera sees",
       source="game-spec.md#camera")
def projection(game: Any) -> None:
    looked = 0
    for yaw, pitch, distance in ((20, 55, None), (-75, 42, 12), (160, 68, 18), (95, 85, 14)):
        wish = {"yaw": yaw, "pitch": pitch} | ({"distance": distance} if distance else {})
        game.expect(game.input({"type": "camera", **wish})["accepted"], "accepted of camera").is_true()
        game.wait(seconds(0.1))
        snap = game.snapshot()
        _camera_as_told(game, snap, yaw, pitch, distance)
        for crate in snap["crates"]:
            game.expect([float(crate["bounds"][k]) for k in ("x", "y", "width", "height")], f"{crate.path}.bounds").close_to(
                _crate_bounds(snap, crate), within=3)
        look = Look(game, snap)
        looked += look.holds()
        if pitch < 60:
            _solid(look)
    game.expect(looked, "entities looked at").at_least(14)


def _solid(look: Look) -> None:
    """A crate is a body: where its side faces the camera, the floor behind it is not to be seen."""
    (ex, _, ez) = point_of(look.snap["camera"]["position"])
    for crate in look.snap["crates"]:
        x, _, z = point_of(crate["position"])
        side = (x + math.copysign(0.4, ex - x), z) if abs(ex - x) > abs(ez - z) else (x, z + math.copysign(0.4, ez - z))
        for y in (0.3, 0.6):
            point = (side[0], y, side[1])
            if in_open_view(look.snap, project(look.snap, point)):
                look.lacks(point, FLOOR, f"the side of {crate.path}")


def _camera_as_told(game: Any, snap: Any, yaw: float, pitch: float, distance: float | None) -> None:
    camera, yard = snap["camera"], Yard(snap)
    told = [float(camera[k]) for k in ("yaw", "pitch", "fov")]
    game.expect(told, "camera's yaw, pitch and fov").close_to([yaw, pitch, 45], within=0.01)
    far = float(camera["distance"]) if distance is None else distance
    target = ((yard.cols - 1) / 2, 0.0, (yard.rows - 1) / 2)
    y, p = math.radians(yaw), math.radians(pitch)
    eye = (target[0] + far * math.sin(y) * math.cos(p), far * math.sin(p), target[2] + far * math.cos(y) * math.cos(p))
    game.expect([float(camera["target"][k]) for k in "xyz"], "camera.target").close_to(target, within=0.01)
    game.expect([float(camera["position"][k]) for k in "xyz"], "camera.position").close_to(eye, within=0.02)


def _crate_bounds(snap: Any, crate: Any) -> tuple[float, float, float, float]:
    x, z = float(crate["position"]["x"]), float(crate["position"]["z"])
    corners = [project(snap, (x + a, y, z + b)) for a in (-0.4, 0.4) for b in (-0.4, 0.4) for y in (0.0, 0.8)]
    left, top = min(c[0] for c in corners), min(c[1] for c in corners)
    return left, top, max(c[0] for c in corners) - left, max(c[1] for c in corners) - top


@check("p1-keys-follow-camera", priority="P1", scenario="fresh", title="arrows and letters drive relative to the camera",
       source="game-spec.md#controls")
def keys_follow_camera(game: Any) -> None:
    for k, yaw in enumerate((110, -75, -160, 20)):
        game.input({"type": "restart"})
        game.input({"type": "camera", "yaw": yaw, "pitch": 70})
        game.wait(seconds(0.1))
        before = game.snapshot()
        yard = Yard(before)
        direction = first(yard.free_ways()[k % 2 :] or yard.free_ways(), before, "free way for the robot")
        game.keyboard.press(key_for(direction, yaw, LETTERS) if k % 2 else key_for(direction, yaw))
        look = settled(game)
        after = look.snap
        game.expect(cell_of(after["robot"]["cell"]), f"robot.cell, camera at yaw {yaw}").equals(stepped(yard.robot, direction))
        game.expect(after["robot"]["facing"], "robot.facing").equals(direction)
        if in_full_view(after, _mid(after)):
            look.shows(_mid(after), ROBOT, "the robot")
        look.lacks(_mid(before), ROBOT, "the robot's old place")


def _mid(snap: Any) -> tuple[float, float, float]:
    col, row = cell_of(snap["robot"]["cell"])
    return col, 0.5, row


@check("p1-drag-orbits", priority="P1", scenario="half_done", title="dragging turns the camera and chooses nothing",
       source="game-spec.md#controls")
def drag_orbits(game: Any) -> None:
    game.wait(SETTLED)
    before = game.snapshot()
    start = project(before, point_of(before["crates"][0]["position"]))
    game.mouse.drag(start, (start[0] + 150, start[1] + 50), seconds(0.3))
    game.wait(seconds(0.2))
    after = game.snapshot()
    game.expect(after["camera"]["yaw"], "yaw after dragging 150 pixels right").close_to(float(before["camera"]["yaw"]) - 60, within=4)
    game.expect(after["camera"]["pitch"], "pitch after dragging 50 pixels down").close_to(float(before["camera"]["pitch"]) + 20, within=3)
    game.expect(state(after, ("scans",)), "state after a drag").equals(state(before, ("scans",)))
    game.expect(len(after["path"]), "cells still to walk").equals(0)
    game.expect(Look(game, after).holds(), "entities looked at").at_least(4)
    game.mouse.drag((640, 300), (640, 700), seconds(0.3))
    game.expect(game.snapshot()["camera"]["pitch"], "pitch at its upper limit").close_to(85, within=0.01)


@check("p1-wheel-zooms", priority="P1", scenario="fresh", title="the wheel moves the camera away and nearer, within its limits",
       source="game-spec.md#controls")
def wheel_zooms(game: Any) -> None:
    far = [float(game.snapshot()["camera"]["distance"])]
    game.mouse.move((640, 400))
    for turn in (100, 100, -300):
        game.mouse.wheel(0, turn)
        game.wait(seconds(0.2))
        far.append(float(game.snapshot()["camera"]["distance"]))
    game.expect(far[1] / far[0], "distance after one turn down, as a ratio").at_least(1.03).at_most(1.25)
    game.expect(far[2], "distance after another").greater_than(far[1] * 1.02)
    game.expect(far[3], "distance after turning up").less_than(far[0] * 0.99)
    game.expect(Look(game, game.snapshot()).holds(), "entities looked at").at_least(3)
    for _ in range(8):
        game.mouse.wheel(0, 400)
        game.wait(seconds(0.05))
    game.expect(game.snapshot()["camera"]["distance"], "distance at its limit").close_to(24, within=0.01)


def _targets(snap: Any, low: int, high: int) -> list[tuple[int, tuple[int, int]]]:
    """Cells that can be clicked and walked to: way's length and cell, the longest first."""
    yard, found = Yard(snap), []
    for cell, way in yard.ways().items():
        if not low <= len(way) <= high or cell in (*yard.lane, yard.charger):
            continue
        spots = [(cell[0] + dx, 0.0, cell[1] + dz) for dx in (-0.2, 0, 0.2) for dz in (-0.2, 0, 0.2)]
        if in_open_view(snap, project(snap, spots[4])) and not any(hidden(snap, spot) for spot in spots):
            found.append((len(way), cell))
    return sorted(found, reverse=True)


@check("p1-click-walks", priority="P1", scenario="fresh", title="a click on a cell walks there by a shortest way, at walking pace",
       source="game-spec.md#walking-and-selecting")
def click_walks(game: Any) -> None:
    game.input({"type": "camera", "yaw": -35, "pitch": 72})
    game.wait(seconds(0.1))
    before = game.snapshot()
    yard, options = Yard(before), _targets(before, 4, 9)
    game.expect(len(options), "cells to walk to").at_least(1)
    steps, goal = options[0]
    game.mouse.click(project(before, (goal[0], 0, goal[1])))
    begun = game.snapshot()
    game.expect(len(begun["path"]), "cells to walk").equals(steps)
    game.expect(cell_of(begun["path"][-1]), "goal of the walk").equals(goal)
    game.wait(seconds(0.5))
    game.expect(game.snapshot()["moves"], "moves after half a second").at_least(before["moves"] + 2).at_most(before["moves"] + 4)
    game.wait(seconds(steps / 6 + 0.4))
    there = game.snapshot()
    game.expect(cell_of(there["robot"]["cell"]), "robot.cell").equals(goal)
    game.expect(there["moves"], "moves").equals(before["moves"] + steps)
    least = drained(before, there, float(there["time"]) - float(before["time"]), steps)
    game.expect(there["battery"], "battery").at_least(least - 0.2).at_most(least + 4)  # the way may lead over the charger
    look = Look(game, there)
    look.shows((goal[0], 0.5, goal[1]), ROBOT, "the robot")
    look.lacks((yard.robot[0], 0.5, yard.robot[1]), ROBOT, "the robot's old place")
    game.input({"type": "restart"})
    game.input({"type": "walk", "cell": plain_cell(goal)})
    game.wait(seconds(steps / 6 + 0.6))
    game.expect(cell_of(game.snapshot()["robot"]["cell"]), "robot.cell after walking by interface").equals(goal)
    game.expect(game.snapshot()["moves"], "moves by interface").equals(there["moves"])


@check("p1-click-refuses", priority="P1", scenario="fresh", title="a click on a wall is refused; a cell that cannot be reached is too",
       source="game-spec.md#walking-and-selecting")
def click_refuses(game: Any) -> None:
    snap = look_down(game)
    yard = Yard(snap)
    walls = [wall for wall in sorted(yard.walls) if in_open_view(snap, project(snap, (wall[0], 0.6, wall[1])))
             and not hidden(snap, (wall[0], 0.6, wall[1]))]
    game.expect(len(walls), "walls in view").at_least(1)
    game.mouse.click(project(snap, (walls[0][0], 0.5, walls[0][1])))
    after = game.snapshot()
    game.expect(state(after), "state after clicking a wall").equals(state(snap))
    game.expect(len(after["path"]), "cells to walk").equals(0)
    game.expect(len(after["message"]), "length of the message").greater_than(0)
    for cell in (walls[0], cell_of(snap["crates"][0]["cell"]), yard.robot):
        game.expect(game.input({"type": "walk", "cell": plain_cell(cell)})["accepted"], f"accepted of walking to {cell}").is_false()
    game.wait(seconds(0.5))
    game.expect(game.snapshot()["moves"], "moves").equals(snap["moves"])


@check("p1-click-selects", priority="P1", scenario="fresh", title="a click on a crate, top or side, marks it or unmarks it",
       source="game-spec.md#walking-and-selecting")
def click_selects(game: Any) -> None:
    game.input({"type": "camera", "yaw": 65, "pitch": 50})
    game.wait(seconds(0.1))
    snap = game.snapshot()
    yard = Yard(snap)
    seen = [c for c in snap["crates"] if in_full_view(snap, _top(c))]
    game.expect(len(seen), "crates in view").at_least(1)
    crate = max(seen, key=lambda c: (_low_on_its_side(snap, c) is not None, _from_lane(yard, cell_of(c["cell"]))))
    bounds = tuple(float(crate["bounds"][k]) + grow for k, grow in (("x", -10), ("y", -10), ("width", 20), ("height", 20)))
    calm = game.idle_control(bounds)
    at = project(snap, _top(crate))
    game.mouse.click(at)
    chosen = game.snapshot()
    game.expect(chosen["selected"], "selected").equals(str(crate["id"]))
    game.expect(state(chosen, ("selected", "scans")), "state but the selection").equals(state(snap, ("selected", "scans")))
    game.wait(seconds(0.2))
    game.expect_pixels(bounds).differs_more_than(calm)
    Look(game, game.snapshot()).shows(_top(crate), CRATE[str(crate["colour"])], "the selected crate")
    game.mouse.click(_low_on_its_side(snap, crate) or at)
    game.expect(game.snapshot()["selected"].value, "selected after a second click, low on its side if that is open to view").equals(None)
    game.expect(game.input({"type": "select", "id": str(crate["id"])})["accepted"], "accepted of select").is_true()
    game.expect(game.snapshot()["selected"], "selected by interface").equals(str(crate["id"]))
    game.keyboard.press("Escape")
    game.expect(game.snapshot()["selected"].value, "selected after Escape").equals(None)
    game.expect(cell_of(find(game.snapshot(), str(crate["id"]))["cell"]), "cell of the crate").equals(cell_of(crate["cell"]))


def _from_lane(yard: Yard, cell: tuple[int, int]) -> int:
    return min(abs(cell[0] - x) + abs(cell[1] - z) for x, z in yard.lane)


def _low_on_its_side(snap: Any, crate: Any) -> tuple[float, float] | None:
    """A screen point of the crate's body that lies nearer to the middle of a floor cell than to that of its top."""
    (ex, _, ez), (col, row) = point_of(snap["camera"]["position"]), cell_of(crate["cell"])
    dx, dz = (math.copysign(1, ex - col), 0.0) if abs(ex - col) > abs(ez - row) else (0.0, math.copysign(1, ez - row))
    near = [(col + 0.46 * dx, y, row + 0.46 * dz) for y in (0.1, 0.2, 0.3)]
    return None if any(hidden(snap, point) for point in near) else project(snap, (col + 0.4 * dx, 0.2, row + 0.4 * dz))


def _top(crate: Any) -> tuple[float, float, float]:
    col, row = cell_of(crate["cell"])
    return col, 0.8, row


@check("p1-walk-stops", priority="P1", scenario="fresh", title="a walk ends at Escape and gives way to a move",
       source="game-spec.md#walking-and-selecting")
def walk_stops(game: Any) -> None:
    yard = Yard(game.snapshot())
    goal, way = max(yard.ways().items(), key=lambda one: len(one[1]))
    for stop in ("Escape", "move"):
        game.input({"type": "restart"})
        game.expect(game.input({"type": "walk", "cell": plain_cell(goal)})["accepted"], "accepted of walk").is_true()
        game.wait(seconds(0.4))
        under_way = game.snapshot()
        game.expect(len(under_way["path"]), "cells left under way").greater_than(0).less_than(len(way))
        if stop == "Escape":
            game.keyboard.press("Escape")
        else:
            free = Yard(under_way).way_out()
            game.keyboard.press(key_for(free, float(under_way["camera"]["yaw"])))
        stopped = game.snapshot()
        game.expect(len(stopped["path"]), f"cells left after {stop}").equals(0)
        game.wait(seconds(0.6))
        game.expect(cell_of(game.snapshot()["robot"]["cell"]), f"robot.cell after {stop}").equals(cell_of(stopped["robot"]["cell"]))


@check("p2-touch", priority="P2", scenario="fresh", touch=True, title="a tap walks and selects, one finger turns the camera",
       source="game-spec.md#controls")
def touch(game: Any) -> None:
    snap = look_down(game)
    steps, goal = first(_targets(snap, 2, 9), snap, "cell to walk to")
    game.touch.tap(project(snap, (goal[0], 0, goal[1])))
    game.wait(seconds(steps / 6 + 0.6))
    there = game.snapshot()
    game.expect(cell_of(there["robot"]["cell"]), "robot.cell after a tap").equals(goal)
    game.expect(there["moves"], "moves").equals(snap["moves"] + steps)
    open_to_view = [c for c in there["crates"] if in_full_view(there, _top(c))]
    crate = first(open_to_view, there, "crate in view")
    game.touch.tap(project(there, _top(crate)))
    game.expect(game.snapshot()["selected"], "selected after a tap").equals(str(crate["id"]))
    game.touch.drag((500, 300), (400, 300), seconds(0.3))
    turned = game.snapshot()
    game.expect(turned["camera"]["yaw"], "yaw after dragging 100 pixels left").close_to(float(there["camera"]["yaw"]) + 40, within=5)
    game.expect(turned["selected"], "selected after a drag").equals(str(crate["id"]))
