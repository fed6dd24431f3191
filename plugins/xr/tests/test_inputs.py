"""Controllers, gaze and two hands at once, as the app is told of them; modifiers and walking in a session."""

from collections.abc import Callable
from typing import Any

import pytest

from playproof.checks import frames
from playproof.errors import TaskError
from playproof.model import seconds
from playproof_xr.geometry import Vector

pytestmark = pytest.mark.heavy
Play = Callable[..., Any]


def told(xr: Any) -> Any:
    return xr.tab.page.evaluate("told")


def test_controllers_have_trigger_squeeze_buttons_and_stick(play: Play) -> None:
    with play(page="raw.html", mode="controller") as xr:
        assert [one["kind"] for one in xr.user()["inputs"].value] == ["controller", "controller"]
        xr.left.select()
        xr.right.press("squeeze")
        xr.right.stick(0.5, -1.0)
        xr.right.press("a-button")
        xr.wait(frames(1))
        right = told(xr)["pads"][1]
        assert right["pressed"] == [False, True, False, False, True, False, False] and right["axes"][2:] == [0.5, -1.0]
        assert xr.user()["inputs"][1]["axes"].value[2:] == [0.5, -1.0] and xr.user()["inputs"][1]["buttons"].value[1] == 1
        xr.right.let_go("squeeze")
        xr.wait(frames(1))
        assert told(xr)["events"][2:] == [
            "selectstart left", "select left", "selectend left", "squeezestart right", "squeeze right", "squeezeend right",
        ]  # fmt: skip


def test_a_ray_is_pointed_and_something_far_is_selected(play: Play) -> None:
    with play(page="picking.html?way=target", mode="controller") as xr:
        xr.left.point_at(xr.find(name="left"))
        xr.left.select()
        xr.wait(frames(2))
        xr.expect(xr.find(name="left").colour, "the left box").equals("#00ff00")
        xr.expect(xr.find(name="right").colour, "the right box").equals("#888888")
        aimed = xr.user()["inputs"][0]["ray"].value
        assert Vector(*aimed[12:15]).distance(xr.left.ray.position) < 1e-6


def test_a_headset_that_points_with_the_gaze(play: Play) -> None:
    with play(page="picking.html?way=target", mode="gaze") as xr:
        assert [(one["kind"], one["handedness"]) for one in xr.user()["inputs"].value] == [("gaze", "none")]
        xr.head.look_at(xr.find(name="right"))
        xr.head.select()
        xr.wait(frames(2))
        xr.expect(xr.find(name="right").colour, "what one looked at").equals("#00ff00")
        xr.expect(xr.find(name="left").colour, "the other").equals("#888888")
        assert [one["kind"] for one in xr.events().value if one["kind"].startswith("select")] == ["selectstart", "select", "selectend"]


def test_both_hands_stretch_and_twist_what_is_between_them(play: Play) -> None:
    with play(page="raw.html") as xr:
        xr.left.reach((-0.1, 1.3, -0.4))
        xr.right.reach((0.1, 1.3, -0.4))
        xr.stretch(2.0)
        apart = xr.right.ray.position - xr.left.ray.position
        assert apart.length == pytest.approx(0.4, abs=1e-6)
        xr.twist(90)
        turned = xr.right.ray.position - xr.left.ray.position
        assert turned.angle(Vector(0.0, 0.0, -1.0)) < 1e-6 and turned.length == pytest.approx(0.4, abs=1e-6)
        grips = [Vector(*one["grip"].value[12:15]) for one in xr.user()["inputs"]]
        assert grips[0].distance(xr.left.arm.grip.position) < 1e-6 and grips[1].distance(xr.right.arm.grip.position) < 1e-6


def test_somebody_walks_and_the_hands_come_along(play: Play) -> None:
    with play(page="raw.html", room="office") as xr:
        before = xr.right.palm.position - xr.head.pose.position
        place = xr.room.places[0]
        xr.head.walk_to(place.id)
        here = xr.head.pose.position
        assert (here.x, here.z) == pytest.approx(place.stand, abs=1e-6)
        assert told(xr)["viewer"] == pytest.approx([here.x, here.y, here.z], abs=1e-3)
        assert (xr.right.palm.position - here).length == pytest.approx(before.length, abs=1e-6)
        with pytest.raises(TaskError, match=r"room 'office' has no place 'pool'"):
            xr.head.walk_to("pool")


def test_modifiers_change_what_is_told_and_not_what_is_done(play: Play) -> None:
    def run(modifier: str, seed: int = 1) -> tuple[Any, Any]:
        with play(page="raw.html", modifier=modifier, seed=seed) as xr:
            xr.right.reach((0.2, 1.3, -0.5))
            xr.wait(seconds(0.2))
            joint = xr.user()["hands"]["right"]["joints"]["index-finger-tip"]["position"].value
            return Vector.of(joint), xr.right.arm.joints["index-finger-tip"].position

    told_plain, done_plain = run("none")
    assert told_plain.distance(done_plain) < 1e-6
    told_noisy, done_noisy = run("jitter:mm=5")
    assert done_noisy == done_plain and 0.0005 < told_noisy.distance(done_noisy) < 0.05
    assert run("jitter:mm=5", seed=2)[0] != told_noisy, "noise follows the grading's seed"
    with play(page="raw.html", modifier="seated") as xr:
        assert told(xr)["viewer"][1] < 1.4


@pytest.mark.parametrize("way", [(0.1, 0.3, 0.5), (0.0, 1.0, 0.01), (0.2, -1.0, 0.0)], ids=["eyes", "up", "down"])
def test_a_palm_is_shown_and_stays_where_it_is(play: Play, way: tuple[float, float, float]) -> None:
    with play(page="raw.html") as xr:
        for hand in (xr.left, xr.right):
            hand.pose("palm-up")
            at = Vector(hand.palm.position.x, 1.3, -0.4)
            hand.show_palm(at + Vector(*way), at)
            assert hand.palm.position.distance(at) < 1e-6
            out, fingers = hand.palm.orientation.rotate(Vector(0.0, -1.0, 0.0)), hand.palm.orientation.rotate(Vector(0.0, 0.0, -1.0))
            assert out.angle(Vector(*way)) < 0.02
            assert fingers.y > 0.5 if way[2] > 0.1 else fingers.z < -0.9
            told = Vector.of(xr.user()["hands"][hand.side]["joints"]["wrist"]["position"].value)
            assert told.distance(hand.arm.wrist.position) < 1e-6
            here = hand.palm.position
            hand.show_palm(xr.head.pose.position)
            assert hand.palm.position.distance(here) < 1e-6
