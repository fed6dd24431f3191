"""Recorded sessions of a stored grading played again, each in a worker as it was the first time, and held against their records."""

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from attrs import evolve, frozen

from playproof.bundle import EvidenceUnit, GradingBundle, unpack
from playproof.canonical import plain, structure
from playproof.drivers import load
from playproof.errors import UsageError
from playproof.model import Submission
from playproof.store import Store
from playproof.taskfile import read_task
from playproof.trial import Done
from playproof.worker import Unit, WorkerJob
from playproof.workers import Reply, Worker


@frozen
class Played:
    """A recorded session, and how it went when it was played again: `reply.replayed`, or the error that came instead."""

    unit: EvidenceUnit
    reply: Reply


def recorded(done: Done, store: Store, check: str | None = None, case: str | None = None) -> Sequence[EvidenceUnit]:
    """The sessions of a trial that can be played again, the last where there were two. Raises UsageError where there is none."""
    if done.grading is None or done.generation is None:
        raise UsageError(f"{done.trial.id} has no grading, so nothing of it was recorded")
    kind = _played_from(done)
    found: dict[tuple[Sequence[str], str], EvidenceUnit] = {}
    for unit in GradingBundle(store.bundle(done.grading["bundle"])).units:
        if unit.examiner is not None and check in (None, *unit.checks) and case in (None, unit.case.id) \
                and any(entry.kind == kind for entry in unit.evidence):
            found[tuple(unit.checks), unit.case.id] = unit
    if not found:
        named = " of ".join(filter(None, (f"case {case!r}" if case else "", f"check {check!r}" if check else "")))
        raise UsageError(f"{done.trial.id} has no recorded session{' in ' + named if named else ''}: no evidence of the kind {kind!r}")
    return list(found.values())


def _played_from(done: Done) -> str:
    """The kind of evidence that the trial's runtime plays a session from."""
    driver = done.trial.task.runtime.driver
    runtime = load("runtime", driver)
    kind = getattr(runtime, "played_from", None)
    if not kind or not callable(getattr(runtime, "replay", None)):
        raise UsageError(f"the runtime {driver!r} of {done.trial.task.id} records no input, so its sessions cannot be played again")
    return str(kind)


def replay(done: Done, store: Store, units: Sequence[EvidenceUnit], times: int = 1) -> Iterator[Played]:
    """Each session so many times, one after another. What a submission breaks meanwhile is in the reply: see `workers`."""
    assert done.grading is not None, "recorded"
    bundle = GradingBundle(store.bundle(done.grading["bundle"]))
    with tempfile.TemporaryDirectory(prefix="replay-") as place, _worker(done, store, Path(place)) as worker:
        for number, unit in enumerate(units):
            folder = _laid_out(unit, bundle, Path(place) / f"recorded-{number}")
            checks = [check for check in done.trial.survey.checks if check.id in unit.checks]
            for time in range(times):
                again = Unit(Path(place) / f"again-{number}-{time}", unit.examiner, checks, unit.case, recorded=folder)
                yield Played(unit, worker(again))
                shutil.rmtree(again.folder, ignore_errors=True)
            shutil.rmtree(folder)


@contextmanager
def _worker(done: Done, store: Store, place: Path) -> Iterator[Callable[[Unit], Reply]]:
    """Asks one worker; after an error a new one, because the old has been ended or cannot be trusted."""
    made = done.generation or {}
    if not done.trial.task.root.is_dir():
        raise UsageError(f"{done.trial.task.root}: the task is not there any more, so it cannot be played")
    unpack(store.bundle(made["bundle"]), place / "submission", "submission")
    submission = structure({**made["submission"], "root": str(place / "submission")}, Submission)
    root = read_task(done.trial.task.root).root
    job = WorkerJob(root, submission, place / "scratch", done.trial.cache, done.trial.seed, done.trial.repeat, done.trial.headed)
    with ExitStack() as exits:
        held: list[Worker] = []

        def ask(unit: Unit) -> Reply:
            if not held:
                held.append(Worker(evolve(job, scratch=job.scratch / unit.folder.name), place / "worker.log"))
                exits.callback(held[0].leave)
            reply = held[0].ask(unit)
            if reply.error:
                held.pop().end()
            return reply

        yield ask


def _laid_out(unit: EvidenceUnit, bundle: GradingBundle, folder: Path) -> Path:
    """The unit's evidence as a Record would have left it."""
    (folder / "blobs").mkdir(parents=True)
    (folder / "evidence.jsonl").write_text("".join(json.dumps(plain(entry)) + "\n" for entry in unit.evidence), "utf-8")
    for blob in {entry.blob for entry in unit.evidence if entry.blob}:
        (folder / "blobs" / blob).write_bytes(bundle.read(blob))
    return folder
