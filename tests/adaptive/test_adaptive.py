"""A player by rule plays two layouts of one game in a real browser. What burns on the screen decides, and not what it says."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from playproof.evidence import read
from playproof.grading import Grader, GradingJob
from playproof.model import Ended, Ending
from playproof.plan import survey
from playproof.submission import freeze
from playproof.taskfile import read_task
from playproof_judges.replay import replayed
from playproof_judges.testing import Fail, Server, Turn

pytestmark = pytest.mark.heavy

Play = Callable[..., Any]
Edit = tuple[str, str]

LIGHTS = "level += 1; draw();"
DEAD_BUTTON: Edit = (LIGHTS, "draw();")
BOASTS: Edit = (LIGHTS, 'at("told").textContent = "All three lamps burn: the goal is reached."; level = 3;')
COVERED: Edit = ('<div id="told"></div>', '<div id="told"></div><div style="inset: 0; z-index: 9"></div>')
WRONG_WAY: Edit = ("state.level++", "state.level--")
SLIPS: Edit = ("state.placed = within(state.block, FRAME);", "state.placed = false;")

WHOLE = ["click", "drag", "click", "click", "done"]


@pytest.mark.parametrize(("page", "driver"), [("wide", "openai"), ("tall", "anthropic")])
def test_it_succeeds_on_both_layouts_and_again_without_asking(bout: Play, page: str, driver: str) -> None:
    played = bout(page, driver=driver)
    assert played.ruling == ("pass", "OK"), played.verdict.message
    assert played.tools == WHOLE and played.end["reached"] is True
    if page == "wide":
        again = bout(page, driver=driver, mind=lambda asked: Fail(400, "nobody should ask"))
    else:
        again = bout(page, bench=replayed(played.evidence))
    assert again.ruling == ("pass", "OK") and again.ids == played.ids, "from the cache of replies, or from what was recorded"


BROKEN: Sequence[tuple[str, Edit, list[str], str]] = [
    ("wide", DEAD_BUTTON, ["click", "drag", "click", "click", "done"], "level is 1, wanted 3"),
    ("wide", BOASTS, ["click", "drag", "click", "click", "click", "done"], "shows #ffd400 in 0.0%"),
    ("wide", COVERED, ["click", "click", "done"], "placed is false"),
    ("tall", WRONG_WAY, ["click", "drag", "click", "done"], "level is 0, wanted 3"),
    ("tall", SLIPS, ["click", "drag", "drag", "done"], "placed is false"),
]


@pytest.mark.parametrize(("page", "edit", "tools", "message"), BROKEN, ids=["dead button", "boasts", "covered", "wrong way", "slips"])
def test_it_fails_on_broken_ones(bout: Play, page: str, edit: Edit, tools: list[str], message: str) -> None:
    played = bout(page, edit)
    assert played.ruling == ("fail", "FAIL") and message in played.verdict.message, played.verdict.message
    assert played.tools == tools and played.end["reached"] is False


def test_a_claim_is_no_proof(bout: Play) -> None:
    played = bout("wide", mind=lambda asked: Turn(calls=[("done", {"reached": True, "claim": "Three lamps burn."})]))
    assert played.end["reached"] is True and played.ruling == ("fail", "FAIL") and "placed is false" in played.verdict.message


def test_through_a_workers_process_as_a_run_does_it(tmp_path: Path, rules: Any) -> None:
    task = read_task(Path(__file__).parent / "lamps")
    submission = freeze(task.root / "reference", tmp_path / "frozen", task.deliver, Ending(Ended.COMPLETED), "test")
    listed = survey(task, tmp_path / "cache")
    with Server(rules) as server:
        job = GradingJob(task.root, listed, submission, tmp_path / "grading", tmp_path / "cache", tmp_path / "controls", workers=1,
                         models={"player": server.ref("anthropic")})
        graded = Grader(job, task, lambda moment, facts: None).grade()
        assert [one.reason.value for one in graded.verdicts] == ["OK"] and list(listed.players) == ["player"]
        assert graded.tokens.output == 5 * 20 and len(server.asked) == 5
    evidence = read(tmp_path / "grading" / "units" / "0000")
    assert [entry.value["tool"] for entry in evidence.of("adaptive.turn/1")] == WHOLE
