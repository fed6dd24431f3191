"""The certificate beside a task: what was proved of its checks, and whether that still stands."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from playproof.author.reliability import Reliability
from playproof.author.requirements import Mapped, mapped
from playproof.canonical import digest, plain, structure
from playproof.errors import TaskError
from playproof.model import Task
from playproof.plan import Survey, held_out_digest
from playproof.workspace import agent_view_digest, tree_digest

FILE = "certificate.json"
MUTANTS = "mutants"

SCHEMA = 4
"""4 says how the brief maps to checks; 3 how reliable verdicts are by case; 2 what became of each mutant; 1, in which no schema is
written, knew of none of these. All are read."""


@frozen
class FlipRate:
    """Of `n` repeated gradings of a subject, in how many a verdict differed from the first, with a 95 % Wilson interval."""

    subject: str
    n: int
    flips: int
    low: float
    high: float
    checks: Sequence[str] = ()


@frozen
class Survivor:
    """A mutant that no check tells from the reference: where it is, and what it changes."""

    id: str
    file: str
    line: int
    kind: str
    before: str
    after: str
    within: str = ""


@frozen
class Equal:
    """A mutant of the sample that the task marks, by its id, as one that nobody need tell from the reference."""

    id: str
    reason: str


@frozen
class MutantTier:
    """What became of `drawn` mutants of the reference, drawn by `seed`: `killed` by a check, survived, equivalent, or undecided for
    reasons of our own. `share` is that of the killed among killed and survived, with a 95 % Wilson interval. `passed_over`: the
    task's reason -> how many were met and not drawn. `killers`: check -> how many it killed, of those that none asked before did."""

    mutator: str
    seed: int
    drawn: int
    killed: int
    share: float | None
    low: float
    high: float
    survived: Sequence[Survivor]
    undecided: Sequence[str]
    equivalent: Sequence[Equal]
    passed_over: Mapping[str, int]
    killers: Mapping[str, int]


@frozen
class Certificate:
    """`holds` is the whole; `surprises` says what does not, by subject. `killed_by`: required check -> a variant or mutant
    that fails it. `mutants` says in one line what became of them, or why there are none, and `mutation` in full: survivors show
    which check is missing, and refuse no certificate. `reliability` holds verdicts against labels and repeats. Digests tie it to what was
    certified, and `brief` says how its requirements map to checks."""

    task: str
    version: str
    proved: Mapping[str, str]
    versions: Mapping[str, int]
    holds: bool
    engine: str
    surprises: Mapping[str, Sequence[str]]
    killed_by: Mapping[str, str]
    unkilled: Sequence[str]
    flips: Sequence[FlipRate]
    mutants: str
    mutation: MutantTier | None = None
    schema: int = 1
    reliability: Sequence[Reliability] = ()
    brief: Mapped | None = None


def fingerprints(task: Task) -> Mapping[str, str]:
    """What a certificate is about: the agent's view, the held-out side and every submission that the task ships. What the
    verdicts of drivers have changed in (`grading_version`) is beside it in `versions`. What the task says of mutants counts
    in a certificate that tried some."""
    return {"view": agent_view_digest(task), "held_out": held_out_digest(task), MUTANTS: digest(task.mutants),
            "submissions": digest([tree_digest(task.root / name) for name in ("reference", "accepted", "broken")])}


def read_certificate(task: Task) -> Certificate | None:
    place = task.root / FILE
    if not place.is_file():
        return None
    try:
        facts = json.loads(place.read_text("utf-8"))
        if isinstance(facts, dict) and facts.get("schema", 1) not in range(1, SCHEMA + 1):
            raise ValueError(f"schema is {facts['schema']!r}, this Playproof reads 1 to {SCHEMA}")
        return structure(facts, Certificate)
    except ValueError as fault:
        raise TaskError(f"{place}: {fault}") from None


def write_certificate(task: Task, certificate: Certificate) -> Path:
    place = task.root / FILE
    facts: Any = plain(certificate)
    place.write_text(json.dumps(facts, indent=1, sort_keys=True, ensure_ascii=False) + "\n", "utf-8")
    return place


def versions(survey: Survey) -> Mapping[str, int]:
    """The `grading_version` of everything that gives this task's verdicts."""
    return {"runtime": survey.runtime_version, **{one.driver: one.grading_version for one in survey.examiners}, **survey.assertions}


def standing(task: Task, survey: Survey | None = None) -> str:
    """One word and why: certified, stale (what changed since), refused (it did not hold) or none. The versions of drivers are
    compared where the survey is given."""
    certificate = read_certificate(task)
    if certificate is None:
        return "none"
    now = fingerprints(task)
    told = {MUTANTS: now[MUTANTS], **certificate.proved}
    changed = [name for name, value in now.items() if told.get(name) != value]
    if survey is not None and versions(survey) != certificate.versions:
        changed.append("grading_version")
    if changed:
        return f"stale ({', '.join(changed)} changed)"
    if survey is not None and certificate.schema < 4 and mapped(task, survey.checks):
        return "stale (how the brief maps to checks was not looked at)"
    return "certified" if certificate.holds else "refused"
