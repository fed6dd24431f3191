"""What the checks of this task share: the lane's frame, the person bent over it, and throws."""

import math
import re

from playproof.checks import seconds
from playproof.model import TICKS
from playproof_xr.assertions import on_surface
from playproof_xr.body import Motion, states
from playproof_xr.geometry import Matrix, Polygon, Vector

RADIUS, HEIGHT = 0.02, 0.085
PLACES = ((0, -0.10), (-0.025, -0.143), (0.025, -0.143), (-0.05, -0.186), (0, -0.186), (0.05, -0.186))
TRAY, RESET = (0.10, 0.19), (-0.10, 0.19)
NAMES = ("lane", "marble", "tray", "reset", "score", *(f"pin-{number}" for number in range(1, 7)))

ROOMS = ["living-room", "checks/rooms/askew.toml"]
ASKEW = ["checks/rooms/askew.toml"]
HANDS = ["right", "left"]
UP = Vector(0.0, 1.0, 0.0)


# --- the table and the lane ---


def nearest_table(xr, eyes):
    """The table whose edge is nearest to a place, along the floor, of those that the headset knows."""

    def away(plane):
        inner = Matrix.of(plane["matrix"]).pose.inverse.at(eyes)
        return max(0.0, -Polygon(tuple((x, z) for x, z in plane["polygon"])).depth((inner.x, inner.z)))

    return min((one for one in xr.scene().value["planes"] if one["label"] in ("table", "desk")), key=away)


def lane_of(xr):
    """The lane, once it is there."""
    xr.wait_until(lambda: xr.scene().select(name="lane", visible=True), within=seconds(1), what="a visible lane")
    return xr.find(name="lane")


def frame_of(thing):
    return Matrix.of(thing["matrix"].value).pose


class Lane:
    """The frame of the lane as it is at the start: x to the right, z to the near side, heights above its middle; metres."""

    def __init__(self, lane):
        self.thing, self._pose = lane, frame_of(lane)

    def place(self, x, y, z):
        return self._pose.at(Vector(x, y, z))

    def way(self, x, y, z):
        return self._pose.orientation.rotate(Vector(x, y, z))

    def of(self, point):
        return self._pose.inverse.at(point)

    def turned(self, way):
        return self._pose.orientation.inverse.rotate(way)

    def where(self, thing):
        return self.of(thing.centre)


def start(xr):
    """The lane, with the person bent over it."""
    lane = Lane(lane_of(xr))
    near = lane.way(0.0, 0.0, 1.0)
    xr.head.move_by(lane.thing.centre + UP * 0.5 + Vector(near.x, 0.0, near.z).unit * 0.4 - xr.head.pose.position, seconds(0.8))
    xr.head.look_at(lane.thing)
    xr.wait(seconds(0.1))
    return lane


def expect_nothing_of_the_alley(xr):
    scene = xr.scene()
    for name in NAMES:
        xr.expect(len(scene.select(name=name, visible=True)), f"visible objects named {name}").equals(0)


# --- deeds ---


def take(xr, hand):
    marble = xr.find(name="marble")
    hand.reach(marble)
    hand.pinch()
    return marble


def bring(xr, hand, marble, point):
    """Carry what is held so that its middle comes there, lifted meanwhile."""
    lift = Vector(marble.centre.x, max(marble.centre.y, point.y) + 0.06, marble.centre.z)
    hand.move_by(lift - marble.centre, seconds(0.25))
    hand.move_by(point - marble.centre, seconds(0.5))


RUN_UP, STEADY, OPENING, AFTER = 0.2, 0.16, 0.05, 0.15
"""Seconds of a throw: up to its speed, at this speed with the fingers closed, while they open, and until the hand stands."""
LET_GO = RUN_UP + STEADY + OPENING * 0.4
"""When the headset ends the pinch: at a strength of 0.6."""


def gone(t):
    """How far a throwing hand has come by then, of one metre a second."""
    steady, after = min(max(t - RUN_UP, 0.0), STEADY + OPENING), max(t - RUN_UP - STEADY - OPENING, 0.0)
    return min(t, RUN_UP) ** 2 / (2 * RUN_UP) + steady + after - after * after / (2 * AFTER)


