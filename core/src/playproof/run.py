"""Many trials: what was asked -> the trials that it means -> carried out, several at a time, and gone on with later."""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from attrs import Factory, fields_dict, frozen

from playproof import trial as trials
from playproof.canonical import plain, structure
from playproof.drivers import build
from playproof.errors import Interrupted, TaskError, UsageError
from playproof.events import Events
from playproof.interfaces import Services
from playproof.judging import Panel, judge_trial
from playproof.model import Ref, Score, Verdict
from playproof.plan import Survey, survey_all
from playproof.scoring import load, scores
from playproof.store import Store
from playproof.subjects import subjects
from playproof.taskfile import find_tasks
from playproof.trial import Done, Player, Trial
from playproof.workspace import agent_view_digest

Ready = Callable[[Trial], Trial]


@frozen
class Request:
    """What a run is asked for. `subjects`: `reference`, `nothing`, `accepted:NAME`, `broken:NAME`, either without a name
    for all of them, `replay:FOLDER`, or a harness (`command:PROGRAM ARGUMENTS`, or its name with `options`). `models` by name: those
    that a task's checks name play in its gradings."""

    tasks: Sequence[Path]
    subjects: Sequence[str]
    cache: Path
    samples: int = 1
    repeats: int = 1
    seed: int = 0
    workers: int = 2
    sandbox: str = "bubblewrap"
    options: Mapping[str, Any] = Factory(dict)
    only: Sequence[str] = ()
    priorities: Sequence[str] = ()
    pin_case: bool = False
    headed: bool = False
    models: Mapping[str, Ref] = Factory(dict)
    first_fail: bool = False


@frozen
class Run:
    """The planned trials. Nothing has been spent yet, and everything that can be refused has been."""

    request: Request
    trials: Sequence[Trial]

    def facts(self) -> Mapping[str, Any]:
        """What `run.json` says: each task with its survey once, and the trials."""
        tasks = {one.task.id: {"task": plain(one.task), "survey": plain(one.survey)} for one in self.trials}
        own = [name for name in fields_dict(Trial) if name not in ("task", "survey")]
        rows = [{**{name: plain(getattr(one, name)) for name in own}, "task": one.task.id} for one in self.trials]
        return {"tasks": tasks, "trials": rows}


def stored(store: Store) -> Sequence[Done]:
    """Every trial of a run's plan as the store holds it. Raises UsageError where there is no run."""
    place = store.folder / "run.json"
    try:
        facts = json.loads(place.read_bytes())
    except (OSError, ValueError) as fault:
        raise UsageError(f"{place}: not a run: {fault}") from None
    return [trials.known(structure({**row, **facts["tasks"][row["task"]]}, Trial), store) for row in facts["trials"]]


def plan(request: Request) -> Run:
    """The trials that a request means. Raises UsageError, TaskError or PluginError before anything is spent."""
    tasks = find_tasks(request.tasks)
    for task in tasks:
        try:
            load(task.scoring)
        except TaskError as fault:
            raise TaskError(f"{task.root / 'task.toml'}: {fault}") from None
    surveys = survey_all(tasks, request.cache)
    players = _players(surveys, request)
    made = []
    for task in tasks:
        view, only = agent_view_digest(task), _only(surveys[task.id], request)
        if (request.only or request.priorities) and not only:
            continue
        brief = (task.root / "brief" / "instruction.md").read_text("utf-8", errors="replace") if task.ratings else ""
        for subject in (one for spec in request.subjects for one in subjects(task, spec, request)):
            for sample in range(request.samples):
                made += [Trial(task, surveys[task.id], subject, view, request.cache, sample, request.seed, repeat, request.workers,
                               request.headed, only, request.pin_case, players[task.id], request.first_fail, brief=brief)
                         for repeat in range(request.repeats)]
    known = {check.id for survey in surveys.values() for check in survey.checks}
    if missing := [id for id in request.only if id not in known]:
        raise UsageError(f"no check named {missing[0]!r}; there are: {', '.join(sorted(known))}")
    if not made:
        raise UsageError("nothing to do: no task has what was asked for")
    return Run(request, made)


