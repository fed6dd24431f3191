"""Rays of controllers, hands and the gaze; captions of what is heard."""

import math

from _reach import HANDS, LATE, QUIET, SWITCHES, UNTOLD, ahead, console, expect_before_the_person, expect_state, says, touch

from playproof.checks import check, seconds
from playproof_xr.assertions import readable
from playproof_xr.geometry import Vector

WAYS = {"ahead": 0.0, "right": 90.0, "behind": 180.0, "left": -90.0}


@check("p1-gaze", priority="P1", title="with the gaze and the headset's button alone every control is used",
       source="experience.md#how-controls-are-used", mode="gaze", page=QUIET)
def gaze(xr):
    console(xr)
    xr.head.select()
    expect_state(xr, "the button, looking at nothing")
    on = {}
    for name in SWITCHES:
        xr.head.look_at(xr.find(name=name))
        xr.wait(seconds(1.8))
        expect_state(xr, f"a look at {name}", **on)
        xr.head.select()
        xr.wait(seconds(0.2))
        on[name] = True
        expect_state(xr, f"the button, looking at {name}", **on)
    xr.head.look_at(xr.find(name="come"))
    heading, eyes = xr.head.pose.orientation.heading, xr.head.pose.position
    xr.head.select()
    xr.wait(seconds(0.3))
    expect_before_the_person(xr, heading, eyes)
    expect_state(xr, "come", **on)
    xr.expect_no_exceptions()


def use_rays(xr, hand, other):
    for name, one in (("lamp", hand), ("call", other), ("blinds", hand)):
        one.point_at(xr.find(name=name))
        expect_state(xr, f"a ray at {name} alone")
        one.select()
        xr.wait(seconds(0.2))
        expect_state(xr, f"a select at {name}", **{name: True})
        one.select()
        xr.wait(seconds(0.2))
        expect_state(xr, f"a second select at {name}")
    hand.point_at(xr.head.pose.position + Vector(0.0, 0.5, -2.0))
    hand.select()
    xr.wait(seconds(0.2))
    expect_state(xr, "a select at nothing")


@check("p1-controllers", priority="P1", title="the ray of either controller uses what it meets, when the trigger is pressed",
       source="experience.md#how-controls-are-used", mode="controller", hands=HANDS, page=QUIET)
def controllers(xr):
    console(xr)
    use_rays(xr, xr.dominant_hand, xr.other_hand)
    xr.expect_no_exceptions()


@check("p1-pinch-from-afar", priority="P1", title="the ray of either hand uses what it meets, when it pinches",
       source="experience.md#how-controls-are-used", page=QUIET)
def pinch_from_afar(xr):
    console(xr)
    use_rays(xr, xr.dominant_hand, xr.other_hand)


def expect_caption(xr, words, at):
    """What is said, and which way, as the head is turned now."""
    caption = xr.find(name="caption")
    xr.expect(caption.visible, "the caption, visible").is_true()
    xr.expect(readable(caption, lines=3))
    text = str(caption["text"])
    xr.expect(words in text, f"{words!r} in {text!r}").is_true()
    inner = xr.head.pose.inverse
    way = Vector.of(at) - xr.head.pose.position
    front, side = ahead(xr), Vector(0.0, 1.0, 0.0)
    bearing = math.degrees(math.atan2(way.dot(front.cross(side)), way.dot(front)))
    gone = {name: abs((bearing - middle + 180.0) % 360.0 - 180.0) for name, middle in WAYS.items()}
    for name, degrees in gone.items():
        if degrees < 35.0:
            xr.expect(says(text, name), f"{name!r} in {text!r}, at {bearing:.0f} degrees to the right").is_true()
        elif degrees > 55.0:
            xr.expect(says(text, name), f"{name!r} in {text!r}, at {bearing:.0f} degrees to the right").is_false()
    arrow = xr.find(name="arrow")
    tip = inner.orientation.rotate(Vector.of(arrow["matrix"].value[4:7]).unit)
    seen = math.degrees(math.atan2(tip.x, tip.y))
    xr.expect(abs((seen - bearing + 180.0) % 360.0 - 180.0), "degrees between the arrow and the sound").at_most(16)


@check("p1-captions", priority="P1", title="a sound has a caption that says where it is, turned as the head is turned",
       source="experience.md#captions")
def captions(xr):
    console(xr)
    xr.wait(seconds(6.4) - xr.clock.now)
    for turn in (0, 80, 60, 70):
        xr.head.turn(turn)
        xr.wait(seconds(0.6))
        expect_caption(xr, "Doorbell", (0.3, 1.2, 4.0))
    xr.wait(seconds(14.5) - xr.clock.now)
    xr.expect(len(xr.scene().select(name="caption", visible=True)), "visible captions, when the sound is over").equals(0)
    xr.head.turn(120)
    xr.wait(seconds(18.4) - xr.clock.now)
    xr.head.walk_to("door")
    xr.wait(seconds(0.6))
    expect_caption(xr, "Kettle whistles", (-3.0, 1.0, 0.2))
    xr.expect_no_exceptions()


@check("p1-late-sounds", priority="P1", title="a house that answers seconds after the start is heard from then on",
       source="experience.md#captions", page=LATE)
def late_sounds(xr):
    hand = xr.dominant_hand
    console(xr)
    touch(xr, hand, xr.find(name="lamp"))
    expect_state(xr, "a touch before the house has answered", lamp=True)
    hand.rest()
    xr.wait(seconds(6.5) - xr.clock.now)
    expect_caption(xr, "Doorbell", (0.3, 1.2, 4.0))


@check("p2-no-sounds", priority="P2", title="when the house fails all else works", source="experience.md#captions", page=UNTOLD)
def no_sounds(xr):
    console(xr)
    touch(xr, xr.dominant_hand, xr.find(name="blinds"))
    expect_state(xr, "a touch", blinds=True)
    xr.wait(seconds(5))
    xr.expect(len(xr.scene().select(name="caption", visible=True)), "visible captions").equals(0)
    xr.expect_no_exceptions()
