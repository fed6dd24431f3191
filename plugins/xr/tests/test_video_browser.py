"""A session filmed and shown: the file plays in a browser, from a report that holds it, with the right colour at the right time."""

import io
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from PIL import Image

from playproof.evidence import Record
from playproof.exhibits import installed_exhibitors
from playproof.interfaces import Grading, Services
from playproof.model import TICKS, Ask, Check, Ended, Ending, Evidence, Outcome, Reason, Verdict, case, seconds
from playproof.report import ReportRun, ReportTrial, page
from playproof.scoring import TrialResult
from playproof.stage import stage
from playproof_browser.driver import playwright
from playproof_browser.finding import candidates, program_of
from playproof_xr.exhibits.video import VideoExhibitor
from playproof_xr.runtime import WebXRRuntime
from playproof_xr.video.webm import film_of

pytestmark = pytest.mark.heavy
Play = Callable[..., Any]

DOME = (
    ("const tip = new", "const dome = new THREE.Mesh(new THREE.SphereGeometry(20),"
     " new THREE.MeshBasicMaterial({ color: 0xff0000, side: THREE.BackSide })); scene.add(dome); const tip = new"),
    ('r.addEventListener("selectstart", () => {', 'r.addEventListener("selectstart", () => { dome.material.color.set(0x0000ff);'),
)  # fmt: skip
"""The user stands in a red dome, which turns blue when something is selected."""

RIG = (
    ("scene.add(new THREE.Hemi", "const rig = new THREE.Group(); rig.position.set(3, -1, 5); rig.rotation.y = 1.2; rig.add(camera);"
     " scene.add(rig); rig.updateMatrixWorld(); scene.add(new THREE.Hemi"),
    ("cube.position.set(0.1, 1.3, -0.4);", "cube.position.set(0.1, 1.3, -0.4).applyMatrix4(rig.matrixWorld);"),
    ("scene.add(hand, controller)", "rig.add(hand, controller)"),
)  # fmt: skip
"""The session's frame lies elsewhere in the scene's world."""

LOOK = """([time, x, y]) => new Promise((resolve, reject) => {
  const video = document.querySelector("video");
  video.onerror = () => reject(video.error.message);
  const look = () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: video.videoWidth, height: video.videoHeight });
    const context = canvas.getContext("2d");
    context.drawImage(video, 0, 0);
    const colour = [...context.getImageData(x, y, 1, 1).data];
    resolve({ at: video.currentTime, duration: video.duration, size: [canvas.width, canvas.height], colour });
  };
  const seek = () => { video.onseeked = look; video.currentTime = time; };
  video.readyState >= 1 ? seek() : (video.onloadedmetadata = seek);
})"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    program = next(filter(None, map(program_of, candidates(os.environ))))
    opened = playwright().chromium.launch(executable_path=program, args=["--no-sandbox"])
    yield opened
    opened.close()


def complaints(tab: Any) -> list[str]:
    """What the page's console says, from now on."""
    said: list[str] = []
    tab.on("console", lambda message: said.append(message.text))
    return said


def reported(films: list[Evidence], events: Evidence, end: int, read: Callable[[str], bytes]) -> str:
    check = Check("turns-blue", "python", "what is selected turns blue")
    verdict = Verdict(check.id, "default", Outcome.PASS, Reason.OK, cites=[*(one.id for one in films), events.id], tick=end)
    result = TrialResult("dome", "stack", checks=[check], verdicts={check.id: verdict})
    trial = ReportTrial(result, "The dome", Ending(Ended.COMPLETED), [verdict], [*films, events], read)
    return page(ReportRun("Filmed", [trial]), installed_exhibitors(Services(cache=None)))  # type: ignore[arg-type]


def is_blue(colour: Any) -> bool:
    return bool(colour[2] > 150 and colour[0] < 90)


def is_red(colour: Any) -> bool:
    return bool(colour[0] > 150 and colour[2] < 90)


def count(image: Image.Image, holds: Callable[[int, int, int], bool]) -> int:
    """How many pixels have a colour of which this holds."""
    return sum(many for many, colour in image.getcolors(1 << 20) if holds(*colour))  # type: ignore[union-attr,misc]


def skin(r: int, g: int, b: int) -> bool:
    return r > 190 and 130 < g < 205 and 90 < b < 170


def orange(r: int, g: int, b: int) -> bool:
    return r > 170 and 60 < g < 160 and b < 60


