"""A plan refuses what cannot be done, before anything is spent, and names the file."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from playproof.errors import PlayproofError, TaskError, UsageError
from playproof.plan import held_out_digest, survey, survey_all
from playproof.run import Request, plan
from playproof.taskfile import read_task

OK = """
@check("works", title="works")
def works(lamp):
    lamp.expect(lamp.state()["light"], "light").is_false()
"""


def refused(root: Path, cache: Path) -> str:
    """In this process, which is quicker; a child process does the same."""
    with pytest.raises(PlayproofError) as fault:
        survey(read_task(root), cache)
    return str(fault.value)


def edit(root: Path, old: str, new: str) -> None:
    place = root / "task.toml"
    assert old in place.read_text()
    place.write_text(place.read_text().replace(old, new))


def test_a_survey_lists_checks_and_cases(lamp: Path, cache: Path) -> None:
    made = survey_all([read_task(lamp)], cache)["night-lamp"]
    assert [check.id for check in made.checks] == [
        "switch-lights", "switch-darkens", "stays-lit", "timer-darkens", "timer-is-cancelled", "level", "bell-does-nothing"]
    assert [case.id for case in made.cases["switch-lights"]] == ["start=dark"] and [case.id for case in made.cases["level"]] == ["default"]
    assert [(one.driver, one.together, one.opens) for one in made.examiners] == [("python", False, True), ("rubric", True, True)]


DRIVERS: list[tuple[str, str, str]] = [
    ('driver = "toy.lamp"', 'driver = "toy.lantern"', "no runtime named 'toy.lantern'; installed: "),
    ('driver = "toy.presser"', 'driver = "toy.pusher"', "no actor named 'toy.pusher'"),
    ('driver = "rubric"', 'driver = "rubrik"', "no examiner named 'rubrik'; installed: command, python, rubric"),
    ("frame_hz = 20", "frame_herz = 20", "options of 'toy.lamp': unknown key 'frame_herz' @ $"),
    ('button = "bell", every_s = 2', 'every_s = 2', "options of 'toy.presser': missing key 'button' @ $.button"),
    ('button = "bell", every_s = 2', 'button = "bell", every_s = -2', "options of 'toy.presser': "),
    ("ticks = 900000", 'ticks = "long"', "options of 'rubric': expected int, not str @ $.ticks"),
    ('files = ["quiet.toml"]', 'files = ["lost.toml"]', "no file matches 'lost.toml'"),
]


@pytest.mark.parametrize(("old", "new", "message"), DRIVERS)
def test_a_driver_or_an_option_that_is_not_there(lamp: Path, cache: Path, old: str, new: str, message: str) -> None:
    edit(lamp, old, new)
    assert message in refused(lamp, cache)


def test_two_checks_of_one_id(small: Callable[..., Path], cache: Path) -> None:
    root = small(OK + OK.replace("def works", "def again"))
    assert "checks.py: check 'works' is already declared in" in refused(root, cache)


def test_two_checks_of_one_id_in_two_examiners(lamp: Path, cache: Path) -> None:
    place = lamp / "checks" / "quiet.toml"
    place.write_text(place.read_text().replace("bell-does-nothing", "level"))
    assert "task.toml: check 'level' is declared twice" in refused(lamp, cache)


SCRIPTS: list[tuple[str, str]] = [
    ("x = 1 +", "checks.py: SyntaxError"),
    ("import no_such_library", "checks.py: ModuleNotFoundError: No module named 'no_such_library'"),
    ("raise KeyError('mine')", "checks.py: KeyError"),
    ("x = 1", "checks.py: no @check in it"),
    (OK.replace('title="works"', 'title="works", priority="P9"'), "checks.py: ValueError"),
    (OK.replace('title="works"', 'title="works", colour="red"'), "check 'works': toy.lamp knows no option colour"),
    (OK.replace('title="works"', 'title="works", required=False'), "no check is required, so nothing would decide"),
]


@pytest.mark.parametrize(("script", "message"), SCRIPTS)
def test_a_script_that_cannot_be_used(small: Callable[..., Path], cache: Path, script: str, message: str) -> None:
    assert message in refused(small(script), cache)


@pytest.mark.parametrize(("script", "message"), [
    ("import os; os._exit(3)", "its checks could not be listed"),
    ("import sys; sys.exit('leaving')", "leaving"),
    ("print('noise', end='')\nx = 1", "checks.py: no @check in it"),
])
def test_a_script_that_ends_its_process_ends_only_that(small: Callable[..., Path], cache: Path, script: str, message: str) -> None:
    with pytest.raises(TaskError) as fault:
        survey_all([read_task(small(script))], cache)
    assert message in str(fault.value)


def test_a_script_that_never_ends(small: Callable[..., Path], cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("playproof.plan.SURVEY_S", 0.5)
    with pytest.raises(TaskError, match=r"small: its checks could not be listed within 0\.5 s"):
        survey_all([read_task(small("while True: pass"))], cache)


def test_evidence_that_nobody_takes(lamp: Path, cache: Path, toy: Path) -> None:
    from playproof_toy.lamp import Lamp  # type: ignore[import-not-found, unused-ignore]

    task = read_task(lamp)
    before = Lamp.observes
    Lamp.observes = frozenset({"toy.state/1"})
    try:
        with pytest.raises(TaskError, match=r"checks read toy\.history/1, which 'toy\.lamp' never observes; it observes toy\.state/1"):
            survey(task, cache)
    finally:
        Lamp.observes = before


def test_an_actor_for_another_session(lamp: Path, cache: Path, toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from playproof_toy.presser import Presser  # type: ignore[import-not-found, unused-ignore]

    class Garden:
        pass

    monkeypatch.setattr(Presser, "needs", Garden)
    with pytest.raises(TaskError, match=r"actor 'toy\.presser' needs a Garden, and 'toy\.lamp' opens a LampSession"):
        survey(read_task(lamp), cache)


INSIDE = """
[[examiners]]
driver = "command"
[examiners.options]
argv = ["true"]
tests = [{ id = "inner", test = "suite.inner" }]
"""


def test_required_checks_that_are_all_inside(small: Callable[..., Path], cache: Path) -> None:
    root = small(OK.replace('title="works"', 'title="works", required=False'))
    edit(root, "[scoring]", INSIDE + "[scoring]")
    assert "every required check is a test beside the submission, which could forge it" in refused(root, cache)
    (root / "checks" / "checks.py").write_text("from playproof.checks import check\n" + OK)
    assert [check.id for check in survey_all([read_task(root)], cache)["small"].checks] == ["works", "inner"]


def test_what_the_held_out_digest_is_of(lamp: Path) -> None:
    def now() -> str:
        return held_out_digest(read_task(lamp))

    first = now()
    for place in ("reference/machine.json", "broken/no-timer/machine.json", "brief/instruction.md"):
        (lamp / place).write_text((lamp / place).read_text() + "\n")
    edit(lamp, 'difficulty = "easy"', 'difficulty = "hard"')
    edit(lamp, 'rule = "strict"', 'rule = "pass_at_k"')
    assert now() == first
    edit(lamp, "every_s = 2", "every_s = 3")
    second = now()
    (lamp / "checks" / "timer.py").write_text((lamp / "checks" / "timer.py").read_text() + "#\n")
    assert len({first, second, now()}) == 3


def request(root: Path, cache: Path, *subjects: str, **more: Any) -> Request:
    return Request([root], subjects, cache, **more)


@pytest.fixture
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Surveys in this process: quicker, where a test plans again and again."""
    monkeypatch.setattr("playproof.run.survey_all", lambda tasks, cache: {task.id: survey(task, cache) for task in tasks})


