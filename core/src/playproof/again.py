"""Assertions asked again of stored evidence: the task's rubric as it is now, nothing run (`score --assert`)."""

import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from attrs import evolve

from playproof.bundle import GradingBundle
from playproof.canonical import plain
from playproof.drivers import build
from playproof.errors import UsageError
from playproof.evidence import Evidences
from playproof.interfaces import Services
from playproof.model import Verdict
from playproof.plan import examiner_ref, survey_all
from playproof.store import Store
from playproof.taskfile import read_task
from playproof.trial import Done


def asserted(done: Done, store: Store) -> Done:
    """The trial with its rubric verdicts as the task's assertions give them now. Verdicts of scripts and commands stay:
    they cannot be given again without a session. Raises UsageError where the task is no longer where it was."""
    if done.grading is None:
        return done
    if not done.trial.task.root.is_dir():
        raise UsageError(f"{done.trial.task.root}: the task is not there any more, so its assertions cannot be asked")
    task = read_task(done.trial.task.root)
    survey = survey_all([task], done.trial.cache)[task.id]
    bundle = GradingBundle(store.bundle(done.grading["bundle"]))
    fresh: dict[tuple[str, str], Verdict] = {}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as exits:
        bundle.extract_blobs(Path(folder))
        services = Services(done.trial.cache, exits)
        for unit in bundle.units:
            if unit.examiner is None or survey.examiners[unit.examiner].driver != "rubric":
                continue
            ref = task.examiners[unit.examiner]
            examiner = build("examiner", examiner_ref(task, ref.driver, ref.files, ref.options), services)
            evidence = Evidences(unit.evidence, Path(folder))
            for check in survey.examiners[unit.examiner].checks:
                fresh[check.id, unit.case.id] = examiner.ask(check, unit.case, evidence)
    return evolve(done, trial=evolve(done.trial, task=task, survey=survey), grading=_with(done, fresh))


def _with(done: Done, fresh: Mapping[tuple[str, str], Verdict]) -> Mapping[str, object]:
    kept = [verdict for verdict in done.graded if (verdict.check, verdict.case) not in fresh]
    return {**(done.grading or {}), "verdicts": plain([*kept, *fresh.values()])}
