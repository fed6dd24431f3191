"""Labels that every task ships: its reference and accepted submissions hold all checks, a broken variant fails what it must."""

from collections.abc import Iterator, Sequence

from playproof.author.expected import read_expected
from playproof.errors import TaskError
from playproof.opinion import By, Opinion, Question, Value, check_question
from playproof.opinions import Line
from playproof.trial import Done

KNOWN = "known answer"


def known_lines(done: Sequence[Done], notes: list[str]) -> Iterator[Line]:
    """A label for each check whose answer is known before anybody looks. What cannot be read is told in `notes`."""
    for one in done:
        source = one.trial.subject.source or ""
        if one.trial.repeat or one.grading is None or not source:
            continue
        for check, holds in _answers(one, source, notes):
            opinion = Opinion(Question(check_question(one.trial.task.id, check), ""), {}, By("assertion", KNOWN), Value(verdict=holds))
            yield Line(f"{KNOWN} {one.trial.id} {check}", opinion, {"submission": one.trial.id})


def _answers(done: Done, source: str, notes: list[str]) -> Iterator[tuple[str, bool]]:
    kind, _, name = source.partition(":")
    checks = [check for one in done.trial.survey.examiners for check in one.checks if not done.trial.only or check.id in done.trial.only]
    if kind in ("reference", "accepted"):
        yield from ((check.id, True) for check in checks)
    if kind != "broken":
        return
    try:
        expected = read_expected(done.trial.task, name, done.trial.survey.checks)
    except TaskError as fault:
        notes.append(f"known answers: {done.trial.id} has none: {fault}")
        return
    must = set(expected.must_fail)
    if expected.all:
        must |= {check.id for one in done.trial.survey.examiners if one.opens for check in one.checks}
    yield from ((check.id, False) for check in checks if check.id in must)