@pytest.mark.usefixtures("in_process")
def test_subjects(lamp: Path, cache: Path) -> None:
    made = plan(request(lamp, cache, "reference", "accepted", "broken:no-timer", "nothing", samples=2))
    assert [one.id for one in made.trials][:4] == [
        "night-lamp/reference/0", "night-lamp/reference/1", "night-lamp/accepted:two-lights/0", "night-lamp/accepted:two-lights/1"]
    assert len({one.generation_id for one in made.trials}) == 8
    assert len(plan(request(lamp, cache, "broken")).trials) == len(list((lamp / "broken").iterdir()))


@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize(("subject", "more", "message"), [
    ("broken:lost", {}, "task 'night-lamp': source 'broken:lost': there is no folder"),
    ("replay:/no/such/place", {}, "/no/such/place"),
    ("claude", {}, "no harness named 'claude'"),
    ("command:", {}, "options of 'command'"),
    ("reference", {"only": ["lost"]}, "no check named 'lost'; there are: bell-does-nothing"),
])
def test_subjects_that_are_not_there(lamp: Path, cache: Path, subject: str, more: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as fault:
        plan(request(lamp, cache, subject, **more))
    assert message in str(fault.value)


@pytest.mark.usefixtures("in_process")
def test_a_scoring_rule_that_is_not_there(lamp: Path, cache: Path) -> None:
    edit(lamp, 'rule = "strict"', 'rule = "strictest"')
    with pytest.raises(TaskError, match=r"task\.toml: .*no scoring rule named 'strictest'"):
        plan(request(lamp, cache, "reference"))


@pytest.mark.usefixtures("in_process")
def test_identities_follow_what_they_are_made_of(lamp: Path, cache: Path) -> None:
    """Mending a check never pays an agent again; changing the brief does; neither depends on workers or places."""
    def ids(**more: Any) -> tuple[str, str]:
        one = plan(request(lamp, cache, "reference", **more)).trials[0]
        return one.generation_id, one.grading_id("digest")

    first = ids()
    assert ids(workers=7, headed=True) == first
    assert ids(seed=1)[0] != first[0] and ids(only=["level"])[1] != first[1] and ids(pin_case=True)[1] != first[1]
    script = lamp / "checks" / "timer.py"
    script.write_text(script.read_text() + "#\n")
    mended = ids()
    assert mended[0] == first[0] and mended[1] != first[1]
    brief = lamp / "brief" / "instruction.md"
    brief.write_text(brief.read_text() + "More.\n")
    assert ids()[0] != first[0] and ids()[1] == mended[1]
