"""A run's own verdicts and scores, as calibration takes them: the run is one more judge."""

from collections.abc import Iterator, Mapping, Sequence

from playproof.model import Outcome, Verdict
from playproof.opinion import By, Opinion, Question, Trouble, Value, check_question
from playproof.opinions import Line
from playproof.scoring import load, make
from playproof.trial import Done
from playproof_stats.calibration.answers import submission
from playproof_stats.calibration.calibrating import VERIFIER
from playproof_stats.calibration.ground import Scores

PARTS = ("rubric", "dimension", "design")
"""The parts of scores that can be compared with preferences by themselves."""


def verdict_lines(done: Sequence[Done]) -> Iterator[Line]:
    """For each trial: every check's verdict, and, under the task's id, whether the whole submission is a success by the task's
    first rule. A void is an opinion without a value; what does not apply is none."""
    for one in done:
        if one.grading is None:
            continue
        task, result = one.trial.task, one.result()
        for id, verdict in result.verdicts.items():
            if verdict.outcome is not Outcome.NOT_APPLICABLE:
                yield _line(one, check_question(task.id, id), _holds(verdict), verdict.message)
        success = make(load(task.scoring)[0]).success(result)
        yield _line(one, task.id, None if success is None else success == 1, "void")


def _holds(verdict: Verdict) -> bool | None:
    return None if verdict.outcome is Outcome.VOID else verdict.outcome is Outcome.PASS


def _line(done: Done, question: str, holds: bool | None, why: str) -> Line:
    value = None if holds is None else Value(verdict=holds)
    trouble = Trouble.NONE if value else Trouble.UNAVAILABLE
    opinion = Opinion(Question(question, ""), {}, By("assertion", VERIFIER), value, trouble, "" if value else why)
    return Line(f"{VERIFIER} {done.trial.id} {question}", opinion, {"submission": done.trial.id})


def scores_of(done: Sequence[Done]) -> Scores:
    """What each trial is worth by each rule of its task, in points of 100, with those of its parts that can be compared."""
    found: dict[str, Mapping[str, float]] = {}
    for one in done:
        if one.trial.repeat == 0 and one.grading is not None:
            found[submission(one.trial.id)[0]] = dict(_scores(one))
    return found


def _scores(done: Done) -> Iterator[tuple[str, float]]:
    for table in load(done.trial.task.scoring):
        score = make(table).score([done.result()])
        if score.value is not None:
            yield score.rule, 100 * score.value / score.top
        for part in PARTS:
            if (value := score.parts.get(part)) is not None:
                yield f"{score.rule}: {part}", value
