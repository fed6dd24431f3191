"""Cards on the palms of both hands; the right one lies in a group that is tilted, half as large, and turns by itself."""

import math

from playproof.checks import check, frames, seconds
from playproof_xr.assertions import attached, since
from playproof_xr.geometry import Matrix, Quaternion, Vector

LIFT = 0.01


def before_the_eyes(xr, hand, turn=0.0):
    """The palm in front of the person, turned so many degrees from looking into the eyes."""
    at = xr.head.pose.position + Vector(0.16 if hand.side == "right" else -0.16, -0.22, -0.38)
    eyes = xr.head.pose.position - at
    upright = Vector(1.0, 0.0, 0.0).cross(eyes).unit * -1.0
    hand.show_palm(at + Quaternion.turn(upright, math.radians(turn)).rotate(eyes), at)
    xr.wait(frames(3))


def card_of(xr, hand):
    return xr.find(name=f"{hand.side}-card")


def expect_shown(xr, hand, shown, when):
    xr.expect(card_of(xr, hand).visible, f"the card of the {hand.side} palm is shown {when}").equals(shown)


def expect_on_palm(xr, hand, when):
    card, palm = card_of(xr, hand), hand.palm
    out, fingers = (palm.orientation.rotate(axis) for axis in (Vector(0.0, -1.0, 0.0), Vector(0.0, 0.0, -1.0)))
    expect_shown(xr, hand, True, when)
    xr.expect(list(card.centre), f"where the card is {when}").close_to(list(palm.position + out * LIFT), 0.008)
    turn = Matrix.of(card["matrix"].value).pose.orientation
    for what, mine, wanted in (("front", Vector(0.0, 0.0, 1.0), out), ("upper side", Vector(0.0, 1.0, 0.0), fingers)):
        angle = math.degrees(turn.rotate(mine).angle(wanted))
        xr.expect(angle, f"how far the card's {what} is turned from the palm's {when}, in degrees").at_most(4.0)


@check("p0-on-the-palm", priority="P0", hands=["right", "left"],
       title="a card lies on the skin of a palm while that moves, turns and bends its fingers")
def on_palm(xr):
    hand = xr.dominant_hand
    before_the_eyes(xr, hand)
    expect_on_palm(xr, hand, "before the eyes")
    begun = xr.clock.now
    hand.move_by(Vector(-0.05, 0.08, -0.06), seconds(0.4))
    hand.turn(25, Vector(0.0, 0.0, 1.0), seconds(0.3))
    hand.turn(20, Vector(0.0, 1.0, 0.0), seconds(0.3))
    xr.wait(frames(3))
    expect_on_palm(xr, hand, "moved and turned")
    hand.pose("grab")
    xr.wait(frames(3))
    expect_on_palm(xr, hand, "with bent fingers")
    xr.expect(attached(card_of(xr, hand), hand.palm, within=0.03, drift=0.012, turn=12), over=since(begun))
    xr.expect_no_exceptions()


@check("p0-hides", priority="P0", title="a card is hidden when its palm looks away or is lost, and does not flicker between")
def hides(xr):
    hand = xr.dominant_hand
    for turn, shown in ((0, True), (67, True), (90, False), (67, False), (40, True), (180, False), (0, True)):
        before_the_eyes(xr, hand, turn)
        expect_shown(xr, hand, shown, f"{turn} degrees from the eyes")
    hand.lose()
    xr.wait(frames(6))
    expect_shown(xr, hand, False, "while the hand is lost")
    hand.regain()
    xr.wait(frames(6))
    expect_on_palm(xr, hand, "when the hand is back")


@check("p0-by-side", priority="P0", title="hands that come back in the other order have their own cards")
def by_side(xr):
    hands = (xr.left, xr.right)
    for hand in hands:
        before_the_eyes(xr, hand)
    for hand in hands:
        expect_on_palm(xr, hand, "at first")
    for hand in hands:
        hand.lose()
    xr.wait(frames(6))
    for hand in hands:
        expect_shown(xr, hand, False, "while no hand is seen")
    xr.right.regain()
    xr.wait(frames(6))
    expect_on_palm(xr, xr.right, "when the right hand is back alone")
    expect_shown(xr, xr.left, False, "when the right hand is back alone")
    xr.left.regain()
    xr.wait(frames(6))
    for hand in hands:
        expect_on_palm(xr, hand, "when both are back")
