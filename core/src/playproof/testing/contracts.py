"""One call for each interface that tells a plugin author, in a plain sentence, where a driver breaks its contract."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from attrs import evolve

from playproof.canonical import canonical
from playproof.drivers import build
from playproof.errors import CheckSignal, SessionError, UsageError
from playproof.evidence import Record
from playproof.interfaces import Examiner, Grading, Harness, Job, Runtime, Services, Session
from playproof.model import Ask, Budget, Case, Check, Ending, Evidence, Options, Problem, Ref, Task, Verdict, case
from playproof.stage import stage
from playproof.testing.fakes import FakeClock, fake_grading, fake_submission

Factory = Callable[[Options, Services], Any]

KIND = re.compile(r"[a-z0-9]+(\.[a-z0-9_-]+)+/[0-9]+")
"""How an evidence kind is spelled: `domain.thing/1`."""


class ContractBroken(AssertionError):
    """A driver does not do what its interface promises; the text says what was wanted and what there is."""


def _need(holds: object, problem: str) -> None:
    if not holds:
        raise ContractBroken(problem)


def _refuses_unknown(factory: Factory, options: Options, services: Services) -> None:
    try:
        factory({**options, "no_such_option": 1}, services)
    except UsageError as fault:
        _need("no_such_option" in str(fault), f"the refusal of an unknown option does not name it: {fault}")
    except Exception as fault:
        raise ContractBroken(f"an unknown option raises {type(fault).__name__}; wanted TaskError (see drivers.settings)") from fault
    else:
        raise ContractBroken("an unknown option is accepted; wanted TaskError, at once (see drivers.settings)")


def _version(driver: Any) -> None:
    version = driver.grading_version
    _need(isinstance(version, int) and version >= 1, f"grading_version is {version!r}, wanted an integer from 1")


# --- runtime ----------------------------------------------------------------------------------------------------------


def check_runtime(
    factory: Factory, folder: Path, submission: Path, *, task: Task | Path | None = None, options: Options | None = None,
) -> None:
    """A runtime with a `submission` (a folder) that it can run. `folder` is a place to work in.

    Raises ContractBroken: options, attributes, cases, preflight, opening twice, time, evidence, and what an empty
    submission does, which must become a Problem or a SubmissionFault."""
    with ExitStack() as exits:
        services = Services(folder / "cache", exits)
        _refuses_unknown(factory, options or {}, services)
        runtime = factory(options or {}, services)
        _attributes(runtime)
        _cases(runtime)
        grading = evolve(fake_grading(folder, runtime=runtime, task=task, submission=submission), services=services)
        problems = _problems(runtime, grading)
        _need(not problems, f"the preflight finds fault with the submission given: {[one.message for one in problems]}")
        for number in range(2):
            _opening(runtime, evolve(grading, record=Record(folder / f"opening-{number}")))
        _empty(runtime, evolve(grading, submission=fake_submission(folder / "fake-empty")))


def _attributes(runtime: Runtime[Any]) -> None:
    _need(isinstance(runtime.session, type), f"session is {runtime.session!r}, wanted a class")
    _need(isinstance(runtime.observes, frozenset) and runtime.observes, "observes is a frozenset of evidence kinds, one at least")
    for kind in sorted(runtime.observes):
        _need(KIND.fullmatch(kind), f"observes {kind!r}, wanted a kind like 'domain.thing/1'")
    _version(runtime)
    _need(isinstance(runtime.engine, str) and runtime.engine, "engine names what else decides verdicts, with its major version")


def _cases(runtime: Runtime[Any]) -> None:
    cases = runtime.cases(Check("a-check", "python", "A check"))
    _need(cases, "a check without options has no case, wanted one at least")
    for one in cases:
        _need(one == Case() or one.id == case(**one.options).id, f"the case {one.id!r} is not named after its options; use model.case()")
    _need(len({one.id for one in cases}) == len(cases), "two cases of one check have the same id")
    try:
        runtime.cases(Check("a-check", "python", "A check", options={"no_such_option": 1}))
    except UsageError:
        return
    raise ContractBroken("cases() accepts a check option that it does not know; wanted TaskError, so that a typing error is seen")


def _problems(runtime: Runtime[Any], grading: Grading) -> Sequence[Problem]:
    problems = list(runtime.preflight(grading))
    _need(all(isinstance(one, Problem) for one in problems), f"preflight gives {problems!r}, wanted Problems")
    return problems


def _opening(runtime: Runtime[Any], grading: Grading) -> None:
    with stage(grading, runtime.cases(Check("a-check", "python", "A check"))[0]) as running:
        session = running.session
        _need(isinstance(session, Session), f"a {type(session).__name__} lacks a member of Session")
        _need(isinstance(session, runtime.session), f"open gives a {type(session).__name__}, and session says {runtime.session.__name__}")
        _need(isinstance(session.frame, int) and session.frame > 0, f"frame is {session.frame!r}, wanted ticks")
        _need(running.clock.now == 0, "opening takes time on the clock; time begins when the session is there")
        running.clock.wait(3 * session.frame)
        for kind in sorted(runtime.observes):
            seen = list(session.observe(Ask(kind)))
            _need(any(one.kind == kind for one in seen), f"observe({kind!r}) gives no evidence of that kind")
            _evidence(seen, grading.record, running.clock.now)
        _evidence(session.witness(), grading.record, running.clock.now)


def _evidence(seen: Sequence[Evidence], record: Record, now: int) -> None:
    kept = {one.id for one in record.sealed()}
    for one in seen:
        _need(one.id in kept, f"evidence {one.kind} was not written into grading.record")
        _need(0 <= one.tick <= now, f"evidence {one.kind} bears tick {one.tick}, and the clock shows {now}")


def _empty(runtime: Runtime[Any], grading: Grading) -> None:
    try:
        if list(runtime.preflight(grading)):
            return
        with runtime.open(grading, Case(), FakeClock()):
            pass
    except (CheckSignal, SessionError):
        return
    except Exception as fault:
        raise ContractBroken(f"an empty submission raises {type(fault).__name__}: {fault}; wanted a Problem") from fault
    raise ContractBroken("an empty submission opens without a word; wanted a Problem or a SubmissionFault")


# --- examiner ---------------------------------------------------------------------------------------------------------


def check_examiner(factory: Factory, task: Task, *, options: Options | None = None, grading: Grading | None = None) -> None:
    """An examiner with a task that has checks for it; with `grading`, it also examines, in each check's default case."""
    with ExitStack() as exits:
        services = grading.services if grading else Services(task.root / ".cache", exits)
        _refuses_unknown(factory, options or {}, services)
        examiner: Examiner = factory(options or {}, services)
        for name in ("together", "opens"):
            _need(isinstance(getattr(examiner, name), bool), f"{name} is {getattr(examiner, name)!r}, wanted True or False")
        _version(examiner)
        checks = list(examiner.checks(task))
        _need(checks, "it finds no check in a task that has some")
        _need(len({one.id for one in checks}) == len(checks), "two checks have the same id")
        _need(checks == list(factory(options or {}, services).checks(task)), "asked twice, it finds other checks")
        if grading is not None:
            for asked in [checks] if examiner.together else [[one] for one in checks]:
                _verdicts(list(examiner.examine(asked, Case(), grading)), asked, grading)


