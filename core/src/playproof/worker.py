"""A grading worker: one process that keeps a runtime and the examiners, and answers one unit at a time.

    python -m playproof.worker ASKED ANSWERS LOG

It reads JSON lines from the descriptor ASKED (a WorkerJob, then Units) and writes Answers to ANSWERS; what check scripts
print goes to LOG. It decides nothing: an exception that is no verdict is told to the grader, which alone knows what a
control said."""

import json
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TextIO

from attrs import Factory, evolve, field, frozen

from playproof.canonical import plain, structure
from playproof.dialogue import Tokens
from playproof.drivers import build
from playproof.errors import InfrastructureError, ModelError, NoModel, PlayerStopped, SessionHung, SessionLost
from playproof.evidence import Record, read
from playproof.interfaces import Examiner, Grading, Plays, Replayed, Replays, Services
from playproof.model import Case, Check, Problem, Ref, Submission, Verdict
from playproof.plan import examiner_ref
from playproof.players import Players
from playproof.taskfile import read_task

ANEW = 1 << 20
"""The vote of a second run, beyond any repeat: the cached replies of the first would only repeat it."""


@frozen
class WorkerJob:
    """What a worker needs to know once: which task, which submission, where it may write, and the models that may play."""

    task: Path
    submission: Submission
    scratch: Path
    cache: Path
    seed: int = 0
    repeat: int = 0
    headed: bool = False
    models: Mapping[str, Ref] = Factory(dict)


@frozen
class Unit:
    """A slice for one call of `examine`: checks of one examiner (its place in task.toml) in one case. Without an
    examiner it is the preflight. `folder` takes its evidence. `again`: it is the second run, in which models that play are asked
    anew. With `recorded`, a folder of evidence, the session that left it is played again, and nothing is examined."""

    folder: Path
    examiner: int | None = None
    checks: Sequence[Check] = ()
    case: Case = field(factory=Case)
    again: bool = False
    recorded: Path | None = None

    @property
    def name(self) -> str:
        """What the unit is called in a control's cache and in messages."""
        if self.examiner is None:
            return "preflight"
        return f"{self.examiner}/{self.checks[0].id if len(self.checks) == 1 else 'all'}/{self.case.id}"

    @property
    def timeout_s(self) -> float:
        return sum(check.timeout_s for check in self.checks) if self.checks else 90.0


@frozen
class Answer:
    """One line of a reply. The last has `done` or an `error`: infra, no_model, stopped, hung, lost or raised.

    `asking`: a model is being asked, until the next line comes; `cost` is then what it cost."""

    verdict: Verdict | None = None
    problems: Sequence[Problem] = ()
    done: bool = False
    error: str | None = None
    text: str = ""
    asking: bool = False
    cost: Tokens | None = None
    replayed: Replayed | None = None


def _grading(job: WorkerJob, services: Services) -> tuple[Grading, list[Examiner]]:
    task = read_task(job.task)
    examiners = [build("examiner", examiner_ref(task, ref.driver, ref.files, ref.options), services) for ref in task.examiners]
    grading = Grading(
        task, job.submission, task.root / "checks", Record(job.scratch / "idle"), job.scratch, services,
        build("runtime", task.runtime, services), [build("actor", ref, services) for ref in task.cast],
        job.seed, job.repeat, job.headed,
    )
    return grading, examiners


def _seated(unit: Unit, grading: Grading, players: Players, say: Any) -> Grading:
    """With the models that play in the unit: those that its checks and the cast name."""
    names = [check.plays for check in unit.checks if check.plays]
    names += [name for actor in grading.cast if isinstance(actor, Plays) for name in actor.models]

    def tell(cost: Tokens | None) -> None:
        say(Answer(asking=cost is None, cost=cost))

    seat = players.seat(names, lambda blob: (unit.folder / "blobs" / blob).read_bytes(), tell)
    return evolve(grading, bench=seat.revote(ANEW) if unit.again else seat)


def _answer(unit: Unit, grading: Grading, examiners: Sequence[Examiner], say: Any) -> None:
    record = grading.record
    try:
        if unit.recorded is not None:
            assert isinstance(grading.runtime, Replays), "whoever asks has made sure"
            say(Answer(replayed=grading.runtime.replay(grading, unit.case, read(unit.recorded)), done=True))
            return
        if unit.examiner is None:
            say(Answer(problems=list(grading.runtime.preflight(grading)), done=True))
            return
        for verdict in examiners[unit.examiner].examine(unit.checks, unit.case, grading):
            say(Answer(verdict=verdict))
        say(Answer(done=True))
    except NoModel as fault:
        say(Answer(error="no_model", text=str(fault)))
    except PlayerStopped as fault:
        say(Answer(error="stopped", text=str(fault)))
    except (InfrastructureError, ModelError) as fault:
        say(Answer(error="infra", text=str(fault)))
    except SessionHung as fault:
        say(Answer(error="hung", text=str(fault)))
    except SessionLost as fault:
        say(Answer(error="lost", text=str(fault)))
    except Exception:  # noqa: BLE001 - the edge of a grading: check code may raise anything, and the grader must hear of it
        say(Answer(error="raised", text=traceback.format_exc(limit=-6)))
    finally:
        record.close()


def serve(lines: TextIO, out: TextIO) -> None:
    def say(answer: Answer) -> None:
        out.write(json.dumps(plain(answer), ensure_ascii=False) + "\n")
        out.flush()

    with ExitStack() as exits:
        job = structure(json.loads(lines.readline()), WorkerJob)
        services = Services(job.cache, exits)
        try:
            grading, examiners = _grading(job, services)
        except InfrastructureError as fault:
            say(Answer(error="infra", text=str(fault)))
            return
        players = Players(job.models, services, job.repeat)
        for line in lines:
            unit = structure(json.loads(line), Unit)
            _answer(unit, _seated(unit, evolve(grading, record=Record(unit.folder)), players, say), examiners, say)


def main(asked: str, answers: str, log: str) -> None:
    sys.dont_write_bytecode = True  # check scripts lie in the task: nothing is written there
    for standard in (1, 2):
        os.dup2(int(log), standard)
    for held in (asked, answers, log):
        os.set_inheritable(int(held), False)
    told = os.fdopen(int(answers), "w", encoding="utf-8", errors="replace")  # a submission's lone surrogates end in `?` here
    with os.fdopen(int(asked), encoding="utf-8") as lines, told as out:
        serve(lines, out)


if __name__ == "__main__":
    main(*sys.argv[1:])
