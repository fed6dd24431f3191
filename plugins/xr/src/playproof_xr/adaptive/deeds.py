"""What a model that plays can do, one thing a turn: aiming is one deed and selecting another; what is held is begun, moved and ended
with the same hand. What a deed tells is in numbers and words of ours: names of the app's stand in what is shown alone."""

from collections.abc import Callable, Generator, Mapping
from typing import Any

from playproof.errors import TaskError
from playproof.model import seconds
from playproof_judges.loop import CannotDo
from playproof_xr.body import OTHER
from playproof_xr.geometry import RIGHT, UP, Quaternion, Vector
from playproof_xr.hands import Hand
from playproof_xr.session import XRSession
from playproof_xr.sighting import eye_ray, in_sight, met_by, rays_of, spelled_point, told_of

SETTLE = seconds(0.25)
"""How long after a deed it looks: an app has shown what follows from it, and a person could not look sooner."""

ARM = 0.8
"""Metres from the shoulder to where a pinch closes at most: the 95th percentile of men's arms; `limited reach` draws hands back further."""

HELD = 0.8
HERE = 0.02
"""Metres within which somebody is at a point already."""

GAZE = "gaze"

Given = Mapping[str, Any]
Deed = Generator[int, None, str]


def deed(carry_out: Callable[[XRSession, Given], str]) -> Callable[[XRSession, Given], Deed]:
    """A deed that takes its time by the session's verbs, and a moment after it at which whoever leads may end the play."""

    def act(session: XRSession, given: Given) -> Deed:
        told = carry_out(session, given)
        session.wait(SETTLE)
        yield 0
        return told

    return act


# --- where and with what ---


def _point(session: XRSession, given: Given, thing: str = "thing", point: str = "point") -> Vector:
    """The middle of a thing that is in sight, or a point."""
    if (thing in given) == (point in given):
        raise CannotDo(f"say where by {thing} or by {point}, and by one of them alone")
    if point in given:
        return Vector.of(given[point])
    wanted = str(given[thing])
    found = next((one for one in in_sight(session.tab) if one.id == wanted), None)
    if found is None:
        raise CannotDo("there is no such thing in sight; the latest view lists the things that are, by their numbers")
    return found.place.centre


def _hand(session: XRSession, given: Given) -> Hand:
    return session.right if given["hand"] == "right" else session.left


def _name(hand: Hand) -> str:
    return f"your {hand.side} hand"


def holds(hand: Hand) -> bool:
    """Whether it is closed, or presses the trigger: what began with start_hold and has not ended."""
    return max(hand.arm.pinch, hand.arm.buttons.get("trigger", 0.0)) >= HELD


def _free(hand: Hand) -> Hand:
    if holds(hand):
        raise CannotDo(f"{_name(hand)} holds since start_hold: move it with move_held, and end it with end_hold of the same hand")
    return hand


def _holding(session: XRSession, given: Given) -> Hand:
    hand = _hand(session, given)
    if not holds(hand):
        other = session.left if OTHER[hand.side] == "left" else session.right
        more = f"; {_name(other)} does" if holds(other) else ": begin with start_hold"
        raise CannotDo(f"{_name(hand)} holds nothing{more}")
    return hand


def _apart(origin: Vector, point: Vector, who: str) -> Vector:
    """A point to which there is a direction."""
    if origin.distance(point) < HERE:
        raise CannotDo(f"{who} is there already: nothing can be aimed at from within it")
    return point


def _within_arms_length(session: XRSession, hand: Hand, point: Vector) -> Vector:
    away = session.body.shoulder(hand.side).distance(point)
    if away > ARM:
        raise CannotDo(f"{spelled_point(point)} is {away:.2f} m from your {hand.side} shoulder, and an arm reaches {ARM:g} m: "
                       "walk nearer, or use the ray (aim_at)")
    return point


def _meets(session: XRSession, source: str) -> str:
    """What a ray meets now, as the headset tells of it. This says what an aim is worth; a picture does not."""
    ray = rays_of(session.tab).get(source)
    if ray is None:
        return "the headset does not see it now"
    return f"its ray meets {told_of(met_by(session.tab, session.room, ray))}"


# --- aiming and selecting ---


def aim_at(session: XRSession, given: Given) -> str:
    point = _point(session, given)
    if given["hand"] == GAZE:
        session.head.look_at(_apart(session.head.pose.position, point, "your head"))
        return f"You look there. Your gaze: {_meets(session, 'none')}."
    hand = _free(_hand(session, given))
    hand.point_at(_apart(hand.arm.ray.position, point, _name(hand)))
    return f"Aimed, and nothing is selected by that. {_name(hand).capitalize()}: {_meets(session, hand.side)}."


