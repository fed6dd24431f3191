"""Apps that are no good, each in its own way: every one is labelled, and none hangs the grading."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from playproof.checks import frames
from playproof.errors import ExpectationFailed, SessionHung, SubmissionFault, TaskError
from playproof.evidence import Record
from playproof.interfaces import Grading
from playproof.model import Ask, Check, Reason, seconds
from playproof.testing import check_runtime, fake_submission
from playproof_browser.world import Tampered
from playproof_xr.runtime import WebXRRuntime

pytestmark = pytest.mark.heavy
Play = Callable[..., Any]

START = "renderer.setAnimationLoop(() => {"


def refused(play: Play, said: str, *edits: tuple[str, str], page: str = "cube.html") -> Record:
    begun = time.monotonic()
    with pytest.raises(SubmissionFault, match=said), play(*edits, page=page):
        pass
    assert time.monotonic() - begun < 60
    return play.record  # type: ignore[attr-defined, no-any-return]


def test_an_app_without_a_way_into_xr(play: Play) -> None:
    refused(play, "way in: there is no button that leads into XR", ('<button id="enter">Enter VR</button>', "<p>hello</p><a id=enter></a>"),
            page="raw.html")  # fmt: skip


def test_an_app_that_never_asks_for_a_session(play: Play) -> None:
    never = ("  const session = await navigator.xr.requestSession(", "  return; const session = await navigator.xr.requestSession(")
    record = refused(play, "session: was never asked for, though 'Enter VR' was pressed", never, page="raw.html")
    assert record.sealed().last("xr.entry/1").value["pressed"] == "Enter VR"


def test_an_app_that_begins_a_session_and_draws_nothing(play: Play) -> None:
    refused(play, "session: began, but the app asked for 0 of its frames",
            ("  session.requestAnimationFrame(frame);\n});", "});"), page="raw.html")  # fmt: skip


def test_an_app_that_throws_while_it_loads(play: Play) -> None:
    record = refused(play, "way in: ", ("const renderer =", "throw new Error('at once'); const renderer ="))
    assert record.sealed().last("page.exception/1").value["text"].startswith("Error: at once")


def test_an_endless_loop_in_a_frame_is_a_hang(play: Play, grading: Grading, runtime: WebXRRuntime) -> None:
    impatient = evolve(runtime._settings, call_s=4.0)
    before, runtime._settings = runtime._settings, impatient
    try:
        loop = (START, f"let n = 0;\n{START}\n  if (n++ > 60) for (;;);")
        with pytest.raises(SessionHung, match="no answer within 4 s"), play(loop) as xr:
            xr.wait(seconds(2))
        assert xr.stage.evidence[-1].kind == "page.box/1"
    finally:
        runtime._settings = before
    with play() as xr:
        assert xr.find(name="cube")["visible"]


def test_a_lost_context_is_told(play: Play) -> None:
    lost = (START, f"let n = 0;\n{START}\n  if (n++ === 30) renderer.getContext().getExtension('WEBGL_lose_context').loseContext();")
    with play(lost) as xr:
        xr.expect_no_loss()
        xr.wait(seconds(1))
        with pytest.raises(ExpectationFailed, match="a WebGL context was lost 1 time"):
            xr.expect_no_loss()


def test_missing_assets_are_told(play: Play) -> None:
    missing = ("const tip =", "new THREE.TextureLoader().load('gone.png'); fetch('models/gone.glb'); const tip =")
    with play(missing) as xr:
        with pytest.raises(ExpectationFailed, match=r"2 files were asked for and are not there, first: /(gone\.png|models/gone\.glb)"):
            xr.expect_no_missing_files()
    with play() as xr:
        xr.expect_no_missing_files()


def test_requests_to_the_internet_are_refused_and_told_and_pinned_packages_are_given(play: Play) -> None:
    out = ("const tip =", "fetch('https://example.com/data.json').catch(() => (window.refused = true));"
           " fetch('https://unpkg.com/three@0.1.0/package.json').then((one) => one.json()).then((all) => (window.fetched = all.version));"
           " import('https://esm.sh/three').then((all) => (window.same = all.Mesh === THREE.Mesh)); const tip =")  # fmt: skip
    with play(out) as xr:
        xr.wait(frames(2))
        told = xr.tab.page.evaluate("[window.refused, window.fetched, window.same]")
        assert told == [True, "0.184.0", True], "the pinned version; and one package by two names is one package"
        told = {entry.value["url"]: entry.value["answered"] for entry in xr.stage.evidence.of("page.external/1")}
        assert told == {"https://example.com/data.json": "refused", "https://esm.sh/three": "three@0.184.0",
                        "https://unpkg.com/three@0.1.0/package.json": "three@0.184.0"}  # fmt: skip
        assert xr.tab.network.refused == 1


def test_prompts_for_permission_are_denied_and_told(play: Play) -> None:
    asks = ("const tip =", "navigator.mediaDevices.getUserMedia({ video: true }).catch((error) => (window.camera = error.name));"
            " navigator.geolocation.getCurrentPosition(() => {}, (error) => (window.place = error.code)); const tip =")  # fmt: skip
    with play(asks) as xr:
        xr.wait_until(lambda: xr.tab.page.evaluate("window.camera && window.place"), what="the answers")
        assert xr.tab.page.evaluate("[window.camera, window.place]") == ["NotFoundError", 1]  # there is no camera
        assert {entry.value["asked"] for entry in xr.stage.evidence.of("page.permission/1")} == {"camera or microphone", "geolocation"}


def test_numbers_that_are_none_are_the_submissions_fault_where_they_stand(play: Play) -> None:
    with play((START, f"let n = 0;\n{START}\n  if (n++ > 20) cube.position.x = NaN;")) as xr:
        cube = xr.find(name="cube")
        xr.wait(frames(30))
        with pytest.raises(SubmissionFault, match=r"scene\[name 'cube'\]\.position\[0\]: nan"):
            xr.expect(cube.position, "the cube").close_to([0.1, 1.3, -0.4], 0.1)
        with pytest.raises(SubmissionFault, match="numbers that are not finite"):
            xr.right.reach(cube)
        entry = xr.stage.evidence.last("xr.scene/1")
        (held,) = [one for one in entry.value["objects"] if one["name"] == "cube"]
        assert held["matrix"][12] == {"$number": "nan"}


def test_a_hundred_thousand_objects_are_counted_and_looked_at_in_part(play: Play) -> None:
    many = ("const tip =", "for (let n = 0; n < 100000; n++) { const one = new THREE.Object3D(); one.name = 'n' + n;"
            " one.matrixAutoUpdate = false; scene.add(one); } const tip =")  # fmt: skip
    begun = time.monotonic()
    with play(many) as xr:
        scene = xr.scene().value
        assert len(scene["objects"]) == 10_000 and scene["left_off"] > 90_000
        assert xr.find(name="n77")["type"].value == "Object3D"
        with pytest.raises(SubmissionFault, match=r"among the first 10000 objects; 9\d{4} more are not looked at"):
            xr.find(name="n99999")
    assert time.monotonic() - begun < 60


@pytest.mark.parametrize(
    ("what", "said"),
    [("XRFrame.prototype.getViewerPose = function () { return null; };", "getViewerPose"),
     ("Object.defineProperty(navigator, 'xr', { value: {} });", "xr")],
)  # fmt: skip
def test_a_page_that_patches_the_emulator_is_noticed(play: Play, what: str, said: str) -> None:
    with pytest.raises(Tampered, match=f"replaced what the emulated headset is made of: .*{said}"):
        with play((START, f"let n = 0;\n{START}\n  if (n++ === 20) {{ {what} }}")) as xr:
            xr.wait(seconds(0.5))


def test_a_page_that_patches_the_clock_is_noticed_and_gains_nothing(play: Play) -> None:
    patch = ("const tip =", "const real = requestAnimationFrame; window.requestAnimationFrame = (f) => 0; performance.now = () => 0;"
             " Date.now = () => 7; const tip =")  # fmt: skip
    with play(patch) as xr:
        cube = xr.find(name="cube")
        xr.right.reach(cube)
        xr.right.pinch()
        xr.right.move_by((0.0, 0.2, 0.0))
        xr.expect(cube.position, "the cube").close_to([0.1, 1.5, -0.4], 0.03)
        assert xr.observe(Ask("page.patched/1"))[0].value["clock"] == "requestAnimationFrame"


def test_a_page_that_moves_the_hands_itself_is_noticed(play: Play) -> None:
    """The device hangs, by a symbol, on what the page is given."""
    reach = "const [symbol] = Object.getOwnPropertySymbols(s).filter((one) => one.description === '@iwer/xr-session');"
    forge = (START, f"let n = 0;\n{START}\n  const s = renderer.xr.getSession();\n  if (n++ === 40) {{ {reach}"
             " s[symbol].device.hands.right.position.set(0, 9, 0); }")  # fmt: skip
    with pytest.raises(Tampered, match="moved the headset or the hands itself"), play(forge) as xr:
        xr.wait(seconds(1))


def test_what_is_not_delivered_is_told_without_a_browser(grading: Grading, runtime: WebXRRuntime, tmp_path: Path) -> None:
    for files, said in (({}, "there is no cube.html"), ({"cube.html": " "}, "is empty"), ({"cube.html/x": ""}, "not a regular file")):
        mine = evolve(grading, submission=fake_submission(tmp_path / said.replace(" ", "-"), files))
        (problem,) = runtime.preflight(mine)
        assert problem.reason is Reason.UNDELIVERED and said in problem.message


def test_cases_are_every_combination(runtime: WebXRRuntime) -> None:
    def cases(**options: Any) -> list[str]:
        return [one.id for one in runtime.cases(Check("a", "python", "A", options=options))]

    assert cases() == ["default"]
    assert cases(rooms=["office", "bare-hall"], hands=["right", "left"], rate=90) == [
        "hand=right,rate=90,room=office", "hand=left,rate=90,room=office",
        "hand=right,rate=90,room=bare-hall", "hand=left,rate=90,room=bare-hall",
    ]  # fmt: skip
    assert cases(modifiers=["none", "jitter:mm=3"]) == ["modifier=none", "modifier=jitter:mm=3"]
    wrong_ones = (
        {"room": "office"}, {"hands": ["both"]}, {"modifiers": ["drunk"]}, {"rate": 61}, {"viewport": [1, 1]}, {"rooms": ["attic"]},
    )  # fmt: skip
    for wrong in wrong_ones:
        with pytest.raises(TaskError, match=r"check a|modifier 'drunk'|attic"):
            cases(**wrong)
    with pytest.raises(TaskError, match="load_s"):
        WebXRRuntime({"load_s": -1}, runtime._services)


def test_the_contract_of_a_runtime_is_kept(cache: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text((Path(__file__).parent / "apps" / "cube.html").read_text())
    check_runtime(lambda options, services: WebXRRuntime(options, evolve(services, cache=cache)), tmp_path / "work", site)
