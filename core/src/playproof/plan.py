"""What will be done, proved possible before anything is spent: every driver exists, fits and accepts its options, and
everything that the checks read is observed."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from attrs import Factory, field, frozen

from playproof.canonical import digest, plain, structure
from playproof.drivers import build, names
from playproof.errors import PlayproofError, TaskError
from playproof.interfaces import AsksAssertions, HoldsStarter, Plays, Runtime, Services
from playproof.model import SELDOM, Case, Check, Ref, Task
from playproof.scales import scale
from playproof.taskfile import FILE, read_task
from playproof.workspace import tree_digest

SURVEY_S = 300.0
"""What listing a task's checks may take: check scripts run when they are loaded, and an engine may have to say its version."""


@frozen
class PlannedExaminer:
    """An examiner of the task (by its place in task.toml) with the checks that it found."""

    driver: str
    together: bool
    opens: bool
    grading_version: int
    checks: Sequence[Check]


@frozen
class Survey:
    """A task's checks with the cases of each, what the identity of a grading is made of, and the names of the models that play. `starter`
    is its digest where verdicts rest on it."""

    examiners: Sequence[PlannedExaminer]
    cases: Mapping[str, Sequence[Case]]
    runtime_version: int
    engine: str
    held_out: str
    assertions: Mapping[str, int] = Factory(dict)
    players: Sequence[str] = ()
    starter: str | None = field(default=None, metadata=SELDOM)

    @property
    def checks(self) -> Sequence[Check]:
        return [check for one in self.examiners for check in one.checks]

    def grading_inputs(self) -> Mapping[str, Any]:
        """What decides verdicts beside the submission, the seed and the repeat (design, decision 8)."""
        return {"held_out": self.held_out, "runtime": self.runtime_version, "engine": self.engine.split(".")[0],
                "examiners": [[one.driver, one.grading_version] for one in self.examiners],
                "assertions": dict(self.assertions), **({"starter": self.starter} if self.starter else {})}


def survey_all(tasks: Sequence[Task], cache: Path) -> Mapping[str, Survey]:
    """Survey each task in a child process of its own, because check scripts run when they are loaded."""
    with ThreadPoolExecutor(2) as pool:
        return dict(zip([task.id for task in tasks], pool.map(partial(_in_child, cache=cache), tasks), strict=True))


def _in_child(task: Task, cache: Path) -> Survey:
    command = [sys.executable, "-P", "-m", "playproof.plan", str(task.root), str(cache)]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=SURVEY_S)
    except subprocess.TimeoutExpired:
        raise TaskError(f"{task.root}: its checks could not be listed within {SURVEY_S:g} s") from None
    try:
        said = json.loads(done.stdout.decode().splitlines()[-1])
    except (ValueError, IndexError):
        raise TaskError(f"{task.root}: its checks could not be listed: {done.stderr.decode(errors='replace')[-2000:]}") from None
    if "error" in said:
        raise TaskError(said["error"])
    return structure(said, Survey)


def survey(task: Task, cache: Path) -> Survey:
    """Build every driver of the task once and list its checks and cases. Raises TaskError or PluginError."""
    with ExitStack() as exits:
        services = Services(cache, exits)
        runtime: Runtime[Any] = build("runtime", task.runtime, services)
        players = _check_cast(task, runtime, services)
        observed = runtime.observes.union(*(one.records for one in players))
        examiners, cases = [], {}
        assertions, read = dict[str, int](), set[str]()
        for ref in task.examiners:
            examiner = build("examiner", examiner_ref(task, ref.driver, ref.files, ref.options), services)
            checks = list(examiner.checks(task))
            for check in checks:
                if check.id in cases:
                    raise TaskError(f"{task.root / FILE}: check {check.id!r} is declared twice")
                cases[check.id] = runtime.cases(check) if examiner.opens else [Case()]
            if isinstance(examiner, AsksAssertions):
                read |= examiner.reads(checks)
                _check_reads(task, observed, frozenset(read))
                assertions.update(examiner.versions(checks))
            examiners.append(PlannedExaminer(ref.driver, examiner.together, examiner.opens, examiner.grading_version, checks))
        names_of_scales = [scale(rating.scale).name for rating in task.ratings]
        if len(set(names_of_scales)) != len(names_of_scales):
            raise TaskError(f"{task.root / FILE}: two ratings @ $.ratings are on one scale: {', '.join(names_of_scales)}")
        for rating in task.ratings:
            _check_reads(task, observed, frozenset(rating.exhibits))
        _check_judges(task, [check for one in examiners for check in one.checks], services)
        playing = {check.plays for one in examiners for check in one.checks if check.plays}.union(*(one.models for one in players))
        rests_on_starter = isinstance(runtime, HoldsStarter) and read & runtime.from_starter
        made = Survey(examiners, cases, runtime.grading_version, runtime.engine, held_out_digest(task), assertions, sorted(playing),
                      tree_digest(task.root / "starter") if rests_on_starter else None)
    _check_required(task, made)
    return made


