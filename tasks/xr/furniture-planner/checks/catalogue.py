"""The catalogue, when it comes and where it is; and gestures at it that are none."""

import math

from _furniture import (
    HANDS,
    ROOMS,
    SIZES,
    axes_of,
    bring,
    expect_at,
    expect_on_floor,
    expect_stored,
    join,
    place_of,
    put,
    scale_of,
    seize,
    shown,
    start,
    take,
    turned,
    yaw_of,
)  # fmt: skip

from playproof.checks import check, frames, seconds
from playproof_xr.assertions import always, facing, last, position, readable
from playproof_xr.geometry import Vector


def expect_near(xr, catalogue):
    """Within reach before the eyes, and turned to them."""
    eyes = xr.head.pose.position
    away = catalogue.centre - eyes
    xr.expect(Vector(away.x, 0.0, away.z).length, "metres to the catalogue, along the floor").close_to(0.475, 0.1)
    xr.expect(-away.y, "metres that the catalogue is below the eyes").close_to(0.325, 0.145)
    xr.expect(facing(catalogue, within=25))


@check("p0-catalogue", priority="P0", title="a session begins, and the catalogue is within reach with a card for each piece that is known",
       source="experience.md#step-by-step", rooms=ROOMS)
def catalogue_is_there(xr):
    catalogue = start(xr)
    expect_near(xr, catalogue)
    for name in SIZES:
        expect_stored(xr, name)
        xr.expect(facing(xr.find(name=f"card-{name}"), within=25))
    centres = [xr.find(name=f"card-{name}").centre for name in SIZES]
    nearest = min(a.distance(b) for index, a in enumerate(centres) for b in centres[:index])
    xr.expect(nearest, "least distance between the middles of two cards").at_least(0.11)
    xr.expect(shown(xr, "card-wardrobe"), "cards of what the file does not describe").equals(0)
    for name in ("hint", "measure"):
        xr.expect(shown(xr, name), f"visible objects named {name}").equals(0)
    xr.expect_no_exceptions()
    xr.expect_no_missing_files()


@check("p1-late-floor", priority="P1", title="a floor that is found seconds after the start is used then; a hint stands there before",
       source="experience.md#setting", rooms=ROOMS, hands=["right"], surfaces_after=4.0)
def late_floor(xr):
    hand = xr.dominant_hand
    for turn in (0, 70):
        xr.head.turn(turn)
        xr.wait(seconds(1.2))
        for name in ("catalogue", "measure", *SIZES):
            xr.expect(shown(xr, name), f"visible objects named {name}, while there is no floor").equals(0)
        hint = xr.find(name="hint")
        xr.expect(readable(hint, lines=4))
        xr.expect(facing(hint, within=25))
    xr.expect("floor" in str(hint["text"]).lower(), f"the word 'floor' in {str(hint['text'])!r}").is_true()
    hand.select()
    xr.wait_until(lambda: xr.scene().value["planes"], within=seconds(4), what="a found room")
    catalogue = start(xr)
    expect_near(xr, catalogue)
    xr.expect(shown(xr, "hint"), "visible hints").equals(0)
    chair = take(xr, hand, "armchair")
    expect_on_floor(xr, chair, "armchair")
    xr.expect_no_exceptions()


@check("p1-catalogue-stays", priority="P1", title="the catalogue stays where it is while one turns, and comes along when one walks away",
       source="experience.md#step-by-step", rooms=ROOMS, hands=["right"])
def catalogue_stays(xr):
    catalogue = start(xr)
    begun, here = xr.clock.now, catalogue.centre
    xr.head.turn(60)
    xr.head.move_by((0.1, -0.1, 0.1))
    xr.head.turn(-60)
    for axis, value in zip("xz", (here.x, here.z), strict=True):
        xr.expect(always(abs(getattr(position(catalogue), axis) - value) < 0.02), over=last(xr.clock.now - begun))
    xr.head.move_by((-0.1, 0.1, -0.1))
    xr.head.walk_to("door")
    xr.wait(seconds(3.2))
    away = catalogue.centre - xr.head.pose.position
    xr.expect(Vector(away.x, 0.0, away.z).length, "metres to the catalogue, along the floor").at_most(1.42)
    lamp = take(xr, xr.dominant_hand, "floor-lamp")
    expect_on_floor(xr, lamp, "floor-lamp")


@check("p1-near-miss", priority="P1", title="a pinch beside a card or a piece, half a pinch, a fist, or a finger on a card takes nothing",
       source="experience.md#what-must-not-happen", rooms=["living-room"], hands=HANDS)
def near_miss(xr):
    catalogue, hand = start(xr), xr.dominant_hand
    out = catalogue.forward * -1.0
    for name in ("armchair", "floor-lamp"):
        card = xr.find(name=f"card-{name}").centre
        hand.reach(card + out * 0.1)
        hand.pinch()
        hand.move_to(card, seconds(0.3))  # closed, and carried to the card
        hand.move_by((0.0, 0.0, 0.15), seconds(0.3))
        expect_stored(xr, name)
        hand.release()
    card = xr.find(name="card-bench").centre
    for deed in (lambda: hand.pinch(strength=0.6), lambda: hand.pose("fist")):
        hand.reach(card)
        deed()
        hand.move_by((0.0, 0.0, 0.15), seconds(0.3))
        expect_stored(xr, "bench")
        hand.release()
        hand.pose("relaxed")
    hand.pose("point")
    hand.reach(card + out * 0.08, part="index-finger-tip")
    hand.move_to(card - out * 0.01, seconds(0.3), part="index-finger-tip")
    xr.wait(frames(6))
    hand.move_by((0.0, 0.0, 0.15), seconds(0.3))
    expect_stored(xr, "bench")
    hand.pose("relaxed")