def _verdicts(given: Sequence[Verdict], asked: Sequence[Check], grading: Grading) -> None:
    _need(all(isinstance(one, Verdict) for one in given), "examine yields something that is no Verdict")
    names = [one.check for one in given]
    _need(sorted(names) == sorted(one.id for one in asked), f"asked for {[one.id for one in asked]}, it gives verdicts on {names}")
    kept = {one.id for one in grading.record.sealed()}
    for one in given:
        _need(one.case == Case().id, f"the verdict on {one.check!r} is for the case {one.case!r}, asked was {Case().id!r}")
        _need(set(one.cites) <= kept, f"the verdict on {one.check!r} cites evidence that is not in grading.record")


# --- harness ----------------------------------------------------------------------------------------------------------


def check_harness(factory: Factory, folder: Path, *, options: Options | None = None, sandbox: str = "process", budget: Budget | None = None,
                  files: Mapping[str, str] | None = None) -> Ending:
    """Let a harness do one small job in `folder` and return its ending. `files` stand in the workspace beforehand."""
    with ExitStack() as exits:
        services = Services(folder / "cache", exits)
        _refuses_unknown(factory, options or {}, services)
        harness: Harness = factory(options or {}, services)
        _need(_spelled(harness.stack) == _spelled(factory(options or {}, services).stack), "asked twice, stack differs")
        workspace = folder / "workspace"
        for name, content in {"brief/instruction.md": "# Do something\n", **(files or {})}.items():
            (workspace / name).parent.mkdir(parents=True, exist_ok=True)
            (workspace / name).write_text(content)
        heard: list[tuple[str, bytes]] = []
        box, spend = build("sandbox", Ref(sandbox), services), budget or Budget(wall_s=20, idle_s=10)
        job = Job("fake", "# Do something\n", workspace, box, spend, 0, lambda stream, chunk: heard.append((stream, chunk)))
        ending = harness.generate(job)
    _need(isinstance(ending, Ending), f"generate gives {ending!r}, wanted an Ending")
    _need(workspace.is_dir(), "the workspace is gone; core freezes it after every ending")
    _need(all(stream in ("stdout", "stderr") and isinstance(chunk, bytes) for stream, chunk in heard),
          "log hears 'stdout' or 'stderr', and bytes")
    return ending


def _spelled(stack: Options) -> bytes:
    try:
        return canonical(stack)
    except (TypeError, ValueError) as fault:
        raise ContractBroken(f"stack is no JSON, so it cannot identify anything: {fault}") from fault
