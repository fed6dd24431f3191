"""The way into a session: what a person would press, and what happens where there is nothing to press."""

from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from playproof.errors import SubmissionFault
from playproof_xr.runtime import WebXRRuntime

pytestmark = pytest.mark.heavy
Play = Callable[..., Any]

BUTTON = '<button id="enter">Enter VR</button>'


def entries(xr: Any) -> list[str]:
    return [entry.value.get("pressed") or entry.value["granted"] for entry in xr.stage.evidence.of("xr.entry/1")]


@pytest.mark.parametrize(
    ("shown", "pressed"),
    [("<button>About us</button><button>Exit VR</button><button id=enter>View in mixed reality</button>", "View in mixed reality"),
     ("<div style='height: 3000px'></div><button id=enter>Start</button>", "Start"),
     ("<button>Start</button><a id=enter class=a-enter-vr-button style='display: block; width: 50px; height: 20px'></a>", ""),
     ("<button style='display: none'>Enter XR</button><div id=enter role=button>Begin</div>", "Begin")],
)  # fmt: skip
def test_the_likeliest_button_is_pressed(play: Play, shown: str, pressed: str) -> None:
    with play((BUTTON, shown), page="raw.html") as xr:
        assert [entry.value["pressed"] for entry in xr.stage.evidence.of("xr.entry/1")] == [pressed]
        assert xr.tab.page.evaluate("told.frames") >= 3


def test_a_task_may_name_the_way_in(play: Play, runtime: WebXRRuntime) -> None:
    shown = (BUTTON, "<button>Enter VR</button><span id=enter>walk in</span>")
    with pytest.raises(SubmissionFault, match="session: was never asked for, though 'Enter VR' was pressed"), play(shown, page="raw.html"):
        pass
    before, runtime._settings = runtime._settings, evolve(runtime._settings, enter="#enter")
    try:
        with play(shown, page="raw.html") as xr:
            assert entries(xr) == ["walk in"]
    finally:
        runtime._settings = before


def test_a_session_that_is_offered_to_the_browser_is_taken_there(play: Play) -> None:
    asks = "const session = await navigator.xr.requestSession("
    options = '"immersive-ar", { requiredFeatures: ["local-floor"], optionalFeatures: ["hand-tracking", "plane-detection"] });'
    clicked = f'document.getElementById("enter").addEventListener("click", async () => {{\n  {asks}{options}'
    offered = f"navigator.xr.offerSession({options[:-1]}.then(async (session) => {{"
    with play((BUTTON, ""), (clicked, offered), page="raw.html") as xr:
        assert entries(xr) == ["the session that the app offered"]
        assert [one["detail"] for one in xr.events().value if one["kind"] == "requested"] == ["gesture"]


def test_a_session_that_the_app_ends_is_told(play: Play) -> None:
    ends = ("    told.time = time;", "    told.time = time;\n    if (told.frames === 30) session.end();")
    with play(ends, page="raw.html") as xr:
        xr.wait(90_000)
        assert xr.tab.page.evaluate("told.frames") == 30
        assert [one["kind"] for one in xr.events().value][-1] == "sessionend"