def examiner_ref(task: Task, driver: str, files: Sequence[str], options: Mapping[str, Any]) -> Ref:
    return Ref(driver, {**options, "files": list(files)} if files else options)


def held_out_digest(task: Task) -> str:
    """checks/ and the held-out keys of task.toml; scoring is no part of it, because it follows grading."""
    keys = {name: plain(getattr(task, name)) for name in ("runtime", "cast", "observe", "examiners")}
    if kinds := sorted({kind for one in task.ratings for kind in one.exhibits}):
        keys["ratings"] = kinds  # what is observed for them; scale and judge decide no evidence
    return digest({"keys": keys, "deliver": list(task.deliver), "checks": tree_digest(task.root / "checks")})


def _check_cast(task: Task, runtime: Runtime[Any], services: Services) -> Sequence[Plays]:
    """That the cast fits the runtime; those of it whose acts a model decides."""
    players = list[Plays]()
    for ref in task.cast:
        actor = build("actor", ref, services)
        players += [actor] if isinstance(actor, Plays) else []
        if not issubclass(runtime.session, actor.needs):
            raise TaskError(f"{task.root / FILE}: actor {ref.driver!r} needs a {actor.needs.__name__}, and {task.runtime.driver!r} "
                            f"opens a {runtime.session.__name__}")
    return players


def _check_reads(task: Task, observed: frozenset[str], reads: frozenset[str]) -> None:
    if unseen := reads - observed:
        raise TaskError(f"{task.root / FILE}: checks read {', '.join(sorted(unseen))}, which {task.runtime.driver!r} never observes; "
                        f"it observes {', '.join(sorted(observed))}")


def _check_judges(task: Task, checks: Sequence[Check], services: Services) -> None:
    """Every judge that is installed takes its options and answers such questions. One that is not installed is missed only by
    who wants it asked: without a model the rest is still graded."""
    asked = [(check.asks.judge, "verdict") for check in checks if check.asks] + [(one.judge, "rating") for one in task.ratings]
    for ref, form in asked:
        if ref.driver not in names("judge"):
            continue
        judge = build("judge", ref, services)
        if form not in judge.forms:
            raise TaskError(f"{task.root / FILE}: the judge {ref.driver!r} gives no {form}; it gives: {', '.join(sorted(judge.forms))}")


def _check_required(task: Task, made: Survey) -> None:
    required = [(one.driver, check) for one in made.examiners for check in one.checks if check.required]
    if not required:
        raise TaskError(f"{task.root / FILE}: no check is required, so nothing would decide")
    if all(driver == "command" for driver, _ in required):
        raise TaskError(f"{task.root / FILE}: every required check is a test beside the submission, which could forge it; "
                        "add one that is observed from outside")


def main(root: str, cache: str) -> None:
    sys.dont_write_bytecode = True  # check scripts lie in the task: nothing is written there
    try:
        said = plain(survey(read_task(Path(root)), Path(cache)))
    except PlayproofError as fault:
        said = {"error": str(fault)}
    sys.stdout.write("\n" + json.dumps(said) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
