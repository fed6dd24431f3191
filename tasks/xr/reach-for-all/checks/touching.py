"""Fingertips: one contact, one use; and everything that is none."""

from _reach import (
    HANDS,
    QUIET,
    approach,
    ask_to_come,
    before,
    console,
    expect_before_the_person,
    expect_state,
    expect_steady,
    half_depth,
    touch,
    touch_all,
)  # fmt: skip

from playproof.checks import check, seconds
from playproof_xr.assertions import last, position, stable_for
from playproof_xr.geometry import Vector


@check("p1-touch", priority="P1", title="a fingertip that stays on a control uses it once, with either hand, and no other control",
       source="experience.md#how-controls-are-used", hands=HANDS, page=QUIET)
def fingertip(xr):
    console(xr)
    touch_all(xr, xr.dominant_hand)
    touch(xr, xr.dominant_hand, xr.find(name="call"), lasting=3.0)
    expect_state(xr, "a long touch of call", blinds=True)
    xr.dominant_hand.rest()
    touch(xr, xr.other_hand, xr.find(name="blinds"))
    expect_state(xr, "the other hand's touch of blinds")
    xr.expect_no_exceptions()


@check("p1-no-use", priority="P1", title="a brush, a tip that stays before a control, a palm or a pinch elsewhere uses nothing",
       source="experience.md#how-controls-are-used", hands=HANDS, page=QUIET)
def no_use(xr):
    hand = xr.dominant_hand
    console(xr)
    for name in ("lamp", "call"):
        control = xr.find(name=name)
        approach(xr, hand, control, 0.042)
        xr.wait(seconds(0.6))
        expect_state(xr, f"a tip 2.5 cm and more before {name}")
        approach(xr, hand, control, 0.05)
        hand.move_to(before(control, 0.015), seconds(0.08), part="index-finger-tip")
        hand.move_to(before(control, 0.08), seconds(0.08), part="index-finger-tip")
        xr.wait(seconds(0.5))
        expect_state(xr, f"a brush of {name}")
        hand.move_to(before(control, 0.3), part="index-finger-tip")
        hand.move_by((0.0, 0.3, 0.0), seconds(0.3))
        hand.pose("victory")
        hand.reach(control.centre + Vector(0.0, 0.3, 0.0), part="middle-finger-metacarpal")  # over the console, the fingers beyond it
        hand.move_to(control.centre + Vector(0.0, 0.04, 0.0), part="middle-finger-metacarpal")
        xr.wait(seconds(0.6))
        expect_state(xr, f"a palm at {name}")
        hand.move_by((0.0, 0.3, 0.0), seconds(0.3))
        hand.rest()
    hand.pose("relaxed")
    hand.point_at(before(xr.find(name="lamp"), 0.4))
    hand.select()
    xr.wait(seconds(0.3))
    hand.point_at(xr.find(name="lamp"))
    hand.pinch(strength=0.6)
    xr.wait(seconds(0.4))
    expect_state(xr, "a pinch beside the console, and half a pinch at it")
    hand.release()
    touch(xr, hand, xr.find(name="lamp"))
    expect_state(xr, "a touch at last", lamp=True)


@check("p1-tremor", priority="P1", title="a hand that trembles, or is seen with noise, uses a control once",
       source="experience.md#what-must-not-happen", modifiers=["tremor:mm=3;degrees=0.7;hz=6", "jitter:mm=2", "one-hand"], page=QUIET)
def tremor(xr):
    hand = xr.dominant_hand
    console(xr)
    lamp = xr.find(name="lamp")
    approach(xr, hand, lamp, 0.06)
    # To the surface itself, give or take what the hand trembles: now inside, now a centimetre away.
    hand.move_to(before(lamp, half_depth(xr, lamp) + 0.003), seconds(0.3), part="index-finger-tip")
    xr.wait(seconds(0.7))
    expect_steady(xr, seconds(3), "a touch by a hand that trembles", lamp=True)
    hand.move_to(before(lamp, 0.15), seconds(0.4), part="index-finger-tip")
    expect_steady(xr, seconds(0.5), "a touch by a hand that trembles", lamp=True)
    touch(xr, hand, xr.find(name="blinds"), lasting=1.0)
    expect_state(xr, "a second touch", lamp=True, blinds=True)
    xr.expect_no_exceptions()


@check("p1-lost-hand", priority="P1", title="a hand that is lost touches nothing, and touches anew when it is back",
       source="experience.md#what-must-not-happen", hands=HANDS, page=QUIET)
def lost_hand(xr):
    hand = xr.dominant_hand
    console(xr)
    lamp = xr.find(name="lamp")
    approach(xr, hand, lamp, 0.04)
    hand.move_to(before(lamp, 0.012), seconds(0.06), part="index-finger-tip")
    hand.lose()
    xr.wait(seconds(1))
    expect_state(xr, "a touch that was lost at once")
    hand.move_to(before(lamp, 0.1), part="index-finger-tip")
    hand.regain()
    xr.wait(seconds(0.3))
    expect_state(xr, "the hand's return")
    touch(xr, hand, lamp)
    expect_state(xr, "a touch by the hand that is back", lamp=True)


@check("p1-come-within-reach", priority="P1", title="looked at for long enough the console comes where short arms reach, and stays",
       source="experience.md#where-things-are", rooms=["office"],
       modifiers=["seated+reach:m=0.45", "seated+one-hand+weak-pinch+reach:m=0.45"], page=QUIET)
def come_within_reach(xr):
    if xr.modifier != "seated+reach:m=0.45":  # one film for the design score, not in the case that every variant plays
        xr.record(rate=3)
    hand, slab = xr.dominant_hand, console(xr)
    home = list(slab.position.value)
    come = xr.find(name="come")
    for target, lasting in ((come, 0.9), (xr.find(name="lamp"), 2.0)):
        xr.head.look_at(target)
        xr.wait(seconds(lasting))
        xr.head.look_at(xr.head.pose.position + Vector(0.0, 0.2, -1.0))
        xr.expect(slab.position, "the console, which was not asked to come").close_to(home, 0.005)
    xr.head.turn(20)
    xr.head.look_at(come)
    heading, eyes = xr.head.pose.orientation.heading, xr.user()["head"][12:15].value
    ask_to_come(xr)
    expect_before_the_person(xr, heading, Vector.of(eyes))
    xr.head.look_at(xr.head.pose.position + Vector(-0.4, 0.1, -1.0))
    touch_all(xr, hand)
    xr.head.turn(-40)
    xr.expect(stable_for(seconds(0.8), position(slab).x, within=0.005), over=last(seconds(1)))
    xr.expect_no_exceptions()
