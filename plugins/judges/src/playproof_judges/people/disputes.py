"""Where raters differ from each other, and from the verifier: what is left to settle, and what was settled."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from playproof.model import Outcome, Verdict
from playproof.opinion import Question
from playproof.opinions import Line
from playproof_judges.people.items import Item
from playproof_judges.people.labels import CONSENSUS, UNDECIDED, Labels, spoken

VERDICT = {Outcome.PASS: "pass", Outcome.FAIL: "fail"}


@frozen
class Dispute:
    """One question on which people differ, or on which the verifier is of another mind than they. `said`: rater -> their label;
    `majority` is what more than half of those who decided say; `settled` the consensus, `verdict` the verifier's word."""

    item: Item
    question: Question
    said: Mapping[str, Line]
    majority: str | None
    settled: Line | None
    verdict: Verdict | None = None

    @property
    def spread(self) -> int:
        """How far ratings lie apart; other labels are 0 or 1 apart."""
        values = [turned(self.item, line) for line in self.said.values()]
        marks = [int(value) for value in values if value.isdecimal()]
        return max(marks) - min(marks) if len(marks) > 1 else int(len(set(values)) > 1)

    @property
    def agreed(self) -> str | None:
        """What people say in the end: the consensus, else the majority."""
        return spoken(self.settled.opinion) if self.settled else self.majority


def majority(item: Item, said: Mapping[str, Line]) -> str | None:
    """The value of more than half of the raters that decided, with preferences turned to the sides of this item; None for a split."""
    values = [turned(item, line) for line in said.values()]
    decided = [value for value in values if value != UNDECIDED]
    value, count = Counter(decided).most_common(1)[0] if decided else ("", 0)
    return value if 2 * count > len(decided) else None


def turned(item: Item, line: Line) -> str:
    """A label as it reads with the sides of this item: another rater may have seen them the other way round."""
    value = spoken(line.opinion)
    if value in ("a", "b") and line.trials != item.trials:
        return "b" if value == "a" else "a"
    return value


def disputes(items: Sequence[Item], labels: Labels) -> Sequence[Dispute]:
    """Questions that raters answer differently, the widest apart first."""
    found = [one for one in _all(items, labels) if len({turned(one.item, line) for line in one.said.values()}) > 1]
    return sorted(found, key=lambda one: (-one.spread, one.item.task.id))


def against(items: Sequence[Item], labels: Labels) -> Sequence[Dispute]:
    """Requirements on which people, in the end, say something else than the verifier did."""
    return [one for one in _all(items, labels) if one.verdict and one.agreed in ("pass", "fail")
            and VERDICT.get(one.verdict.outcome) not in (one.agreed, None)]


def _all(items: Sequence[Item], labels: Labels) -> Iterator[Dispute]:
    for item in items:
        raters = labels.raters(item)
        settled = labels.of(item, CONSENSUS)
        verdict = None
        if item.check:
            verdict = item.sides["submission"].done.result().verdicts.get(item.check.id)
        for question in item.questions:
            said = {name: lines[question.id] for name, lines in raters.items() if question.id in lines}
            if said:
                yield Dispute(item, question, said, majority(item, said), settled.get(question.id), verdict)
