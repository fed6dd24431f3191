"""What judges are shown of a session in parts: a thing's own piece of the picture for `vision`, and steps in order for `trajectory`."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from playproof.bench import LiveBench
from playproof.drivers import build
from playproof.errors import SubmissionFault
from playproof.exhibits import installed_exhibitors
from playproof.interfaces import Services
from playproof.model import TICKS, Ask, Ref, seconds
from playproof.opinion import Opinion, Question
from playproof_judges.testing import Asked, Server, Turn
from playproof_xr.crops import region_of
from playproof_xr.steps import StepOptions, cut, moments

Play = Callable[..., Any]
FRAME = TICKS // 60


# --- which part, and which moments ---


def test_a_crop_is_the_area_with_its_margin_within_the_picture() -> None:
    assert region_of((0.25, 0.5, 0.5, 0.75), (400, 200), 0.0) == (100, 100, 100, 50)
    assert region_of((0.25, 0.5, 0.5, 0.75), (400, 200), 0.5) == (50, 50, 200, 150)
    assert region_of((0.0, 0.9, 0.1, 1.0), (100, 100), 1.0) == (0, 80, 20, 20), "cut at the picture's edges"
    assert region_of((0.5, 0.5, 0.5, 0.5), (100, 100), 0.0) == (50, 50, 1, 1)


def events(*at_s: float) -> list[dict[str, Any]]:
    return [{"tick": round(one * TICKS), "kind": "selectstart"} for one in at_s]


def test_steps_stand_before_and_after_events_and_now_and_then_where_nothing_happens() -> None:
    found = [tick / TICKS for tick in moments(events(-0.1, 1.0), seconds(3), FRAME, StepOptions())]
    assert found == pytest.approx([0, 1 - 1 / 60, 1.25, 2, 3])
    assert moments([], 0, FRAME, StepOptions()) == [0]
    busy = moments(events(*(0.5 + number / 10 for number in range(40))), seconds(5), FRAME, StepOptions(most=5))
    assert len(busy) == 5 and busy[0] == 0 and busy[-1] == seconds(5)
    assert moments(events(2.98), seconds(3), FRAME, StepOptions(every=9))[-1] == seconds(3), "the end is one of them"


def test_steps_of_the_body_are_cut_at_the_moments() -> None:
    told = {"head": 1}
    parts = list(cut([(0, told), (100, told), (50, None)], [0, 60, 100, 150]))
    assert parts == [[(0, told)], [(60, told)], [(40, None)], [(50, None)]]


# --- real sessions, and judges behind a server ---


@pytest.fixture
def judged(tmp_path: Path) -> Callable[..., Opinion]:
    """`judged(xr, judge, question, entries, mind)`: the opinion of a judge that ships, whose model is `mind` behind a server."""

    def ask(xr: Any, judge: str, text: str, entries: Any, mind: Callable[[Asked], Turn]) -> Opinion:
        services, evidence = Services(tmp_path / "cache"), xr.stage.evidence

        def read(blob: str) -> bytes:
            return evidence.open(next(one for one in evidence if one.blob == blob))  # type: ignore[no-any-return]

        with Server(mind) as server:
            model = build("model", server.ref("anthropic"), services)
            bench = LiveBench({"default": model}, installed_exhibitors(services), services.cache, read)
            made = build("judge", Ref(judge, {"encoding": "png"}), services)
            return made.judge(Question("t/c", text), {"submission": list(entries)}, bench)  # type: ignore[no-any-return]

    return ask


def is_orange(pixel: Any) -> bool:
    return bool(pixel[0] > 150 and 40 < pixel[1] < 180 and pixel[2] < 90)


def share(png: bytes) -> float:
    image = Image.open(io.BytesIO(png)).convert("RGB")
    return sum(many for many, pixel in image.getcolors(1 << 20) if is_orange(pixel)) / (image.width * image.height)  # type: ignore[union-attr]


def looks(asked: Asked) -> Turn:
    whole = share(asked.pictures[-1]) > 0.6
    return Turn(data={"reasoning": "By its colour.", "verdict": whole, "cites": ["E1"], "issues": [], "tampering": []})


@pytest.mark.heavy
def test_a_crop_shows_a_thing_alone_and_steps_what_came_after_what(play: Play, judged: Callable[..., Opinion]) -> None:
    with play(viewport=[320, 240]) as xr:
        cube = xr.find(name="cube")
        tight, wide = xr.crop(cube, margin=0.0), xr.crop(cube, margin=2.0)
        assert 0.01 < share(wide.png) < 0.2
        assert share(tight.png) > 0.65
        width, height = tight.region[2:]
        assert share(xr.screenshot().png) * 320 * 240 == pytest.approx(share(tight.png) * width * height, rel=0.02), "all of it is in there"
        [entry] = [one for one in xr.stage.evidence if one.id == tight.cites[0]]
        assert entry.kind == "xr.crop/1" and entry.observer.value == "outside" and "scene[name 'cube']" in entry.source
        question = "The cube is orange all over."
        assert judged(xr, "vision", question, [entry], looks).value.verdict is True  # type: ignore[union-attr]
        [far] = [one for one in xr.stage.evidence if one.id == wide.cites[0]]
        assert judged(xr, "vision", question, [far], looks).value.verdict is False  # type: ignore[union-attr]

        xr.wait(seconds(0.5))
        still = list(xr.steps(most=4))
        xr.right.reach(cube)
        xr.right.pinch()
        xr.right.move_by((0.0, 0.15, 0.0), seconds(0.4))
        steps = list(xr.observe(Ask("xr.step/1", {"most": 8})))
        [observed] = xr.observe(Ask("xr.crop/1", {"of": [{"name": "cube"}, {"name": "none such"}], "margin": 0.0}))
        assert share(xr.stage.evidence.open(observed)) > 0.65
        xr.head.turn(180)
        with pytest.raises(SubmissionFault, match="is not in view, so no picture shows it"):
            xr.crop(cube)
        assert xr.observe(Ask("xr.crop/1", {"of": [{"name": "cube"}]})) == []
        ticks = [one.tick for one in steps]
        assert ticks == sorted(ticks) and ticks[0] == 0 and len(set(ticks)) == 4, "the start, before and after the pinch, the end"
        pictures = [one for one in steps if one.media_type == "image/png"]
        assert {(one.observer.value, one.source) for one in pictures} == {("outside", "what the eye sees")}
        begun = next(one for one in steps if one.value and any(each["kind"] == "selectstart" for each in one.value.get("events", ())))
        assert begun.value["user"]["right.pinch"]["amount"] > 0.8, "as it was when the step was over"
        places = [one.value["things"]["scene[name 'cube']#" + cube.id]["at"] for one in steps if one.value and "things" in one.value]
        assert places[0][1] == pytest.approx(1.3, abs=0.001) and places[-1][1] == pytest.approx(1.45, abs=0.02)
        picked = "A pinch of the right hand picks the cube up."
        assert judged(xr, "trajectory", picked, steps, follows).value.verdict is True  # type: ignore[union-attr]
        assert judged(xr, "trajectory", picked, still, follows).value.verdict is False  # type: ignore[union-attr]


def follows(asked: Asked) -> Turn:
    """Whether a pinch stands in the record, and the cube higher in a picture after it than in the first."""
    acts = [text.split(":")[0] for text in asked.texts if "selectstart right" in text and "probe of the verifier" in text]
    seen = [text.split(":")[0] for text in asked.texts if "picture taken by the verifier" in text]
    rose = bool(acts) and height_of(asked.pictures[-1]) < height_of(asked.pictures[0]) - 10
    return Turn(data={"reasoning": "In order.", "interaction": "shown" if acts else "not_shown", "interaction_cites": acts[:1],
                      "response": rose, "response_cites": seen[-1:], "doubts": [], "verdict": rose, "issues": [], "tampering": []})


def height_of(png: bytes) -> float:
    """Of what is orange, in pixels from the top."""
    image = Image.open(io.BytesIO(png)).convert("RGB")
    flat = image.tobytes()
    rows = [at // 3 // image.width for at in range(0, len(flat), 3) if is_orange(flat[at : at + 3])]
    return sum(rows) / len(rows)