def test_a_session_is_filmed_from_its_eyes_and_from_behind_and_plays_in_a_report(play: Play, browser: Any, tmp_path: Path) -> None:
    with play(*DOME, *RIG, viewport=[320, 240]) as xr:
        xr.right.move_by((-0.1, 0.35, -0.25), seconds(0.4))
        xr.wait(seconds(0.4))
        before = xr.scene().value
        xr.right.pinch()
        xr.wait(seconds(0.6))
        after, drawn = xr.scene().value, xr.tab.play([]).drawn
        films = list(xr.observe(Ask("xr.video/1", {"rate": 15})))
        assert xr.scene().value == after != before and xr.tab.play([]).drawn == drawn, "the session itself is not touched"
        assert list(xr.observe(Ask("xr.video/1", {"rate": 15}))) == films, "what is filmed is not filmed again"
        events, end = xr.observe(Ask("xr.events/1"))[0], xr.clock.now
        selected = next(one["tick"] for one in events.value if one["kind"] == "selectstart")
        evidence = xr.stage.evidence
        assert len(evidence.of("page.load/1")) == 1, "what the page does when it is played again is not written down again"

    assert [one.source for one in films] == ["first person", "third person"]
    assert {(one.media_type, one.tick) for one in films} == {("video/webm", end)}
    first, third = (film_of(evidence.open(one)) for one in films)
    assert (first.width, first.height) == (320, 240)
    assert first.duration_ms == pytest.approx(end * 1000 / TICKS, abs=2)
    assert len(first.frames) == len(third.frames) == pytest.approx(15 * end / TICKS, abs=2)
    cubes = list[int]()
    for one in films:
        pictures = VideoExhibitor({}, Services(cache=tmp_path)).show(one, lambda _, one=one: evidence.open(one)).pictures  # type: ignore[misc]
        assert len(pictures) >= 3 and pictures[0].caption.startswith(one.source)
        images = [Image.open(io.BytesIO(shown.data)).convert("RGB") for shown in pictures]
        assert is_red(images[0].getpixel((300, 20))) and is_blue(images[-1].getpixel((300, 20)))
        assert count(images[-1], skin) > 40, f"a hand is drawn: {one.source}"
        cubes.append(count(images[-1], orange))
    assert cubes[0] > 5 * cubes[1] > 250, f"from behind the cube is smaller: {cubes}"

    html = reported(films, events, end, lambda digest: next(evidence.open(one) for one in evidence if one.blob == digest))
    (tmp_path / "report.html").write_text(html, "utf-8")
    for width in (1280, 375):
        tab = browser.new_context(viewport={"width": width, "height": 900}).new_page()
        said = complaints(tab)
        tab.goto((tmp_path / "report.html").as_uri())
        assert tab.evaluate("document.documentElement.scrollWidth") == width
        moments = tab.locator("ol.times li").all_inner_texts()
        assert [text.split()[2:] for text in moments if "selectstart" in text] == [["selectstart", "right"]]
        assert "what is selected turns blue" in moments[-1]
        early, late = (tab.evaluate(LOOK, [at, 300, 20]) for at in (selected / TICKS - 0.2, selected / TICKS + 0.2))
        assert early["size"] == [320, 240] and early["duration"] == pytest.approx(end / TICKS, abs=0.002)
        assert early["at"] == pytest.approx(selected / TICKS - 0.2, abs=0.001), "it can be sought in"
        assert is_red(early["colour"]) and is_blue(late["colour"])
        assert said == [], "the policy lets it play"
        if os.environ.get("SHOTS"):
            tab.screenshot(path=f"{os.environ['SHOTS']}/report-{width}.png", full_page=True)
        tab.locator("ol.times a").last.click()
        assert tab.locator(tab.evaluate("location.hash")).is_visible(), "what was judged opens where it is told"
        tab.close()


def test_a_script_has_its_session_filmed_when_it_ends_and_without_three_js_in_first_person_alone(play: Play) -> None:
    with play(page="raw.html", viewport=[160, 120]) as xr:
        xr.record(rate=4)
        xr.wait(seconds(0.5))
        shown = xr.witness()
    assert [one.source for one in shown if one.kind == "xr.video/1"] == ["first person"]
    assert "xr.events/1" in [one.kind for one in shown], "its moments stand on the time line"
    assert len(xr.stage.evidence.of("xr.video/1")) == 1, "the end films nothing that is filmed"


def test_a_runtime_with_video_films_every_session_as_the_task_says(grading: Grading, cache: Path, tmp_path: Path) -> None:
    with ExitStack() as exits:
        runtime = WebXRRuntime({"entry": "raw.html", "video": True}, Services(cache, exits))
        task = evolve(grading.task, observe={"xr.video/1": {"rate": 4, "width": 80}})
        mine = evolve(grading, runtime=runtime, task=task, record=Record(tmp_path / "record"))
        with stage(mine, case(page="raw.html", viewport=[160, 120])) as staged:
            staged.session.wait(seconds(0.5))
    films = staged.evidence.of("xr.video/1")
    assert [(one.source, film_of(staged.evidence.open(one)).width) for one in films] == [("first person", 80)]


def test_an_app_that_cannot_be_drawn_twice_has_no_third_person_and_no_other_harm(play: Play) -> None:
    with play(("renderer.setAnimationLoop(() => {", "scene.onBeforeRender = (by) => { if (!by.xr.enabled) throw new Error('not I'); };"
               " renderer.setAnimationLoop(() => {"), viewport=[160, 120]) as xr:  # fmt: skip
        xr.wait(seconds(0.5))
        films = xr.observe(Ask("xr.video/1", {"rate": 4}))
        xr.expect_no_exceptions()
    assert [one.source for one in films] == ["first person"]
