"""What may be dragged along some axes only, and how far: those of the world, or of the group that an object lies in."""

from playproof.checks import check, frames, seconds
from playproof_xr.geometry import Quaternion, Vector

HANDS = ["right", "left"]
SIZE = 0.5
TILT = Quaternion.turn(Vector(0.0, 1.0, 0.0), 0.5) * Quaternion.turn(Vector(0.0, 0.0, 1.0), 0.6)
"""How the group of the page is turned: about y, and within that about z."""

RAIL = TILT.rotate(Vector(1.0, 0.0, 0.0))


def dragged(xr, name, *ways):
    """How far an object has gone from where it was, after each way of the hand; it is let go at the end."""
    hand, thing = xr.dominant_hand, xr.find(name=name)
    hand.point_at(thing)
    before, gone = thing.centre, []
    hand.pinch()
    xr.wait(frames(3))
    for way in ways:
        hand.move_by(way, seconds(0.3))
        xr.wait(frames(3))
        gone.append(thing.centre - before)
    hand.release()
    xr.wait(frames(3))
    gone.append(thing.centre - before)
    return gone


def expect_way(xr, name, gone, wanted):
    xr.expect(list(gone), f"the way of {name}").close_to(list(wanted), 0.012)


BY, ON = Vector(0.1, 0.08, -0.05), Vector(-0.16, 0.05, 0.04)


@check("p0-along-the-groups-axis", priority="P0", hands=HANDS,
       title="a knob in a tilted group goes along the group's x axis and nowhere else")
def knob(xr):
    gone = dragged(xr, "knob", BY, ON)
    for way, hand in zip(gone, (BY, BY + ON, BY + ON), strict=True):
        expect_way(xr, "the knob", way, RAIL * hand.dot(RAIL))


@check("p0-along-the-worlds-axes", priority="P0", title="what goes along axes of the world does so, in a tilted group and in none")
def world(xr):
    expect_way(xr, "the lift", dragged(xr, "lift", BY)[-1], Vector(0.0, BY.y, 0.0))
    way = Vector(-0.08, 0.1, -0.06)
    expect_way(xr, "the puck", dragged(xr, "puck", way)[-1], Vector(way.x, 0.0, way.z))


@check("p0-limits", priority="P0", title="a fader stops at its ends, and comes away from them when the hand does")
def limits(xr):
    most, least = 0.16 * SIZE, -0.1 * SIZE
    out = dragged(xr, "fader", RAIL * 0.25, RAIL * -0.1, RAIL * -0.12, RAIL * -0.2)
    for gone, share in zip(out, (most, most, 0.03, least), strict=False):
        expect_way(xr, "the fader", gone, RAIL * share)
    gone = dragged(xr, "puck", Vector(0.2, 0.0, 0.05), Vector(0.0, 0.0, 0.06))
    expect_way(xr, "the puck at its end", gone[0], Vector(0.1, 0.0, 0.05))
    expect_way(xr, "the puck along its end", gone[1], Vector(0.1, 0.0, 0.11))


@check("p1-as-before", priority="P1", title="what has no such options goes where the hand goes; what cannot be allowed anything stays")
def as_before(xr):
    expect_way(xr, "the free box", dragged(xr, "free", BY)[-1], BY)
    expect_way(xr, "the box that has no room", dragged(xr, "stuck", BY)[-1], Vector(0.0, 0.0, 0.0))
    xr.expect_no_exceptions()
