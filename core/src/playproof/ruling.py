"""From opinions to verdicts and ratings: pure, so that a stored trial is ruled again by whatever set of opinions is named."""

from collections.abc import Mapping, Sequence
from statistics import median_low

from attrs import evolve

from playproof.model import Check, Outcome, Reason, Task, Verdict
from playproof.opinion import Opinion, Trouble, check_question, rating_question
from playproof.scales import scale
from playproof.scoring.trials import Rating

RECUR = frozenset({Trouble.REFUSED, Trouble.MALFORMED})
"""What stands after a repair: a fail where the reference's exhibits get an answer, for a picture that makes a model refuse must not buy
an absent score."""


def ruled(verdicts: Sequence[Verdict], task: str, checks: Sequence[Check], opinions: Sequence[Opinion]) -> Sequence[Verdict]:
    """Each verdict that waits for a judge, replaced by what the opinions on its question and its exhibits say."""
    if not opinions:
        return verdicts
    asking = {check_question(task, check.id): check.id for check in checks if check.asks}
    said: dict[tuple[str, tuple[str, ...]], list[Opinion]] = {}
    for one in opinions:
        if (check := asking.get(one.question.id)) and "submission" in one.exhibits:
            said.setdefault((check, tuple(one.exhibits["submission"])), []).append(one)
    return [_decided(one, said.get((one.check, tuple(one.cites)), ())) if one.reason is Reason.NO_MODEL else one for one in verdicts]


def _decided(waiting: Verdict, opinions: Sequence[Opinion]) -> Verdict:
    """A strict majority of all that were asked; where voids leave none, the verdict is void, not fail."""
    if not opinions:
        return waiting
    yes, no, refused = (
        [one for one in opinions if one.value and one.value.verdict is True],
        [one for one in opinions if one.value and one.value.verdict is False],
        [one for one in opinions if one.trouble in RECUR and one.control],
    )
    by = ", ".join(dict.fromkeys(one.by.name for one in opinions))
    for votes, outcome, reason in ((yes, Outcome.PASS, Reason.OK), (no, Outcome.FAIL, Reason.FAIL),
                                   (refused, Outcome.FAIL, Reason.JUDGE_REFUSED_ON_SUBMISSION)):
        if 2 * len(votes) > len(opinions):
            cites = tuple(dict.fromkeys(cite for one in votes for cite in one.cites)) or waiting.cites
            tally = f" ({len(votes)} of {len(opinions)} votes)" if len(opinions) > 1 else ""
            return evolve(waiting, outcome=outcome, reason=reason, message=votes[0].message + tally, cites=cites, by=by)
    down = all(one.trouble in (Trouble.NONE, Trouble.UNAVAILABLE) for one in opinions) and any(one.trouble for one in opinions)
    why = next((f"{one.trouble}: {one.message}" for one in opinions if one.trouble), f"{len(yes)} say yes, {len(no)} say no")
    return evolve(waiting, reason=Reason.INFRA if down else Reason.JUDGE_ERROR, message=why, by=by)


BROKEN = frozenset({Reason.UNDELIVERED, Reason.LOAD_FAIL, Reason.HANG, Reason.CRASH, Reason.STOPPED_EARLY, Reason.SUBMISSION_FAULT,
                    Reason.TAMPERED})
"""How a submission itself keeps evidence from being taken."""


def comes_up(verdicts: Sequence[Verdict]) -> bool:
    """Whether anything could be played: not, when every verdict is a fail because of what the submission does before it is looked at."""
    return not verdicts or not all(one.outcome is Outcome.FAIL and one.reason in BROKEN for one in verdicts)


def rated(task: Task, opinions: Sequence[Opinion], verdicts: Sequence[Verdict]) -> Sequence[Rating]:
    """A value for each item of each of the task's scales: the lower median of the votes, when a strict majority of all asked gave
    one; else None (void). The lowest mark ("absent or broken") when judges refuse this submission and not the reference, when
    it does not come up, and when there is nothing to show because it broke: an absent score is not to be bought."""
    broken = any(one.outcome is Outcome.FAIL and one.reason in BROKEN for one in verdicts)
    said: dict[str, list[Opinion]] = {}
    for one in opinions:
        if one.question.form == "rating":
            said.setdefault(one.question.id, []).append(one)
    found = []
    for ref in task.ratings:
        known = scale(ref.scale)
        for item in known.items:
            own = said.get(rating_question(task.id, known.name, item.id), ())
            found.append(Rating(known.name, item.id, _value(own, known.low, broken=broken) if comes_up(verdicts) else known.low))
    return found


def _value(opinions: Sequence[Opinion], lowest: int, *, broken: bool = False) -> int | None:
    def lowered(one: Opinion) -> bool:
        return (one.trouble in RECUR and bool(one.control)) or (one.trouble is Trouble.NO_EVIDENCE and broken)

    values = [lowest if lowered(one) else one.value.rating if one.value else None for one in opinions]
    given = [value for value in values if value is not None]
    return median_low(given) if 2 * len(given) > len(opinions) else None


def tally(opinions: Sequence[Opinion]) -> Mapping[str, int]:
    """How many opinions there are of each kind, for a line of progress."""
    counts = {"given": sum(one.value is not None for one in opinions)}
    for one in opinions:
        if one.trouble:
            counts[one.trouble] = counts.get(one.trouble, 0) + 1
    return counts