def select(session: XRSession, given: Given) -> str:
    if given["hand"] == GAZE:
        if "none" not in rays_of(session.tab):
            raise CannotDo("this headset does not point with the gaze: use a hand")
        session.head.select()
        return "You pressed the headset's button and let it go."
    hand = _free(_hand(session, given))
    hand.select()
    return f"{_name(hand).capitalize()} pinched (or pressed its trigger) and let go, where it was."


def start_hold(session: XRSession, given: Given) -> str:
    hand = _free(_hand(session, given))
    hand.pinch()
    return f"{_name(hand).capitalize()} is closed, and stays so until end_hold. Whether it holds anything is seen by what moves with it."


def move_held(session: XRSession, given: Given) -> str:
    hand, ticks = _holding(session, given), seconds(given.get("seconds", 0.6))
    ways = [key for key in ("by", "to", "aim") if key in given]
    if len(ways) != 1:
        raise CannotDo("say one of by (right, up, back; as you see it), to (a point) and aim (a point that the ray is turned to)")
    if "aim" in given:
        hand.point_at(_apart(hand.arm.ray.position, Vector.of(given["aim"]), _name(hand)), ticks)
        return f"The ray was turned while it holds: {_meets(session, hand.side)}."
    step = Quaternion.yaw(session.body.head.orientation.heading).rotate(Vector.of(given["by"])) if "by" in given else Vector()
    point = Vector.of(given["to"]) if "to" in given else hand.arm.ray.position + step
    hand.move_to(_within_arms_length(session, hand, point), ticks)
    return f"{_name(hand).capitalize()} moved while it holds, to {spelled_point(hand.pinch_point)}."


def end_hold(session: XRSession, given: Given) -> str:
    hand = _holding(session, given)
    hand.release()
    return f"{_name(hand).capitalize()} is open again."


# --- hands ---


def reach(session: XRSession, given: Given) -> str:
    hand = _free(_hand(session, given))
    point = _within_arms_length(session, hand, _point(session, given))
    part = str(given.get("part", "aim"))
    hand.reach(point, part="aim" if part == "pinch" else part)
    return f"{_name(hand).capitalize()} is there with {'its pinch' if part in ('aim', 'pinch') else f'its {part}'}; it has not pinched."


AXES = {"up": UP, "right": RIGHT, "back": Vector(0.0, 0.0, 1.0)}


def turn_hand(session: XRSession, given: Given) -> str:
    hand = _hand(session, given)
    axis = Quaternion.yaw(session.body.head.orientation.heading).rotate(AXES[given.get("axis", "up")])
    hand.turn(float(given["degrees"]), axis)
    return f"{_name(hand).capitalize()} turned; {_meets(session, hand.side)}."


def pose(session: XRSession, given: Given) -> str:
    hand = _free(_hand(session, given))
    hand.pose(str(given["pose"]))
    return f"{_name(hand).capitalize()} makes the pose, and keeps it."


def rest(session: XRSession, given: Given) -> str:
    hand = _free(_hand(session, given))
    hand.pose("relaxed")
    hand.rest()
    return f"{_name(hand).capitalize()} is back where hands are held that do nothing."


# --- head and feet ---


def look(session: XRSession, given: Given) -> str:
    if "left" in given:
        if "thing" in given or "point" in given:
            raise CannotDo("say thing, point or left, and one of them alone")
        session.head.turn(float(given["left"]))
    else:
        session.head.look_at(_apart(session.head.pose.position, _point(session, given), "your head"))
    return "You look there."


def walk(session: XRSession, given: Given) -> str:
    if ("place" in given) == ("point" in given):
        raise CannotDo("say where by place or by point (x, z), and by one of them alone")
    try:
        session.head.walk_to(str(given["place"]) if "place" in given else [float(one) for one in given["point"]])
    except TaskError as fault:
        raise CannotDo(str(fault)) from None
    return f"You stand at {spelled_point(session.body.head.position.level)}; your hands came along."


def wait(session: XRSession, given: Given) -> str:
    session.wait(seconds(given["seconds"]))
    return "Time passed."


def measure(session: XRSession, given: Given) -> str:
    """Takes no time. Where depth comes from, for whoever has a picture alone."""
    width, height = session.tab.options.viewport
    x, y = float(given["x"]), float(given["y"])
    if not (0 <= x < width and 0 <= y < height):
        raise CannotDo(f"{x:g}, {y:g} lies outside the picture, which is {width} x {height}")
    ray = eye_ray(session.tab, (x + 0.5) / width, (y + 0.5) / height)
    met = met_by(session.tab, session.room, ray)
    nearest = f"; the nearest of it lies at {spelled_point(ray.at(met[0].distance))}" if met else ""
    return f"From the eyes through {x:g}, {y:g} of the picture one meets: {told_of(met)}{nearest}."
