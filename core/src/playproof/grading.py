"""One submission, every check, every case: deals units out to workers and settles what went wrong.

What a submission did wrong is a verdict of the worker. Anything else that ends a unit is settled here, by proof and not
by inference (design, decision 6): only what core itself observes is void at once; otherwise the same unit on the
reference is the control, and if that holds the unit is run once more alone.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from attrs import evolve, frozen

from playproof.canonical import digest, plain
from playproof.dialogue import FREE, Tokens
from playproof.evidence import read
from playproof.model import Ended, Ending, Outcome, Problem, Reason, Submission, Task, Verdict
from playproof.sources import materialise
from playproof.store import put_json, read_json
from playproof.submission import freeze
from playproof.units import GradingJob, in_order, units_of
from playproof.worker import Unit, WorkerJob
from playproof.workers import Reply, Worker

AGAIN = "-again"
"""Added to the name of a unit's folder for its second run."""

HANGS = 3
"""After so many proved hangs the checks that are left are STOPPED_EARLY: each would cost its whole time again."""

Tell = Callable[[str, Mapping[str, Any]], None]

_REASONS = {"hung": Reason.HANG, "lost": Reason.CRASH, "raised": Reason.CHECK_ERROR_ON_SUBMISSION,
            "stopped": Reason.JUDGE_REFUSED_ON_SUBMISSION}
_VOIDS = {"infra": Reason.INFRA, "no_model": Reason.NO_MODEL, "control": Reason.CONTROL_FAILED}


@frozen
class Graded:
    """The verdicts, in the order of checks and cases, the units whose evidence they cite, and what the models cost that played."""

    verdicts: Sequence[Verdict]
    problems: Sequence[Problem]
    units: Sequence[Unit]
    tokens: Tokens = FREE


