"""What the checks of this task share: the console, its controls, what they say, and the ways to use them."""

import re

from playproof.checks import frames, seconds
from playproof_xr.assertions import readable
from playproof_xr.geometry import Matrix, Polygon, Quaternion, Vector

HANDS, ROOMS = ["right", "left"], ["living-room", "office"]
NO_TABLE = "checks/rooms/no-table.toml"
QUIET, LATE, UNTOLD = ("index.html?" + query for query in ("sounds=assets/quiet.json", "late=4", "sounds=assets/lost.json"))
CONTROLS, SWITCHES = ("lamp", "blinds", "call", "come"), ("lamp", "blinds", "call")
ON = {"lamp": ("on", "off"), "blinds": ("closed", "open"), "call": ("calling", "")}
OFF = dict.fromkeys(SWITCHES, False)
DOWN = Vector(0.0, -1.0, 0.0)


def console(xr):
    """The console, once it is there."""
    xr.wait_until(lambda: xr.scene().select(name="console", visible=True), within=seconds(1), what="a visible console")
    return xr.find(name="console")


# --- what is said ---


def says(text, word):
    return re.search(rf"\b{word}\b", text.lower()) is not None


def state(xr):
    """Which switches are on, by their words."""
    found = {}
    for name in SWITCHES:
        text = str(xr.find(name=name)["text"])
        on, off = ON[name]
        found[name] = says(text, on)
        xr.expect(found[name] != says(text, off) if off else True, f"either {on!r} or {off!r} in {text!r}").is_true()
    return found


def expect_state(xr, after, **on):
    xr.expect(state(xr), f"what is on after {after}").equals({**OFF, **on})


def expect_board(xr):
    """The board says what the controls say."""
    text, now = re.sub(r"[^a-z]+", " ", str(xr.find(name="board")["text"]).lower()), state(xr)
    for name in ("lamp", "blinds"):
        word = f"{name} {ON[name][0 if now[name] else 1]}"
        xr.expect(word in text, f"{word!r} in the board's {text!r}").is_true()
    xr.expect(says(text, "calling"), f"'calling' in the board's {text!r}").equals(now["call"])


def expect_legible_controls(xr):
    for name in CONTROLS:
        xr.head.look_at(xr.find(name=name), seconds(0.2))
        xr.expect(readable(xr.find(name=name), lines=2))
    xr.head.look_at(xr.head.pose.position + ahead(xr), seconds(0.2))


# --- where things are ---


def ahead(xr):
    return Quaternion.yaw(xr.head.pose.orientation.heading).rotate(Vector(0.0, 0.0, -1.0))


def planes(xr, *labels):
    return [one for one in xr.scene().value["planes"] if one["label"] in labels]


def nearest_point(plane, eyes):
    """The point of a plane's outline that is nearest to a place, in the plane's own (x, z), and how far it is along the floor."""
    inner = Matrix.of(plane["matrix"]).pose.inverse.at(eyes)
    corners = [Vector(x, 0.0, z) for x, z in plane["polygon"]]
    here = Vector(inner.x, 0.0, inner.z)
    if Polygon(tuple((one.x, one.z) for one in corners)).contains((here.x, here.z)):
        return here, 0.0
    spots = []
    for index, a in enumerate(corners):
        way = corners[(index + 1) % len(corners)] - a
        share = min(1.0, max(0.0, (here - a).dot(way) / way.dot(way)))
        spots.append(a + way * share)
    best = min(spots, key=here.distance)
    return best, here.distance(best)


def nearest_table(xr, eyes):
    return min(planes(xr, "table", "desk"), key=lambda plane: nearest_point(plane, eyes)[1])


def expect_before_the_person(xr, heading, eyes):
    """Each control within 0.45 of both shoulders of somebody whose eyes are there."""
    trunk = Quaternion.yaw(heading)
    for name in CONTROLS:
        middle = xr.find(name=name).centre
        for side in (-0.18, 0.18):
            shoulder = eyes + trunk.rotate(Vector(side, -0.2, 0.08))
            xr.expect(middle.distance(shoulder), f"metres from a shoulder to {name}").at_most(0.455)
        xr.expect(middle.distance(eyes), f"metres from the eyes to {name}").at_least(0.245)
        xr.expect(middle.y, f"height of {name}").less_than(eyes.y)


# --- ways to use a control ---


def before(control, metres):
    """A point so far before a control's middle."""
    return control.centre - control.forward * metres


def half_depth(xr, control):
    """Metres from a control's middle to its front."""
    local = control["local"].value
    xr.expect(local is not None, f"a shape of {control.path} itself").is_true()
    return (local[5] - local[2]) / 2 * Matrix.of(control["matrix"].value).column(2).length


def approach(xr, hand, control, metres=0.1):
    """The index finger's tip before a control, come there around what else is on the console."""
    hand.pose("point")
    hand.reach(before(control, 0.3), part="index-finger-tip")
    hand.move_to(before(control, metres), seconds(0.4), part="index-finger-tip")


def touch(xr, hand, control, lasting=0.5, deep=0.0):
    """A touch of a control: the tip at its middle, or `deep` metres before that; and back."""
    approach(xr, hand, control, 0.06)
    hand.move_to(before(control, deep), seconds(0.25), part="index-finger-tip")
    xr.wait(seconds(lasting))
    hand.move_to(before(control, 0.12), seconds(0.3), part="index-finger-tip")


def touch_all(xr, hand):
    """Each switch on, one after the other, and the lamp off again."""
    on = {}
    for name in SWITCHES:
        touch(xr, hand, xr.find(name=name))
        on[name] = True
        expect_state(xr, f"a touch of {name}", **on)
    touch(xr, hand, xr.find(name="lamp"))
    expect_state(xr, "a second touch of lamp", blinds=True, call=True)


def expect_steady(xr, ticks, after, **on):
    """The state does not change for so long."""
    end = xr.clock.now + ticks
    while xr.clock.now < end:
        expect_state(xr, after, **on)
        xr.wait(frames(3))


def ask_to_come(xr):
    """By looking at `come`; the console, which has come."""
    xr.head.look_at(xr.find(name="come"))
    xr.wait(seconds(1.75))
    return xr.find(name="console")
