"""A player by rule plays two layouts of one XR app, by what it is told of places and rays. Where the block lies decides."""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from attrs import define, evolve, field, frozen

from playproof.bench import LiveBench
from playproof.drivers import build
from playproof.evidence import Evidences, Record
from playproof.examiners.python import PythonExaminer
from playproof.interfaces import Bench, Grading
from playproof.model import Verdict, case
from playproof_judges.replay import replayed
from playproof_judges.testing import Asked, Fail, Server, Turn

pytestmark = pytest.mark.heavy

RED, ORANGE, BLUE, GREEN = "#e02020", "#ff8000", "#2060ff", "#20c040"
ARM, HAND = 0.75, 0.1
"""What is nearer is reached for; what a ray meets nearer than this is what the hand is in."""

THING = re.compile(r"thing (\d+): middle at \((.*?)\), .*?, ([\d.]+) m from your eyes, (#\w+)")

Point = tuple[float, ...]
Call = tuple[str, Mapping[str, Any]]


def numbers(text: str) -> Point:
    return tuple(float(one) for one in text.split(","))


@define
class Rule:
    """Decides by the latest view alone; but it remembers whether anything still changes."""

    views: list[str] = field(factory=list)

    def __call__(self, asked: Asked) -> Turn:
        if not asked.results:
            self.views.clear()
        view = next(text for text in reversed(asked.texts) if "In sight" in text)
        self.views.append(str([(place, colour) for _, place, _, colour in THING.findall(view)]))
        user = next(text for text in reversed(asked.texts) if "eyes at" in text)
        things = {colour: (number, numbers(place), float(away)) for number, place, away, colour in THING.findall(view)}
        name, arguments = self.ended(things) or self.acts(things, view, user)
        return Turn("By rule.", calls=[(name, arguments)])

    def ended(self, things: Mapping[str, Any]) -> Call | None:
        if GREEN in things:
            return "done", {"reached": True, "claim": "a lamp is green"}
        if len(self.views) >= 4 and len(set(self.views[-4:])) == 1:
            return "done", {"reached": False, "claim": "three acts have changed nothing"}
        gone = not {ORANGE, BLUE} <= things.keys()
        return ("done", {"reached": False, "claim": "the block or the tray is gone"}) if gone else None

    def acts(self, things: Mapping[str, Any], view: str, user: str) -> Call:
        if RED in things:
            return at(things[RED], view, user) or ("select", {"hand": "right"})
        block, tray = things[ORANGE], things[BLUE]
        if "right hand" in user and ", closed" in user:
            if math.dist(block[1][::2], tray[1][::2]) < 0.05:
                return "end_hold", {"hand": "right"}
            x, y, z = tray[1]
            return "move_held", {"hand": "right", **({"to": [x, y + 0.12, z]} if tray[2] < ARM else {"aim": [x, block[1][1], z]})}
        return at(block, view, user) or ("start_hold", {"hand": "right"})


def at(thing: tuple[str, Point, float], view: str, user: str) -> Call | None:
    """What brings the right hand, or its ray, to a thing; nothing when it is there."""
    number, place, away = thing
    if away < ARM:
        found = re.search(r"right hand: thumb and index finger meet at \((.*?)\)", user)
        assert found is not None
        return None if math.dist(numbers(found[1]), place) < 0.06 else ("reach", {"hand": "right", "thing": number})
    met = re.search(r"ray of your right hand meets: (.*)", view)
    first = next((one for one, far in re.findall(r"thing (\d+) at ([\d.]+) m", met[1] if met else "") if float(far) > HAND), None)
    return None if first == number else ("aim_at", {"hand": "right", "thing": number})


# --- matches ---


@frozen
class Bout:
    """One check of one page, and what was seen in it."""

    verdict: Verdict
    evidence: Evidences

    @property
    def ruling(self) -> tuple[str, str]:
        return self.verdict.outcome.value, self.verdict.reason.value

    @property
    def turns(self) -> list[Any]:
        return [entry.value for entry in self.evidence.of("adaptive.turn/1")]

    @property
    def tools(self) -> list[str | None]:
        return [turn["tool"] for turn in self.turns]

    @property
    def seen(self) -> list[tuple[str, int, Any]]:
        """What was seen and done, and when; but for what the browser says of its own affairs."""
        kept = (one for one in self.evidence if one.kind.startswith(("xr.", "image.")) and one.kind != "xr.input/1")
        return [(one.kind, one.tick, one.blob or one.value) for one in kept]


@pytest.fixture
def bout(grading: Grading, tmp_path: Path) -> Iterator[Callable[..., Bout]]:
    """`bout(page, mind=..., bench=...)`: the task's check of a page, played by `mind` behind a server, or with the bench given."""
    minds = list[Callable[[Asked], Turn | Fail]]()

    def play(name: str, *, mind: Callable[[Asked], Turn | Fail] | None = None, bench: Bench | None = None) -> Bout:
        minds[:] = [mind or Rule()]
        record = Record(tmp_path / f"record-{len(list(tmp_path.iterdir()))}")
        examiner = PythonExaminer({"files": ["*.py"]}, grading.services)
        [check] = examiner.checks(grading.task)
        live = LiveBench({"player": build("model", server.ref("anthropic"), grading.services)}, lambda kind: None, tmp_path / "cache",
                         lambda blob: b"")
        mine = evolve(grading, record=record, bench=bench or live)
        [verdict] = examiner.examine([check], case(page=f"{name}.html", viewport=(320, 240)), mine)
        return Bout(verdict, record.sealed())

    def answer(asked: Asked) -> Turn | Fail:
        return minds[0](asked)

    with Server(answer) as server:
        yield play


NEAR = ["aim_at", "select", "reach", "start_hold", "move_held", "end_hold", "done"]
AFAR = ["reach", "select", "aim_at", "start_hold", "move_held", "end_hold", "done"]


def test_it_succeeds_with_near_things_and_again_without_a_model(bout: Callable[..., Bout]) -> None:
    played = bout("near")
    assert played.ruling == ("pass", "OK"), played.verdict.message
    assert played.tools == NEAR
    again = bout("near", bench=replayed(played.evidence))
    assert again.ruling == ("pass", "OK") and again.seen == played.seen


def test_it_succeeds_with_far_things(bout: Callable[..., Bout]) -> None:
    played = bout("afar")
    assert played.ruling == ("pass", "OK"), played.verdict.message
    assert played.tools == AFAR


@pytest.mark.parametrize(("page", "tools", "message"), [
    ("dead", ["aim_at", "select", "select", "done"], "the lamp's colour is #606060"),
    ("swapped", ["aim_at", "select", "reach", "start_hold", "done"], "the lamp's colour is #606060"),
    ("boasts", ["done"], "scene[name 'block'] lies beside it"),
    ("covered", ["aim_at", "aim_at", "aim_at", "done"], "the lamp's colour is #606060"),
])
def test_it_fails_on_broken_ones(bout: Callable[..., Bout], page: str, tools: list[str], message: str) -> None:
    played = bout(page)
    assert played.ruling == ("fail", "FAIL") and message in played.verdict.message, played.verdict.message
    assert played.tools == tools
