"""Pins that fall, their sound and their count; the marble that comes back; the button."""

from itertools import pairwise

from _alley import (
    ASKEW,
    HANDS,
    RADIUS,
    ROOMS,
    bowl,
    bring,
    counted,
    expect_on_tray,
    expect_set_up,
    fallen,
    lift,
    pins,
    press,
    sounding,
    start,
    take,
    top_of,
    watch,
)  # fmt: skip

from playproof.checks import check, seconds
from playproof_xr.geometry import Vector

KNOCKED, STIRRED = 0.004, 0.0004
"""Metres that the middle of a pin is from where it stood: knocked for certain, and perhaps."""


def middles(xr):
    return [pin.centre for pin in pins(xr)]


def expect_at_rest(xr, lane):
    """Each pin on the table or on the floor, and none in the air."""
    before = middles(xr)
    xr.wait(seconds(0.2))
    for pin, place in zip(pins(xr), before, strict=True):
        xr.expect(pin.centre.distance(place), f"how far {pin.path} went in 0.2 s").at_most(0.01)
        xr.expect(pin.visible, f"{pin.path}, visible").is_true()
        here = lane.where(pin)
        height = here.y if here.y > -0.02 else pin.centre.y
        xr.expect(height, f"how high the middle of {pin.path} is above the table, or above the floor").at_least(0.005)
        xr.expect(height, f"how high the middle of {pin.path} is above the table, or above the floor").at_most(0.055)


@check("p1-pins-fall", priority="P1", title="a marble that is rolled into the pins makes some fall, as things do, and they are counted",
       source="experience.md#step-by-step", rooms=ROOMS)
def pins_fall(xr):
    lane, hand = start(xr), xr.dominant_hand
    xr.expect(len(sounding(xr)), "sounds before a pin was knocked").equals(0)
    before = middles(xr)
    look = lambda: (middles(xr), sounding(xr))  # noqa: E731 - said twice
    seen = [one for _, one in bowl(xr, hand, lane, look) + watch(xr, 0.8, look)]
    first, stirred = (next((index for index, (now, _) in enumerate(seen) if moved(before, now) > far), None) for far in (KNOCKED, STIRRED))
    xr.expect(first is not None, "a pin was knocked within a second").is_true()
    xr.expect(sum(len(sounds) for _, sounds in seen[:stirred]), "sounds before a pin was knocked").equals(0)
    near = [sound for now, sounds in seen[first : first + 10] for sound in sounds if any(sound.distance(at) < 0.13 for at in now)]
    xr.expect(len(near), "sounds at a pin, just after one was knocked").at_least(1)
    farther = [sound for now, sounds in seen[first : first + 4] for sound in sounds if all(sound.distance(at) > 0.13 for at in now)]
    xr.expect(len(farther), "sounds of pins that are not at one").equals(0)
    longest = max(moved(then, now) for (then, _), (now, _) in pairwise(seen))
    xr.expect(longest, "metres that a pin went from one frame to the next").at_most(0.06)
    xr.wait(seconds(3))
    expect_at_rest(xr, lane)
    down = fallen(xr, lane)
    xr.expect(down, "pins that lean more than 30 degrees or have left the table").at_least(1)
    xr.expect(counted(xr), "pins that are down, in the words of the score").equals(down)
    lying = middles(xr)
    xr.wait(seconds(2))
    expect_on_tray(xr, lane)
    xr.expect(moved(lying, middles(xr)), "how far a pin went while the marble came back").at_most(0.02)
    xr.expect_no_exceptions()


def moved(before, now):
    """How far the pin went that went farthest."""
    return max(a.distance(b) for a, b in zip(before, now, strict=True))


@check("p1-marble-comes-back", priority="P1", title="a marble that leaves the table falls; from there and from rest it comes back",
       source="experience.md#step-by-step", rooms=ASKEW, hands=HANDS)
