"""The marble that is taken, carried and thrown, by hands that may be lost."""

from _alley import (
    ASKEW,
    HANDS,
    RADIUS,
    UP,
    bring,
    counted,
    expect_on_tray,
    start,
    take,
    throw,
    wait_for_the_marble,
    watch,
)  # fmt: skip

from playproof.checks import check, frames, seconds
from playproof_xr.assertions import always, distance, last, since, stable_for
from playproof_xr.geometry import Vector

ASIDE = -0.11
"""Where on the lane a marble meets no pin."""


@check("p1-carry", priority="P1", title="the pinched marble goes with the hand that holds it, and the other cannot have it",
       source="experience.md#step-by-step", rooms=ASKEW, hands=HANDS)
def carry(xr):
    start(xr)
    hand, other = xr.dominant_hand, xr.other_hand
    marble = xr.find(name="marble")
    hand.reach(marble.centre + UP * 0.012)
    before = marble.centre
    hand.pinch()
    xr.wait(frames(3))
    xr.expect(marble.centre.distance(before), "how far the marble jumped when it was taken").at_most(0.025)
    begun = xr.clock.now
    hand.move_by((-0.12, 0.14, 0.05))
    hand.turn(40)
    hand.move_by((0.1, -0.03, 0.1), seconds(0.3))
    xr.expect(stable_for(xr.clock.now - begun - frames(3), distance(marble, hand.pinch_point), within=0.012), over=since(begun))
    xr.expect(always(distance(marble, hand.pinch_point) < 0.035), over=since(begun))
    other.reach(marble)
    other.pinch()
    other.move_by((0.0, 0.15, 0.0), seconds(0.3))
    xr.expect(marble.centre.distance(hand.pinch_point), "from the marble to the hand that took it").at_most(0.035)
    other.release()
    xr.wait(seconds(0.2))
    hand.move_by((0.0, 0.05, 0.0), seconds(0.3))
    xr.expect(always(distance(marble, hand.pinch_point) < 0.035), over=last(seconds(0.2)))
    xr.expect(counted(xr), "pins that are down, in the words of the score").equals(0)


def fly_and_roll(xr):
    """A throw beside the pins: the flight, the fall and the roll, in the frame of the lane."""
    lane, hand, speed = start(xr), xr.dominant_hand, 0.9
    marble = take(xr, hand)
    bring(xr, hand, marble, lane.place(ASIDE, 0.3, 0.4))
    seen = throw(xr, hand, lane.way(0.0, 0.0, -speed), look=lambda: lane.where(marble))
    offset = seen[-1][0]
    seen += [(offset + time, at) for time, at in watch(xr, 0.6, lambda: lane.where(marble))]
    frame = xr.frame / seconds(1)
    flight = [one for one in seen if 2 * frame - 0.001 <= one[0] <= 0.2]
    (first, a), (end, b) = flight[0], flight[-1]
    way = (b - a) * (1 / (end - first))
    xr.expect([way.x, way.z], "metres a second in the first 0.2 s after the throw, across and along the lane").close_to([0.0, -speed], 0.16)
    landed = next((index for index, (time, at) in enumerate(seen) if time > 0.05 and at.y < RADIUS + 0.012), None)
    xr.expect(landed is not None, "the marble reached the table").is_true()
    fell = seen[landed][0]
    xr.expect(fell, "seconds until the marble reached the table, 0.3 m below").at_most(0.25 + 0.05 + 2 * frame)
    xr.expect(fell, "seconds until the marble reached the table, 0.3 m below").at_least(0.25 - 0.06)
    roll = [(time, at) for time, at in seen[landed:] if 0.05 <= seen[landed][1].z - at.z <= 0.25]
    xr.expect(len(roll), "moments at which the marble was seen between 0.05 and 0.25 m from where it landed").at_least(3)
    (first, a), (end, b) = roll[0], roll[-1]
    rolled = (a.z - b.z) / (end - first)
    xr.expect(rolled, "metres a second along the table, after the marble landed").at_least(-0.45 * way.z)
    xr.expect(rolled, "metres a second along the table, after the marble landed").at_most(0.1 - 1.1 * way.z)
    for _, at in seen[landed:]:
        xr.expect(at.y, "how high the marble's middle is above the table while it rolls").at_most(RADIUS + 0.07)
    xr.expect(counted(xr), "pins that are down, in the words of the score").equals(0)
    xr.expect_no_exceptions()


@check("p1-throw", priority="P1", title="a thrown marble has the hand's velocity, falls and rolls", source="experience.md#step-by-step",
       rooms=ASKEW, hands=HANDS, rate=72)
def throw_at_72(xr):
    fly_and_roll(xr)


@check("p1-throw-at-30", priority="P1", title="a throw is the same with 30 frames a second", source="experience.md#step-by-step",
       rooms=ASKEW, hands=["right"], rate=30)