@check("p1-beside-a-turned-piece", priority="P1", title="what a pinch takes goes by the piece as it is turned, not by a box around it",
       source="experience.md#step-by-step", rooms=["living-room"], hands=HANDS)
def beside_a_turned_piece(xr):
    start(xr)
    hand, other = xr.dominant_hand, xr.other_hand
    bench = take(xr, hand, "bench")
    bring(xr, hand, bench, 0.0, -0.45)
    join(xr, hand, other)
    xr.twist(45)
    other.release()
    hand.release()
    other.rest()
    here, (along, _, front) = place_of(bench), axes(bench)
    # Two corners of the box around it, where the bench itself is half a metre away.
    for way in ((along + front).unit, (along - front).unit):
        beside = here + way * 0.62 + Vector(0.0, 0.3, 0.0)
        away = abs((beside - here).dot(front)) - 0.225
        xr.expect(away, "how far from the bench the check pinches").at_least(0.12)
        hand.reach(beside)
        hand.pinch()
        hand.move_by((0.1, 0.1, 0.2), seconds(0.3))
        expect_at(xr, bench, "bench", here.x, here.z, 0.005)
        hand.release()
    hand.reach(here + along * 0.6 + Vector(0.0, 0.3, 0.0))
    hand.pinch()
    hand.move_by((0.0, 0.0, 0.2), seconds(0.4))
    expect_at(xr, bench, "bench, taken at its end", here.x, here.z + 0.2, 0.04)


def axes(piece):
    return [one.unit for one in axes_of(piece)]


@check("p1-carry", priority="P1", title="a held piece stands upright on the floor under the hand, whatever else the hand does",
       source="experience.md#step-by-step", rooms=ROOMS, hands=HANDS)
def carry(xr):
    start(xr)
    hand = xr.dominant_hand
    chair = take(xr, hand, "armchair")
    expect_on_floor(xr, chair, "armchair")
    expect_at(xr, chair, "armchair", hand.pinch_point.x, hand.pinch_point.z, 0.035)
    eyes, middle = xr.head.pose.position, place_of(chair)
    to_eyes = math.degrees(math.atan2(eyes.x - middle.x, eyes.z - middle.z))
    xr.expect(turned(yaw_of(chair), to_eyes), "degrees that its front is turned from the eyes").close_to(0, 27)
    turn = chair["matrix"].value[:12]
    for by, degrees, axis in (((0.15, 0.2, -0.1), 40, (0.0, 1.0, 0.0)), ((-0.2, -0.3, 0.2), 35, (1.0, 0.0, 0.2))):
        here = place_of(chair)
        hand.move_by(by)
        hand.turn(degrees, axis)
        xr.wait(frames(2))
        expect_at(xr, chair, "armchair", here.x + by[0], here.z + by[2], 0.03)
        expect_on_floor(xr, chair, "armchair")
        xr.expect(chair["matrix"][:12], "how the armchair is turned").close_to(turn, 0.01)
    xr.expect(always(abs(position(chair).y) < 0.012), over=last(seconds(1)))
    here = place_of(chair)
    hand.release()
    hand.move_by((0.2, 0.1, 0.1))
    expect_at(xr, chair, "armchair, let go", here.x, here.z)
    expect_on_floor(xr, chair, "armchair")
    xr.expect(shown(xr, "card-armchair"), "cards of the armchair, which stands on the floor").equals(0)
    seize(xr, hand, "armchair")
    expect_at(xr, chair, "armchair, when it is taken again", here.x, here.z)
    hand.move_by((-0.2, 0.1, -0.1))
    xr.wait(frames(2))
    expect_at(xr, chair, "armchair, taken again", here.x - 0.2, here.z - 0.1)
    hand.release()
    expect_on_floor(xr, chair, "armchair")
    xr.expect_no_exceptions()


@check("p1-each-hand-its-own", priority="P1", title="each hand may hold a piece of its own, and lets go that one alone",
       source="experience.md#what-must-not-happen", rooms=["living-room"], hands=HANDS)
def each_its_own(xr):
    start(xr)
    hand, other = xr.dominant_hand, xr.other_hand
    side = 1.0 if hand.side == "right" else -1.0
    lamp = take(xr, hand, "floor-lamp")
    hand.move_by((0.4 * side, 0.0, 0.1))
    chair = take(xr, other, "armchair")
    other.move_by((-0.3 * side, 0.0, 0.1))
    xr.wait(frames(2))
    here = place_of(lamp)
    expect_at(xr, lamp, "floor-lamp", hand.pinch_point.x, hand.pinch_point.z, 0.04)
    expect_at(xr, chair, "armchair", other.pinch_point.x, other.pinch_point.z, 0.04)
    other.release()
    other.move_by((-0.1 * side, 0.1, 0.2))
    hand.move_by((0.1 * side, 0.0, 0.0))
    xr.wait(frames(2))
    expect_at(xr, lamp, "floor-lamp", here.x + 0.1 * side, here.z)
    xr.expect(scale_of(lamp), "the lamp's scale").close_to(1.0, 0.01)
    hand.release()
    expect_on_floor(xr, chair, "armchair")
    xr.expect_no_exceptions()


@check("p2-trembling", priority="P2", title="on a seat, and with noisy trackers, it is the same",
       source="evaluation.md", rooms=["office"], hands=["right"], modifiers=["jitter:mm=2", "seated"])
def trembling(xr):
    start(xr)
    chair = put(xr, xr.dominant_hand, "armchair", 0.1, -0.45)
    expect_on_floor(xr, chair, "armchair")
    expect_at(xr, chair, "armchair", 0.1, -0.45, 0.06)
    xr.expect_no_exceptions()
