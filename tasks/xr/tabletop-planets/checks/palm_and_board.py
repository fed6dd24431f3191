"""The card on the palm, and the board that is moved by the sun."""

from _planets import (
    FACTS,
    HANDS,
    ORDER,
    ROOMS,
    TITLES,
    card_up,
    expect_home,
    expect_on_table,
    expect_placed,
    homes,
    nearest_table,
    palm_to_eyes,
    put,
    start,
    take,
)  # fmt: skip

from playproof.checks import check, frames, seconds
from playproof_xr.assertions import always, angle, attached, forward, position, readable, since
from playproof_xr.geometry import Vector

SHOWS_MIN, SHOWS_MAX = 0.015, 0.055


@check("p1-palm-card", priority="P1", title="the card lies on the palm's surface; it moves and turns with it, not with wrist or finger",
       source="experience.md#step-by-step", rooms=ROOMS, hands=HANDS)
def palm_card(xr):
    start(xr)
    for hand in (xr.dominant_hand, xr.other_hand):
        card = card_up(xr, hand)
        begun = xr.clock.now
        hand.turn(16, (0.0, 1.0, 0.0), seconds(0.4))
        hand.move_by((0.04, 0.05, 0.04), seconds(0.4))
        hand.turn(-16, (1.0, 0.0, 0.3), seconds(0.4))
        hand.pose("relaxed", seconds(0.3))
        hand.pose("open", seconds(0.3))
        xr.expect(attached(card, hand.palm, within=SHOWS_MAX, drift=0.012, turn=10), over=since(begun))
        xr.expect(always(position(card, hand.palm).y < -SHOWS_MIN), over=since(begun))
        xr.expect(always(angle(forward(card, "+z"), forward(hand.palm, "-y")) < 15), over=since(begun))
        xr.expect(always(angle(forward(card, "+y"), forward(hand.palm, "-z")) < 20), over=since(begun))
        hand.rest()
        xr.wait(seconds(0.3))
        xr.expect(card.visible, "the card, when no palm looks to the eyes").is_false()


@check("p1-card-tells", priority="P1", title="the card tells about the planet that was picked up last, on the hand that is free",
       source="experience.md#step-by-step", rooms=ROOMS, hands=HANDS)
def card_tells(xr):
    board, hand, other = start(xr), xr.dominant_hand, xr.other_hand
    card = card_up(xr, other)
    for name in ORDER:
        xr.expect(FACTS[name] in str(card["text"]), f"a fact about {name}, before it was picked up").is_false()
    told = None
    for name in ("mars", "earth"):
        home = homes(xr, board)[name]
        xr.head.look_at(board)
        planet = take(xr, hand, name)
        hand.move_by((0.0, 0.08, 0.02), seconds(0.3))
        palm_to_eyes(xr, other)
        xr.wait(seconds(0.2))
        xr.expect(card.visible, "the card on the free hand, visible").is_true()
        xr.expect(readable(card, lines=8))
        text = str(card["text"])
        xr.expect(TITLES[name] in text, f"{TITLES[name]!r} in {text!r}").is_true()
        xr.expect(FACTS[name] in text, f"the fact about {name} in {text!r}").is_true()
        xr.expect(text == told, "the same words as before").is_false()
        told = text
        other.rest()
        hand.release()
        xr.wait(seconds(1.1))
        expect_home(xr, planet, home, board, name)
    xr.expect_no_exceptions()


@check("p1-no-card-for-a-back", priority="P1", title="no card on the back of a hand, nor on a palm that looks away",
       source="experience.md#step-by-step", rooms=ROOMS, hands=HANDS)
def no_card(xr):
    start(xr)
    hand = xr.dominant_hand
    card = card_up(xr, hand)
    eyes, here = xr.head.pose.position, hand.palm.position
    for way in (here - eyes, (eyes - here).cross(Vector(0.0, 1.0, 0.0))):
        hand.show_palm(here + way, here)
        xr.wait(seconds(0.3))
        xr.expect(card.visible, "the card on a palm that looks away").is_false()
        palm_to_eyes(xr, hand)
        xr.wait(seconds(0.3))
        xr.expect(card.visible, "the card on a palm that looks to the eyes").is_true()


def seize(xr, hand):
    sun = xr.find(name="sun")
    hand.reach(sun.centre + Vector(0.0, 0.04, 0.0), part="palm")
    hand.pose("grab")
    xr.wait(frames(3))


@check("p1-move-the-board", priority="P1", title="a grab at the sun slides the board along the table with all that is on it",
       source="experience.md#step-by-step", rooms=ROOMS, hands=HANDS)
def move_the_board(xr):
    eyes = xr.head.pose.position
    board, hand = start(xr), xr.dominant_hand
    table = nearest_table(xr, eyes)
    earth = put(xr, hand, "earth", 3)
    xr.wait(seconds(0.5))
    home = homes(xr, board)
    before, turn = board.centre, list(board["matrix"].value[:12])
    seize(xr, hand)
    begun = xr.clock.now
    way = Vector(0.1, 0.06, -0.06)
    hand.move_by(way)
    xr.expect(list(board.centre), "the board").close_to([before.x + way.x, before.y, before.z + way.z], 0.02)
    expect_on_table(xr, board, table)
    xr.expect(always(abs(position(board).y - float(board.position[1])) < 0.003), over=since(begun))
    hand.pose("relaxed")
    xr.wait(frames(3))
    after = list(board.position.value)
    hand.move_by((-0.1, 0.1, 0.1))
    xr.expect(board.position, "the board, let go").close_to(after, 0.003)
    xr.expect(board["matrix"][:12], "how the board is turned").close_to(turn, 0.01)
    expect_placed(xr, earth, 3, board)
    for name in set(ORDER) - {"earth"}:
        expect_home(xr, xr.find(name=name), home[name], board, name)
    put(xr, hand, "venus", 2)
    xr.wait(seconds(0.5))
    expect_placed(xr, xr.find(name="venus"), 2, board)


@check("p1-board-stops-at-the-edge", priority="P1", title="the board never leaves the table",
       source="experience.md#step-by-step", rooms=ROOMS, hands=HANDS)
def stops_at_the_edge(xr):
    eyes = xr.head.pose.position
    board, hand = start(xr), xr.dominant_hand
    table = nearest_table(xr, eyes)
    before = board.centre
    seize(xr, hand)
    for way in ((-0.5, 0.1, 0.0), (0.0, 0.0, 0.3), (0.0, -0.05, -0.7)):
        hand.move_by(way, seconds(0.8))
        expect_on_table(xr, board, table)
    hand.pose("open")
    xr.expect(board.centre.distance(before), "how far the board went").at_least(0.05)
    expect_on_table(xr, board, table)
