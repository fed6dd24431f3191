"""Console and board in their places, whenever and whatever the headset finds."""

from _reach import (
    CONTROLS,
    DOWN,
    NO_TABLE,
    QUIET,
    ROOMS,
    ahead,
    ask_to_come,
    console,
    expect_before_the_person,
    expect_board,
    expect_legible_controls,
    expect_state,
    nearest_point,
    nearest_table,
    planes,
    touch,
)  # fmt: skip

from playproof.checks import check, frames, seconds
from playproof_xr.assertions import on_surface, readable
from playproof_xr.geometry import Matrix, Polygon, Vector


def expect_on_table(xr, eyes):
    """The console on the table that is nearest to those eyes, at its near edge."""
    slab, table = console(xr), nearest_table(xr, eyes)
    xr.expect(on_surface(slab, table["id"], tolerance=0.012))
    inner = Matrix.of(table["matrix"]).pose.inverse.at(slab.centre)
    spot, _ = nearest_point(table, eyes)
    xr.expect(spot.distance(Vector(inner.x, 0.0, inner.z)), "metres from the table's nearest point").at_most(0.26)


def expect_on_wall(xr, eyes, way):
    """The board on the wall that a level line from those eyes meets first."""
    hits = []
    for plane in planes(xr, "wall"):
        frame = Matrix.of(plane["matrix"]).pose
        out = frame.orientation.rotate(Vector(0.0, 1.0, 0.0))
        if abs(way.dot(out)) > 0.05 and (away := (frame.position - eyes).dot(out) / way.dot(out)) > 0.0:
            inner = frame.inverse.at(eyes + way * away)
            if Polygon(tuple((x, z) for x, z in plane["polygon"])).contains((inner.x, inner.z)):
                hits.append((away, out if out.dot(way) < 0.0 else -out))
    away, out = min(hits, key=lambda hit: hit[0])
    board = xr.find(name="board")
    xr.expect(board.visible, "the board, visible").is_true()
    gone = board.centre - (eyes + way * away)
    xr.expect(gone.dot(out), "metres before the wall").close_to(0.0, 0.032)
    xr.expect(abs(gone.dot(out.cross(DOWN))), "metres along the wall").at_most(0.105)
    xr.expect(board.centre.y, "height of the board").close_to(1.5, 0.3)
    xr.expect((-board.forward).angle(out) * 57.2958, "degrees from the wall's own direction").at_most(5.5)


@check("p0-in-their-places", priority="P0", title="the console stands on the table, the board hangs on the wall, and both can be read",
       source="experience.md#where-things-are", rooms=ROOMS, modifiers=["none", "seated"], page=QUIET)
def in_their_places(xr):
    eyes, way = xr.head.pose.position, ahead(xr)
    console(xr)
    xr.wait(seconds(0.2))
    expect_on_table(xr, eyes)
    expect_on_wall(xr, eyes, way)
    expect_state(xr, "the start")
    expect_board(xr)
    xr.head.look_at(xr.find(name="board"))
    xr.expect(readable(xr.find(name="board"), lines=4))
    expect_legible_controls(xr)
    for index, name in enumerate(CONTROLS):
        control = xr.find(name=name)
        for other in CONTROLS[:index]:
            xr.expect(control.centre.distance(xr.find(name=other).centre), f"metres from {name} to {other}").at_least(0.084)
    here = list(xr.find(name="console").position.value)
    xr.head.walk_to("door")
    xr.expect(xr.find(name="console").position, "the console, when the person has gone").close_to(here, 0.005)
    xr.expect(len(xr.scene().select(name="caption", visible=True)), "visible captions").equals(0)
    xr.expect_no_exceptions()
    xr.expect_no_missing_files()


@check("p1-late-room", priority="P1", title="until planes are found the console is within reach, and then it stands on the table",
       source="experience.md#where-things-are", rooms=ROOMS, surfaces_after=4.0, page=QUIET)
def late_room(xr):
    hand, heading, eyes = xr.dominant_hand, xr.head.pose.orientation.heading, xr.head.pose.position
    console(xr)
    expect_before_the_person(xr, heading, eyes)
    xr.expect(len(xr.scene().select(name="board", visible=True)), "visible boards before there is a wall").equals(0)
    touch(xr, hand, xr.find(name="lamp"))
    expect_state(xr, "a touch before the room is known", lamp=True)
    hand.rest()
    xr.head.turn(25)
    xr.wait_until(lambda: planes(xr, "table", "desk"), within=seconds(4), what="a found room")
    xr.wait(seconds(0.9))
    expect_on_table(xr, xr.head.pose.position)
    expect_on_wall(xr, xr.head.pose.position, ahead(xr))
    expect_board(xr)
    touch(xr, hand, xr.find(name="blinds"))
    expect_state(xr, "a touch on the table", lamp=True, blinds=True)
    expect_board(xr)
    xr.expect_no_exceptions()


@check("p1-no-table", priority="P1", title="where there is no table the console stays within reach, and comes when it is asked",
       source="experience.md#where-things-are", rooms=[NO_TABLE], page=QUIET)
def no_table(xr):
    hand, eyes = xr.dominant_hand, xr.head.pose.position
    console(xr)
    expect_before_the_person(xr, xr.head.pose.orientation.heading, eyes)
    expect_legible_controls(xr)
    touch(xr, hand, xr.find(name="call"))
    expect_state(xr, "a touch of call", call=True)
    hand.rest()
    xr.head.walk_to((0.7, 0.9))
    xr.head.turn(60)
    xr.head.look_at(xr.find(name="come"))
    xr.wait(frames(4))
    heading, eyes = xr.head.pose.orientation.heading, xr.head.pose.position
    ask_to_come(xr)
    expect_before_the_person(xr, heading, eyes)
    xr.wait(seconds(0.2))
    touch(xr, hand, xr.find(name="lamp"))
    expect_state(xr, "a touch of lamp, which has come", call=True, lamp=True)
    expect_on_wall(xr, Vector(0.0, 1.6, 0.0), Vector(0.0, 0.0, -1.0))
    expect_board(xr)
