"""What is dragged and turned with a hand's ray, in groups that stand anywhere; a hand that does not turn carries a thing by its own way."""

import math

from playproof.checks import check, frames, seconds
from playproof_xr.geometry import Matrix, Vector

BY = Vector(0.16, 0.09, -0.07)
HANDS = ["right", "left"]
NAMES = ("plain", "turned", "small", "deep")


def grab(xr, name):
    """The hand of the check points at a thing and pinches; the thing."""
    hand = xr.dominant_hand
    thing = xr.find(name=name)
    hand.point_at(thing)
    hand.pinch()
    xr.wait(frames(3))
    return hand, thing


def turn_of(thing):
    return Matrix.of(thing["matrix"].value).pose.orientation


def turned_by(before, after):
    """What leads from one orientation to the other, in the session's frame."""
    return after * before.inverse


def about(rotation, axis):
    """The angle of a rotation about an axis, in degrees, and how far its own axis is from that one."""
    x, y, z, w = rotation if rotation.w >= 0 else (-one for one in rotation)
    part = Vector(x, y, z)
    along = part.dot(axis)
    aside = (part - axis * along).length
    return math.degrees(2 * math.atan2(along, w)), math.degrees(2 * math.asin(min(1.0, aside)))


def expect_carried(xr, name, by=BY, tolerance=0.012):
    hand, thing = grab(xr, name)
    before, held = thing.centre, turn_of(thing)
    for share in (0.5, 0.5):
        hand.move_by(by * share, seconds(0.3))
        xr.wait(frames(2))
    xr.expect(list(thing.centre - before), f"the way of {name} while it is dragged").close_to(list(by), tolerance)
    _, aside = about(turned_by(held, turn_of(thing)), Vector(0.0, 1.0, 0.0))
    xr.expect(aside, f"how far {name} turned on its way, in degrees").at_most(1.0)
    hand.release()
    xr.wait(frames(3))
    xr.expect(list(thing.centre - before), f"where {name} stays").close_to(list(by), tolerance)


@check("p0-drag-in-groups", priority="P0", title="boxes in groups that are turned, tilted, smaller and nested go where the hand takes them",
       hands=HANDS)
def drag_in_groups(xr):
    expect_carried(xr, "turned")
    expect_carried(xr, "small")
    expect_carried(xr, "deep", by=Vector(-0.12, 0.1, 0.06))


@check("p1-drag-while-the-group-turns", priority="P1", title="a box whose group turns by itself stays with the hand while it is held")
def drag_on_wheel(xr):
    hand, thing = grab(xr, "on-the-wheel")
    before = thing.centre
    xr.wait(seconds(0.5))
    xr.expect(list(thing.centre - before), "the way of the box while the hand rests").close_to([0.0, 0.0, 0.0], 0.02)
    hand.move_by(BY, seconds(0.5))
    xr.wait(frames(2))
    xr.expect(list(thing.centre - before), "the way of the box while it is dragged").close_to(list(BY), 0.02)
    hand.release()


def dialled(xr, name):
    """How an object was turned by a hand that went 12 cm to its right, in the session's frame; it stays where it is."""
    hand, thing = grab(xr, name)
    before, place = turn_of(thing), thing.centre
    hand.move_by(hand.ray.orientation.rotate(Vector(0.12, 0.0, 0.0)), seconds(0.4))
    xr.wait(frames(2))
    rotation = turned_by(before, turn_of(thing))
    xr.expect(list(thing.centre - place), f"the way of {name} while it is turned").close_to([0.0, 0.0, 0.0], 0.005)
    hand.release()
    return before, rotation


def expect_dialled(xr, name, axis, wanted):
    before, rotation = dialled(xr, name)
    angle, aside = about(rotation, before.rotate(axis) if name == "dial-own" else axis)
    xr.expect(angle, f"the angle of {name} about its axis, in degrees").close_to(wanted, 2.5)
    xr.expect(aside, f"how far {name} turned about anything else, in degrees").at_most(2.0)


UP = Vector(0.0, 1.0, 0.0)
TURN = math.degrees(0.12 * 5)
"""12 cm at a sensitivity of 5 radians a metre."""


@check("p0-turn-about-the-worlds-axis", priority="P0", title="what turns about the world's y axis does so in tilted and nested groups",
       hands=HANDS)
def turn_world(xr):
    expect_dialled(xr, "dial-turned", UP, TURN)
    expect_dialled(xr, "dial-deep", UP, TURN)


@check("p1-as-before", priority="P1", title="what is dragged in no group, and what turns about its own axis, does so as before")
def as_before(xr):
    expect_carried(xr, "plain")
    expect_dialled(xr, "dial-plain", UP, TURN)
    expect_dialled(xr, "dial-own", UP, TURN)
    xr.expect_no_exceptions()


@check("p1-faces-the-person", priority="P1", title="a sign that is to face the person while it is dragged does so in nested groups")
def sign_faces(xr):
    hand, sign = grab(xr, "sign")
    before = sign.centre
    hand.move_by(BY, seconds(0.5))
    xr.wait(seconds(0.3))
    xr.expect(list(sign.centre - before), "the way of the sign").close_to(list(BY), 0.012)
    front = turn_of(sign).rotate(Vector(0.0, 0.0, 1.0))
    eyes = xr.head.pose.position - sign.centre
    xr.expect(math.degrees(front.angle(eyes)), "from the sign's front to the eyes, in degrees").at_most(4.0)
    hand.release()
