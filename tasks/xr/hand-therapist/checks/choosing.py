"""From the start to the hand that is chosen."""

from _therapist import HANDS, LATE, before, buttons, expect_asked, expect_legible, expect_shown, hold_up, touch

from playproof.checks import check, seconds
from playproof_xr.assertions import reachable
from playproof_xr.geometry import Vector


@check("p0-two-buttons", priority="P0", title="two buttons stand before somebody who sits or stands, within reach and legible",
       source="experience.md#step-by-step", modifiers=["seated", "none"])
def two_buttons(xr):
    eyes = xr.head.pose
    found = buttons(xr)
    expect_shown(xr, "choose-left", "choose-right")
    for side, sign in (("left", -1.0), ("right", 1.0)):
        button = found[side]
        at = eyes.inverse.at(button.centre)
        xr.expect(-at.z, f"{side}: metres ahead").at_least(0.34)
        xr.expect(-at.z, f"{side}: metres ahead").at_most(0.56)
        xr.expect(at.y, f"{side}: metres below").close_to(-0.225, 0.135)
        xr.expect(at.x * sign, f"{side}: metres to its side").close_to(0.135, 0.075)
        xr.expect(reachable(button, reach=0.6))
        xr.head.look_at(button)
        expect_legible(xr, f"choose-{side}")
        xr.expect(side in str(button["text"]).lower(), f"the word {side!r} in its text").is_true()
        for size in (button.size.x, button.size.y):
            xr.expect(size, f"{side}: its size").close_to(0.11, 0.035)
    here = list(found["left"].position.value)
    xr.head.turn(50)
    xr.head.move_by((0.1, 0.0, 0.1))
    xr.expect(found["left"].position, "the left button, when the head has moved").close_to(here, 0.005)
    xr.expect_no_exceptions()
    xr.expect_no_missing_files()


@check("p1-near-misses", priority="P1", title="a palm, another finger, a tip that stays before the button or a far pinch chooses nothing",
       source="experience.md#step-by-step", hands=HANDS)
def near_misses(xr):
    hand, found = xr.dominant_hand, buttons(xr)
    for side in (hand.side, "left" if hand.side == "right" else "right"):
        button = found[side]
        hand.pose("point")
        hand.reach(before(button, 0.12), part="index-finger-tip")
        hand.move_to(before(button, 0.04), part="index-finger-tip")
        hand.move_by((0.03, 0.0, 0.0), seconds(0.3))
        expect_shown(xr, "choose-left", "choose-right", after=f"a tip 4 cm before {side}")
        hand.move_to(before(button, 0.15), seconds(0.3), part="index-finger-tip")
        hand.move_by((0.0, -0.25, 0.0), seconds(0.3))
        hand.move_to(button.centre + Vector(0.0, -0.2, 0.0), part="palm")  # the tip is beyond the button by now, and rises behind it
        hand.move_to(button.centre, part="palm")
        xr.wait(seconds(0.2))
        expect_shown(xr, "choose-left", "choose-right", after=f"a palm at {side}")
        hand.move_by((0.0, -0.25, 0.0), seconds(0.3))
        hand.rest()
        hand.pose("relaxed")
        hand.point_at(button)
        hand.select()
        expect_shown(xr, "choose-left", "choose-right", after=f"a pinch at {side} from afar")
    touch(xr, hand, found[hand.side])
    expect_shown(xr, "prompt", "ring")


@check("p1-button-names-the-hand", priority="P1", title="the button that is touched says which hand is asked, whichever hand touches it",
       source="experience.md#step-by-step", hands=HANDS)
def names_the_hand(xr):
    hand, other = xr.dominant_hand, xr.other_hand
    touch(xr, other, buttons(xr)[hand.side])
    other.rest()
    hold_up(xr, hand)
    expect_shown(xr, "prompt", "ring")
    ring = xr.find(name="ring")
    xr.expect(ring.centre.distance(hand.palm.position), "metres from the ring to the chosen hand's palm").at_most(0.06)


@check("p1-late-plan", priority="P1", title="a plan that comes seconds after the start is used then, and nothing is shown before",
       source="experience.md#the-plan", page=LATE)
def late_plan(xr):
    hand = xr.dominant_hand
    for _ in range(3):
        expect_shown(xr)
        hand.pose("fist")
        hand.pose("point")
        xr.wait(seconds(0.3))
    xr.wait_until(lambda: xr.scene().select(name="choose-right", visible=True), within=seconds(4), what="buttons, when the plan is there")
    touch(xr, hand, buttons(xr)["right"])
    expect_shown(xr, "prompt", "ring")
    expect_asked(xr, "Open your hand wide", 0, 2)
    xr.expect_no_exceptions()
