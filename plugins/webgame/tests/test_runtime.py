"""What the runtime says of a submission before it is played, and what becomes of one that breaks in play."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from structlog.testing import capture_logs

from playproof.errors import InfrastructureError, SessionHung, SessionLost, SubmissionFault, TaskError
from playproof.evidence import Record
from playproof.interfaces import Grading
from playproof.model import Case, Check, Observer, Reason
from playproof.testing import check_runtime, fake_grading, fake_submission
from playproof_browser import box
from playproof_browser.observe import Watch, Witness
from playproof_browser.tab import Tab, TabOptions
from playproof_webgame.runtime import BeyondClock, PageRuntime, Reach

pytestmark = pytest.mark.heavy
Graded = Callable[..., Grading]

AT_LOAD = ('"use strict";', '"use strict"; throw new Error("at once");')
CALM = ("state.speed * step", "0 * step")
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


def test_a_page_that_throws_before_its_interface_does_not_load_and_the_throw_is_cited(graded: Graded) -> None:
    grading = graded(AT_LOAD)
    (problem,) = grading.runtime.preflight(grading)
    assert problem.reason is Reason.LOAD_FAIL
    assert "window.__gameTest" in problem.message and "Error: at once" in problem.message
    assert [entry.kind for entry in grading.record.sealed() if entry.id in problem.cites] == ["page.exception/1", "page.load/1"]


def test_a_page_without_the_interface_does_not_load_whoever_is_slow(graded: Graded) -> None:
    ((reason, message),) = reasons(graded(("window.__gameTest =", "window.other =")))
    assert (reason, message) == (Reason.LOAD_FAIL, "window.__gameTest: did not appear within 2 s of the page's load")


@pytest.mark.parametrize("beside", ["new Worker(URL.createObjectURL(new Blob(['1'])))", "import('./endless.js')"])
def test_an_interface_that_may_only_be_late_is_for_the_grader(beside: str, graded: Graded, monkeypatch: pytest.MonkeyPatch) -> None:
    grading = graded(("window.__gameTest =", f"{beside}; window.other ="))
    if "import" in beside:  # a module that is long in coming: our server gives it at once
        monkeypatch.setattr(Watch, "_answered", lambda watch, request: None)
    with pytest.raises(SessionHung, match="__gameTest did not appear within"):
        reasons(grading)
    assert [entry.kind for entry in grading.record.sealed()][-2:] == ["page.load/1", "page.box/1"]


def test_a_page_that_loops_costs_one_timeout_and_is_for_the_grader_to_settle(graded: Graded) -> None:
    begun = time.monotonic()
    with pytest.raises(SessionHung, match="loading the page: no answer within 20 s"):
        reasons(graded(LOOP_AT_LOAD))
    assert time.monotonic() - begun < 50


def test_a_page_that_dies_at_load_is_for_the_grader_to_settle(graded: Graded, monkeypatch: pytest.MonkeyPatch) -> None:
    def load(tab: Tab) -> None:
        with tab.watchdog.within(20, "loading the page"):
            tab.cdp.send("Page.crash")

    monkeypatch.setattr(Tab, "_load", load)
    with pytest.raises(SessionLost, match="loading the page"):
        reasons(graded(CALM))


def test_what_keeps_a_submission_in_is_written_down_and_the_weaker_way_is_told(graded: Graded, monkeypatch: pytest.MonkeyPatch) -> None:
    def look() -> tuple[dict[str, Any], list[Any]]:
        grading = graded(CALM)
        grading.runtime._leave_box()
        with capture_logs() as logs:
            assert reasons(grading) == []
        entry = grading.record.sealed().last("page.protection/1")
        assert entry.observer is Observer.OUTSIDE
        return entry.value, logs

    boxed, logs = look()
    assert boxed["boxed"] and boxed["promises"]["network"] and "own network" in boxed["words"] and logs == []
    assert [event["event"] for event in boxed["events"]] == ["browser"]
    monkeypatch.setattr(box, "why_no_bubblewrap", lambda: "it is not installed")
    weaker, logs = look()
    assert not weaker["boxed"] and not weaker["promises"]["network"]
    assert [(log["event"], log["log_level"]) for log in logs] == [("the browser is not boxed", "warning")]
    assert "it is not installed" in logs[0]["protection"]
    graded(CALM).runtime._leave_box()


def test_a_loop_in_play_is_a_hang_and_the_next_session_has_a_new_browser(play: Any) -> None:
    loop = ("reset() {", "reset() { for (;;);")
    with pytest.raises(SessionHung, match="no answer within 10 s"), play(loop, scenario="still") as game:
        evidence = game.stage.grading.record
        game.reset()
    assert evidence.sealed()[-1].kind == "page.box/1"
    with play(loop, scenario="still") as game:
        assert game.snapshot()["phase"] == "still"


def test_a_page_that_eats_memory_is_a_crash(play: Any) -> None:
    eat = ("reset() {", "reset() { const all = []; for (;;) all.push(new Uint8Array(1 << 26).fill(1));")
    with pytest.raises((SessionLost, SessionHung, SubmissionFault), match=r"crash|closed|RangeError|no answer"), play(eat) as game:
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


def test_a_full_disk_is_not_the_submissions_fault(graded: Graded, tmp_path: Path) -> None:
    (tmp_path / "webgame").write_text("no folder can be made here")

    class Busy:
        options, witness = TabOptions(), Witness(Record(tmp_path / "record"))

        def leaks(self) -> dict[str, int]:
            return {"worker": 1}

    with pytest.raises(InfrastructureError, match="cannot write down"):
        Reach(tmp_path, graded(CALM)).learn(Busy())  # type: ignore[arg-type]
