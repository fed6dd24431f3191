"""Where the emulator departs from the WebXR specification it is put right: each test names what the specification says."""

from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from playproof.checks import frames
from playproof.errors import ExpectationFailed, SubmissionFault
from playproof.model import seconds
from playproof_xr.geometry import Pose, Quaternion, Vector

pytestmark = pytest.mark.heavy
Play = Callable[..., Any]


def told(xr: Any) -> Any:
    return xr.tab.page.evaluate("told")


def test_select_comes_with_the_release_between_its_start_and_its_end(play: Play) -> None:
    """WebXR, on primary actions: at the start of a primary action selectstart; when it ends, select and then selectend."""
    with play(page="raw.html") as xr:
        xr.right.pinch()
        xr.wait(frames(5))
        assert told(xr)["events"] == ["added left", "added right", "selectstart right"]
        xr.right.release()
        assert told(xr)["events"][3:] == ["select right", "selectend right"]
        assert [one["kind"] for one in xr.events().value][-3:] == ["selectstart", "select", "selectend"]


def test_a_weak_pinch_is_none(play: Play) -> None:
    with play(page="raw.html") as xr:
        xr.right.pinch(strength=0.7)
        xr.wait(frames(5))
        right = told(xr)["pads"][1]
        assert right["value"] == pytest.approx(0.7) and right["pressed"] == [False]
        assert not [one for one in told(xr)["events"] if one.startswith("select")]
        xr.right.pinch()
        xr.wait(frames(1))
        assert told(xr)["pads"][1]["pressed"] == [True]


@pytest.mark.parametrize("cancels", [True, False])
def test_a_hand_that_is_lost_while_it_pinches_cancels(play: Play, cancels: bool) -> None:
    """WebXR, on primary actions: a cancelled action gets its end and no select. Not all devices send it, so both can be had."""
    with play(page="raw.html", cancels=cancels) as xr:
        xr.right.pinch()
        xr.right.lose()
        xr.wait(frames(3))
        end = ["selectend right"] if cancels else []
        assert told(xr)["events"][2:] == ["selectstart right", *end, "removed right"]
        xr.right.release()
        xr.right.regain()
        xr.wait(frames(3))
        assert told(xr)["events"][-1] == "added right"
        assert [one["kind"] for one in xr.events().value].count("disconnected") == 1


def test_a_session_needs_a_gesture(play: Play) -> None:
    """WebXR, on requestSession: an immersive session that is asked for without a user activation is refused with a SecurityError."""
    at_load = ('document.getElementById("enter").addEventListener("click", async () => {', "const enter = async () => {")
    called = ("  session.requestAnimationFrame(frame);\n});", "  session.requestAnimationFrame(frame);\n};\nenter();")
    with pytest.raises(SubmissionFault, match="it was asked for without a person's gesture"), play(at_load, called, page="raw.html"):
        pass
    record = play.record  # type: ignore[attr-defined]
    assert [entry.value["text"] for entry in record.sealed().of("page.exception/1")] == []
    (load,) = [entry.value for entry in record.sealed().of("page.load/1")]
    assert load["refusal"] == "it was asked for without a person's gesture"


def test_an_app_that_asks_too_early_and_again_at_the_click_is_entered_and_noticed(play: Play) -> None:
    early = ("const canvas =", 'navigator.xr.requestSession("immersive-vr").catch((error) => (told.early = error.name));\nconst canvas =')
    with play(early, page="raw.html") as xr:
        assert told(xr)["early"] == "SecurityError"
        asked = [one["detail"] for one in xr.events().value if one["kind"] == "requested"]
        assert asked == ["no gesture", "gesture"]


def test_a_feature_that_is_not_there_is_refused_as_such(play: Play) -> None:
    """WebXR, on feature dependencies: a required feature that cannot be had is a NotSupportedError."""
    odd = ('requiredFeatures: ["local-floor"]', 'requiredFeatures: ["telepathy"]')
    with pytest.raises(SubmissionFault, match="session: was refused: "), play(odd, page="raw.html"):
        pass


def test_offset_and_local_spaces(play: Play) -> None:
    """WebXR, on reference spaces: an offset space's origin lies at the offset; y of a local space points up, whatever the head does."""
    look_down = Quaternion.yaw(0.7) * Quaternion.pitch(-0.5)
    with play(page="raw.html") as xr:
        assert told(xr)["viewer"] == [0.0, 1.6, 0.0] and told(xr)["shifted"] == [-1.0, -0.4, -3.0]
        xr.become(evolve(xr.body, head=Pose(Vector(0.5, 1.7, 0.0), look_down)))
        xr.wait(frames(2))
        assert told(xr)["viewer"] == [0.5, 1.7, 0.0]
        asked = "told.fresh = null; session.requestReferenceSpace('local').then((space) => told.hook = (time, xr) => {"
        xr.tab.page.evaluate(asked + " const { x, y, z, w } = xr.getViewerPose(space).transform.orientation; told.fresh = [x, y, z, w]; })")
        xr.wait(frames(3))
        assert told(xr)["fresh"] == pytest.approx(list(Quaternion.pitch(-0.5)), abs=1e-6)


def test_what_a_frame_callback_throws_is_an_uncaught_exception_and_frames_go_on(play: Play) -> None:
    """WebXR, on animation frames: report the exception."""
    throws = ("    told.time = time;", "    told.time = time;\n    if (told.frames === 30) throw new Error('in the frame');")
    with play(throws, page="raw.html") as xr:
        xr.wait(frames(60))
        assert told(xr)["frames"] > 60
        with pytest.raises(ExpectationFailed, match="1 uncaught, first: Error: in the frame"):
            xr.expect_no_exceptions()


def test_a_hidden_session_gets_no_frames(play: Play) -> None:
    """WebXR, on visibility: while hidden, animation frame callbacks are not run; blurred, they are, without input."""
    with play(page="raw.html") as xr:
        xr.see("hidden")
        xr.wait(frames(2))
        before = told(xr)["frames"]
        xr.wait(frames(20))
        assert told(xr)["frames"] == before
        xr.see("visible-blurred")
        xr.wait(frames(5))
        assert told(xr)["frames"] == before + 4 or told(xr)["frames"] == before + 5
        xr.right.pinch()
        assert not [one for one in told(xr)["events"] if one.startswith("select")]
        xr.see("visible")
        xr.wait(frames(5))
        assert [one for one in told(xr)["events"] if "visible" in one or "hidden" in one] == ["hidden", "visible-blurred", "visible"]
        assert [one["detail"] for one in xr.events().value if one["kind"] == "visibility"] == ["hidden", "visible-blurred", "visible"]


def test_what_is_detected_has_changed_once(play: Play) -> None:
    """WebXR plane detection: lastChangedTime is when the plane last changed."""
    with play(page="raw.html") as xr:
        first = told(xr)["planes"]
        xr.wait(seconds(0.5))
        assert len(first) > 6 and told(xr)["planes"] == first


def test_frames_come_at_the_declared_rate(play: Play) -> None:
    with play(page="raw.html", rate=90) as xr:
        before, then = told(xr)["frames"], told(xr)["time"]
        xr.wait(seconds(1))
        assert told(xr)["frames"] == before + 90 and told(xr)["time"] == pytest.approx(then + 1000)
        assert xr.frame == 1000 and xr.tab.page.evaluate("session.frameRate") == 90
