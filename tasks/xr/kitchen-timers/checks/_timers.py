"""What the checks of this task share: a palm that is shown, a dial that is touched, a timer that is pinned, and how it has to be."""

import math
import re

from playproof.checks import frames, seconds
from playproof.model import TICKS
from playproof_xr.geometry import Matrix, Polygon, Quaternion, Vector

SECONDS = {"tea": 10, "egg": 15, "rice": 25}
TITLES = {name: name.capitalize() for name in SECONDS}
ROOMS = ["living-room", "office"]
HANDS = ["right", "left"]
UP = Vector(0.0, 1.0, 0.0)


def shown(xr, name):
    return len(xr.scene().select(name=name, visible=True))


# --- deeds ---


def show_palm(xr, hand):
    """An open hand before the chest, its palm to the eyes."""
    eyes, side = xr.head.pose.position, -1.0 if hand.side == "left" else 1.0
    trunk = Quaternion.yaw(xr.body.head.orientation.heading)
    point = eyes + trunk.rotate(Vector(0.1 * side, -0.18, -0.4))
    hand.pose("palm-up")
    hand.show_palm(eyes, point)
    xr.head.look_at(point)
    xr.wait(seconds(0.2))


def menu_on(xr, hand):
    show_palm(xr, hand)
    xr.expect(shown(xr, "menu"), "visible menus, with a palm to the eyes").equals(1)
    return xr.find(name="menu")


def front_of(thing):
    return Matrix.of(thing["matrix"].value).column(2).unit


def approach(xr, hand, thing, short=0.0):
    """Bring the tip of the index finger to the middle of a disc, from before it; or `short` metres less far."""
    out, part = front_of(thing), "index-finger-tip"
    hand.reach(thing.centre + out * 0.09, seconds(0.5), part=part)
    hand.move_to(thing.centre + out * short, seconds(0.3), part=part)
    xr.wait(frames(6))


def lay_hand(xr, hand, thing):
    """The side of an open hand at a disc: its palm's middle, the fingers up, their tips a hand's length away."""
    aside = Vector(-1.0 if hand.side == "right" else 1.0)
    before = thing.centre + front_of(thing) * 0.13
    hand.pose("open")
    hand.show_palm(before + aside, before)
    hand.move_to(thing.centre, seconds(0.3), part="palm")
    xr.wait(frames(6))


def touch(xr, hand, thing):
    hand.pose("point")
    approach(xr, hand, thing)


def make(xr, hand, other, name, number):
    """A new timer at `hand`: the other one shows the menu."""
    menu_on(xr, other)
    dial = xr.find(name=f"dial-{name}")
    out = front_of(dial)
    touch(xr, hand, dial)
    hand.move_by(out * 0.1, seconds(0.3))
    hand.pose("relaxed")
    other.rest(seconds(0.3))
    xr.expect(shown(xr, f"timer-{number}"), f"visible objects named timer-{number}, when a dial was touched").equals(1)
    return xr.find(name=f"timer-{number}")


def pin(xr, hand, point):
    """Pinch, carry the timer to a point, and let go there. Gives the tick at which that was."""
    hand.pinch()
    hand.move_to(point, seconds(0.6))
    xr.wait(frames(3))
    hand.release()
    xr.wait(frames(2))
    return xr.clock.now


# --- surfaces ---


def table_before(xr):
    """The plane of the table or desk that is nearest to the eyes, along the floor."""
    eyes = xr.head.pose.position
    tables = [one for one in xr.scene().value["planes"] if one["label"] in ("table", "desk")]
    return min(tables, key=lambda one: away_from(one, eyes))


def away_from(plane, eyes):
    inner = pose_of(plane).inverse.at(eyes)
    return max(0.0, -Polygon(tuple((x, z) for x, z in plane["polygon"])).depth((inner.x, inner.z)))


def pose_of(plane):
    return Matrix.of(plane["matrix"]).pose


def spot_on_table(xr, aside=0.0, above=0.03):
    """A point over the near half of the table before the person."""
    middle = pose_of(table_before(xr)).position
    return middle + Vector(aside, above, 0.12)


def pinned(xr, other, hand, name="tea", number=1, aside=0.0):
    """A timer on the table, and the tick at which it was pinned."""
    timer = make(xr, hand, other, name, number)
    at = pin(xr, hand, spot_on_table(xr, aside))
    hand.rest(seconds(0.3))
    return timer, at


# --- how a timer is ---


def left_on(xr, timer):
    """Seconds that it shows."""
    text = str(timer["text"])
    found = re.search(r"(\d+):(\d\d)(?!\d)", text)
    xr.expect(found is not None, f"a time as 0:07 in {text!r}").is_true()
    return 60 * int(found.group(1)) + int(found.group(2)) if found else math.nan


def expect_left(xr, timer, whole, since):
    """Give or take the 0.3 s of the brief, the frames of the release, and what rounding up makes of them."""
    passed = (xr.clock.now - since) / TICKS
    shows = left_on(xr, timer)
    xr.expect(shows, f"seconds that the timer of {whole} s shows after {passed:.1f} s").at_least(math.ceil(whole - passed - 0.45))
    xr.expect(shows, f"seconds that the timer of {whole} s shows after {passed:.1f} s").at_most(math.ceil(whole - passed + 0.45))


def expect_flat(xr, timer, plane, point, top):
    """Flat on that surface, at the foot of a point; `top` is where its upper edge has to look."""
    frame = pose_of(plane)
    here, foot = frame.inverse.at(timer.centre), frame.inverse.at(point)
    xr.expect([here.x, here.z], "the timer, along the surface").close_to([foot.x, foot.z], 0.04)
    xr.expect(here.y, "the timer's height above the surface").close_to(0.011, 0.013)
    out = frame.orientation.rotate(UP)
    xr.expect(math.degrees(front_of(timer).angle(out)), "degrees from its front to the normal").at_most(4)
    up = Matrix.of(timer["matrix"].value).column(1).unit
    along = top - out * top.dot(out)
    xr.expect(math.degrees(up.angle(along)), "degrees that its top is turned").at_most(23)


def bell_of(xr, number):
    """What is told of the bell as an audio source; None where there is no bell."""
    found = xr.scene().select(name=f"bell-{number}")
    return found[0]["audio"] if found else None


def expect_bell(xr, number, playing):
    audio = bell_of(xr, number)
    if playing:
        xr.expect(audio is not None and audio["playing"], f"bell-{number} plays").is_true()
        xr.expect(audio is not None and audio["positional"], f"bell-{number} sounds from its place").is_true()
    else:
        xr.expect(audio is not None and audio["playing"], f"bell-{number} plays").is_false()
