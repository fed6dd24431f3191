"""What no gesture must do, and what becomes of hands that are lost."""

from _planets import HANDS, ORDER, RADIUS, ROOMS, expect_home, frame_of, homes, on_board, start, take

from playproof.checks import check, frames, seconds
from playproof_xr.assertions import always, distance, last
from playproof_xr.geometry import Vector


def expect_all_home(xr, home, board):
    for name in ORDER:
        expect_home(xr, xr.find(name=name), home[name], board, name)


@check("p1-near-miss", priority="P1", title="a pinch beside a planet takes nothing, wherever the rest of the hand is",
       source="experience.md#what-must-not-happen", rooms=ROOMS, hands=HANDS)
def near_miss(xr):
    board, hand = start(xr), xr.dominant_hand
    home = homes(xr, board)
    up, far = (frame_of(board).orientation.rotate(way) for way in (Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, -1.0)))
    for name, way in (("mercury", up), ("mars", (far + up * 0.4).unit)):
        planet = xr.find(name=name)
        hand.reach(planet.centre + way * (RADIUS[name] + 0.065))
        hand.pinch()
        hand.move_by((0.0, 0.1, 0.05), seconds(0.3))
        expect_all_home(xr, home, board)
        hand.release()
    # Carried over a planet while it is closed.
    planet = xr.find(name="venus")
    hand.reach(planet.centre + up * 0.14)
    hand.pinch()
    hand.move_to(planet, seconds(0.3))
    xr.wait(frames(4))
    hand.move_by((0.0, 0.12, 0.0), seconds(0.3))
    expect_all_home(xr, home, board)
    hand.release()
    xr.wait(seconds(0.2))
    take(xr, hand, "venus")
    hand.move_by((0.0, 0.12, 0.0), seconds(0.3))
    xr.expect(planet.centre.distance(hand.pinch_point), "from venus, which was pinched at last, to the pinch point").at_most(0.03)


@check("p1-invalid-gesture", priority="P1", title="half a pinch, a fist or a grab takes no planet, and a pinch does not move the board",
       source="experience.md#what-must-not-happen", rooms=ROOMS, hands=HANDS)
def invalid_gesture(xr):
    board, hand = start(xr), xr.dominant_hand
    home, here = homes(xr, board), list(board.position.value)
    for name, deed in (("earth", lambda: hand.pinch(strength=0.6)), ("mars", lambda: hand.pose("fist"))):
        hand.reach(xr.find(name=name))
        deed()
        hand.move_by((0.0, 0.12, 0.06), seconds(0.3))
        expect_all_home(xr, home, board)
        hand.release()
        hand.pose("relaxed")
    sun = xr.find(name="sun")
    hand.reach(sun)
    hand.pinch()
    hand.move_by((0.08, 0.02, 0.03), seconds(0.3))
    xr.expect(board.position, "the board, at a pinch").close_to(here, 0.003)
    hand.release()
    # Closed away from the sun, which takes nothing, and carried to it.
    hand.move_to(sun.centre + Vector(0.0, 0.3, 0.0), part="palm")
    hand.pose("grab")
    hand.move_to(sun.centre + Vector(0.0, 0.03, 0.0), seconds(0.4), part="palm")
    xr.wait(frames(4))
    hand.move_by((0.08, 0.0, 0.03), seconds(0.3))
    xr.expect(board.position, "the board, at a grab from elsewhere").close_to(here, 0.003)
    xr.expect_no_exceptions()


def lose_and_regain(xr):
    """A hand is lost with a planet in it, high above the board, and comes back."""
    board, hand = start(xr), xr.dominant_hand
    home = homes(xr, board)
    planet = take(xr, hand, "venus")
    hand.move_by((0.0, 0.15, 0.02))
    xr.expect(planet.centre.distance(hand.pinch_point), "from venus to the pinch point").at_most(0.03)
    hand.lose()
    xr.wait(seconds(1.6))
    expect_home(xr, planet, home["venus"], board, "venus")
    hand.regain()
    xr.wait(seconds(0.3))
    hand.release()
    hand.move_by((0.05, 0.1, 0.0), seconds(0.3))
    expect_home(xr, planet, home["venus"], board, "venus")
    for one in (hand, xr.other_hand):
        take(xr, one, "venus")
        one.move_by((0.0, 0.12, 0.02), seconds(0.3))
        xr.expect(always(distance(planet, one.pinch_point) < 0.03), over=last(seconds(0.2)))
        one.release()
        xr.wait(seconds(1.1))
        expect_home(xr, planet, home["venus"], board, "venus")
        one.rest()
    xr.expect_no_exceptions()


@check("p1-lost-hand", priority="P1", title="a hand that is lost lets go, and is used again when it is back",
       source="experience.md#what-must-not-happen", rooms=ROOMS, hands=HANDS)
def lost_hand(xr):
    lose_and_regain(xr)


@check("p1-lost-hand-without-an-end", priority="P1", title="the same on a headset that sends no end to a pinch that is lost",
       source="experience.md#what-must-not-happen", rooms=ROOMS, hands=HANDS, cancels=False)
def lost_without_end(xr):
    lose_and_regain(xr)


@check("p1-two-hands", priority="P1", title="what one hand holds the other cannot have, and each may hold one",
       source="experience.md#what-must-not-happen", rooms=ROOMS, hands=HANDS)
def two_hands(xr):
    board, hand, other = start(xr), xr.dominant_hand, xr.other_hand
    home = homes(xr, board)
    planet = take(xr, hand, "mercury")
    hand.move_by((0.0, 0.12, 0.0))
    other.reach(planet)
    other.pinch()
    other.move_by((0.15, 0.1, 0.0), seconds(0.3))
    xr.expect(planet.centre.distance(hand.pinch_point), "from mercury to the hand that took it").at_most(0.03)
    other.release()
    xr.wait(seconds(0.2))
    xr.expect(planet.centre.distance(hand.pinch_point), "from mercury to the hand that took it").at_most(0.03)
    second = take(xr, other, "mars")
    other.move_by((0.0, 0.1, 0.06), seconds(0.3))
    hand.move_by((0.0, 0.05, 0.06), seconds(0.3))
    xr.expect(second.centre.distance(other.pinch_point), "from mars to the hand that took it").at_most(0.03)
    xr.expect(planet.centre.distance(hand.pinch_point), "from mercury to the hand that took it").at_most(0.03)
    hand.release()
    xr.wait(frames(4))
    xr.expect(second.centre.distance(other.pinch_point), "from mars to the hand that took it").at_most(0.03)
    other.release()
    xr.wait(seconds(1.1))
    expect_all_home(xr, home, board)


@check("p2-hidden", priority="P2", title="a planet is let go when the app is hidden",
       source="experience.md#what-must-not-happen", rooms=ROOMS, hands=["right"])
def hidden(xr):
    board, hand = start(xr), xr.dominant_hand
    home = homes(xr, board)
    planet = take(xr, hand, "earth")
    hand.move_by((0.0, 0.15, 0.0))
    xr.expect(planet.centre.distance(hand.pinch_point), "from earth to the pinch point").at_most(0.03)
    xr.see("hidden")
    xr.wait(seconds(0.5))
    xr.see("visible")
    xr.wait(seconds(1.6))
    expect_home(xr, planet, home["earth"], board, "earth")
    xr.expect(on_board(board, planet).y, "height of earth").less_than(0.1)
