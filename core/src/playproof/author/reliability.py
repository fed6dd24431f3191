"""How far the verdicts of a task can be relied on: held against what every submission that it ships is labelled with, and against
themselves when they are repeated; over all, and for each value that the cases' options take (a room, a hand)."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from playproof.author.expected import PASS_TO_PASS, promised, read_expected
from playproof.model import Check, Outcome, Verdict
from playproof.scoring.trials import wilson
from playproof.trial import Done

ALL = "all"


@frozen
class Tally:
    """`right` of `n` decisions, with a 95 % Wilson interval of their share."""

    n: int
    right: int
    low: float
    high: float


@frozen
class Reliability:
    """The decisions in cases with one value of an option (`room=office`), or all. A decision is a verdict on one check in one case
    that is not void. `caught`: of those on a check that the submission is labelled to fail, the fails. `spared`: of those on a check that
    it must not fail, the others. `steady`: of decisions that repeat one, those that are the same."""

    where: str
    caught: Tally
    spared: Tally
    steady: Tally

    @property
    def accuracy(self) -> Tally:
        """As labelled, of both kinds."""
        return _tally(self.caught.right + self.spared.right, self.caught.n + self.spared.n)


def reliability(done: Sequence[Done]) -> Sequence[Reliability]:
    """All first, then the options' values in order. References and accepted are labelled to pass, the empty submission as
    `labels_of_nothing` says, a variant as its expected.toml does; what it may fail is not counted. A fault that shows in some cases alone
    is missed in the others, and is counted so."""
    caught: dict[str, list[bool]] = defaultdict(list)
    spared: dict[str, list[bool]] = defaultdict(list)
    steady: dict[str, list[bool]] = defaultdict(list)
    first: dict[tuple[str, str, str], Outcome] = {}
    for one in sorted((one for one in done if one.grading is not None), key=lambda one: one.trial.repeat):
        labels = _labels(one)
        for verdict in one.graded:
            if verdict.outcome is Outcome.VOID:
                continue
            before = first.setdefault((one.trial.subject.label, verdict.check, verdict.case), verdict.outcome)
            for where in _wheres(verdict):
                if verdict.check in labels:
                    must_fail = labels[verdict.check]
                    (caught if must_fail else spared)[where].append((verdict.outcome is Outcome.FAIL) is must_fail)
                if one.trial.repeat:
                    steady[where].append(verdict.outcome is before)
    wheres = sorted({*caught, *spared}, key=lambda where: (where != ALL, where))
    return [Reliability(where, *(_tally(sum(kind[where]), len(kind[where])) for kind in (caught, spared, steady))) for where in wheres]


def _labels(done: Done) -> Mapping[str, bool]:
    """Check -> whether the submission must fail it; nothing of what it may."""
    kind, _, name = (done.trial.subject.source or "").partition(":")
    checks = done.trial.survey.checks
    if kind in ("reference", "accepted"):
        return {check.id: False for check in checks}
    if kind == "nothing":
        return labels_of_nothing(checks)
    if kind != "broken":
        return {}
    must, may = promised(done, read_expected(done.trial.task, name, checks))
    return {check.id: check.id in must for check in checks if check.id in must or check.id not in may}


def labels_of_nothing(checks: Sequence[Check]) -> Mapping[str, bool]:
    """Of a workspace in which nobody worked: what is required fails; or, where it holds what works already, that passes, and of the rest
    nothing is said."""
    before = {check.id: False for check in checks if check.category == PASS_TO_PASS}
    return before or {check.id: True for check in checks if check.required}


def _wheres(verdict: Verdict) -> Iterator[str]:
    yield ALL
    if verdict.case != "default":
        yield from verdict.case.split(",")


def _tally(right: int, n: int) -> Tally:
    return Tally(n, right, *wilson(right, n))


def told(found: Sequence[Reliability], *, whole: bool) -> Iterator[str]:
    """Lines for a terminal: all in one line, with `whole` each value in one more."""
    for one in found[:None if whole else 1]:
        accuracy = one.accuracy
        where = "reliability" if one.where == ALL else f"  {one.where}"
        yield (f"{where}: {accuracy.right} of {accuracy.n} decisions as labelled ({accuracy.low:.3f} to {accuracy.high:.3f}): "
               f"{one.caught.right} of {one.caught.n} faults caught, {one.spared.right} of {one.spared.n} others spared; "
               + (f"{one.steady.n - one.steady.right} of {one.steady.n} repeated decisions flip" if one.steady.n else "nothing repeated"))
