"""P1: what happens while nobody acts: battery, charger and drone, after a scenario as well as after a reset."""

import math
from typing import Any

from _crate_view import DRONE, Look, in_open_view, key_for, project
from _crate_yard import ARROWS, NAMES, Yard, cell_of, drained, first, plain_cell, state, stepped

from playproof.checks import check, frames, seconds


@check("p1-drain", priority="P1", scenario="half_done", title="time drains the battery by half a point each second, also after a scenario",
       source="game-spec.md#battery")
def drain(game: Any) -> None:
    for begin in (lambda: None, game.reset):
        begin()
        yard = Yard(game.snapshot())
        if yard.robot == yard.charger:
            game.input({"type": "move", "dir": yard.way_out()})
        before = game.snapshot()
        game.wait(seconds(3))
        after = game.snapshot()
        game.expect(after["time"], "time").close_to(before["time"] + 3, within=0.15)
        game.expect(after["battery"], "battery").close_to(drained(before, after, 3), within=0.15)
        game.expect(state(after, ("scans",)), "state after waiting").equals(state(before, ("scans",)))


@check("p1-runs-empty", priority="P1", scenario="low_battery", title="an empty battery ends the shift, and restart begins it again",
       source="game-spec.md#scoring-and-the-end")
def runs_empty(game: Any) -> None:
    begun = game.snapshot()
    game.wait(seconds(2.5))
    game.expect(game.snapshot()["phase"], "phase after 2.5 s").equals("playing")
    end = game.wait_until(lambda snap: snap["phase"] != "playing", within=seconds(3), every=frames(6), what="the shift to end")
    game.expect(end["phase"], "phase").equals("lost")
    game.expect(end["battery"], "battery").close_to(0, within=1e-6)
    game.expect(end["time"], "time").close_to(float(begun["time"]) + 2 * float(begun["battery"]), within=0.3)
    free = Yard(end).way_out()
    goal = plain_cell(stepped(Yard(end).robot, free))
    for action in ({"type": "move", "dir": free}, {"type": "undo"}, {"type": "walk", "cell": goal},
                   {"type": "select", "id": str(end["crates"][0]["id"])}):
        game.expect(game.input(action)["accepted"], f"accepted of {action} after the end").is_false()
    game.wait(seconds(1))
    later = game.snapshot()
    game.expect(state(later), "state after the end").equals(state(end))
    game.expect(later["time"], "time after the end").close_to(end["time"], within=1e-6)
    game.keyboard.press("r")
    game.expect(game.snapshot()["battery"], "battery after restart").close_to(begun["battery"], within=0.1)
    game.expect(game.input({"type": "move", "dir": free})["accepted"], "accepted after restart").is_true()


@check("p1-charger", priority="P1", scenario="near_charger", title="the charger fills the battery while the robot stands on it",
       source="game-spec.md#battery")
def charger(game: Any) -> None:
    before = game.snapshot()
    yard = Yard(before)
    direction = first([d for d in yard.free_ways() if stepped(yard.robot, d) == yard.charger], before, "charger next to the robot")
    game.keyboard.press(key_for(direction, float(before["camera"]["yaw"])))
    game.wait(seconds(2))
    full = game.snapshot()
    game.expect(cell_of(full["robot"]["cell"]), "robot.cell").equals(yard.charger)
    game.expect(full["battery"], "battery after two seconds of charging").close_to(float(before["battery"]) - 1 + 20, within=0.8)
    game.wait(seconds(5))
    full = game.snapshot()
    game.expect(full["battery"], "battery after five seconds more").close_to(100, within=1e-6)
    game.keyboard.press(key_for(Yard(full).way_out(), float(before["camera"]["yaw"])))
    left = game.snapshot()
    game.wait(seconds(1))
    after = game.snapshot()
    game.expect(left["battery"], "battery on leaving").close_to(99, within=0.2)
    game.expect(after["battery"], "battery off the charger").close_to(drained(left, after, 1), within=0.15)


@check("p1-drone-flies", priority="P1", scenario="half_done", title="the drone flies its lane to and fro at its speed, and is drawn there",
       source="game-spec.md#drone")