def throw(xr, hand, velocity, lost=False, look=lambda: None):
    """In a straight line from where the hand is. With `lost` the headset no longer sees it when it would open. Gives what `look` saw
    after each frame, with the seconds since the pinch ended: [(seconds, seen), ...]."""
    arm, seen = hand.arm, []
    whole = RUN_UP + STEADY + (0.0 if lost else OPENING + AFTER)

    def at(share, body):
        t = whole * share
        pinch = 1.0 - min(max((t - RUN_UP - STEADY) / OPENING, 0.0), 1.0)
        return body.changed(hand.side, wrist=arm.wrist.moved(velocity * gone(t)), pinch=pinch)

    begun = xr.clock.now
    for body in states(Motion(round(whole * TICKS), at), xr.body, xr.frame):
        xr.become(body)
        xr.clock.wait(xr.frame)
        seen.append(((xr.clock.now - begun) / TICKS - LET_GO, look()))
    if lost:
        hand.lose()
    return seen


def watch(xr, time, look):
    """What `look` saw after each frame of so many seconds."""
    seen, begun = [], xr.clock.now
    while xr.clock.now < begun + seconds(time):
        xr.clock.wait(xr.frame)
        seen.append(((xr.clock.now - begun) / TICKS, look()))
    return seen


BOWLED = 1.4
"""Metres a second of a hand that lets the marble go just above the near end of the lane."""


def bowl(xr, hand, lane, look=lambda: None):
    """Take the marble and throw it along the lane; gives what `look` saw meanwhile."""
    bring(xr, hand, take(xr, hand), lane.place(0.0, 0.035, 0.52))
    return throw(xr, hand, lane.way(0.0, 0.0, -BOWLED), look=look)


def press(xr, hand, lane, deep=0.009):
    """With the fingertip from above, down and up again."""
    hand.pose("point")
    top, here = top_of(xr, lane), lane.where(xr.find(name="reset"))
    hand.reach(lane.place(here.x, top + 0.06, here.z), part="index-finger-tip")
    hand.move_to(lane.place(here.x, top - deep, here.z), seconds(0.3), part="index-finger-tip")
    return top


def lift(xr, hand):
    hand.move_by((0.0, 0.08, 0.0), seconds(0.3))
    hand.pose("relaxed")


# --- what is so ---


def top_of(xr, lane):
    """How high the cap's top is above the middle of the lane."""
    cap = xr.find(name="reset")
    return lane.where(cap).y + cap.size.y / 2


def lean(pin):
    """Degrees between the pin's axis and up."""
    return math.degrees(frame_of(pin).orientation.rotate(UP).angle(UP))


def pins(xr):
    return [xr.find(name=f"pin-{number}") for number in range(1, 7)]


def fallen(xr, lane):
    return sum(1 for pin in pins(xr) if lean(pin) > 30 or lane.where(pin).y < 0)


def counted(xr):
    text = str(xr.find(name="score")["text"])
    found = re.search(r"\d+", text)
    xr.expect(found is not None, f"a number in {text!r}").is_true()
    return int(found.group())


def sounding(xr):
    """Where positional sounds play: middles, in the session's frame."""
    heard = [(one, one["audio"]) for one in xr.scene().value["objects"] if one["audio"]]
    return [Matrix.of(one["matrix"]).column(3) for one, sound in heard if sound["playing"] and sound["positional"]]


def expect_on_tray(xr, lane):
    marble = xr.find(name="marble")
    here, tray = lane.where(marble), lane.where(xr.find(name="tray"))
    xr.expect([here.x, here.z], "the marble, in the frame of the lane").close_to([tray.x, tray.z], 0.012)
    xr.expect(here.y, "how high the marble's middle is above the lane").at_most(0.05)
    xr.expect(here.y, "how high the marble's middle is above the lane").at_least(0.01)


def wait_for_the_marble(xr, lane):
    """It is back on the tray within 6 s after it was let go."""
    x, z = TRAY
    back = lambda: Vector((at := lane.where(xr.find(name="marble"))).x - x, 0.0, at.z - z).length < 0.02  # noqa: E731 - said once
    xr.wait(seconds(2.5))
    xr.wait_until(back, within=seconds(3.5), every=seconds(0.5), what="the marble on its tray")
    xr.wait(seconds(0.1))
    expect_on_tray(xr, lane)


def expect_set_up(xr, lane):
    for pin, (x, z) in zip(pins(xr), PLACES, strict=True):
        here = lane.where(pin)
        xr.expect([here.x, here.y, here.z], f"{pin.path}, in the frame of the lane").close_to([x, HEIGHT / 2, z], 0.012)
        xr.expect(lean(pin), f"degrees that {pin.path} leans").at_most(3)
        xr.expect(pin.visible, f"{pin.path}, visible").is_true()
    xr.expect(counted(xr), "pins that are down, in the words of the score").equals(0)


def expect_on_table(xr, lane, plane):
    xr.expect(on_surface(lane.thing, plane["id"], tolerance=0.01, whole=True))
    xr.expect(math.degrees(lane.way(0.0, 1.0, 0.0).angle(UP)), "the lane's tilt, degrees").at_most(2)
