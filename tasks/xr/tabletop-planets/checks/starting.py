"""The board on its table, whenever the headset finds one."""

from _planets import (
    HANDS,
    ORDER,
    ROOMS,
    TRAY,
    board_of,
    come_close,
    expect_nothing_floats,
    expect_on_table,
    flat,
    frame_of,
    homes,
    nearest_table,
    on_board,
    take,
)  # fmt: skip

from playproof.checks import check, frames, seconds
from playproof_xr.assertions import always, facing, last, on_surface, position, readable
from playproof_xr.geometry import Vector


@check("p0-board-on-the-table", priority="P0", title="a session begins, and the board lies on the table with four planets on its tray",
       source="experience.md#step-by-step", rooms=["living-room", "office", "workshop", "bare-hall"])
def board_on_the_table(xr):
    eyes = xr.head.pose.position
    board = board_of(xr)
    xr.wait(seconds(0.2))
    table = nearest_table(xr, eyes)
    expect_on_table(xr, board, table)
    for name in ORDER:
        planet = xr.find(name=name)
        xr.expect(planet.visible, f"{name}, visible").is_true()
        xr.expect(on_surface(planet, board, tolerance=0.008))
    xr.expect(len(xr.scene().select(name="hint", visible=True)), "visible hints").equals(0)
    xr.expect_no_exceptions()
    xr.expect_no_missing_files()


@check("p1-board-faces-the-person", priority="P1", title="the board is near and turned to the person, and things have their places on it",
       source="experience.md#what-has-to-be-there", rooms=[*ROOMS, "workshop", "long-corridor"])
def board_faces_the_person(xr):
    eyes = xr.head.pose.position
    board = board_of(xr)
    expect_on_table(xr, board, nearest_table(xr, eyes))
    xr.wait(seconds(0.2))
    near = frame_of(board).orientation.rotate(Vector(0.0, 0.0, 1.0))
    away = Vector(eyes.x - board.centre.x, 0.0, eyes.z - board.centre.z)
    xr.expect(flat(near).angle(away) * 57.2958, "degrees between the near side and the person").at_most(62)
    place = homes(xr, board)
    row = sorted(ORDER, key=lambda name: place[name].x)
    xr.expect(row, "planets from left to right").equals(list(TRAY))
    sun = on_board(board, xr.find(name="sun"))
    slots = [on_board(board, xr.find(name=f"slot-{number}")) for number in range(1, 5)]
    ways = [flat_distance(slot, sun) for slot in slots]
    xr.expect(ways == sorted(ways), f"slots ever further from the sun ({', '.join(f'{one:.3f}' for one in ways)})").is_true()
    places = [sun, *slots, *place.values()]
    nearest = min(flat_distance(a, b) for index, a in enumerate(places) for b in places[:index])
    xr.expect(nearest, "least distance between two places").at_least(0.085)
    for one in place.values():
        xr.expect(one.z, "how near a planet on the tray is").greater_than(0.0)


def flat_distance(a, b):
    return Vector(a.x - b.x, 0.0, a.z - b.z).length


@check("p1-late-table", priority="P1", title="a table that is found seconds after the start is taken then, and nothing floats before",
       source="experience.md#setting", rooms=ROOMS, hands=HANDS, surfaces_after=4.0)
def late_table(xr):
    hand = xr.dominant_hand
    for _ in range(3):
        expect_nothing_floats(xr)
        hand.select()
        xr.wait(seconds(0.4))
    expect_nothing_floats(xr)
    hint = xr.find(name="hint")
    xr.expect(hint.visible, "the hint, visible").is_true()
    xr.wait_until(lambda: xr.scene().value["planes"], within=seconds(4), what="a found room")
    eyes = xr.head.pose.position
    board = board_of(xr)
    xr.wait(frames(2))
    expect_on_table(xr, board, nearest_table(xr, eyes))
    xr.expect(len(xr.scene().select(name="hint", visible=True)), "visible hints").equals(0)
    come_close(xr, board)
    planet = take(xr, hand, "venus")
    hand.move_by((0.0, 0.15, 0.0))
    xr.expect(planet.centre.distance(hand.pinch_point), "from the planet to the pinch point").at_most(0.02)
    xr.expect_no_exceptions()


@check("p1-no-table", priority="P1", title="where there is no table the hint stays readable before the eyes",
       source="experience.md#step-by-step", rooms=["checks/rooms/no-table.toml"], hands=HANDS)
def no_table(xr):
    hint = xr.find(name="hint")
    for turn in (0, 70, 80):
        xr.head.turn(turn)
        xr.wait(seconds(1.2))
        xr.expect(readable(hint, lines=6))
        xr.expect(facing(hint, within=25))
        away = hint.centre.distance(xr.head.pose.position)
        xr.expect(away, "metres to the hint").at_least(0.45)
        xr.expect(away, "metres to the hint").at_most(1.6)
        expect_nothing_floats(xr)
    xr.expect("table" in str(hint["text"]).lower(), f"the word 'table' in {str(hint['text'])!r}").is_true()
    xr.dominant_hand.select()
    xr.dominant_hand.pose("fist")
    xr.dominant_hand.show_palm(xr.head.pose.position)
    xr.wait(seconds(0.5))
    expect_nothing_floats(xr)
    xr.expect_no_exceptions()


@check("p1-board-stays", priority="P1", title="the board stays where it is on the table, wherever the person goes",
       source="experience.md#step-by-step", rooms=ROOMS, hands=HANDS)
def board_stays(xr):
    board = board_of(xr)
    xr.wait(seconds(0.2))
    here = list(board.position.value)
    xr.head.walk_to("door")
    xr.dominant_hand.select()
    xr.head.turn(120)
    begun = xr.clock.now
    xr.head.walk_to("table")
    for axis, value in zip("xyz", here, strict=True):
        xr.expect(always(abs(getattr(position(board), axis) - value) < 0.005), over=last(xr.clock.now - begun))
    xr.expect(len(xr.scene().select(name="hint", visible=True)), "visible hints").equals(0)
