"""P1: moving, pushing, refusing, delivering, undoing and restarting, by key and by interface alike."""

from typing import Any

from _crate_view import CRATE, key_for, settled
from _crate_yard import NAMES, SETTLED, Yard, cell_of, drained, expect_legal, find, first, layout, opposite, plain_cell, state, stepped

from playproof.checks import check, seconds

LOUD = ("scans",)


def _yaw(snap: Any) -> float:
    return float(snap["camera"]["yaw"])


def _crate_top(cell: tuple[int, int]) -> tuple[float, float, float]:
    return cell[0], 0.8, cell[1]


@check("p1-push", priority="P1", scenario="beside_crate", title="a key and the interface push a crate alike; the picture follows",
       source="game-spec.md#moving-and-pushing")
def push(game: Any) -> None:
    before = game.snapshot()
    yard = Yard(before)
    direction, crate, beyond = yard.plain_push()
    game.keyboard.press(key_for(direction, _yaw(before)))
    pushed = game.snapshot()
    game.expect(cell_of(find(pushed, crate)["cell"]), "cell of the pushed crate").equals(beyond)
    game.expect(cell_of(pushed["robot"]["cell"]), "robot.cell").equals(stepped(yard.robot, direction))
    game.expect(pushed["pushes"], "pushes").equals(before["pushes"] + 1)
    game.expect(pushed["battery"], "battery after a push").close_to(drained(before, pushed, 0, 2), within=0.15)
    expect_legal(game, pushed)
    look = settled(game)
    after = look.snap
    game.expect(find(after, crate)["position"]["x"], "x of the crate").close_to(beyond[0], within=0.01)
    game.expect(find(after, crate)["position"]["z"], "z of the crate").close_to(beyond[1], within=0.01)
    look.holds()
    look.lacks(_crate_top(stepped(yard.robot, direction)), CRATE[yard.colours[crate]], "the crate's old place")
    game.input({"type": "restart"})
    game.expect(state(game.snapshot()), "state after restart").equals(state(before))
    game.expect(game.input({"type": "move", "dir": direction})["accepted"], "accepted").is_true()
    game.expect(state(game.snapshot(), LOUD), "state after input, against the key's").equals(state(pushed, LOUD))


@check("p1-costs", priority="P1", scenario="half_done", title="a move costs 1, also when natural time has passed before it",
       source="game-spec.md#battery")
def costs(game: Any) -> None:
    game.wait(seconds(1))
    begun = game.snapshot()
    for _ in range(4):
        before = game.snapshot()
        yard = Yard(before)
        direction = yard.way_out()
        game.expect(game.input({"type": "move", "dir": direction})["accepted"], "accepted").is_true()
        after = game.snapshot()
        game.expect(cell_of(after["robot"]["cell"]), "robot.cell").equals(stepped(yard.robot, direction))
        game.expect(after["battery"], "battery after a move").close_to(drained(before, after, 0, 1), within=0.1)
        game.expect(after["undoDepth"], "undoDepth").equals(before["undoDepth"] + 1)
    refused = game.snapshot()
    for action in ({"type": "move", "dir": "up"}, {"type": "fly"}, {"type": "select", "id": "no such crate"},
                   {"type": "camera", "yaw": "x"}, {"type": "walk", "cell": {"col": -1, "row": 0}},
                   {"type": "walk", "cell": plain_cell(Yard(refused).robot)}):
        game.expect(game.input(action)["accepted"], f"accepted of {action}").is_false()
    game.expect_unchanged(refused, game.snapshot(), except_=("message",))
    look = settled(game)
    look.holds()
    game.expect(look.snap["moves"], "moves, a moment later").equals(begun["moves"] + 4)


@check("p1-blocked", priority="P1", scenario="crate_blocked", title="a crate with no room behind it does not move and costs nothing",
       source="game-spec.md#moving-and-pushing")
def blocked(game: Any) -> None:
    before = game.snapshot()
    yard = Yard(before)
    jammed = [one for one in yard.neighbours() if not yard.free(one[2])]
    direction = first(jammed, before, "blocked crate next to the robot")[0]
    answer = game.input({"type": "move", "dir": direction})
    game.expect(answer["accepted"], "accepted").is_false()
    game.expect(len(answer["reason"]), "length of the reason").greater_than(0)
    after = game.snapshot()
    game.expect_unchanged(before, after, except_=("message",))
    game.expect(len(after["message"]), "length of the message").greater_than(0)
    game.keyboard.press(key_for(direction, _yaw(before)))
    look = settled(game)
    later = look.snap
    game.expect(state(later, LOUD), "state after the key").equals(state(before, LOUD))
    passed = float(later["time"]) - float(before["time"])
    game.expect(later["battery"], "battery after the key").close_to(drained(before, later, passed), within=0.1)
    look.holds()


