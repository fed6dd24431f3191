"""The alley on its table, whenever the headset finds one."""

from _alley import (
    ROOMS,
    UP,
    Lane,
    counted,
    expect_nothing_of_the_alley,
    expect_on_table,
    expect_on_tray,
    expect_set_up,
    lane_of,
    nearest_table,
    start,
    take,
)  # fmt: skip

from playproof.checks import check, frames, seconds
from playproof_xr.assertions import facing, readable
from playproof_xr.geometry import Vector


@check("p0-alley-on-the-table", priority="P0", title="a session begins, and lane, pins and marble are on the right table",
       source="experience.md#step-by-step", rooms=[*ROOMS, "office"])
def alley_on_the_table(xr):
    eyes = xr.head.pose.position
    lane = Lane(lane_of(xr))
    xr.wait(seconds(0.3))
    expect_on_table(xr, lane, nearest_table(xr, eyes))
    near, away = lane.way(0.0, 0.0, 1.0), eyes - lane.thing.centre
    turned = Vector(near.x, 0.0, near.z).angle(Vector(away.x, 0.0, away.z)) * 57.2958
    xr.expect(turned, "degrees between the lane's near side and the person").at_most(62)
    xr.expect(lane.thing.size.y, "how thick the lane is").at_most(0.006)
    expect_set_up(xr, lane)
    expect_on_tray(xr, lane)
    xr.expect(len(xr.scene().select(name="hint", visible=True)), "visible hints").equals(0)
    xr.expect_no_exceptions()
    xr.expect_no_missing_files()


@check("p1-score-readable", priority="P1", title="the score is near, turned to the eyes wherever the person is, and easy to read",
       source="experience.md#step-by-step", rooms=ROOMS)
def score_readable(xr):
    upright = xr.head.pose.position
    lane = start(xr)
    score = xr.find(name="score")
    for way in (Vector(), lane.way(0.25, 0.05, 0.0), lane.way(-0.5, 0.0, 0.0)):
        xr.head.move_by(way, seconds(0.4))
        xr.head.look_at(score)
        xr.wait(seconds(0.2))
        xr.expect(facing(score, within=32))
        xr.expect(readable(score, lines=5))
    here = lane.where(score)
    xr.expect(here.length, "from the middle of the lane to that of the score").at_most(0.52)
    xr.expect(here.y, "how high the score is above the table").greater_than(0.0)
    here = list(lane.thing.position.value)
    xr.head.move_by(upright - xr.head.pose.position)
    xr.head.walk_to("door")
    xr.expect(lane.thing.position, "the lane, when the person has gone").close_to(here, 0.005)
    xr.head.look_at(score)
    xr.wait(seconds(0.2))
    xr.expect(facing(score, within=32))


@check("p1-late-table", priority="P1", title="a table that is found seconds after the start is taken then, and nothing is there before",
       source="experience.md#setting", rooms=["office"], surfaces_after=4.0)
def late_table(xr):
    hand = xr.dominant_hand
    for _ in range(3):
        expect_nothing_of_the_alley(xr)
        hand.select()
        xr.wait(seconds(0.4))
    xr.expect(xr.find(name="hint").visible, "the hint, visible").is_true()
    xr.wait_until(lambda: xr.scene().value["planes"], within=seconds(4), what="a found room")
    eyes = xr.head.pose.position
    lane = Lane(lane_of(xr))
    xr.wait(frames(2))
    expect_on_table(xr, lane, nearest_table(xr, eyes))
    xr.expect(len(xr.scene().select(name="hint", visible=True)), "visible hints").equals(0)
    marble = take(xr, hand)
    hand.move_by(UP * 0.15)
    xr.expect(marble.centre.distance(hand.pinch_point), "from the marble to the pinch point").at_most(0.03)
    xr.expect(counted(xr), "pins that are down, in the words of the score").equals(0)
    xr.expect_no_exceptions()


@check("p1-no-table", priority="P1", title="where there is no table the hint stays readable before the eyes",
       source="experience.md#step-by-step", rooms=["checks/rooms/no-table.toml"])
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
    xr.expect("table" in str(hint["text"]).lower(), f"the word 'table' in {str(hint['text'])!r}").is_true()
    xr.dominant_hand.select()
    xr.dominant_hand.pose("point")
    xr.dominant_hand.move_by((0.0, -0.3, 0.0))
    expect_nothing_of_the_alley(xr)
    xr.expect_no_exceptions()
