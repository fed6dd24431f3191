"""The tools of a model that plays a game, each on a real page; and the player in a cast, whose trajectory a judge is to see."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from PIL import Image

from playproof.checks import frames
from playproof.dialogue import Picture, Reply, Request, Result, Text
from playproof.drivers import build
from playproof.errors import NoModel, TaskError
from playproof.evidence import Record
from playproof.examiners.rubric import RubricExaminer
from playproof.interfaces import Bench, Grading
from playproof.model import TICKS, Verdict, case, seconds
from playproof.plan import survey
from playproof.stage import stage
from playproof.taskfile import read_task
from playproof.testing import fake_grading
from playproof_judges.replay import Recorded
from playproof_judges.testing.players import call
from playproof_webgame.adaptive import SETTLE
from playproof_webgame.runtime import PageRuntime

pytestmark = pytest.mark.heavy

GAME = Path(__file__).parents[2] / "plugins" / "webgame" / "tests" / "game.html"
DONE = call("done", reached=True, claim="seen")
Play = Callable[..., Any]


class Overheard(Recorded):
    """A script of calls that keeps what it was shown."""

    def ask(self, model: str, request: Request) -> Reply:
        self.asked = [*getattr(self, "asked", []), request]
        return super().ask(model, request)

    @property
    def told(self) -> Sequence[Text | Picture]:
        """What the last message says and shows, results included."""
        return [one for part in self.asked[-1].messages[-1].parts for one in (part.content if isinstance(part, Result) else [part])]

    @property
    def words(self) -> str:
        return "\n".join(one.text for one in self.told if isinstance(one, Text))


@pytest.fixture
def play(runtime: PageRuntime, tmp_path: Path) -> Play:
    """`with play(scenario=...) as game`: a session; `game.does(call, ...)` plays these calls and gives what was overheard."""

    @contextmanager
    def opened(**options: Any) -> Iterator[Any]:
        (tmp_path / "site").mkdir()
        (tmp_path / "site" / "index.html").write_text(GAME.read_text())
        with stage(fake_grading(tmp_path, runtime=runtime, submission=tmp_path / "site"), case(**options)) as staged:
            game = staged.session

            def does(*replies: Reply) -> Overheard:
                game.bench = Overheard(("default",), [*replies, DONE])
                game.played = game.adaptive("Do it.")
                return game.bench  # type: ignore[no-any-return]

            game.does, game.stage = does, staged
            yield game

    return opened


def test_deeds_arrive_as_a_persons_and_take_their_time(play: Play) -> None:
    with play(scenario="still", viewport=(640, 400)) as game:
        box = game.snapshot()["center"].value
        game.does(call("click", **box))
        assert game.snapshot()["seen"].value == ["press mouse"] and game.snapshot()["score"] == 1
        assert game.stage.clock.now == frames(4) + SETTLE
        before = game.stage.clock.now
        game.does(call("drag", from_x=box["x"], from_y=box["y"], to_x=400, to_y=300, seconds=0.5))
        assert game.snapshot()["center"].value == {"x": 400, "y": 300} and game.stage.clock.now - before == seconds(0.5) + SETTLE
        game.does(call("key", key=" "), call("key", key="a"), call("hold", key="ArrowDown", seconds=0.5), call("move", x=5, y=5))
        assert game.snapshot()["seen"].value[2:] == ["down  ", "up  ", "down a", "up a", "down ArrowDown", "up ArrowDown"]
        assert game.snapshot()["center"]["y"].value == pytest.approx(360)
        before = game.stage.clock.now
        game.does(call("wait", seconds=1.5))
        assert game.stage.clock.now - before == seconds(1.5)


def test_it_sees_the_view_and_looks_closer(play: Play) -> None:
    with play(scenario="still", viewport=(640, 400)) as game:
        bounds = game.snapshot()["bounds"].value
        heard = game.does(call("look", **bounds))
        closer, view = [one for one in heard.told if isinstance(one, Picture)]
        assert Image.open(BytesIO(view.data)).size == (640, 400) and "640 x 400" in view.caption
        enlarged = Image.open(BytesIO(closer.data)).convert("RGB")
        assert enlarged.size == (600, 400) and enlarged.getpixel((300, 200)) == (255, 128, 0) and "enlarged 10 times" in closer.caption
        shots = [entry.id for entry in game.stage.evidence.of("image.png/1")]
        assert set(shots) < set(game.played.cites) and game.stage.clock.now == 0
        game.exhibit(game.played)
        assert list(game.stage.grading.record.grounds) == list(game.played.cites)


@pytest.mark.parametrize(("wrong", "word"), [
    (call("click", x=640, y=10), "640, 10 lies outside the view, which is 640 x 400"),
    (call("drag", from_x=0, from_y=0, to_x=-1, to_y=5), "-1, 5 lies outside the view"),
    (call("key", key="Hyper"), "there is no key 'Hyper'"),
    (call("hold", key="a", seconds=60), "arguments.seconds must be smaller than or equal to 10"),
    (call("look", x=900, y=0, width=10, height=10), "has no pixel in the viewport"),
])
def test_what_cannot_be_done_is_told(play: Play, wrong: Reply, word: str) -> None:
    with play(scenario="still", viewport=(640, 400)) as game:
        heard = game.does(wrong)
        assert word in heard.words and not game.snapshot()["seen"].value and game.stage.clock.now == 0


def test_on_a_touch_screen_it_uses_a_finger(play: Play) -> None:
    with play(scenario="still", touch=True) as game:
        box = game.snapshot()["center"].value
        game.does(call("click", **box), call("drag", from_x=box["x"], from_y=box["y"], to_x=300, to_y=100, seconds=0.2))
        assert game.snapshot()["seen"].value == ["press touch", "press touch"]
        assert game.snapshot()["center"].value == {"x": 300, "y": 100}


def test_without_a_model_it_says_who_should_give_one(play: Play) -> None:
    with play(scenario="still") as game, pytest.raises(NoModel, match=r"a check names the one that plays in it \(plays=\)"):
        game.adaptive("Do it.")


# --- in a cast ---

CAST = """
schema = 1
id = "cast"
version = "1"
domain = "webgame"
kind = "generation"
title = "A model plays, and judges are shown it"
deliver = ["index.html"]
[runtime]
driver = "webgame.page"
[[cast]]
driver = "webgame.player"
options = { goal = "Click the box.", model = "hand", turns = 5 }
[[examiners]]
driver = "rubric"
files = ["walk.toml"]
options = { ticks = 900000 }
[scoring]
rules = [{ rule = "pass_at_k" }]
"""

WALK = """
[[criteria]]
id = "box-clicked"
title = "The box can be clicked"
asks = { judge = "trajectory", question = "Was the box clicked, and did the score rise?", exhibits = [EXHIBITS] }
"""


@pytest.fixture
def cast(tmp_path: Path) -> Callable[[str], Path]:
    def make(exhibits: str) -> Path:
        root = tmp_path / "cast"
        for folder in ("brief", "checks", "reference"):
            (root / folder).mkdir(parents=True)
        (root / "task.toml").write_text(CAST)
        (root / "brief" / "instruction.md").write_text("# A box\n")
        (root / "checks" / "walk.toml").write_text(WALK.replace("EXHIBITS", exhibits))
        (root / "reference" / "index.html").write_text(GAME.read_text())
        return root

    return make


def test_what_a_player_in_a_cast_did_is_laid_before_a_judge(cast: Callable[[str], Path], runtime: PageRuntime, tmp_path: Path) -> None:
    task = read_task(cast('"adaptive.turn/1", "image.png/1"'))
    assert list(survey(task, tmp_path / "cache").players) == ["hand"]
    plain = fake_grading(tmp_path, runtime=runtime, task=task, submission=task.root / "reference")
    cast_of = [build("actor", task.cast[0], plain.services)]

    def examined(grading: Grading, ticks: int) -> Verdict:
        bench: Bench = Recorded(("hand",), [call("click", x=150, y=220), DONE])
        examiner = RubricExaminer({"files": ["walk.toml"], "ticks": ticks}, grading.services)
        [check] = examiner.checks(task)
        [verdict] = examiner.examine([check], runtime.cases(check)[0], evolve(grading, cast=cast_of, bench=bench))
        return verdict

    grading = evolve(plain, record=Record(tmp_path / "whole"))
    verdict = examined(grading, 10 * TICKS)
    kinds = [entry.kind for entry in grading.record.sealed() if entry.id in verdict.cites]
    assert verdict.reason == "NO_MODEL", "a judge decides"
    assert kinds == ["image.png/1", "adaptive.turn/1", "image.png/1", "image.png/1", "adaptive.turn/1", "image.png/1"]
    short = evolve(plain, record=Record(tmp_path / "short"))
    assert verdict.tick == frames(4) + SETTLE == examined(short, frames(4)).tick, "a deed that was begun is brought to its end"
    ends = [grading.record.sealed().last("adaptive.end/1") for grading in (grading, short)]
    assert [end.value["how"] for end in ends if end] == ["done", "stopped"]


def test_a_kind_that_nobody_takes_is_refused(cast: Callable[[str], Path], tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"checks read no\.such/1, which 'webgame\.page' never observes; it observes adaptive\.begin/1"):
        survey(read_task(cast('"no.such/1"')), tmp_path / "cache")