@check("p1-edge-and-walls", priority="P1", scenario="fresh", title="the robot leaves neither the grid nor enters a wall",
       source="game-spec.md#moving-and-pushing")
def edge_and_walls(game: Any) -> None:
    for solid in ("wall", "edge"):
        game.input({"type": "restart"})
        yard = Yard(game.snapshot())
        goal, direction = _against(yard, solid)
        for leg in yard.ways()[goal]:
            game.input({"type": "move", "dir": leg})
        before = game.snapshot()
        game.expect(cell_of(before["robot"]["cell"]), f"robot.cell beside a {solid}").equals(goal)
        game.expect(game.input({"type": "move", "dir": direction})["accepted"], f"accepted into a {solid}").is_false()
        game.keyboard.press(key_for(direction, _yaw(before)))
        game.expect(state(game.snapshot(), LOUD), f"state after moving into a {solid}").equals(state(before, LOUD))


def _against(yard: Yard, solid: str) -> tuple[tuple[int, int], str]:
    """The nearest cell in walking distance from which a direction leads into a wall or over the edge."""
    options = [
        (len(way), cell, direction)
        for cell, way in yard.ways().items() for direction in ("north", "east", "south", "west")
        if not yard.open(stepped(cell, direction)) and yard.inside(stepped(cell, direction)) == (solid == "wall")
    ]
    _, cell, direction = first(sorted(options), yard.snap, f"{solid} within reach")
    return cell, direction


@check("p1-wrong-pad", priority="P1", scenario="wrong_pad", title="a pad of another colour delivers nothing",
       source="game-spec.md#moving-and-pushing")
def wrong_pad(game: Any) -> None:
    before = game.snapshot()
    yard = Yard(before)
    wrong = [one for one in yard.pushable() if one[2] in yard.pads.values() and one[2] != yard.pad_of(one[1])]
    direction, crate, beyond = first(wrong, before, "crate before a pad of another colour")
    game.keyboard.press(key_for(direction, _yaw(before)))
    look = settled(game)
    after = look.snap
    game.expect(cell_of(find(after, crate)["cell"]), "cell of the crate").equals(beyond)
    game.expect(find(after, crate)["delivered"], "delivered of the crate").is_false()
    game.expect(after["delivered"], "delivered").equals(before["delivered"])
    game.expect(after["score"], "score").equals(before["score"])
    game.expect(after["phase"], "phase").equals("playing")
    look.holds()


@check("p1-off-pad", priority="P1", title="a delivered crate can be pushed off its pad, which takes its points, and undo brings them back",
       source="game-spec.md#moving-and-pushing")
def off_pad(game: Any) -> None:
    for _ in range(6):
        game.load("half_done")
        before = game.snapshot()
        plan = _way_off(Yard(before))
        if plan:
            break
    game.expect(len(plan), "moves that push a delivered crate off, in one of six yards").at_least(1)
    for direction in plan:
        game.expect(game.input({"type": "move", "dir": direction})["accepted"], "accepted").is_true()
    after = game.snapshot()
    game.expect(after["delivered"], "delivered").equals(before["delivered"] - 1)
    game.expect(after["score"], "score").equals(before["score"] - 100)
    expect_legal(game, after)
    game.keyboard.press("z")
    game.expect(game.snapshot()["delivered"], "delivered after undo").equals(before["delivered"])
    settled(game).holds()


def _way_off(yard: Yard) -> list[str]:
    """The shortest way to push a delivered crate off its pad, without changing another."""
    ways = yard.ways()
    found = [
        [*ways[stand], direction]
        for crate, at in yard.crates.items() for direction in NAMES
        if at == yard.pad_of(crate) and (stand := stepped(at, opposite(direction))) in ways and yard.free(stepped(at, direction))
    ]
    return min(found, key=len, default=[])


@check("p1-clears", priority="P1", scenario="last_push", title="the last delivery wins, scores, and stops time until restart",
       source="game-spec.md#scoring-and-the-end")
