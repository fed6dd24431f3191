"""The menu on the palm, timers that are made there, and the surfaces that hold them."""

from _timers import (
    HANDS,
    ROOMS,
    SECONDS,
    TITLES,
    UP,
    approach,
    expect_flat,
    expect_left,
    lay_hand,
    left_on,
    make,
    menu_on,
    pin,
    pinned,
    pose_of,
    show_palm,
    shown,
    spot_on_table,
    table_before,
    touch,
)  # fmt: skip

from playproof.checks import check, frames, seconds
from playproof_xr.assertions import always, angle, attached, distance, forward, last, position, since
from playproof_xr.geometry import Vector


@check("p0-menu", priority="P0", title="a session begins, and a palm that is shown bears the menu with its three dials",
       source="experience.md#step-by-step", rooms=ROOMS)
def menu_is_there(xr):
    xr.wait(seconds(1))
    for name in ("menu", "caption", "timer-1"):
        xr.expect(shown(xr, name), f"visible objects named {name}, while nothing is done").equals(0)
    menu_on(xr, xr.other_hand)
    centres = []
    for name, title in TITLES.items():
        dial = xr.find(name=f"dial-{name}")
        xr.expect(dial.visible, f"dial-{name}, visible").is_true()
        xr.expect(title in str(dial["text"]), f"{title!r} in {str(dial['text'])!r}").is_true()
        centres.append(dial.centre)
    nearest = min(a.distance(b) for index, a in enumerate(centres) for b in centres[:index])
    xr.expect(nearest, "least distance between two dials").at_least(0.043)
    xr.expect(shown(xr, "dial-pizza"), "dials of what has no time").equals(0)
    xr.expect_no_exceptions()
    xr.expect_no_missing_files()


@check("p1-palm", priority="P1", title="the menu lies on the palm's surface; it moves and turns with it, not with wrist or finger",
       source="experience.md#step-by-step", rooms=["living-room"], hands=HANDS)
def palm(xr):
    xr.wait(seconds(1))
    hand = xr.dominant_hand
    menu = menu_on(xr, hand)
    begun = xr.clock.now
    hand.turn(16, (0.0, 1.0, 0.0), seconds(0.4))
    hand.move_by((0.04, 0.05, 0.04), seconds(0.4))
    hand.turn(-16, (1.0, 0.0, 0.3), seconds(0.4))
    hand.pose("relaxed", seconds(0.3))
    hand.pose("open", seconds(0.3))
    xr.expect(attached(menu, hand.palm, within=0.055, drift=0.012, turn=10), over=since(begun))
    xr.expect(always(position(menu, hand.palm).y < -0.015), over=since(begun))
    xr.expect(always(angle(forward(menu, "+z"), forward(hand.palm, "-y")) < 15), over=since(begun))
    xr.expect(always(angle(forward(menu, "+y"), forward(hand.palm, "-z")) < 20), over=since(begun))
    hand.show_palm(hand.palm.position * 2.0 - xr.head.pose.position)
    xr.wait(seconds(0.2))
    xr.expect(shown(xr, "menu"), "visible menus, with the back of a hand to the eyes").equals(0)
    show_palm(xr, hand)
    hand.pose("fist")
    xr.wait(seconds(0.2))
    xr.expect(shown(xr, "menu"), "visible menus, on a fist").equals(0)


@check("p1-new-timer", priority="P1", title="a touched dial gives a timer that goes with the hand and does not count yet",
       source="experience.md#step-by-step", rooms=["living-room"], hands=HANDS)
def new_timer(xr):
    xr.wait(seconds(1))
    hand, other = xr.dominant_hand, xr.other_hand
    timer = make(xr, hand, other, "egg", 1)
    hand.move_by((0.1, 0.05, 0.0))
    hand.turn(30)
    xr.expect(always(distance(timer, hand.pinch_point) < 0.035), over=last(seconds(0.8)))
    xr.wait(seconds(1.5))
    xr.expect(left_on(xr, timer), "seconds on a timer that is not pinned").equals(SECONDS["egg"])
    xr.expect("Egg" in str(timer["text"]), f"'Egg' in {str(timer['text'])!r}").is_true()
    menu_on(xr, other)
    touch(xr, hand, xr.find(name="dial-tea"))
    xr.expect(shown(xr, "timer-2"), "timers of a hand that has one already").equals(0)
    xr.expect_no_exceptions()


@check("p1-on-the-table", priority="P1", title="a timer that is let go near the table lies flat on it, counts down there and stays",
       source="experience.md#step-by-step", rooms=ROOMS, hands=HANDS)
def on_the_table(xr):
    xr.wait(seconds(1))
    hand, eyes = xr.dominant_hand, xr.head.pose.position
    timer, at = pinned(xr, xr.other_hand, hand, aside=0.1)
    point = spot_on_table(xr, 0.1)
    expect_flat(xr, timer, table_before(xr), point, point - eyes)
    expect_left(xr, timer, SECONDS["tea"], at)
    here = list(timer["matrix"].value)
    xr.wait(seconds(1.5))
    expect_left(xr, timer, SECONDS["tea"], at)
    xr.head.walk_to("door")
    expect_left(xr, timer, SECONDS["tea"], at)
    xr.expect(timer["matrix"], "where and how the timer is").close_to(here, 0.004)
    xr.expect_no_exceptions()