def comes_back(xr):
    lane, hand = start(xr), xr.dominant_hand
    marble = take(xr, hand)
    bring(xr, hand, marble, lane.place(0.0, 0.1, 0.42))
    hand.release()
    lowest = min(at.y for _, at in watch(xr, 0.45, lambda: lane.where(marble)))
    xr.expect(lowest, "the lowest place of a marble that is let go beside the table, from the table").at_most(-0.1)
    xr.wait(seconds(2.2))
    expect_on_tray(xr, lane)
    take(xr, hand)
    bring(xr, hand, marble, lane.place(0.0, 0.035, 0.06))
    xr.wait(seconds(0.2))
    hand.release()
    hand.move_by((0.0, 0.12, 0.05), seconds(0.25))
    here = lane.where(marble)
    xr.expect(here.y, "how high the marble's middle is above the table on which it was put").close_to(RADIUS, 0.01)
    xr.expect(Vector(here.x, 0.0, here.z - 0.06).length, "how far the marble is from where it was put").at_most(0.06)
    xr.wait(seconds(6))
    expect_on_tray(xr, lane)
    expect_set_up(xr, lane)
    xr.expect_no_exceptions()


@check("p1-button", priority="P1", title="the button is pressed by a fingertip from above alone, and sets everything up",
       source="experience.md#step-by-step", rooms=ASKEW, hands=HANDS)
def button(xr):
    if xr.dominant_hand.side == "left":  # one film for the design score, and not in the first case, which is played with every variant
        xr.record(rate=3)
    lane = start(xr)
    for hand in (xr.dominant_hand, xr.other_hand):
        bowl(xr, hand, lane)
        xr.wait(seconds(3))
        down = fallen(xr, lane)
        xr.expect(down, "pins that lean more than 30 degrees or have left the table").at_least(1)
        if hand is xr.dominant_hand:
            touch_in_vain(xr, hand, lane)
            xr.expect(fallen(xr, lane), "pins that are down after touches that press nothing").equals(down)
            xr.expect(counted(xr), "pins that are down, in the words of the score").equals(down)
        top = press(xr, hand, lane)
        tip = hand.joint("index-finger-tip").position
        low, sunk = lane.of(tip).y - hand.arm.radii["index-finger-tip"], top - top_of(xr, lane)
        xr.expect(sunk, "how far the cap went down under a fingertip").at_least(min(0.0065, top - low - 0.003))
        xr.wait(seconds(0.5))
        expect_set_up(xr, lane)
        expect_on_tray(xr, lane)
        lift(xr, hand)
        xr.wait(seconds(0.2))
        xr.expect(top_of(xr, lane), "how high the cap's top is, when the finger has gone").close_to(top, 0.002)
        hand.rest()
    xr.expect_no_exceptions()


def touch_in_vain(xr, hand, lane):
    """Near the cap, over it with the palm, and from the side."""
    cap = lane.where(xr.find(name="reset"))
    top = top_of(xr, lane)
    radius = hand.arm.radii["index-finger-tip"]
    hand.pose("point")
    hand.reach(lane.place(cap.x, top + radius + 0.012, cap.z), part="index-finger-tip")
    xr.wait(seconds(0.2))
    xr.expect(top_of(xr, lane), "how high the cap's top is, under a finger that does not touch it").close_to(top, 0.002)
    beside = lane.place(cap.x, 0.06, cap.z - 0.056), lane.place(cap.x, radius + 0.002, cap.z - 0.056)
    hand.reach(beside[0], part="index-finger-tip")
    hand.move_to(beside[1], seconds(0.3), part="index-finger-tip")
    xr.wait(seconds(0.2))
    hand.move_to(beside[0], seconds(0.3), part="index-finger-tip")
    hand.reach(lane.place(cap.x - 0.08, 0.06, cap.z), part="index-finger-tip")
    for aside, high in ((-0.08, radius + 0.003), (0.0, radius + 0.003), (-0.08, radius + 0.003), (-0.08, 0.06)):
        hand.move_to(lane.place(cap.x + aside, high, cap.z), seconds(0.3), part="index-finger-tip")
    hand.pose("open")
    hand.reach(lane.place(cap.x, 0.08, cap.z), part="palm")
    hand.move_to(lane.place(cap.x, top, cap.z), seconds(0.3), part="palm")
    xr.wait(seconds(0.2))
    hand.move_by((0.0, 0.1, 0.0), seconds(0.3))
    hand.pose("relaxed")
    xr.expect(top_of(xr, lane), "how high the cap's top is, when the hand has gone").close_to(top, 0.002)
