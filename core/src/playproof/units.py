"""What a grading is asked for, and the slices in which it is dealt out to workers."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import Factory, frozen

from playproof.model import Case, Check, Ref, Submission
from playproof.plan import Survey
from playproof.worker import Unit


@frozen
class GradingJob:
    """Everything that one grading needs, as JSON. `folder` takes its work; `controls` keeps what controls said, for every
    grading of this task; `only` narrows the checks; `pin_case` keeps the first case of each check alone; `models` may play.

    `first_fail`: once a required check has failed nothing more is asked, and what was not asked has no verdict. Checks are asked
    in the order of `order`, those that it does not name last."""

    task: Path
    survey: Survey
    submission: Submission
    folder: Path
    cache: Path
    controls: Path
    is_reference: bool = False
    workers: int = 2
    seed: int = 0
    repeat: int = 0
    headed: bool = False
    only: Sequence[str] = ()
    pin_case: bool = False
    models: Mapping[str, Ref] = Factory(dict)
    first_fail: bool = False
    order: Sequence[str] = ()


def units_of(job: GradingJob) -> Sequence[Unit]:
    """Slices for `examine`: all checks of a case together where the examiner wants it so, else one check each."""
    made: list[Unit] = []

    def add(examiner: int, checks: Sequence[Check], case: Case) -> None:
        made.append(Unit(job.folder / "units" / f"{len(made):04d}", examiner, checks, case))

    for index, one in enumerate(job.survey.examiners):
        checks = [check for check in one.checks if not job.only or check.id in job.only]
        if one.together:
            for case in _cases(job, checks):
                add(index, [check for check in checks if case in _cases(job, [check])], case)
        else:
            for check in checks:
                for case in _cases(job, [check]):
                    add(index, [check], case)
    return made


def _cases(job: GradingJob, checks: Sequence[Check]) -> Sequence[Case]:
    found: dict[str, Case] = {}
    for check in checks:
        cases = job.survey.cases[check.id]
        found.update({case.id: case for case in (cases[:1] if job.pin_case else cases)})
    return list(found.values())


def in_order(units: Sequence[Unit], order: Sequence[str]) -> Sequence[Unit]:
    """With those first whose checks `order` names first."""
    place = {check: number for number, check in enumerate(order)}
    return sorted(units, key=lambda unit: min((place.get(check.id, len(place)) for check in unit.checks), default=0))
