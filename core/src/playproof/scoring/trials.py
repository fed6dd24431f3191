"""What a scoring rule is given, and the exact arithmetic that all rules share. No rounding happens here."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from math import sqrt

from attrs import Factory, evolve, frozen

from playproof.model import NOT_THE_AGENTS, Check, Ended, Observer, Outcome, Score, Verdict

TRUSTED = frozenset({Observer.OUTSIDE, Observer.ISOLATED})
"""Who may establish that a requirement does not apply: nobody whom the submission could have told so."""
WEIGHTIEST = (Outcome.FAIL, Outcome.VOID, Outcome.PASS, Outcome.NOT_APPLICABLE)


@frozen
class Rating:
    """A judge's value for one item of a scale; None when the judge failed (void)."""

    scale: str
    item: str
    value: int | None


@frozen
class TrialResult:
    """One planned trial; a trial that never ran is given too, with `valid` False.

    `delivered`: what the task asks for is there. `evaluated`: it was graded to the end. `valid`: no failure of ours stands
    behind it; so valid and not evaluated is the submission's fault (0), not valid is void (absent).
    `verdicts`: check id -> the verdict over all cases (see `conjunction`); a check without one counts as failed.
    `comes_up`: it could be played at all."""

    task: str
    stack: str
    sample: int = 0
    ended: Ended = Ended.COMPLETED
    delivered: bool = True
    evaluated: bool = True
    valid: bool = True
    checks: Sequence[Check] = ()
    verdicts: Mapping[str, Verdict] = Factory(dict)
    ratings: Sequence[Rating] = ()
    comes_up: bool = True

    @property
    def void(self) -> bool:
        return not self.valid or self.ended in NOT_THE_AGENTS

    @property
    def graded(self) -> bool:
        return not self.void and self.delivered and self.evaluated


def conjunction(verdicts: Iterable[Verdict]) -> dict[str, Verdict]:
    """Check id -> the verdict that decides over its cases: fail if any case fails, else void if any is void, else pass if
    any passes, else not applicable. The first deciding case speaks; flaky when any case was."""
    decided: dict[str, Verdict] = {}
    for new in verdicts:
        held = decided.setdefault(new.check, new)
        first = min(held, new, key=lambda v: WEIGHTIEST.index(v.outcome))
        decided[new.check] = evolve(first, flaky=True) if held.flaky or new.flaky else first
    return decided


def outcomes(trial: TrialResult, anywhere: bool = False) -> list[tuple[Check, Outcome]]:
    """Each check with the outcome that counts. NOT_APPLICABLE stands only on a check declared `optional_feature` and
    established by an observer in TRUSTED; elsewhere it is a fail. `anywhere` restores the older rule that took any."""
    counted = []
    for check in trial.checks:
        verdict = trial.verdicts.get(check.id)
        outcome = verdict.outcome if verdict else Outcome.FAIL
        if verdict and outcome is Outcome.NOT_APPLICABLE and not anywhere and not (check.optional_feature and verdict.observer in TRUSTED):
            outcome = Outcome.FAIL
        counted.append((check, outcome))
    return counted


@frozen
class Share:
    """`count` of `n`."""

    count: int
    n: int

    @property
    def rate(self) -> Fraction | None:
        return Fraction(self.count, self.n) if self.n else None


def share(found: Collection[Outcome]) -> Share:
    """The passes among the decided, applicable ones."""
    passed = sum(o is Outcome.PASS for o in found)
    return Share(passed, passed + sum(o is Outcome.FAIL for o in found))


def mean(values: Iterable[Fraction | None]) -> Fraction | None:
    """The mean of those that are there; None of none."""
    there = [v for v in values if v is not None]
    return sum(there, Fraction(0)) / len(there) if there else None


def task_mean(values: Iterable[tuple[str, Fraction | None]]) -> Fraction | None:
    """The mean over tasks of each task's mean, of (task, value) pairs."""
    tasks: dict[str, list[Fraction | None]] = {}
    for task, value in values:
        tasks.setdefault(task, []).append(value)
    return mean(map(mean, tasks.values()))


def wilson(count: float, n: int, z: float = 1.959964) -> tuple[float, float]:
    """The Wilson score interval of count / n (Wilson 1927), 95 % unless told; (0, 1) when n is 0. Give tasks as `n` and the
    sum of their means as `count` when tasks have several samples: a task then counts once, which is never too narrow."""
    if not n:
        return 0.0, 1.0
    p, spread = count / n, z * z / n
    centre, half = p + spread / 2, sqrt(max(0.0, p * (1 - p) * spread + spread * spread / 4))
    return min(p, max(0.0, (centre - half) / (1 + spread))), max(p, min(1.0, (centre + half) / (1 + spread)))


@frozen
class Mark:
    """One trial (or task) under one rule: `value` absent when void, `low` and `high` with every void as 0 and as 1."""

    value: Fraction | None
    low: Fraction
    high: Fraction


def exactly(value: Fraction | int) -> Mark:
    return Mark(Fraction(value), Fraction(value), Fraction(value))


def unknown(top: int = 1) -> Mark:
    return Mark(None, Fraction(0), Fraction(top))


def averaged(
    rule: str, marks: Sequence[tuple[str, Mark]], published: Fraction | None, parts: Mapping[str, Fraction | None], top: int = 1
) -> Score:
    """The mean over tasks of the mean over a task's marks, as a Score; n, planned and void count marks. The value lies
    within its bounds: a task without any value widens them and is left out of the value."""
    figures = (*(task_mean((task, bound) for task, bound in column) for column in (
        [(t, m.value) for t, m in marks], [(t, m.low) for t, m in marks], [(t, m.high) for t, m in marks])), published)
    value, low, high, old = (None if x is None else float(x) for x in figures)
    told = {name: None if part is None else float(part) for name, part in parts.items()}
    if top == 1 and value is not None:
        tasks = len({task for task, m in marks if m.value is not None})
        told["wilson_low"], told["wilson_high"] = wilson(value * tasks, tasks)
    n = sum(m.value is not None for _, m in marks)
    return Score(rule, value, n, len(marks), len(marks) - n, low, high, old, told, float(top))
