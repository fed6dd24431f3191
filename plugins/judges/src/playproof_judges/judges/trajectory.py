"""`trajectory`: did it happen, by evidence in the order of time (GenXR-Bench, appendix J): false for missing, stale, ambiguous or
contradictory evidence; what an actor says is no proof; the demanded way of interacting and the response must both be shown."""

from collections.abc import Sequence
from typing import Any

from playproof.opinion import Question, Value
from playproof_judges.judges.asking import Said
from playproof_judges.judges.exhibits import Shown
from playproof_judges.judges.fence import clean
from playproof_judges.judges.prompted import LongAsks, PromptedJudge
from playproof_judges.judges.schemas import FLAG, TEXTS, Schema, choice, lines, record, text

HAPPENED = record(
    reasoning=text("the record in the order of time"), interaction=choice("shown", "not_shown", "none_demanded"), interaction_cites=TEXTS,
    response=FLAG, response_cites=TEXTS, doubts=TEXTS, verdict=FLAG, issues=TEXTS, tampering=TEXTS,
)


class TrajectoryJudge(PromptedJudge):
    name = "trajectory"
    form = "verdict"
    by_time = True
    options_type = LongAsks

    def schema(self, question: Question) -> Schema:
        return HAPPENED

    def told(self, question: Question) -> str:
        return self.prompt.part("question", question=clean(question.text))

    def understand(self, question: Question, data: Any, shown: Shown) -> Said:
        acted, responded = data["interaction_cites"], data["response_cites"]
        cites = list(dict.fromkeys([*shown.evidence(acted), *shown.evidence(responded)]))
        if data["verdict"]:
            _proved(data, shown)
        issues = [*lines(data["issues"]), *(f"doubt: {one}" for one in lines(data["doubts"]))]
        return Said(Value(verdict=data["verdict"]), cites, issues, lines(data["tampering"]), data["reasoning"].strip()[:2000])


def _proved(data: Any, shown: Shown) -> None:
    """Raises ValueError where a true verdict contradicts the rest of its reply."""
    if not data["response"]:
        raise ValueError("the verdict is true, and the response is not shown")
    if data["interaction"] == "not_shown":
        raise ValueError("the verdict is true, and the demanded interaction is not shown")
    if doubts := lines(data["doubts"]):
        raise ValueError(f"the verdict is true, and there is a doubt: {clean(doubts[0])[:200]}")
    if not shown.proves(data["response_cites"]):
        raise ValueError("the verdict is true, and the response rests on nothing that is more than a claim or a reference")
    if data["interaction"] == "shown":
        if not data["interaction_cites"]:
            raise ValueError("the interaction is shown, and no exhibit is cited for it")
        _in_order(data["interaction_cites"], data["response_cites"], shown)


def _in_order(acted: Sequence[str], responded: Sequence[str], shown: Shown) -> None:
    """A response that was seen before the interaction began is stale: nothing of it can be the interaction's effect."""
    proofs = [one for one in responded if shown.proves([one])]
    first, last = min(_when(one, shown) for one in acted), max(_when(one, shown) for one in proofs)
    if last < first:
        raise ValueError(f"the response is stale: everything cited for it was seen before the interaction ({', '.join(acted)}) began")


def _when(told: str, shown: Shown) -> tuple[int, int]:
    entry = shown.handles[shown.handle(told)]
    return entry.tick, entry.seq
