"""From opinions to verdicts and ratings: pure, so that a stored trial is ruled again by whatever set of opinions is named."""

from collections.abc import Mapping, Sequence
from statistics import median_low

from attrs import evolve

from playproof.model import Check, Outcome, Reason, Task, Verdict
from playproof.opinion import Opinion, Trouble, check_question, rating_question
from playproof.scales import scale
from playproof.scoring.trials import Rating

RECUR = frozenset({Trouble.REFUSED, Trouble.MALFORMED, Trouble.NO_EVIDENCE})
"""What a submission may have caused: a fail where the same question on the reference's exhibits is answered, for a picture that makes
a model refuse, or nothing to look at, must not buy an absent score."""


def ruled(verdicts: Sequence[Verdict], task: str, checks: Sequence[Check], opinions: Sequence[Opinion]) -> Sequence[Verdict]:
    """Each verdict that waits for a judge, replaced by what the opinions on its question, as it is worded, and its exhibits say."""
    if not opinions:
        return verdicts
    asking = {(check_question(task, check.id), check.asks.text): check.id for check in checks if check.asks}
    said: dict[tuple[str, tuple[str, ...]], list[Opinion]] = {}
    for one in opinions:
        if (check := asking.get((one.question.id, one.question.text))) and "submission" in one.exhibits:
            said.setdefault((check, tuple(one.exhibits["submission"])), []).append(one)
    return [_decided(one, latest(said.get((one.check, tuple(one.cites)), ()))) if one.waits else one for one in verdicts]


def latest(opinions: Sequence[Opinion]) -> Sequence[Opinion]:
    """Those of the judge, with its models and settings, that spoke last: an earlier one in the same set no longer counts, and
    of its own votes all do. People, too, are kept apart from judges; of people everybody counts."""
    if not opinions:
        return ()
    last = max(opinions, key=lambda one: one.at)
    return [one for one in opinions if (one.by == last.by if last.by.kind == "judge" else one.by.kind == last.by.kind)]


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
                                   (refused, Outcome.FAIL, _why_refused(refused))):
        if 2 * len(votes) > len(opinions):
            cites = tuple(dict.fromkeys(cite for one in votes for cite in one.cites)) or waiting.cites
            tally = f" ({len(votes)} of {len(opinions)} votes)" if len(opinions) > 1 else ""
            message = votes[0].message + tally + _tampering(opinions)
            return evolve(waiting, outcome=outcome, reason=reason, message=message, cites=cites, by=by, waits=False)
    down = all(one.trouble in (Trouble.NONE, Trouble.UNAVAILABLE) for one in opinions) and any(one.trouble for one in opinions)
    why = next((f"{one.trouble}: {one.message}" for one in opinions if one.trouble), f"{len(yes)} say yes, {len(no)} say no")
    return evolve(waiting, reason=Reason.INFRA if down else Reason.JUDGE_ERROR, message=why + _tampering(opinions), by=by, waits=False)


def _why_refused(opinions: Sequence[Opinion]) -> Reason:
    """Nothing to look at, where the reference shows something, is a plain fail."""
    return Reason.FAIL if all(one.trouble is Trouble.NO_EVIDENCE for one in opinions) else Reason.JUDGE_REFUSED_ON_SUBMISSION


def _tampering(opinions: Sequence[Opinion]) -> str:
    """What in the exhibits speaks to the judge, reported beside every verdict."""
    found = list(dict.fromkeys(text for one in opinions for text in one.tampering))
    return f" [speaks to the judge: {'; '.join(found)[:500]}]" if found else ""


BROKEN = frozenset({Reason.UNDELIVERED, Reason.LOAD_FAIL, Reason.HANG, Reason.CRASH, Reason.STOPPED_EARLY})
"""How a submission itself keeps evidence from being taken."""


def comes_up(verdicts: Sequence[Verdict]) -> bool:
    """Whether anything could be played: not, when every verdict is a fail because of what the submission does before it is looked at."""
    return not verdicts or not all(one.outcome is Outcome.FAIL and one.reason in BROKEN for one in verdicts)


def rated(task: Task, opinions: Sequence[Opinion], verdicts: Sequence[Verdict]) -> Sequence[Rating]:
    """A value for each item of each of the task's scales: the lower median of the votes, when a strict majority of all asked gave
    one; else None (void). The lowest mark ("absent or broken") when it does not come up, and when judges refuse this submission, or
    find nothing to look at, and not the reference's: an absent score is not to be bought."""
    said: dict[str, list[Opinion]] = {}
    for one in opinions:
        if one.question.form == "rating":
            said.setdefault(one.question.id, []).append(one)
    found = []
    for ref in task.ratings:
        known = scale(ref.scale)
        for item in known.items:
            own = latest([one for one in said.get(rating_question(task.id, known.name, item.id), ()) if one.question.scale == known])
            found.append(Rating(known.name, item.id, _value(own, known.low) if comes_up(verdicts) else known.low))
    return found


def _value(opinions: Sequence[Opinion], lowest: int) -> int | None:
    values = [lowest if one.trouble in RECUR and one.control else one.value.rating if one.value else None for one in opinions]
    given = [value for value in values if value is not None]
    return median_low(given) if 2 * len(given) > len(opinions) else None


def tally(opinions: Sequence[Opinion]) -> Mapping[str, int]:
    """How many opinions there are of each kind, for a line of progress."""
    counts = {"given": sum(one.value is not None for one in opinions)}
    for one in opinions:
        if one.trouble:
            counts[one.trouble] = counts.get(one.trouble, 0) + 1
    return counts