@check("p1-on-the-wall", priority="P1", title="a timer that is let go near a wall lies flat on that, its top up",
       source="experience.md#step-by-step", rooms=["living-room"], hands=HANDS)
def on_the_wall(xr):
    xr.wait(seconds(1))
    hand = xr.dominant_hand
    xr.head.walk_to((2.0, -0.8))
    timer = make(xr, hand, xr.other_hand, "rice", 1)
    point = Vector(2.55, 1.25, -0.8)  # five centimetres from the wall
    at = pin(xr, hand, point)
    wall = min((one for one in xr.scene().value["planes"] if one["label"] == "wall"), key=lambda one: abs(pose_of(one).inverse.at(point).y))
    expect_flat(xr, timer, wall, point, UP)
    expect_left(xr, timer, SECONDS["rice"], at)
    hand.move_by((-0.3, 0.0, 0.0))
    xr.wait(seconds(1))
    expect_flat(xr, timer, wall, point, UP)
    expect_left(xr, timer, SECONDS["rice"], at)


@check("p1-nowhere", priority="P1", title="a timer that is let go in the air, or at what holds none, is gone",
       source="experience.md#what-must-not-happen", rooms=["living-room"], hands=HANDS)
def nowhere(xr):
    xr.wait(seconds(1))
    hand, other = xr.dominant_hand, xr.other_hand
    # Above the table; beside its edge, at its height; on the couch.
    for number, point in enumerate((spot_on_table(xr, 0.0, 0.16), Vector(0.8, 0.47, -0.9), Vector(0.3, 0.45, -1.7)), 1):
        make(xr, hand, other, "egg", number)
        pin(xr, hand, point)
        xr.wait(seconds(0.2))
        xr.expect(shown(xr, f"timer-{number}"), f"timer-{number}, let go at {[round(one, 2) for one in point]}").equals(0)
        hand.rest(seconds(0.3))
    timer, at = pinned(xr, other, hand, "tea", 4)
    expect_left(xr, timer, SECONDS["tea"], at)
    xr.expect_no_exceptions()


@check("p1-late-surfaces", priority="P1", title="surfaces that are found seconds after the start hold timers then",
       source="experience.md#setting", rooms=["living-room"], hands=HANDS, surfaces_after=6.0)
def late_surfaces(xr):
    xr.wait(seconds(1))
    hand, other = xr.dominant_hand, xr.other_hand
    make(xr, hand, other, "tea", 1)
    pin(xr, hand, Vector(0.0, 0.47, -0.88))
    xr.wait(seconds(0.2))
    xr.expect(shown(xr, "timer-1"), "a timer that was let go where no surface is known").equals(0)
    xr.wait_until(lambda: xr.scene().value["planes"], within=seconds(6), what="a found room")
    eyes = xr.head.pose.position
    timer, at = pinned(xr, other, hand, "egg", 2)
    point = spot_on_table(xr)
    expect_flat(xr, timer, table_before(xr), point, point - eyes)
    expect_left(xr, timer, SECONDS["egg"], at)
    xr.expect_no_exceptions()


@check("p1-invalid-touch", priority="P1", title="no timer comes of a fist, a flat hand, or the menu's own hand; half a pinch pins none",
       source="experience.md#what-must-not-happen", rooms=["living-room"], hands=HANDS)
def invalid_touch(xr):
    xr.wait(seconds(1))
    hand, other = xr.dominant_hand, xr.other_hand
    menu_on(xr, other)
    dial = xr.find(name="dial-egg")

    def expect_none(what):
        xr.expect(shown(xr, "timer-1"), f"timers that {what} made").equals(0)
        hand.move_by((0.0, 0.0, 0.15), seconds(0.3))

    hand.pose("fist")
    approach(xr, hand, dial)  # the tip of the index finger is at the dial, but the finger is bent
    expect_none("a fist")
    lay_hand(xr, hand, dial)
    expect_none("a flat hand")
    hand.pose("point")
    approach(xr, hand, dial, 0.03)
    expect_none("a finger three centimetres before it")
    for pose in ("point", "relaxed", "pinch", "palm-up"):
        other.pose(pose)
        xr.wait(frames(3))
        expect_none("the hand that shows the menu")
    timer = make(xr, hand, other, "egg", 1)
    hand.move_to(spot_on_table(xr), seconds(0.6))
    hand.pinch(strength=0.6)
    hand.release()
    xr.wait(frames(4))
    xr.expect(left_on(xr, timer), "seconds on a timer, after half a pinch").equals(SECONDS["egg"])
    xr.expect(always(distance(timer, hand.pinch_point) < 0.035), over=last(seconds(0.2)))


@check("p2-trembling", priority="P2", title="on a seat, and with noisy trackers, it is the same",
       source="evaluation.md", rooms=["office"], hands=["right"], modifiers=["jitter:mm=1", "seated"])
def trembling(xr):
    xr.wait(seconds(1))
    hand = xr.dominant_hand
    timer = make(xr, hand, xr.other_hand, "tea", 1)
    xr.head.move_by((0.0, -0.05, -0.25))  # an arm's length is not much on a seat
    at = pin(xr, hand, spot_on_table(xr, 0.05) + Vector(0.0, 0.0, 0.12))
    expect_left(xr, timer, SECONDS["tea"], at)
    xr.expect_no_exceptions()
