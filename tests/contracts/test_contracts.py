"""The contract checks that plugin authors run: they hold for what we ship, and each breach is told in a plain sentence."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from playproof.examiners.python import PythonExaminer
from playproof.examiners.rubric import RubricExaminer
from playproof.harnesses.command import CommandHarness
from playproof.interfaces import Clock, Grading, Job, Services
from playproof.model import Ask, Budget, Case, Check, Ended, Ending, Evidence, Observer, Options, Outcome, Problem, Reason, Verdict
from playproof.taskfile import read_task
from playproof.testing import (
    ContractBroken,
    FakeRuntime,
    FakeSession,
    check_examiner,
    check_harness,
    check_runtime,
    fake_grading,
)

# --- what we ship keeps its contract ---


def test_the_toy_runtime_and_examiners(toy: Path, tmp_path: Path) -> None:
    from playproof_toy.lamp import Lamp  # type: ignore[import-not-found, unused-ignore]

    lamp = Path(shutil.copytree(toy / "night-lamp", tmp_path / "night-lamp"))
    check_runtime(Lamp, tmp_path / "runtime", lamp / "reference", task=lamp, options={"frame_hz": 20})
    grading = fake_grading(tmp_path / "grading", runtime=Lamp({}, Services(tmp_path)), task=lamp, submission=lamp / "reference")
    check_examiner(PythonExaminer, read_task(lamp), options={"files": ["timer.py"]}, grading=grading)
    check_examiner(RubricExaminer, read_task(lamp), options={"files": ["quiet.toml"], "ticks": 10}, grading=grading)


def test_the_command_harness(tmp_path: Path) -> None:
    ending = check_harness(CommandHarness, tmp_path, options={"argv": ["sh", "-c", "cat brief/instruction.md; echo x > made"]})
    assert ending.ended is Ended.COMPLETED and (tmp_path / "workspace" / "made").is_file()


# --- every breach is told ---


class Good(FakeRuntime):
    """FakeRuntime as a driver: it refuses options, checks and empty submissions."""

    def __init__(self, options: Options, services: Services) -> None:
        from attrs import frozen

        from playproof.drivers import settings

        settings(frozen(type("None_", (), {})), options, "good")
        super().__init__()

    def cases(self, check: Check) -> Sequence[Case]:
        from playproof.errors import TaskError

        if check.options:
            raise TaskError("unknown option")
        return super().cases(check)

    def preflight(self, grading: Grading) -> Sequence[Problem]:
        return [] if any(grading.submission.root.iterdir()) else [Problem(Reason.LOAD_FAIL, "nothing there")]


def runtime_says(runtime: type, tmp_path: Path) -> str:
    (tmp_path / "submission").mkdir(exist_ok=True)
    (tmp_path / "submission" / "file").write_text("x")
    with pytest.raises(ContractBroken) as fault:
        check_runtime(runtime, tmp_path, tmp_path / "submission")
    return str(fault.value)


def test_a_good_runtime(tmp_path: Path) -> None:
    (tmp_path / "submission").mkdir()
    (tmp_path / "submission" / "file").write_text("x")
    check_runtime(Good, tmp_path, tmp_path / "submission")


def made(**members: Any) -> type:
    return type("Bad", (Good,), members)


class Shifty(FakeSession):
    """Gives evidence that it keeps to itself."""

    def observe(self, ask: Ask) -> Sequence[Evidence]:
        return [Evidence("x", 0, 0, ask.kind, Observer.OUTSIDE, "nowhere")]


class Prophet(FakeSession):
    def observe(self, ask: Ask) -> Sequence[Evidence]:
        return [self._record.add(ask.kind, Observer.OUTSIDE, tick=self._now + 1)]


class Blind(FakeSession):
    def observe(self, ask: Ask) -> Sequence[Evidence]:
        return []


class Frameless:
    def advance(self, ticks: int) -> None: ...


def opening(session: Callable[..., Any]) -> Callable[..., Any]:
    @contextmanager
    def open(self: Any, grading: Grading, case: Case, clock: Clock) -> Iterator[Any]:
        yield session(grading.record, clock)

    return open


class Hasty(Good):
    @contextmanager
    def open(self, grading: Grading, case: Case, clock: Clock) -> Iterator[FakeSession]:
        if any(grading.submission.root.iterdir()):
            session = FakeSession(grading.record, clock)
            clock.bind(session, [])  # type: ignore[attr-defined]
            clock.wait(5)
            yield session


def unknown_option(self: Any, options: Options, services: Services) -> None:
    FakeRuntime.__init__(self)


def wrong_error(self: Any, options: Options, services: Services) -> None:
    FakeRuntime.__init__(self)
    if options:
        raise KeyError("no_such_option")


def unhappy(self: Any, grading: Grading) -> Sequence[Problem]:
    return [Problem(Reason.LOAD_FAIL, "I do not like it")]


RUNTIMES: list[tuple[type, str]] = [
    (made(__init__=unknown_option), "an unknown option is accepted"),
    (made(__init__=wrong_error), "an unknown option raises KeyError; wanted TaskError"),
    (made(session="LampSession"), "session is 'LampSession', wanted a class"),
    (made(observes=frozenset()), "observes is a frozenset of evidence kinds, one at least"),
    (made(observes=frozenset({"pictures"})), "observes 'pictures', wanted a kind like 'domain.thing/1'"),
    (made(grading_version="1"), "grading_version is '1', wanted an integer from 1"),
    (made(engine=""), "engine names what else decides verdicts"),
    (made(cases=lambda self, check: []), "a check without options has no case"),
    (made(cases=lambda self, check: [Case("a", {"x": 1})]), "the case 'a' is not named after its options"),
    (made(cases=lambda self, check: [Case(), Case()]), "two cases of one check have the same id"),
    (made(cases=lambda self, check: [Case()]), "cases() accepts a check option that it does not know"),
    (made(preflight=unhappy), "the preflight finds fault with the submission given: ['I do not like it']"),
    (made(preflight=lambda self, grading: ["bad"]), "preflight gives ['bad'], wanted Problems"),
    (made(preflight=lambda self, grading: []), "an empty submission opens without a word"),
    (made(open=opening(lambda record, clock: Frameless())), "a Frameless lacks a member of Session"),
    (made(session=Blind), "open gives a FakeSession, and session says Blind"),
    (made(session=Blind, open=opening(Blind)), "observe('fake.log/1') gives no evidence of that kind"),
    (made(session=Shifty, open=opening(Shifty)), "evidence fake.log/1 was not written into grading.record"),
    (made(session=Prophet, open=opening(Prophet)), "bears tick 4501, and the clock shows 4500"),
    (Hasty, "opening takes time on the clock"),
]


@pytest.mark.parametrize(("runtime", "message"), RUNTIMES, ids=[message[:40] for _, message in RUNTIMES])
def test_what_a_runtime_does_wrong(runtime: type, message: str, tmp_path: Path) -> None:
    assert message in runtime_says(runtime, tmp_path)


def test_a_runtime_that_stumbles_over_nothing(tmp_path: Path) -> None:
    def stumble(self: Any, grading: Grading) -> Sequence[Problem]:
        (grading.submission.root / "file").read_text()
        return []

    assert "an empty submission raises FileNotFoundError" in runtime_says(made(preflight=stumble), tmp_path)


class Examines:
    together, opens, grading_version = False, True, 1

    def __init__(self, options: Options, services: Services) -> None:
        from playproof.errors import TaskError

        if options:
            raise TaskError(f"unknown option {sorted(options)}")

    def checks(self, task: Any) -> Sequence[Check]:
        return [Check("a", "mine", "A"), Check("b", "mine", "B")]

    def examine(self, checks: Sequence[Check], case: Case, grading: Grading) -> Iterator[Verdict]:
        for one in checks:
            yield Verdict(one.id, case.id, Outcome.PASS, Reason.OK)


def giving(*verdicts: Verdict) -> Callable[..., Iterator[Verdict]]:
    return lambda self, checks, case, grading: iter(verdicts)


OK = Verdict("a", "default", Outcome.PASS, Reason.OK)

EXAMINERS: list[tuple[dict[str, Any], str]] = [
    ({"together": 1}, "together is 1, wanted True or False"),
    ({"grading_version": 0}, "grading_version is 0"),
    ({"checks": lambda self, task: []}, "it finds no check"),
    ({"checks": lambda self, task: [Check("a", "mine", "A")] * 2}, "two checks have the same id"),
    ({"checks": lambda self, task: [Check(str(id(object())) + str(id(self)), "mine", "A")]}, "asked twice, it finds other checks"),
    ({"examine": giving()}, "asked for ['a'], it gives verdicts on []"),
    ({"examine": giving(OK, OK)}, "asked for ['a'], it gives verdicts on ['a', 'a']"),
    ({"examine": giving("yes")}, "examine yields something that is no Verdict"),  # type: ignore[arg-type]
    ({"examine": giving(Verdict("a", "room=x", Outcome.PASS, Reason.OK))}, "is for the case 'room=x', asked was 'default'"),
    ({"examine": giving(Verdict("a", "default", Outcome.PASS, Reason.OK, cites=("nowhere",)))}, "cites evidence that is not in grading"),
]


def test_a_good_examiner(tmp_path: Path) -> None:
    grading = fake_grading(tmp_path)
    check_examiner(Examines, grading.task, grading=grading)


@pytest.mark.parametrize(("members", "message"), EXAMINERS, ids=[message[:40] for _, message in EXAMINERS])
def test_what_an_examiner_does_wrong(members: dict[str, Any], message: str, tmp_path: Path) -> None:
    grading = fake_grading(tmp_path)
    with pytest.raises(ContractBroken) as fault:
        check_examiner(type("Bad", (Examines,), members), grading.task, grading=grading)
    assert message in str(fault.value)


class Agent:
    def __init__(self, options: Options, services: Services) -> None:
        from playproof.errors import TaskError

        if options:
            raise TaskError(f"unknown option {sorted(options)}")

    @property
    def stack(self) -> Any:
        return {"name": "agent"}

    def generate(self, job: Job) -> Ending:
        job.log("stdout", b"hello")
        return Ending(Ended.COMPLETED)


def logging_text(self: Any, job: Job) -> Ending:
    job.log("stdout", "text")  # type: ignore[arg-type]
    return Ending(Ended.COMPLETED)


def removing(self: Any, job: Job) -> Ending:
    shutil.rmtree(job.workspace)
    return Ending(Ended.COMPLETED)


class Counting(Agent):
    count = 0

    @property
    def stack(self) -> Any:
        Counting.count += 1
        return {"count": Counting.count}


@pytest.mark.parametrize(("agent", "message"), [
    (type("Bad", (Agent,), {"stack": {"x": float("nan")}}), "stack is no JSON"), (Counting, "asked twice, stack differs"),
    (type("Bad", (Agent,), {"generate": lambda self, job: None}), "generate gives None, wanted an Ending"),
    (type("Bad", (Agent,), {"generate": removing}), "the workspace is gone"),
    (type("Bad", (Agent,), {"generate": logging_text}), "log hears 'stdout' or 'stderr', and bytes"),
])
def test_what_a_harness_does_wrong(agent: type, message: str, tmp_path: Path) -> None:
    with pytest.raises(ContractBroken) as fault:
        check_harness(agent, tmp_path, budget=Budget(wall_s=5))
    assert message in str(fault.value)
