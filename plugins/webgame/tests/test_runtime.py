"""What the runtime says of a submission before it is played, and what becomes of one that breaks in play."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from playproof.errors import SessionHung, SessionLost, SubmissionFault, TaskError
from playproof.evidence import Record
from playproof.interfaces import Grading
from playproof.model import Case, Check, Reason
from playproof.testing import check_runtime, fake_grading, fake_submission
from playproof_webgame.runtime import BeyondClock, PageRuntime

pytestmark = pytest.mark.heavy
Graded = Callable[..., Grading]

AT_LOAD = ('"use strict";', '"use strict"; throw new Error("at once");')
LOOP_AT_LOAD = ('"use strict";', '"use strict"; for (;;);')


def reasons(grading: Grading) -> list[tuple[Reason, str]]:
    return [(problem.reason, problem.message) for problem in grading.runtime.preflight(grading)]


def test_the_contract_of_a_runtime_is_kept(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text((Path(__file__).parent / "game.html").read_text())
    check_runtime(PageRuntime, tmp_path / "work", site)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "there is no index.html"), ({"index.html": ""}, "index.html is empty"), ({"index.html": " \n"}, "index.html is empty"),
        ({"index.html": "<html><body>cut of"}, "has no </html>"), ({"index.html/x": "1"}, "not a regular file"),
    ],
)  # fmt: skip
def test_what_is_not_delivered_is_told_without_a_browser(files: dict[str, str], said: str, runtime: PageRuntime, tmp_path: Path) -> None:
    grading = evolve(fake_grading(tmp_path, runtime=runtime), submission=fake_submission(tmp_path / "mine", files))
    ((reason, message),) = reasons(grading)
    assert reason is Reason.UNDELIVERED and said in message


def test_a_link_is_not_delivered(runtime: PageRuntime, tmp_path: Path) -> None:
    made = fake_submission(tmp_path / "mine", {"other.html": "<html></html>"})
    made.root.chmod(0o755)
    (made.root / "index.html").symlink_to("other.html")
    ((reason, message),) = reasons(evolve(fake_grading(tmp_path, runtime=runtime), submission=made))
    assert (reason, message) == (Reason.UNDELIVERED, "index.html is not a regular file")


def test_a_closing_tag_counts_in_any_spelling(graded: Graded) -> None:
    assert reasons(graded(("</html>", "</HTML \n>"))) == []


def test_a_page_that_throws_before_its_interface_does_not_load(graded: Graded) -> None:
    ((reason, message),) = reasons(graded(AT_LOAD))
    assert reason is Reason.LOAD_FAIL
    assert "window.__gameTest" in message and "Error: at once" in message


def test_a_page_that_loops_costs_one_timeout(graded: Graded) -> None:
    begun = time.monotonic()
    ((reason, message),) = reasons(graded(LOOP_AT_LOAD))
    assert (reason, message) == (Reason.HANG, "loading the page: no answer within 20 s")
    assert time.monotonic() - begun < 50


def test_a_loop_in_play_is_a_hang_and_the_next_session_has_a_new_browser(play: Any) -> None:
    loop = ("reset() {", "reset() { for (;;);")
    with pytest.raises(SessionHung, match="no answer within 10 s"), play(loop, scenario="still") as game:
        game.reset()
    with play(loop, scenario="still") as game:
        assert game.snapshot()["phase"] == "still"


def test_a_page_that_eats_memory_is_a_crash(play: Any) -> None:
    eat = ("reset() {", "reset() { const all = []; for (;;) all.push(new Uint8Array(1 << 26).fill(1));")
    with pytest.raises((SessionLost, SubmissionFault), match=r"crash|closed|RangeError"), play(eat) as game:
        game.reset()


def test_the_options_of_a_check_are_validated(runtime: PageRuntime) -> None:
    def cases(**options: Any) -> list[Case]:
        return list(runtime.cases(Check("a", "python", "A", options=options)))

    assert [one.id for one in cases()] == ["default"]
    assert cases(scenario="full") == [Case("scenario=full", {"scenario": "full"})]
    assert cases(scenario="full", touch=True, clock="real")[0].id == "clock=real,scenario=full,touch=True"
    for wrong in ({"scenaro": "full"}, {"clock": "fast"}, {"touch": 1}, {"viewport": [10, 10]}, {"viewport": [800]}, {"scenario": 3}):
        with pytest.raises(TaskError, match="check a"):
            cases(**wrong)
    with pytest.raises(TaskError, match="load"):
        PageRuntime({"load_s": 0}, runtime._services)


def test_a_scenario_that_cannot_be_loaded_is_the_submissions_fault(play: Any) -> None:
    gone = ("loadScenario(name) {", "loadScenarioo(name) {")
    with pytest.raises(SubmissionFault, match=r"window\.__gameTest\.loadScenario: missing"), play(gone, scenario="still"):
        pass


def test_viewport_and_touch_are_the_pages(play: Any) -> None:
    tell = ("getSnapshot: () => ({", "getSnapshot: () => ({ size: [innerWidth, innerHeight, devicePixelRatio, navigator.maxTouchPoints],")
    with play(tell) as game:
        assert game.snapshot()["size"].value == [1280, 800, 1, 0]
    with play(tell, viewport=[375, 667], touch=True) as game:
        assert game.snapshot()["size"].value == [375, 667, 1, 1]


def test_no_verdict_rests_on_a_clock_that_does_not_reach_the_page(graded: Graded, tmp_path: Path) -> None:
    work = ("reset() {", "reset() { new Worker(URL.createObjectURL(new Blob(['1'])));")
    grading = graded(work)
    first, second = (evolve(grading, record=Record(tmp_path / name)) for name in ("first", "second"))
    with pytest.raises(BeyondClock, match="a worker"), first.stage(Case()) as stage:
        stage.session.reset()
    assert first.record.sealed().last("page.leaks/1").value == {"worker": 1}
    with second.stage(Case()) as stage:
        stage.session.reset()
        assert not stage.session.tab.options.clock.virtual, "from now on on real time"