class Grader:
    """Carries out one GradingJob. `tell(moment, facts)` hears each verdict begin, and end once, when it is final."""

    def __init__(self, job: GradingJob, task: Task, tell: Tell) -> None:
        self._job, self._task, self._tell = job, task, tell
        self._free: SimpleQueue[Worker | None] = SimpleQueue()
        for _ in range(job.workers):
            self._free.put(None)
        self._count = 0
        self._lock = threading.Lock()
        self._verdicts: list[Verdict] = []
        self._hangs = 0
        self._over = False
        self._tokens = FREE

    def grade(self) -> Graded:
        units = units_of(self._job)
        preflight = Unit(self._job.folder / "units" / "preflight")
        problems = list(self._job.submission.problems)
        try:
            if not problems and units:
                problems = self._preflight(preflight, units)
            self._deal(in_order([unit for unit in units if not self._doomed(unit, problems)], self._job.order))
        finally:
            while not self._free.empty():
                if worker := self._free.get():
                    worker.leave()
        order = {(check.id, unit.case.id): place for place, unit in enumerate(units) for check in unit.checks}
        done = sorted(self._verdicts, key=lambda one: order[one.check, one.case])
        return Graded(done, problems, [preflight, *units], self._tokens)

    # --- preflight ---

    def _preflight(self, unit: Unit, units: Sequence[Unit]) -> list[Problem]:
        """The submission's problems. If the preflight itself ends in an error, it is settled as a check's would be."""
        reply = self._ask(unit)
        if reply.error:
            reply = self._again(unit, reply)
        if reply.error is None:
            return list(reply.problems)
        outcome, reason = self._ruling(reply)
        if outcome is Outcome.VOID:
            for one in units:
                self._conclude(one, (), outcome, reason, reply.text)
        return [Problem(reason, reply.text, [entry.id for entry in read(self._last_folder(unit))[-3:]])]

    def _doomed(self, unit: Unit, problems: Sequence[Problem]) -> bool:
        """Give a unit its verdict without a session where the problems already decide it."""
        assert unit.examiner is not None
        opens = self._job.survey.examiners[unit.examiner].opens
        for problem in problems:
            if problem.reason in (Reason.INFRA, Reason.CONTROL_FAILED):
                return True
            if opens or problem.reason is Reason.UNDELIVERED:
                self._conclude(unit, problem.cites, Outcome.FAIL, problem.reason, problem.message)
                return True
        return False

    # --- dealing ---

    def _deal(self, units: Sequence[Unit]) -> None:
        """Rounds of: deal until done or three hang, then settle what went wrong, alone and in order."""
        left = list(units)
        while left and not self._over:
            if self._hangs >= HANGS:
                playing = [unit for unit in left if self._job.survey.examiners[unit.examiner or 0].opens]
                self._round([unit for unit in left if unit not in playing])
                for unit in playing:
                    self._conclude(unit, (), Outcome.FAIL, Reason.STOPPED_EARLY, f"{self._hangs} checks before this one hung")
                return
            left, troubled = self._round(left)
            for unit, reply in troubled:
                if not self._over:
                    self._settle(unit, reply)

    def _round(self, units: Sequence[Unit]) -> tuple[list[Unit], list[tuple[Unit, Reply]]]:
        troubled: list[tuple[Unit, Reply]] = []
        left: list[Unit] = []

        def one(unit: Unit) -> None:
            if self._over:
                return
            if sum(reply.error == "hung" for _, reply in troubled) >= HANGS:
                left.append(unit)
                return
            reply = self._ask(unit)
            if reply.error:
                troubled.append((unit, reply))
            else:
                self._take(unit, reply, flaky=False)

        with ThreadPoolExecutor(self._job.workers) as pool:
            list(pool.map(one, units))
        return [unit for unit in units if unit in left], sorted(troubled, key=lambda pair: units.index(pair[0]))

    def _ask(self, unit: Unit) -> Reply:
        worker = self._free.get() or self._new_worker()
        for check in unit.checks:
            self._tell("verdict_begins", {"check": check.id, "case": unit.case.id})
        reply = self._charged(worker.ask(unit))
        if reply.error:
            worker.end()
            self._free.put(None)
        else:
            self._free.put(worker)
        if reply.error is None and len({one.check for one in reply.verdicts}) < len(unit.checks):
            return evolve(reply, error="raised", text="the examiner gave no verdict on a check that it was asked")
        return reply

    def _charged(self, reply: Reply) -> Reply:
        with self._lock:
            self._tokens += reply.tokens
        return reply

    def _new_worker(self) -> Worker:
        with self._lock:
            self._count += 1
            name = f"worker-{self._count}"
        return Worker(self._worker_job(self._job.submission, name), self._job.folder / "workers.log")

    def _worker_job(self, submission: Submission, name: str) -> WorkerJob:
        job = self._job
        return WorkerJob(job.task, submission, job.folder / name, job.cache, job.seed, job.repeat, job.headed, job.models)

    # --- settling ---

    def _settle(self, unit: Unit, reply: Reply) -> None:
        told = {verdict.check for verdict in reply.verdicts}
        self._take(unit, reply, flaky=False)
        unit = evolve(unit, checks=[check for check in unit.checks if check.id not in told])
        again = self._again(unit, reply)
        if again.error is None:
            self._take(unit, again, flaky=True)
            return
        outcome, reason = self._ruling(again)
        self._hangs += reason is Reason.HANG
        cites = [] if outcome is Outcome.VOID else [entry.id for entry in read(self._last_folder(unit))[-3:]]
        self._conclude(unit, cites, outcome, reason, again.text)

    @staticmethod
    def _last_folder(unit: Unit) -> Path:
        """Where the evidence of a unit's last run is."""
        again = unit.folder.with_name(unit.folder.name + AGAIN)
        return again if again.exists() else unit.folder

    def _again(self, unit: Unit, reply: Reply) -> Reply:
        """The second run, alone, if the control allows one; else the error that stands, turned into `control` if it is void."""
        if reply.error in ("infra", "no_model"):
            return reply
        if self._job.is_reference:
            return evolve(reply, error="control")
        if control := self._control(unit):
            return evolve(reply, error="infra" if control == "infra" else "control")
        aside = evolve(unit, folder=unit.folder.with_name(unit.folder.name + AGAIN), again=True)
        return self._ask(aside)

    @staticmethod
    def _ruling(reply: Reply) -> tuple[Outcome, Reason]:
        if reply.error in _VOIDS:
            return Outcome.VOID, _VOIDS[reply.error]
        return Outcome.FAIL, _REASONS[reply.error or "raised"]

    def _control(self, unit: Unit) -> str | None:
        """How the same unit on the reference, here and now, errs, if it does. Asked once for each unit and kept, unless it
        was our own failure, which says nothing of the next time. A reference that does not come up errs, too."""
        job, folder = self._job, self._job.folder / "control"
        reference = self._reference(folder)
        key = digest({"unit": unit.name, "checks": [check.id for check in unit.checks], "inputs": job.survey.grading_inputs(),
                      "seed": job.seed, "reference": reference.digest, **({"models": plain(job.models)} if job.models else {})})
        place = job.controls / f"{key}.json"
        if (kept := read_json(place)) is not None:
            said: str | None = kept["error"]
            return said
        worker = Worker(self._worker_job(reference, "control/worker"), job.folder / "workers.log")
        try:
            reply = self._charged(worker.ask(evolve(unit, folder=folder / key)))
        finally:
            worker.end()
        error = reply.error or (reply.problems[0].reason if reply.problems else None)
        if error != "infra":
            job.controls.mkdir(parents=True, exist_ok=True)
            put_json(place, {"unit": unit.name, "error": error, "text": reply.text})
        return error

    def _reference(self, folder: Path) -> Submission:
        workspace, frozen_copy = folder / "workspace", folder / "submission"
        if not workspace.exists():
            materialise(self._task, "reference", workspace, self._job.cache)
        return freeze(workspace, frozen_copy, self._task.deliver, Ending(Ended.COMPLETED), "reference")

    # --- verdicts ---

    def _take(self, unit: Unit, reply: Reply, *, flaky: bool) -> None:
        for verdict in reply.verdicts:
            self._keep(evolve(verdict, flaky=flaky) if flaky else verdict)

    def _conclude(self, unit: Unit, cites: Sequence[str], outcome: Outcome, reason: Reason, message: str) -> None:
        for check in unit.checks:
            self._keep(Verdict(check.id, unit.case.id, outcome, reason, message[:2000], cites=cites))

    def _keep(self, verdict: Verdict) -> None:
        with self._lock:
            self._verdicts.append(verdict)
            if self._job.first_fail and verdict.outcome is Outcome.FAIL:
                self._over |= any(check.required for check in self._job.survey.checks if check.id == verdict.check)
            self._tell("verdict_ends", {"verdict": plain(verdict)})
