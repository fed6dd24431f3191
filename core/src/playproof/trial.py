"""One trial, top to bottom: a task, what is to do it, a submission, verdicts.

`run` is the pipeline as the orchestrator sees it: each phase is a process tree of its own (see `phase`), commits one
record, and is passed over when its record is already there.
"""

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import Factory, frozen

from playproof.canonical import plain, structure
from playproof.errors import InfrastructureError, Interrupted
from playproof.model import VOID_REASONS, Ended, Ending, Outcome, Reason, Ref, Task, Verdict
from playproof.opinion import Opinion
from playproof.plan import Survey
from playproof.proctree import Tree
from playproof.ruling import comes_up, rated, ruled
from playproof.scoring import Rating, TrialResult, conjunction
from playproof.store import Store, identity, read_json

TRIES = 2
"""How often a phase that fails for our own reasons is tried in one run; the next run of the same command tries again."""

PLAY_S = 3600.0
"""What the models that play in a check may take to answer, over all their turns."""

Tell = Callable[[str, Mapping[str, Any]], None]
Stop = Callable[[], bool]


@frozen
class Subject:
    """What is under test: a source of submissions (`reference`, `broken:NAME`), or a harness with its options.

    `inputs` is what identifies it: the source's digest, or the harness's stack."""

    label: str
    inputs: Mapping[str, Any]
    source: str | None = None
    harness: Ref | None = None
    sandbox: Ref = Ref("bubblewrap")


@frozen
class Player:
    """A model that plays in gradings: how it is built, and what decides its answers."""

    model: Ref
    identity: Mapping[str, Any]


@frozen
class Trial:
    """One task x subject x sample, with everything that its phases need. With `first_fail` its grading ends at the first required
    check that fails; `order` names the checks to ask first, and decides nothing but how soon that is. `brief` is the instruction as it
    was, for judges."""

    task: Task
    survey: Survey
    subject: Subject
    view: str
    cache: Path
    sample: int = 0
    seed: int = 0
    repeat: int = 0
    workers: int = 2
    headed: bool = False
    only: Sequence[str] = ()
    pin_case: bool = False
    players: Mapping[str, Player] = Factory(dict)
    first_fail: bool = False
    order: Sequence[str] = ()
    brief: str = ""

    @property
    def id(self) -> str:
        """Readable and unique in a run: `task/subject/sample`."""
        return "/".join([self.task.id, self.subject.label, str(self.sample), *([f"r{self.repeat}"] if self.repeat else [])])

    @property
    def generation_id(self) -> str:
        return identity(view=self.view, subject=self.subject.inputs, seed=self.seed, sample=self.sample)

    def grading_inputs(self, submission: str) -> Mapping[str, Any]:
        """What identifies the grading of a submission's digest. What narrows the checks is part of it, so that a part never
        passes for the whole, and so are the models that play."""
        players = {name: one.identity for name, one in self.players.items() if name in self.survey.players}
        return {"submission": submission, **self.survey.grading_inputs(), "seed": self.seed, "repeat": self.repeat,
                "only": list(self.only), "pin_case": self.pin_case, **({"players": players} if players else {}),
                **({"first_fail": True} if self.first_fail else {})}

    def grading_id(self, submission: str) -> str:
        return identity(**self.grading_inputs(submission))

    @property
    def narrowed(self) -> bool:
        """Whether a required check may be left out: such a trial has verdicts, and no score."""
        return self.first_fail or (bool(self.only) and any(check.required and check.id not in self.only for check in self.survey.checks))


@frozen
class Done:
    """What is known of a trial. `generation` and `grading` are their records, or the last try where none was valid; `opinions`
    what judges said of the grading's evidence."""

    trial: Trial
    generation: Mapping[str, Any] | None
    grading: Mapping[str, Any] | None
    trouble: str = ""
    opinions: Sequence[Opinion] = ()

    @property
    def ending(self) -> Ending:
        if self.generation is None:
            return Ending(Ended.INFRA, self.trouble)
        return structure(self.generation["ending"], Ending)

    @property
    def graded(self) -> Sequence[Verdict]:
        """What the grading says by itself: a check that asks a judge is not decided yet."""
        return structure(self.grading["verdicts"], list[Verdict]) if self.grading else ()

    @property
    def verdicts(self) -> Sequence[Verdict]:
        """With the judges' opinions, where there are any."""
        return ruled(self.graded, self.trial.task.id, self.trial.survey.checks, self.opinions)

    @property
    def ratings(self) -> Sequence[Rating]:
        return rated(self.trial.task, self.opinions, self.graded) if self.grading else ()

    def result(self) -> TrialResult:
        """The trial as the scoring rules take it."""
        verdicts = self.verdicts
        refused = any(verdict.reason is Reason.UNDELIVERED for verdict in verdicts)  # by the runtime, which knows more than globs
        delivered = self.generation is not None and not self.generation["submission"]["problems"] and not refused
        checks = [check for check in self.trial.survey.checks if not self.trial.only or check.id in self.trial.only]
        return TrialResult(
            self.trial.task.id, self.trial.subject.label, self.trial.sample, self.ending.ended, delivered,
            evaluated=self.grading is not None, valid=self.grading is not None and not self.trial.narrowed, checks=checks,
            verdicts=conjunction(verdicts), ratings=self.ratings,
            comes_up=comes_up(verdicts),
        )