def throw_at_30(xr):
    fly_and_roll(xr)


@check("p1-invalid-gesture", priority="P1", title="a near miss, half a pinch, a fist or a closed pinch takes nothing",
       source="experience.md#what-must-not-happen", rooms=["living-room"], hands=HANDS)
def invalid_gesture(xr):
    lane, hand = start(xr), xr.dominant_hand
    marble = xr.find(name="marble")
    for way in (lane.way(0.0, 1.0, 0.0), lane.way(0.0, 0.4, -1.0).unit):
        hand.reach(marble.centre + way * (RADIUS + 0.065))
        hand.pinch()
        hand.move_by((0.0, 0.12, 0.05), seconds(0.3))
        expect_on_tray(xr, lane)
        hand.release()
    for deed in (lambda: hand.pinch(strength=0.6), lambda: hand.pose("fist")):
        hand.reach(marble)
        deed()
        hand.move_by((0.0, 0.12, 0.06), seconds(0.3))
        expect_on_tray(xr, lane)
        hand.release()
        hand.pose("relaxed")
    hand.reach(marble.centre + UP * 0.14)
    hand.pinch()
    hand.move_to(marble, seconds(0.3))
    xr.wait(frames(4))
    hand.move_by((0.0, 0.12, 0.0), seconds(0.3))
    expect_on_tray(xr, lane)
    hand.release()
    take(xr, hand)
    hand.move_by((0.0, 0.12, 0.0), seconds(0.3))
    xr.expect(marble.centre.distance(hand.pinch_point), "from the marble, which was pinched at last, to the pinch point").at_most(0.03)
    xr.expect_no_exceptions()


def lose_in_a_throw(xr):
    lane, hand = start(xr), xr.dominant_hand
    marble = take(xr, hand)
    bring(xr, hand, marble, lane.place(ASIDE, 0.14, 0.4))
    throw(xr, hand, lane.way(0.0, 0.0, -1.0), lost=True)
    before = lane.where(marble)
    seen = [at for _, at in watch(xr, 0.4, lambda: lane.where(marble))]
    for at in seen:
        aside = Vector(at.x - before.x, 0.0, at.z - before.z).length
        xr.expect(aside, "how far from where its hand was lost the marble is, along the table").at_most(0.05)
    xr.expect(seen[-1].y, "how high the marble's middle is above the table, 0.4 s after its hand was lost").at_most(RADIUS + 0.025)
    hand.regain()
    xr.wait(seconds(0.3))
    hand.release()
    hand.move_by((0.05, 0.15, 0.05), seconds(0.3))
    wait_for_the_marble(xr, lane)
    for one in (hand, xr.other_hand):
        take(xr, one)
        one.move_by((0.0, 0.12, 0.02), seconds(0.3))
        xr.expect(always(distance(marble, one.pinch_point) < 0.03), over=last(seconds(0.2)))
        one.release()
        one.rest()
        wait_for_the_marble(xr, lane)
    xr.expect_no_exceptions()


@check("p1-lost-hand", priority="P1", title="a hand that is lost in a throw drops the marble, and is used again when it is back",
       source="experience.md#what-must-not-happen", rooms=ASKEW, hands=HANDS)
def lost_hand(xr):
    lose_in_a_throw(xr)


@check("p1-lost-hand-without-an-end", priority="P1", title="the same on a headset that sends no end to a pinch that is lost",
       source="experience.md#what-must-not-happen", rooms=ASKEW, hands=["right"], cancels=False)
def lost_without_end(xr):
    lose_in_a_throw(xr)


@check("p1-hidden", priority="P1", title="a marble that falls while the app is hidden goes on from there",
       source="experience.md#what-must-not-happen", rooms=["living-room"])
def hidden(xr):
    lane, hand = start(xr), xr.dominant_hand
    marble = take(xr, hand)
    bring(xr, hand, marble, lane.place(ASIDE, 0.5, 0.1))
    xr.wait(seconds(0.3))
    high = lane.where(marble).y
    hand.release(seconds(0.05))
    xr.wait_until(lambda: lane.where(marble).y < high - 0.06, within=seconds(0.5), every=xr.frame, what="a falling marble")
    xr.see("hidden")
    xr.wait(seconds(0.1))
    before = lane.where(marble).y
    xr.wait(seconds(2))
    xr.expect(lane.where(marble).y, "the marble's height while the app is hidden").close_to(before, 0.005)
    xr.see("visible")
    xr.wait(frames(2))
    xr.expect(before - lane.where(marble).y, "how far the marble fell in the first two frames after").at_most(0.12)
    xr.wait(seconds(0.5))
    xr.expect(lane.where(marble).y, "how high the marble's middle is above the table at last").at_most(RADIUS + 0.025)
    xr.expect_no_exceptions()
