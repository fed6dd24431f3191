"""A player by rule plays two layouts of one XR app, by what it is told of places and rays. Where the block lies decides."""

import math
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from attrs import define, evolve, field, frozen

from playproof.bench import LiveBench
from playproof.dialogue import Reply, Request, Result, Text
from playproof.drivers import build
from playproof.evidence import Evidences, Record
from playproof.examiners.python import PythonExaminer
from playproof.interfaces import Bench, Grading, Services
from playproof.model import Verdict, case
from playproof.stage import stage
from playproof.taskfile import read_task
from playproof.testing import fake_grading
from playproof_judges.replay import Recorded, replayed
from playproof_judges.testing import Asked, Fail, Server, Turn
from playproof_judges.testing.players import call
from playproof_xr.runtime import WebXRRuntime

pytestmark = pytest.mark.heavy

TASK = Path(__file__).parent / "tray"
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

DEAD = ("near", 'pressed = true; button.material.color.set("#303030");', "")
SWAPPED = ("near", "held = hand; offset", "held = renderer.xr.getHand(1 - index); offset")
BOASTS = ("near", 'box("lamp", "#606060"', 'box("lamp", "#20c040"')
COVERED = ("near", "const caster", 'const pane = box("pane", "#ffffff", [3, 3, 0.01], [0, 1.4, -1]);'
           " Object.assign(pane.material, { transparent: true, opacity: 0 }); const caster")
PAGES = {"near": TASK / "reference" / "index.html", "afar": TASK / "accepted" / "afar" / "index.html"}
BROKEN = {"dead": DEAD, "swapped": SWAPPED, "boasts": BOASTS, "covered": COVERED}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All pages in one submission, so that one browser shows them all."""
    folder = tmp_path_factory.mktemp("site")
    for name, place in PAGES.items():
        (folder / f"{name}.html").write_text(place.read_text())
    for name, (page, old, new) in BROKEN.items():
        html = PAGES[page].read_text()
        assert html.count(old) == 1, old
        (folder / f"{name}.html").write_text(html.replace(old, new))
    return folder


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of this run's own; but for packages and browsers, which are a user's."""
    users, mine = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "playproof", tmp_path_factory.mktemp("cache")
    for name in ("packages", "browsers"):
        (users / name).mkdir(parents=True, exist_ok=True)
        (mine / name).symlink_to(users / name)
    return mine


@pytest.fixture(scope="module")
def grading(site: Path, cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grading]:
    with ExitStack() as exits:
        runtime = WebXRRuntime({"entry": "near.html"}, Services(cache, exits))
        task = evolve(read_task(TASK), deliver=["*.html"])
        yield fake_grading(tmp_path_factory.mktemp("grading"), runtime=runtime, task=task, submission=site)


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


# --- tools ---


class Overheard(Recorded):
    """A script of calls that keeps what it was shown."""

    asked: list[Request]

    def ask(self, model: str, request: Request) -> Reply:
        self.asked = [*getattr(self, "asked", []), request]
        return super().ask(model, request)

    def told(self, turn: int) -> str:
        """What came of the turn of that number, from 1."""
        parts = self.asked[turn].messages[-1].parts
        return "\n".join(one.text for part in parts if isinstance(part, Result) for one in part.content if isinstance(one, Text))


@pytest.fixture
def person(grading: Grading, tmp_path: Path) -> Iterator[Callable[..., Overheard]]:
    """`person(call, ..., named=...)` plays these calls in one session of the near page, and gives what was overheard."""
    with stage(evolve(grading, record=Record(tmp_path / "record")), case(page="near.html", viewport=(320, 240))) as staged:
        def play(*calls: Reply, named: bool = True) -> Overheard:
            heard = Overheard(("player",), [*calls, call("done", reached=True, claim="seen")])
            staged.session.bench = heard
            played = staged.session.adaptive("Do it.", named=named)
            assert played.how == "done"
            return heard

        play.xr = staged.session  # type: ignore[attr-defined]
        yield play


def test_aiming_is_apart_from_selecting_and_what_is_held_ends_with_the_hand_that_began(person: Any) -> None:
    xr = person.xr
    block = xr.find(name="block")
    was, number = block.centre, block.id
    heard = person(
        call("end_hold", hand="right"), call("reach", hand="right", thing=number), call("start_hold", hand="right"),
        call("move_held", hand="left", by=[0, 0.1, 0]), call("aim_at", hand="right", thing=number), call("select", hand="right"),
        call("move_held", hand="right", by=[0, 5, 0]), call("move_held", hand="right", by=[0, 0.1, 0], to=[0, 1, 0]),
        call("move_held", hand="right", by=[-0.1, 0.1, 0.0]), call("end_hold", hand="right"))  # fmt: skip
    refused = {1: "holds nothing: begin with start_hold", 4: "your left hand holds nothing; your right hand does",
               5: "your right hand holds since start_hold", 6: "your right hand holds since start_hold",
               7: "and an arm reaches 0.8 m", 8: "say one of by"}  # fmt: skip
    for turn, words in refused.items():
        assert words in heard.told(turn), (turn, heard.told(turn))
    assert "it has not pinched" in heard.told(2) and "Whether it holds anything is seen by what moves" in heard.told(3)
    turns = [entry.value for entry in xr._record.sealed().of("adaptive.turn/1")]
    assert {turn["turn"] for turn in turns if turn["error"]} == set(refused), "each is counted as a turn, and carried nothing out"
    assert block.centre == was, "the button was not pressed, so nothing could be grabbed"
    assert [one["kind"] for one in xr.events().value if one["kind"].startswith("select")] == ["selectstart", "select", "selectend"]


def test_rays_and_pixels_are_told_with_their_true_distances(person: Any) -> None:
    xr = person.xr
    button, tray = xr.find(name="button"), xr.find(name="tray")
    heard = person(
        call("look", point=list(button.centre)), call("aim_at", hand="left", thing=button.id), call("measure", x=160, y=120),
        call("measure", x=320, y=0), call("look", left=180), call("aim_at", hand="left", thing=button.id), call("look", left=-180),
        call("walk", place="table"), call("walk", place="moon"), call("pose", hand="left", pose="thumbs-up"), call("select", hand="gaze"),
        call("wait", seconds=0.5), call("turn_hand", hand="right", degrees=20, axis="up"), call("rest", hand="right"))  # fmt: skip
    assert f"its ray meets thing {button.id} at " in heard.told(2)
    met = re.search(r"meets thing \d+ at ([\d.]+) m", heard.told(2))
    assert met is not None and float(met[1]) == pytest.approx(1.34, abs=0.02)
    assert f"meets: thing {button.id} at 1.61 m, then the window of the room" in heard.told(3), "the front of it is 1.58 m ahead"
    assert "320, 0 lies outside the picture, which is 320 x 240" in heard.told(4)
    assert "there is no such thing in sight" in heard.told(6) and "has no place 'moon'" in heard.told(9)
    assert "does not point with the gaze" in heard.told(11)
    assert "name 'button'" in heard.told(3) and f"thing {tray.id}" in heard.told(3)
    unnamed = person(call("wait", seconds=0.1), named=False)
    assert "button" not in unnamed.told(1) and "#e02020" in unnamed.told(1)