def run(trial: Trial, store: Store, tell: Tell, stop: Stop = lambda: False) -> Done:
    """Carry out what is not done yet. What fails for our reasons leaves no record: it is void, and can be tried again.

    `stop()` is asked while a phase runs; once true, the phase's tree is ended and Interrupted raised."""
    generation = _attempt("generation", trial, trial.generation_id, {}, store, tell, stop)
    if generation is None or "submission" not in generation:
        return Done(trial, None, None, _trouble(store, trial.generation_id))
    grading_id = trial.grading_id(generation["submission"]["digest"])
    grading = _attempt("grading", trial, grading_id, generation, store, tell, stop)
    return Done(trial, generation, grading, "" if grading else _trouble(store, grading_id))


def known(trial: Trial, store: Store) -> Done:
    """The trial as the store holds it, without doing anything."""
    generation = store.record("generation", trial.generation_id)
    if generation is None:
        return Done(trial, None, None, _trouble(store, trial.generation_id))
    grading_id = trial.grading_id(generation["submission"]["digest"])
    grading = store.record("grading", grading_id) or _last_try(store, grading_id)
    return Done(trial, generation, grading, "" if grading else _trouble(store, grading_id))


def _attempt(kind: str, trial: Trial, id: str, generation: Mapping[str, Any], store: Store, tell: Tell,
             stop: Stop) -> dict[str, Any] | None:
    """The record of a phase, tried for until it is there; else the last try that got as far as verdicts, whose voids count as
    void. Trials that share an id (repeats of one generation) wait for each other: an agent is paid once."""
    with store.turn(id):
        if record := store.record(kind, id):
            return record
        for _ in range(TRIES):
            opened = store.open_try(id)
            began = time.time()
            trouble = ""
            try:
                _phase(kind, trial, id, generation, store, opened, tell, stop)
            except (InfrastructureError, OSError) as fault:  # of our own files and pipes: a submission's are the phase's affair
                trouble = str(fault)
            store.close_try(opened, {"kind": kind, "wall_s": time.time() - began, **({"trouble": trouble} if trouble else {})})
            if record := store.record(kind, id):
                return record
            if not _worth_another(read_json(opened) or {}):
                break
    return _last_try(store, id) if kind == "grading" else None


def _worth_another(tried: Mapping[str, Any]) -> bool:
    """A control that failed fails again; only our own failures may pass."""
    reasons = {verdict["reason"] for verdict in tried.get("verdicts", ())} & VOID_REASONS
    return not reasons or Reason.INFRA in reasons


def _last_try(store: Store, id: str) -> dict[str, Any] | None:
    return next((one for one in reversed(store.tries(id)) if "verdicts" in one), None)


def _trouble(store: Store, id: str) -> str:
    return next((one["trouble"] for one in reversed(store.tries(id)) if one.get("trouble")), "not run yet")


def _phase(kind: str, trial: Trial, id: str, generation: Mapping[str, Any], store: Store, opened: Path, tell: Tell,
           stop: Stop) -> None:
    """One phase in its own process tree. Its events are told as they come; on return nothing of it is left."""
    folder = store.folder.resolve() / "work" / f"{id}-{opened.stem}"
    folder.mkdir(parents=True, exist_ok=True)
    job = {"kind": kind, "id": id, "trial": plain(trial), "generation": generation, "store": str(store.folder.resolve()),
           "folder": str(folder), "try": str(opened.resolve())}
    (folder / "job.json").write_text(json.dumps(job))
    heard = _Lines(tell)
    with (folder / "phase.log").open("ab") as log:
        def output(stream: str, chunk: bytes) -> None:
            if stream == "stdout":
                heard.take(chunk)
            else:
                log.write(chunk)
                log.flush()

        with Tree([sys.executable, "-P", "-m", "playproof.phase", str(folder / "job.json")], output=output) as tree:
            exit = tree.wait(wall_s=_wall(kind, trial), activity=lambda: _heed(stop))
    if exit.ended != "exited" or exit.code != 0:
        tail = (folder / "phase.log").read_text(errors="replace")[-1500:]
        raise InfrastructureError(f"the {kind} process {exit.ended}, code {exit.code}: {tail.strip()}")


def _heed(stop: Stop) -> None:
    if stop():
        raise Interrupted("stopped by the user")


def _wall(kind: str, trial: Trial) -> float:
    """The outermost watchdog, beyond every clock inside: it fires only when those have failed."""
    if kind == "generation":
        return trial.task.budget.wall_s + 300
    checks = trial.survey.checks
    played = [check for check in checks if check.plays or trial.task.cast] if trial.survey.players else []
    playing = sum(PLAY_S * len(trial.survey.cases[check.id]) for check in played)
    return 300 + playing + 4 * sum(check.timeout_s * len(trial.survey.cases[check.id]) + 60 for check in checks)


class _Lines:
    """A phase's standard output: one JSON line for each event."""

    def __init__(self, tell: Tell) -> None:
        self._tell, self._pending = tell, b""

    def take(self, chunk: bytes) -> None:
        *lines, self._pending = (self._pending + chunk).split(b"\n")
        for line in lines:
            said = json.loads(line)
            self._tell(said["moment"], said["facts"])


def has_voids(verdicts: Sequence[Verdict]) -> bool:
    """Whether a grading has failed for our reasons. A judge not asked yet is no failure of the grading."""
    return any(verdict.outcome is Outcome.VOID and verdict.reason is not Reason.NO_MODEL for verdict in verdicts)
