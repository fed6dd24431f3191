"""One phase of one trial, in a process of its own: `python -m playproof.phase JOB`.

It works in its own folder, seals what it made into one bundle, commits one record, and tells events on its standard
output, a JSON line each. Exit code 0 says that it did its work, whatever came of it; anything else is ours."""

import json
import os
import shutil
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from playproof.bundle import unpack
from playproof.canonical import plain, structure
from playproof.drivers import build
from playproof.errors import InfrastructureError, PlayproofError
from playproof.grading import AGAIN, Graded, Grader
from playproof.interfaces import Harness, Job, Services
from playproof.model import NOT_THE_AGENTS, Ended, Ending, Submission, Task
from playproof.plan import held_out_digest
from playproof.sources import materialise
from playproof.store import Store
from playproof.submission import freeze
from playproof.taskfile import read_task
from playproof.trial import Tell, Trial, has_voids
from playproof.units import GradingJob
from playproof.workspace import agent_view_digest, prepare, take_back

LOG_BYTES = 64 << 20
"""How much of what an agent prints is kept: a flood must not fill the disk."""


def generation(job: Mapping[str, Any], trial: Trial, store: Store, folder: Path) -> None:
    """The workspace as the agent finds it -> what is under test works in it -> the frozen submission."""
    workspace, out = folder / "workspace", folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    _unchanged(trial.task, agent_view_digest, trial.view)
    if trial.subject.source is not None:
        materialise(trial.task, trial.subject.source, workspace, trial.cache)
        ending = Ending(Ended.COMPLETED)
    else:
        ending = _generate(trial, workspace, folder)
        take_back(trial.task, workspace)
    submission = freeze(workspace, out / "submission", trial.task.deliver, ending, trial.subject.label)
    _unchanged(trial.task, agent_view_digest, trial.view)
    facts = {"trial": trial.id, "ending": plain(ending), "submission": plain(submission), "inputs": plain(trial.subject.inputs)}
    if ending.ended in NOT_THE_AGENTS:
        trouble = f"{ending.ended}: {ending.message}"
        store.close_try(Path(job["try"]), {"kind": "generation", "trouble": trouble, "usage": plain(ending.usage)})
        return
    if (folder / "kept").is_dir():
        shutil.copytree(folder / "kept", out / "agent")
    if (folder / "generation.log").is_file():
        shutil.copy(folder / "generation.log", out / "generation.log")
    store.commit("generation", job["id"], {**facts, "bundle": store.seal(out)})


def _generate(trial: Trial, workspace: Path, folder: Path) -> Ending:
    assert trial.subject.harness is not None
    with ExitStack() as exits, (folder / "generation.log").open("ab") as log:
        services = Services(trial.cache, exits)
        prepare(trial.task, workspace, trial.cache)
        harness: Harness = build("harness", trial.subject.harness, services)
        sandbox = build("sandbox", trial.subject.sandbox, services)

        def heard(stream: str, chunk: bytes) -> None:
            log.write(chunk[:max(0, LOG_BYTES - log.tell())])

        (folder / "kept").mkdir(exist_ok=True)
        instruction = (trial.task.root / "brief" / "instruction.md").read_text("utf-8")
        return harness.generate(Job(trial.task.id, instruction, workspace, sandbox, trial.task.budget, trial.seed, heard,
                                    trial.task.tools, [trial.task.root, folder], folder / "kept"))


def grading(job: Mapping[str, Any], trial: Trial, store: Store, folder: Path, tell: Tell) -> None:
    """The stored submission -> every check, every case -> verdicts and the evidence that they cite."""
    made = job["generation"]
    _unchanged(trial.task, held_out_digest, trial.survey.held_out)
    unpack(store.bundle(made["bundle"]), folder / "submission", "submission")
    submission = structure({**made["submission"], "root": str(folder / "submission")}, Submission)
    wanted = GradingJob(
        trial.task.root, trial.survey, submission, folder, trial.cache, store.folder / "controls", trial.subject.source == "reference",
        trial.workers, trial.seed, trial.repeat, trial.headed, trial.only, trial.pin_case,
        {name: one.model for name, one in trial.players.items()}, trial.first_fail, trial.order,
    )
    graded = Grader(wanted, trial.task, tell).grade()
    _unchanged(trial.task, held_out_digest, trial.survey.held_out)
    facts = {"trial": trial.id, "inputs": trial.grading_inputs(submission.digest),
             "verdicts": plain(graded.verdicts), "problems": plain(graded.problems), "tokens": plain(graded.tokens),
             "bundle": store.seal(_gather(graded, folder / "out"))}
    if has_voids(graded.verdicts):
        store.close_try(Path(job["try"]), {"kind": "grading", **facts})
    else:
        store.commit("grading", job["id"], facts)


def _unchanged(task: Task, measure: Callable[[Task], str], planned: str) -> None:
    """What is committed under a plan's digests must have been done with what the plan saw."""
    if measure(read_task(task.root)) != planned:
        raise InfrastructureError(f"{task.root} was changed while the run was at work; give the same command again")


def _gather(graded: Graded, out: Path) -> Path:
    """Verdicts, evidence by unit, and blobs once each."""
    shutil.rmtree(out, ignore_errors=True)
    (out / "blobs").mkdir(parents=True)
    (out / "evidence").mkdir()
    units = []
    for unit in graded.units:
        for folder in (unit.folder, unit.folder.with_name(unit.folder.name + AGAIN)):
            if not (folder / "evidence.jsonl").is_file():
                continue
            shutil.copy(folder / "evidence.jsonl", out / "evidence" / f"{folder.name}.jsonl")
            for blob in (folder / "blobs").iterdir():
                if not (out / "blobs" / blob.name).exists():
                    blob.rename(out / "blobs" / blob.name)
            units.append({"evidence": folder.name, "examiner": unit.examiner, "case": plain(unit.case),
                          "checks": [check.id for check in unit.checks]})
    (out / "units.json").write_text(json.dumps(units))
    (out / "verdicts.jsonl").write_text("".join(json.dumps(plain(one)) + "\n" for one in graded.verdicts), "utf-8")
    return out


def main(place: str) -> int:
    events = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    turn = threading.Lock()

    def tell(moment: str, facts: Mapping[str, Any]) -> None:
        with turn:
            events.write(json.dumps({"moment": moment, "facts": facts}) + "\n")
            events.flush()

    job = json.loads(Path(place).read_text())
    trial, store, folder = structure(job["trial"], Trial), Store(Path(job["store"])), Path(job["folder"])
    try:
        if job["kind"] == "generation":
            generation(job, trial, store, folder)
        else:
            grading(job, trial, store, folder, tell)
    except PlayproofError as fault:
        sys.stderr.write(f"{type(fault).__name__}: {fault}\n")
        return 1
    shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