def _players(surveys: Mapping[str, Survey], request: Request) -> Mapping[str, Mapping[str, Player]]:
    """The models that play in the gradings of each task, as far as they are given."""
    wanted = {name for survey in surveys.values() for name in survey.players if name in request.models}
    with ExitStack() as exits:
        services = Services(request.cache, exits)
        refs = {name: request.models[name] for name in sorted(wanted)}
        known = {name: Player(ref, plain(build("model", ref, services).identity)) for name, ref in refs.items()}
    return {task: {name: known[name] for name in survey.players if name in known} for task, survey in surveys.items()}


def _only(survey: Survey, request: Request) -> Sequence[str]:
    """The checks that the request narrows a task to; empty for all."""
    if request.only:
        return [check.id for check in survey.checks if check.id in request.only]
    if not request.priorities:
        return ()
    core = "P1" in request.priorities  # whatever else is required comes with P1, so that P0 and P1 decide the trial
    return [check.id for check in survey.checks
            if check.priority in request.priorities or (core and check.required and check.priority != "P0")]


def carry_out(run: Run, store: Store, events: Events, jobs: int, *, append: bool = False, judges: Panel | None = None,
              ready: Ready = lambda trial: trial) -> Sequence[Done]:
    """Do every trial that is not done, and have it judged; with `append` the folder goes on planning what it planned before, too.
    `ready` has the last word on each trial as it begins: in which order it asks, say, which is no part of its identity.

    On Ctrl-C every process of the run is gone before KeyboardInterrupt goes on."""
    stop = threading.Event()
    facts = run.facts()
    if append and (store.folder / "run.json").is_file():
        facts = _extended(json.loads((store.folder / "run.json").read_bytes()), facts)
    store.plan(facts)
    events.fire("run_begins", run=store.folder.name, trials=[one.id for one in run.trials])

    carrying = _Carrying(store, events, stop, judges)
    with ThreadPoolExecutor(jobs) as pool:
        asked = [pool.submit(lambda trial: carrying.carry(ready(trial)), trial) for trial in run.trials]
        try:
            return [future.result() for future in asked]
        except BaseException:  # raised again below: nothing may go on behind an interrupted run
            stop.set()
            if judges:
                judges.close()
            for future in asked:
                future.cancel()
            raise
        finally:
            events.fire("run_ends", run=store.folder.name)


@frozen
class _Carrying:
    """Carries out trials one by one, in several threads, and tells of it."""

    store: Store
    events: Events
    stop: threading.Event
    judges: Panel | None

    def carry(self, trial: Trial) -> Done:
        if self.stop.is_set():
            raise Interrupted("stopped by the user")

        def tell(moment: str, facts: Mapping[str, Any]) -> None:
            if moment == "verdict_ends":
                facts = {"verdict": structure(facts["verdict"], Verdict)}
                if self.judges and facts["verdict"].waits:
                    return  # it ends when a judge has been asked
            self.events.fire(moment, trial=trial.id, **facts)

        self.events.fire("trial_begins", trial=trial.id)
        done = self._judged(trials.run(trial, self.store, tell, self.stop.is_set))
        self.events.fire("trial_ends", trial=trial.id, ended=done.ending.ended, scores=score([done]).get(trial.subject.label, ()))
        return done

    def _judged(self, done: Done) -> Done:
        if self.judges is None:
            return done
        judged = judge_trial(done, self.store, self.judges, self.stop.is_set)
        for waited, verdict in zip(judged.graded, judged.verdicts, strict=True):
            if waited.waits:
                self.events.fire("verdict_ends", trial=done.trial.id, verdict=verdict)
        return judged


def _extended(before: Mapping[str, Any], now: Mapping[str, Any]) -> Mapping[str, Any]:
    def key(row: Mapping[str, Any]) -> Sequence[Any]:
        return [row["task"], row["subject"], row["sample"], row["seed"], row["repeat"]]

    fresh = [key(row) for row in now["trials"]]
    return {"tasks": {**before["tasks"], **now["tasks"]},
            "trials": [*(row for row in before["trials"] if key(row) not in fresh), *now["trials"]]}


def score(done: Sequence[Done]) -> Mapping[str, Sequence[Score]]:
    """Subject -> its scores, by the rules of the tasks; pure, from what is stored."""
    tables = {one.trial.task.id: load(one.trial.task.scoring) for one in done}
    return scores([one.result() for one in done if one.trial.repeat == 0], tables)
