"""Which hand an app is given when it asks for a side, in whatever order hands come, and what becomes of a hand that is lost."""

from playproof.checks import check, frames, seconds
from playproof_xr.geometry import Vector


def expect_hands(xr, *sides):
    """The app has the hands of these sides, each where it is, and no other."""
    for side in ("left", "right"):
        hand, tracked = getattr(xr, side), "is" if side in sides else "is not"
        shown = [one for one in xr.scene().value["objects"] if one["name"] == f"{side}-tip" and one["visible"]]
        xr.expect(bool(shown), f"whether the app is given a {side} hand, which {tracked} tracked").equals(side in sides)
        if shown:
            tip = Vector(*shown[0]["matrix"][12:15])
            away = tip.distance(hand.joint("index-finger-tip").position)
            xr.expect(away, f"from the tip of the {side} index finger to where the app has it").at_most(0.005)
    told = xr.find(name="told")["text"]
    xr.expect(told, "what the SDK tells").contains(f"valid: {' and '.join(sides) or 'none'};")
    controllers = [side if side in sides else "none" for side in ("left", "right")]
    xr.expect(told, "what the SDK tells").contains(f"controllers: {' and '.join(controllers)};")


def apart(xr):
    xr.left.move_to((-0.3, 1.2, -0.35), seconds(0.3))
    xr.right.move_to((0.3, 1.1, -0.4), seconds(0.3))
    xr.wait(frames(3))


@check("p0-one-hand-alone", priority="P0", modifiers=["one-hand:keep=right", "one-hand:keep=left"],
       title="somebody who uses one hand only has that hand on its own side")
def alone(xr):
    side = "right" if xr.user().value["hands"]["right"]["tracked"] else "left"
    getattr(xr, side).move_to((0.1, 1.2, -0.35), seconds(0.3))
    xr.wait(frames(3))
    expect_hands(xr, side)


@check("p0-hands-that-come-back", priority="P0", title="hands that were lost and come back in the other order are on their own sides")
def come_back(xr):
    apart(xr)
    expect_hands(xr, "left", "right")
    for hand in (xr.left, xr.right):
        hand.lose()
    xr.wait(frames(6))
    expect_hands(xr)
    xr.right.regain()
    xr.wait(frames(6))
    expect_hands(xr, "right")
    xr.left.regain()
    xr.wait(frames(6))
    expect_hands(xr, "left", "right")
    apart(xr)
    xr.left.lose()
    xr.wait(frames(6))
    expect_hands(xr, "right")
    xr.expect_no_exceptions()


def box(xr):
    return xr.find(name="box")


@check("p0-a-lost-hand-touches-nothing", priority="P0", hands=["right", "left"],
       title="a touch ends when its hand is lost, and begins anew when that comes back")
def lost_touch(xr):
    hand, tip = xr.dominant_hand, "index-finger-tip"
    hand.move_to(box(xr).centre, seconds(0.4), part=tip)
    xr.wait(frames(3))
    xr.expect(box(xr)["text"], "the box under a finger").contains("touched; 1")
    hand.lose()
    xr.wait(seconds(0.2))
    xr.expect(box(xr)["text"], "the box when the hand is lost").contains("free; 1")
    hand.regain()
    xr.wait(seconds(0.2))
    hand.move_by((0.0, 0.1, 0.3), seconds(0.3))
    xr.wait(frames(3))
    xr.expect(box(xr)["text"], "the box when the hand has gone away").contains("free")
    hand.move_to(box(xr).centre, seconds(0.4), part=tip)
    xr.wait(frames(3))
    xr.expect(box(xr)["text"], "the box under the finger again").contains("touched")


@check("p1-gestures-by-side", priority="P1", title="a gesture is told of the hand that makes it, and ends when that is lost")
def gestures(xr):
    for hand in (xr.left, xr.right):
        hand.lose()
    xr.wait(frames(6))
    xr.right.regain()
    xr.right.move_to((0.2, 1.3, -0.4), seconds(0.3))
    xr.right.pose("fist")
    xr.wait(seconds(0.4))
    told = xr.find(name="told")
    xr.expect(told["text"], "what the SDK tells of a fist").contains("right fist")
    xr.expect("left" in told["text"].value.partition("gestures:")[2], "whether it tells of the left hand").equals(False)
    xr.right.lose()
    xr.wait(seconds(0.3))
    xr.expect(told["text"], "what the SDK tells when the hand is lost").contains("gestures: none")
