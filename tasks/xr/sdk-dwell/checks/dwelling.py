"""What a hand's ray or the gaze rests on is selected after its time; gauges of the page say how often, and how far it is."""

from playproof.checks import check, frames, seconds
from playproof_xr.geometry import Vector

ASIDE = Vector(0.0, 2.5, -1.2)
"""Where there is no pad."""


def told(xr, pad, kind):
    """How often a pad was selected or canceled; or its progress, from 0 to 1."""
    height = xr.find(name=f"{pad}-{kind}").centre.y - 1.0
    return round(height, 3) if kind == "progress" else round(height / 0.1)


def expect_told(xr, pad, selected, when, cancels=None):
    xr.expect(told(xr, pad, "count"), f"how often {pad} was selected {when}").equals(selected)
    if cancels is not None:
        xr.expect(told(xr, pad, "cancels"), f"how often {pad} was told that it was left {when}").equals(cancels)


def aim(xr, hand, pad):
    hand.point_at(xr.find(name=pad) if pad else ASIDE, frames(6))


@check("p0-selects-what-it-rests-on", priority="P0", title="a ray that rests on a pad selects it after the pad's time, and once")
def selects(xr):
    hand, other = xr.dominant_hand, xr.other_hand
    aim(xr, other, None)
    aim(xr, hand, "quick")
    xr.wait(seconds(0.3))
    expect_told(xr, "quick", 0, "after half its time", cancels=0)
    xr.expect(told(xr, "quick", "progress"), "its progress").close_to(0.57, 0.28)
    xr.wait(seconds(0.5))
    expect_told(xr, "quick", 1, "after its time", cancels=0)
    aim(xr, other, "slow")
    xr.wait(seconds(1.1))
    expect_told(xr, "slow", 0, "by the other hand, before its time")
    xr.wait(seconds(0.6))
    expect_told(xr, "slow", 1, "by the other hand")
    expect_told(xr, "quick", 1, "while the ray stays")
    aim(xr, hand, None)
    xr.wait(seconds(0.4))
    aim(xr, hand, "quick")
    xr.wait(seconds(0.8))
    expect_told(xr, "quick", 2, "when the ray has come back")
    expect_told(xr, "slow", 1, "meanwhile")


@check("p0-leaving", priority="P0", hands=["right", "left"], title="a ray that leaves begins anew; one that trembles over the edge goes on")
def leaving(xr):
    hand = xr.dominant_hand
    aim(xr, hand, "slow")
    xr.wait(seconds(1.0))
    aim(xr, hand, None)
    xr.wait(seconds(0.4))
    expect_told(xr, "slow", 0, "when the ray has left it", cancels=1)
    aim(xr, hand, "slow")
    xr.wait(seconds(1.0))
    expect_told(xr, "slow", 0, "before its time has come anew")
    xr.wait(seconds(0.8))
    expect_told(xr, "slow", 1, "after its time", cancels=1)
    passed = told(xr, "usual", "cancels")
    aim(xr, hand, "usual")
    edge = xr.find(name="usual").centre + Vector(0.0, -0.15, 0.025)
    for _ in range(7):
        hand.point_at(edge - Vector(0.0, 0.03, 0.0), frames(2))
        xr.wait(frames(2))
        hand.point_at(edge + Vector(0.0, 0.03, 0.0), frames(2))
        xr.wait(frames(9))
    xr.wait(seconds(0.3))
    expect_told(xr, "usual", 1, "by a ray that trembles over its edge", cancels=passed)


@check("p0-pauses", priority="P0", title="nothing is selected while the session is hidden or blurred, and nothing is forgotten")
def pauses(xr):
    hand = xr.dominant_hand
    for count, way in enumerate(("hidden", "visible-blurred")):
        aim(xr, hand, "slow")
        xr.wait(seconds(0.7))
        before = told(xr, "slow", "progress")
        xr.see(way)
        xr.wait(seconds(3))
        xr.see("visible")
        xr.wait(seconds(0.25))
        expect_told(xr, "slow", count, f"when the session is no longer {way}", cancels=0)
        xr.expect(told(xr, "slow", "progress"), f"its progress after that, of {before} before").close_to(before + 0.17, 0.19)
        xr.wait(seconds(0.9))
        expect_told(xr, "slow", count + 1, "after the rest of its time", cancels=0)
        aim(xr, hand, None)
        xr.wait(seconds(0.4))


@check("p0-lost-hand", priority="P0", title="a hand or a head that is lost selects nothing, and what the hand rested on begins anew")
def lost(xr):
    hand = xr.dominant_hand
    for count, (lose, regain) in enumerate(((hand.lose, hand.regain), (xr.head.lose, xr.head.regain))):
        aim(xr, hand, "slow")
        xr.wait(seconds(0.9))
        lose()
        xr.wait(seconds(2))
        expect_told(xr, "slow", count, "while the hand is lost", cancels=count + 1)
        regain()
        xr.wait(seconds(1.1))
        expect_told(xr, "slow", count, "soon after it is found again")
        xr.wait(seconds(0.8))
        expect_told(xr, "slow", count + 1, "after its time")
        aim(xr, hand, None)
        xr.wait(seconds(0.4))


@check("p1-gaze", priority="P1", page="index.html?gaze", title="the gaze selects what it rests on, too")
def gaze(xr):
    xr.head.look_at(ASIDE)
    xr.wait(seconds(0.4))
    xr.head.look_at(xr.find(name="usual"), frames(12))
    xr.wait(seconds(0.7))
    expect_told(xr, "usual", 0, "before its time")
    xr.wait(seconds(0.6))
    expect_told(xr, "usual", 1, "after its time")
    xr.head.look_at(xr.find(name="plain"), frames(12))
    xr.wait(seconds(2))
    expect_told(xr, "plain", 0, "though it has no such option")
    expect_told(xr, "usual", 1, "since")


@check("p1-as-before", priority="P1", title="a pinch selects once, with the option and without it; what has no option is only pinched")
def as_before(xr):
    hand = xr.dominant_hand
    aim(xr, hand, "plain")
    xr.wait(seconds(2))
    expect_told(xr, "plain", 0, "though it has no such option")
    for pad in ("plain", "slow"):
        aim(xr, hand, pad)
        xr.wait(seconds(0.4))
        hand.pinch()
        xr.wait(frames(6))
        hand.release()
        xr.wait(seconds(1.8))
        expect_told(xr, pad, 1, "by a pinch")
    xr.expect_no_exceptions()