def drone_flies(game: Any) -> None:
    first = game.snapshot()
    lane = Yard(first).lane
    game.expect(first["drone"]["heading"], "drone.heading").one_of(NAMES)
    start, heading = _along(lane, first), 1 if stepped(lane[0], str(first["drone"]["heading"])) == lane[1] else -1
    looked, last = 0, None
    for k in range(1, 15):
        game.wait(seconds(0.5))
        snap = game.snapshot()
        wanted = _bounce(start + heading * 1.5 * 0.5 * k, len(lane) - 1)
        game.expect(_along(lane, snap), f"drone along its lane after {0.5 * k:g} s").close_to(wanted, within=0.12)
        if abs(wanted % 1 - 0.5) > 0.15:
            game.expect(cell_of(snap["drone"]["cell"]), "drone.cell").equals(lane[round(wanted)])
        at = (float(snap["drone"]["position"]["x"]), 1.3, float(snap["drone"]["position"]["z"]))
        if k % 3 == 0 and in_open_view(snap, project(snap, at)):
            look = Look(game, snap)
            look.shows(at, DRONE, "the drone")
            if last is not None and math.dist(at, last) > 0.8:
                look.lacks(last, DRONE, "the drone's old place")
            looked, last = looked + 1, at
    game.expect(looked, "times that the drone was looked at").at_least(2)


def _along(lane: list[tuple[int, int]], snap: Any) -> float:
    """Cells from the lane's first; a drone off its lane is the submission's fault."""
    x, z = float(snap["drone"]["position"]["x"]), float(snap["drone"]["position"]["z"])
    (ax, az), (bx, bz) = lane[0], lane[-1]
    length = max(1, abs(bx - ax) + abs(bz - az))
    aside = abs((x - ax) * (bz - az) - (z - az) * (bx - ax)) / length
    if aside > 0.05:
        raise snap["drone"]["position"].fault(f"{aside:.2f} cells beside the lane")
    return ((x - ax) * (bx - ax) + (z - az) * (bz - az)) / length


def _bounce(s: float, length: int) -> float:
    s %= 2 * length
    return 2 * length - s if s > length else s


@check("p1-drone-scans", priority="P1", scenario="drone_lane", title="the drone scans a robot below it once for each pass",
       source="game-spec.md#drone")
def drone_scans(game: Any) -> None:
    before = game.snapshot()
    game.wait(seconds(0.2))
    game.expect(game.snapshot()["scans"], "scans before the drone arrives").equals(before["scans"])
    scanned = game.wait_until(lambda snap: snap["scans"] > before["scans"], within=seconds(5), every=frames(3), what="a scan")
    game.expect(cell_of(scanned["drone"]["cell"]), "drone.cell at the scan").equals(cell_of(before["robot"]["cell"]))
    game.expect(scanned["scans"], "scans").equals(before["scans"] + 1)
    passed = float(scanned["time"]) - float(before["time"])
    game.expect(scanned["battery"], "battery").close_to(drained(before, scanned, passed), within=0.15)
    game.wait(seconds(0.3))
    game.expect(game.snapshot()["scans"], "scans while the drone is still there").equals(before["scans"] + 1)
    game.input({"type": "restart"})
    yard = Yard(game.snapshot())
    aside = [d for d in yard.free_ways() if stepped(yard.robot, d) not in yard.lane]
    if aside:
        game.input({"type": "move", "dir": aside[0]})
        game.wait(seconds(4))
        game.expect(game.snapshot()["scans"], "scans beside the lane").equals(before["scans"])


@check("p2-hold", priority="P2", scenario="fresh", title="a held key repeats", source="game-spec.md#controls")
def hold(game: Any) -> None:
    yard = Yard(game.snapshot())
    runs = [(len(way), cell, d) for cell, way in yard.ways().items() for d in ("north", "east", "south", "west")
            if all(yard.free(stepped(cell, d, k)) for k in range(1, 6))]
    game.expect(len(runs), "straight free ways of five cells").at_least(1)
    _, cell, direction = min(runs)
    for leg in yard.ways()[cell]:
        game.input({"type": "move", "dir": leg})
    before = game.snapshot()
    game.keyboard.hold(key_for(direction, float(before["camera"]["yaw"]), ARROWS), seconds(0.8))
    after = game.snapshot()
    game.expect(after["moves"], "moves after holding for 0.8 s").at_least(before["moves"] + 3).at_most(before["moves"] + 5)
    game.wait(seconds(0.5))
    game.expect(game.snapshot()["moves"], "moves after letting go").equals(after["moves"])
