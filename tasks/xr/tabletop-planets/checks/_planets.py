"""What the checks of this task share: the person at the table, the board's own frame, and where things have their places."""

import math

from playproof.checks import seconds
from playproof_xr.assertions import on_surface
from playproof_xr.geometry import Matrix, Polygon, Quaternion, Vector

ORDER = ("mercury", "venus", "earth", "mars")
TRAY = ("earth", "mercury", "mars", "venus")
RADIUS = {"mercury": 0.020, "venus": 0.028, "earth": 0.030, "mars": 0.024}
TITLES = {name: name.capitalize() for name in ORDER}
FACTS = {"mercury": "88 days", "venus": "465 degrees", "earth": "to have seas", "mars": "Olympus Mons"}
RIGHT, WRONG = "#2ecc71", "#e74c3c"

ROOMS = ["living-room", "office"]
HANDS = ["right", "left"]

ABOVE = Vector(0.0, 0.45, 0.35)
"""From the board's middle to the eyes of somebody who bends over it: then it is within an arm's reach."""


# --- the table ---


def plane_pose(plane):
    return Matrix.of(plane["matrix"]).pose


def tables(xr):
    return [one for one in xr.scene().value["planes"] if one["label"] in ("table", "desk")]


def nearest_table(xr, eyes):
    """The table whose edge is nearest to a place, along the floor, of those that the headset knows."""

    def away(plane):
        inner = plane_pose(plane).inverse.at(eyes)
        polygon = Polygon(tuple((x, z) for x, z in plane["polygon"]))
        return max(0.0, -polygon.depth((inner.x, inner.z)))

    return min(tables(xr), key=away)


# --- the board and the person ---


def board_of(xr):
    """The board, once it is there."""
    xr.wait_until(lambda: xr.scene().select(name="board", visible=True), within=seconds(1), what="a visible board")
    return xr.find(name="board")


def frame_of(board):
    """The board's own frame, in metres: x to its right, y up, z to its near side."""
    return Matrix.of(board["matrix"].value).pose


def on_board(board, thing):
    """Where a thing's middle is in the board's frame."""
    return frame_of(board).inverse.at(thing.centre)


def come_close(xr, board):
    """Bend over the board, and look at it."""
    goal = board.centre + Vector(0.0, ABOVE.y, 0.0) + flat(frame_of(board).orientation.rotate(Vector(0.0, 0.0, 1.0))) * ABOVE.z
    xr.head.move_by(goal - xr.head.pose.position, seconds(0.8))
    xr.head.look_at(board)
    xr.wait(seconds(0.1))


def start(xr):
    """The board, with the person bent over it."""
    board = board_of(xr)
    come_close(xr, board)
    return board


def flat(way):
    return Vector(way.x, 0.0, way.z).unit


# --- deeds ---


def take(xr, hand, name):
    """Reach for a planet and pinch it."""
    planet = xr.find(name=name)
    hand.reach(planet)
    hand.pinch()
    return planet


def carry_to(xr, hand, planet, place):
    """Bring what is held so that its middle comes to a place: lifted, across, and down, as one does."""
    lift = Vector(planet.centre.x, max(planet.centre.y, place.y) + 0.08, planet.centre.z)
    over = Vector(place.x, lift.y, place.z)
    for goal, time in ((lift, 0.3), (over, 0.5), (place, 0.3)):
        hand.move_by(goal - planet.centre, seconds(time))


def slot_place(xr, number, height=0.045):
    """A little above the middle of a slot."""
    return xr.find(name=f"slot-{number}").centre + Vector(0.0, height, 0.0)


def put(xr, hand, name, number):
    planet = take(xr, hand, name)
    carry_to(xr, hand, planet, slot_place(xr, number))
    hand.release()
    return planet


# --- what must be ---


def expect_home(xr, planet, home, board, name):
    """At its place on the tray, resting on the board."""
    xr.expect(list(on_board(board, planet)), f"{name}, in the board's frame").close_to(list(home), 0.01)
    xr.expect(on_surface(planet, board, tolerance=0.008))


def expect_placed(xr, planet, number, board):
    """At the middle of its slot, resting on the board; the slot says so."""
    slot = xr.find(name=f"slot-{number}")
    here, wanted = on_board(board, planet), on_board(board, slot)
    xr.expect([here.x, here.z], f"{planet.path}, along the board").close_to([wanted.x, wanted.z], 0.008)
    xr.expect(on_surface(planet, board, tolerance=0.008))
    xr.expect(slot.colour, f"slot-{number}").equals(RIGHT)


def expect_free(xr, number):
    for colour in (RIGHT, WRONG):
        xr.expect(xr.find(name=f"slot-{number}").colour, f"slot-{number}").not_equals(colour)


def homes(xr, board):
    return {name: on_board(board, xr.find(name=name)) for name in ORDER}


def expect_on_table(xr, board, plane):
    """Flat on that table, wholly over it."""
    xr.expect(on_surface(board, plane["id"], tolerance=0.01, whole=True))
    up = frame_of(board).orientation.rotate(Vector(0.0, 1.0, 0.0))
    xr.expect(math.degrees(up.angle(Vector(0.0, 1.0, 0.0))), "the board's tilt, degrees").at_most(2)


def expect_nothing_floats(xr):
    """Before there is a table, the hint alone is to be seen."""
    scene = xr.scene()
    for name in ("board", "sun", "palm-card", "done", *ORDER, *(f"slot-{number}" for number in range(1, 5))):
        xr.expect(len(scene.select(name=name, visible=True)), f"visible objects named {name}").equals(0)


# --- the palm ---


LOOKING = seconds(0.5)


def palm_to_eyes(xr, hand, ticks=LOOKING):
    """Hold a hand before the chest with its palm to the eyes, and look at it."""
    eyes, side = xr.head.pose.position, -1.0 if hand.side == "left" else 1.0
    trunk = Quaternion.yaw(xr.body.head.orientation.heading)
    point = eyes + trunk.rotate(Vector(0.12 * side, -0.16, -0.42))
    hand.show_palm(eyes, point, ticks)
    xr.head.look_at(point)


def card_up(xr, hand):
    """The palm shown, fingers flat; the card, once it is there."""
    hand.pose("palm-up")
    palm_to_eyes(xr, hand)
    xr.wait(seconds(0.2))
    card = xr.find(name="palm-card")
    xr.expect(card.visible, "the card on the palm, visible").is_true()
    return card