def clears(game: Any) -> None:
    before = game.snapshot()
    yard = Yard(before)
    centre = (440, 300, 400, 200)
    game.wait(SETTLED)
    calm = game.idle_control(centre)
    game.input({"type": "restart"})
    ready = [one for one in yard.pushable() if one[2] == yard.pad_of(one[1])]
    game.keyboard.press(key_for(first(ready, before, "crate before its pad")[0], _yaw(before)))
    won = game.snapshot()
    game.expect(won["phase"], "phase").equals("won")
    game.expect(won["delivered"], "delivered").equals(len(yard.crates))
    game.expect(won["battery"], "battery").close_to(drained(before, won, 0, 2), within=0.15)
    expect_legal(game, won)
    game.wait(seconds(1.5))
    game.expect_pixels(centre).differs_more_than(calm)
    game.expect(str(won["score"]) in str(game.text()), "the score in the page's text").is_true()
    _ended(game, won)
    game.keyboard.press("r")
    again = game.snapshot()
    game.expect(state(again), "state after restart").equals(state(before))
    game.wait(seconds(1))
    game.expect(game.snapshot()["battery"], "battery, running again").less_than(again["battery"] - 0.3)


def _ended(game: Any, end: Any) -> None:
    """Time stands and moves are refused."""
    game.wait(seconds(1))
    for action in (*({"type": "move", "dir": d} for d in ("north", "east", "south", "west")), {"type": "undo"},
                   {"type": "select", "id": str(end["crates"][0]["id"])}):
        game.expect(game.input(action)["accepted"], f"accepted of {action} after the end").is_false()
    later = game.snapshot()
    game.expect(state(later), "state after the end").equals(state(end))
    game.expect(later["battery"], "battery after the end").close_to(end["battery"], within=1e-6)
    game.expect(later["time"], "time after the end").close_to(end["time"], within=1e-6)
    game.expect(_place(later["drone"]), "drone after the end").close_to(_place(end["drone"]), within=0.01)


def _place(entity: Any) -> list[float]:
    return [float(entity["position"][k]) for k in "xz"]


@check("p1-undo", priority="P1", scenario="beside_crate", title="undo takes back moves one by one, but not the battery",
       source="game-spec.md#undo-and-restart")
def undo(game: Any) -> None:
    first = game.snapshot()
    yard = Yard(first)
    direction, crate, beyond = yard.plain_push()
    past = [state(first, LOUD)]
    game.input({"type": "move", "dir": direction})
    for _ in range(3):
        now = game.snapshot()
        past.append(state(now, LOUD))
        game.input({"type": "move", "dir": Yard(now).way_out()})
    game.wait(SETTLED)
    for k, wanted in enumerate(reversed(past)):
        before = game.snapshot()
        if k % 2:
            game.expect(game.input({"type": "undo"})["accepted"], "accepted of undo").is_true()
        else:
            game.keyboard.press("z")
        after = game.snapshot()
        game.expect(state(after, LOUD), f"state after undo {k + 1}").equals(wanted)
        game.expect(after["battery"], "battery after undo").close_to(drained(before, after, 0), within=0.1)
    look = settled(game)
    last = look.snap
    look.holds()
    look.lacks(_crate_top(beyond), CRATE[yard.colours[crate]], "where the crate had been pushed")
    game.expect(game.input({"type": "undo"})["accepted"], "accepted of undo with nothing left").is_false()
    game.expect_unchanged(last, game.snapshot(), except_=("message",))


@check("p1-restart", priority="P1", scenario="half_done", title="restart puts the same yard back as it began and keeps the camera",
       source="game-spec.md#undo-and-restart")
def restart(game: Any) -> None:
    begun = game.snapshot()
    game.input({"type": "camera", "yaw": 75, "pitch": 60})
    for way in ("key", "input"):
        for _ in range(5):
            game.input({"type": "move", "dir": Yard(game.snapshot()).way_out()})
            game.wait(seconds(0.2))
        game.wait(seconds(1))
        game.expect(game.snapshot()["moves"], "moves before restart").equals(begun["moves"] + 5)
        if way == "key":
            game.keyboard.press("r")
        else:
            game.input({"type": "restart"})
        again = game.snapshot()
        game.expect(state(again), f"state after restart by {way}").equals(state(begun))
        game.expect(layout(again), f"yard after restart by {way}").equals(layout(begun))
        game.expect(again["battery"], "battery").close_to(begun["battery"], within=0.1)
        game.expect(again["time"], "time").close_to(begun["time"], within=0.1)
        game.expect(_place(again["drone"]), "drone").close_to(_place(begun["drone"]), within=0.2)
        game.expect(again["camera"]["yaw"], "camera.yaw").close_to(75, within=0.01)
    settled(game).holds()
