"""A rater at work: what there is to label and in which order, what is labelled already, and where the next label goes."""

import hmac
import secrets
from collections.abc import Callable, Mapping, Sequence

from attrs import define, evolve, field

from playproof.canonical import canonical, plain
from playproof.model import Evidence
from playproof.opinion import By
from playproof.opinions import Line
from playproof_judges.people.answers import refuse
from playproof_judges.people.items import Item
from playproof_judges.people.labels import CONSENSUS, Labels, Said, label, spoken

Exhibits = Callable[[Item], Mapping[str, Sequence[Evidence]]]


@define
class Desk:
    """`by` signs the labels, `exhibits` says what is shown of an item. Once others' labels or verdicts were seen the desk is
    closed: a rater's own labels stay as they are."""

    items: Sequence[Item]
    labels: Labels
    by: By
    exhibits: Exhibits
    closed: bool = False
    _key: bytes = field(factory=lambda: secrets.token_bytes(16))
    _ids: Mapping[str, int] = field(init=False)

    @_ids.default
    def _make_ids(self) -> Mapping[str, int]:
        return {self.id(place): place for place in range(len(self.items))}

    def __attrs_post_init__(self) -> None:
        settled = [line for line in self.labels.lines().values() if line.opinion.by.name == CONSENSUS]
        explained = [line for line in self.labels.lines().values() if line.opinion.by.name == self.by.name]
        self.closed = (self.closed or any(line.opinion.by.settings.get("recorded_by") == self.by.name for line in settled)
                       or any(line.opinion.by.settings.get("cause") for line in explained))

    def id(self, place: int) -> str:
        """A name for the item at a place that tells nothing of it, and is another one in each session."""
        return hmac.new(self._key, self.items[place].key.encode(), "sha256").hexdigest()[:20]

    def place(self, id: str) -> int:
        if (found := self._ids.get(id)) is None:
            refuse(404, "There is no such item in this session. Open the page again by the address that was printed where it was started.")
        return found

    def said(self, item: Item) -> Mapping[str, str]:
        """Question id -> what this rater said of it last."""
        return {id: spoken(line.opinion) for id, line in self.labels.of(item, self.by.name).items()}

    def done(self, item: Item) -> bool:
        return len(self.said(item)) == len(item.questions)

    @property
    def finished(self) -> int:
        return sum(self.done(item) for item in self.items)

    def open(self, after: int = -1) -> int | None:
        """The place of the first item after this one, and else of all, that is not labelled whole."""
        places = [*range(after + 1, len(self.items)), *range(min(after + 1, len(self.items)))]
        return next((place for place in places if not self.done(self.items[place])), None)

    def put(self, item: Item, answers: Mapping[str, Said], *, by: By | None = None) -> int:
        """Write down what is new in these answers (question id -> answer); returns how many. Refuses what is no answer."""
        signed = by or self.by
        if self.closed and by is None:
            refuse(409, "Your labels are closed: you have seen what others said.")
        exhibits = {key: [entry.id for entry in entries] for key, entries in self.exhibits(item).items()}
        before = self.labels.of(item, signed.name)
        lines = []
        for question in item.questions:
            if question.id not in answers:
                continue
            try:
                line = label(item, question, exhibits, signed, answers[question.id])
            except ValueError as fault:
                refuse(400, f"Not saved: {fault}.")
            known = before.get(question.id)
            if known is None or _content(known) != _content(line):
                lines.append(line)
        if lines:
            self.labels.add(lines)
        return len(lines)

    def explain(self, item: Item, cause: str, note: str) -> int:
        """Write down why this rater's own label differs from others'. The label itself stays."""
        lines = self.labels.of(item, self.by.name)
        answers = {id: Said(spoken(line.opinion), note or line.opinion.message, cause, line.opinion.cites) for id, line in lines.items()}
        return self.put(item, answers, by=next(iter(lines.values())).opinion.by) if lines else 0

    def settle(self, item: Item, answers: Mapping[str, Said], raters: Sequence[str]) -> int:
        """Write down what was agreed on, whoever labelled it before."""
        settings = {"page": self.by.settings["page"], "recorded_by": self.by.name, "raters": list(raters)}
        return self.put(item, answers, by=By("person", CONSENSUS, settings))


def _content(line: Line) -> bytes:
    """What a label says, whenever it was said."""
    return canonical(plain(evolve(line.opinion, at=0.0)))
