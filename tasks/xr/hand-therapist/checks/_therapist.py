"""What the checks of this task share: choosing a hand, holding it up, and reading what the app says."""

import re

from playproof.checks import seconds
from playproof_xr.assertions import facing, readable
from playproof_xr.geometry import Quaternion, Vector

HANDS = ["right", "left"]
SHORT, LATE = "index.html?plan=assets/short.json", "index.html?late=4"
NEUTRAL = "point"
"""A shape of the hand that is none of the four poses."""

EVERYTHING = ("choose-left", "choose-right", "prompt", "ring", "summary", "notice")
LINES = {"summary": 8, "choose-left": 2, "choose-right": 2}


def shown(xr):
    """The names of what is visible."""
    scene = xr.scene()
    return [name for name in EVERYTHING if scene.select(name=name, visible=True)]


def expect_shown(xr, *names, after=""):
    xr.expect(shown(xr), "what is visible" + (f" after {after}" if after else "")).equals([name for name in EVERYTHING if name in names])


def buttons(xr):
    xr.wait_until(lambda: "choose-left" in shown(xr), within=seconds(1), what="buttons")
    return {side: xr.find(name=f"choose-{side}") for side in ("left", "right")}


def before(button, metres):
    """A point so far before a button's middle."""
    return button.centre - button.forward * metres


def touch(xr, hand, button):
    """With the tip of the index finger, from before."""
    hand.pose(NEUTRAL)
    hand.reach(before(button, 0.1), part="index-finger-tip")
    hand.move_to(button.centre, seconds(0.4), part="index-finger-tip")
    xr.wait(seconds(0.2))


def hold_up(xr, hand):
    """A hand before the chest, where it can be seen."""
    side = -1.0 if hand.side == "left" else 1.0
    trunk = Quaternion.yaw(xr.head.pose.orientation.heading)
    hand.move_to(xr.head.pose.position + trunk.rotate(Vector(0.16 * side, -0.24, -0.36)))


def begin(xr, hand):
    """The hand that is asked from now on, chosen by itself and held up in no pose."""
    touch(xr, hand, buttons(xr)[hand.side])
    hold_up(xr, hand)
    expect_shown(xr, "prompt", "ring")


def told(xr):
    """How many repetitions are done, and of how many, as the prompt says."""
    text = str(xr.find(name="prompt")["text"])
    found = re.search(r"(\d+) of (\d+)", text)
    xr.expect(found is not None, f"'n of m' in {text!r}").is_true()
    return int(found[1]), int(found[2])


def expect_asked(xr, title, done, of):
    text = str(xr.find(name="prompt")["text"])
    xr.expect(title in text, f"{title!r} in {text!r}").is_true()
    xr.expect(list(told(xr)), "repetitions, as the prompt says").equals([done, of])


def progress(xr):
    """Per cent, as the ring says."""
    text = str(xr.find(name="ring")["text"])
    found = re.search(r"(\d+)\s*%", text)
    xr.expect(found is not None, f"per cent in {text!r}").is_true()
    return int(found[1])


def take(xr, hand, pose):
    """Into a pose; how far the hold has come by then is not known to a quarter of a second."""
    hand.pose(pose)


def do(xr, hand, pose, held=2.1):
    """One repetition, and out of the pose again."""
    take(xr, hand, pose)
    xr.wait(seconds(held))
    hand.pose(NEUTRAL)
    xr.wait(seconds(0.1))


def expect_legible(xr, name):
    """Readable, turned to the eyes and, but for buttons, before them."""
    panel = xr.find(name=name)
    xr.expect(readable(panel, lines=LINES.get(name, 4)))
    xr.expect(facing(panel, within=31))
    if name.startswith("choose"):
        return
    way = panel.centre - xr.head.pose.position
    looks = xr.head.pose.orientation.rotate(Vector(0.0, 0.0, -1.0))
    xr.expect(way.length, f"metres to {name}").at_least(0.48)
    xr.expect(way.length, f"metres to {name}").at_most(1.22)
    xr.expect(way.angle(looks) * 57.2958, f"degrees from where the head looks to {name}").at_most(21)
