"""`panel`: several models, or several votes of one judge. A strict majority of all that were asked decides; where voids leave none,
there is no opinion. (A tie broken by the order of a list, and voids left out of the count, are what users of other tools report.)"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import median_low
from typing import Any

from attrs import Factory, evolve, field, frozen, validators

from playproof.canonical import canonical, plain
from playproof.dialogue import FREE, Tokens
from playproof.drivers import build, settings
from playproof.errors import BudgetReached, ModelError, TaskError
from playproof.interfaces import Bench, Exhibits, Judge, Planned, Services
from playproof.model import Options, Ref
from playproof.opinion import Opinion, Question, Trouble, Value
from playproof_judges.judges.asking import once, signer

VERSION = 1
"""Raised by hand when the same opinions of members can come to something else."""
SPOILED = (Trouble.REFUSED, Trouble.MALFORMED)
"""Troubles that a submission may have caused: see `_without`."""


@frozen
class Of:
    """The judge that sits on the panel, with its options."""

    judge: str
    options: Mapping[str, Any] = Factory(dict)


@frozen
class PanelAsks:
    """Either `models` (names on the bench, one seat each) or `votes` (seats of one judge)."""

    of: Of
    models: Sequence[str] = ()
    votes: int = field(default=0, validator=validators.ge(0))


@frozen
class Seat:
    """A member and what it said: an opinion, or why its model could not be asked."""

    name: str
    opinion: Opinion | None = None
    fault: ModelError | None = None

    @property
    def trouble(self) -> Trouble:
        return self.opinion.trouble if self.opinion else Trouble.UNAVAILABLE


class PanelJudge:
    def __init__(self, options: Options, services: Services) -> None:
        self.asks = settings(PanelAsks, options, "panel")
        count = len(self.asks.models) or self.asks.votes
        if bool(self.asks.models) == bool(self.asks.votes) or count < 2 or len(set(self.asks.models)) != len(self.asks.models):
            raise TaskError("options of 'panel': give `models` (two or more, each once) or `votes` (two or more), and not both")
        of = self.asks.of
        each: Sequence[Options] = [{**of.options, "model": name} for name in self.asks.models] or [of.options]
        self.members: Sequence[Judge] = [build("judge", Ref(of.judge, one), services) for one in each]

    @property
    def forms(self) -> frozenset[str]:
        return self.members[0].forms

    @property
    def grading_version(self) -> int:
        """Its members'; the panel's own stands in the settings."""
        return self.members[0].grading_version

    @property
    def settings(self) -> Options:
        members = [plain(one.settings) for one in self.members]
        return {"panel": VERSION, "of": self.asks.of.judge, "votes": self.asks.votes, "members": members}

    @property
    def models(self) -> Sequence[str]:
        return once(one.models for one in self.members)

    def judge(self, question: Question, exhibits: Exhibits, bench: Bench) -> Opinion:
        """Raises ModelError where a seat could not be asked and its vote could still decide."""
        seats = [self._seat(judge, name, question, exhibits, voting) for judge, name, voting in self._seats(bench)]
        decided = _rated(seats) if question.form == "rating" else _majority(seats)
        fault = next((one.fault for one in seats if one.fault), None)
        if decided is None and fault is not None:
            raise fault
        sign = signer("panel", self.settings, question, exhibits, bench)
        raw, tokens = [_spelled(one) for one in seats], sum((_tokens(one) for one in seats), FREE)
        tampering = once(one.opinion.tampering for one in seats if one.opinion)
        tally = _tally(seats)
        if decided is None:
            trouble, why = _without(seats)
            return sign.trouble(trouble, f"{why} ({tally})", raw=raw, tokens=tokens, tampering=tampering)
        value, agreeing = decided
        return Opinion(question, sign.exhibits, sign.by, value, Trouble.NONE, f"{tally}: {agreeing[0].message}",
                       once(one.issues for one in agreeing), once(one.cites for one in agreeing), tampering, bench.vote, tokens, raw)

    def planned(self, question: Question, exhibits: Exhibits, bench: Bench) -> Sequence[Planned]:
        return [one for judge, _, voting in self._seats(bench) for one in judge.planned(question, exhibits, voting)]

    def _seats(self, bench: Bench) -> Iterator[tuple[Judge, str, Bench]]:
        """Votes have numbers of their own, so that a panel that is itself asked twice shares no cached reply."""
        for judge, name in zip(self.members, self.asks.models, strict=False):
            yield judge, name, bench
        for vote in range(self.asks.votes):
            yield self.members[0], f"vote {vote + 1}", bench.revote(bench.vote * self.asks.votes + vote)

    def _seat(self, judge: Judge, name: str, question: Question, exhibits: Exhibits, bench: Bench) -> Seat:
        try:
            return Seat(name, judge.judge(question, exhibits, bench))
        except BudgetReached:
            raise
        except ModelError as fault:
            return Seat(name, fault=fault)


Decided = tuple[Value, Sequence[Opinion]]


def _majority(seats: Sequence[Seat]) -> Decided | None:
    """The value of more than half of all seats, and who holds it."""
    given = [one.opinion for one in seats if one.opinion and one.opinion.value]
    for opinion in given:
        agreeing = [one for one in given if one.value == opinion.value]
        if opinion.value and 2 * len(agreeing) > len(seats):
            return opinion.value, agreeing
    return None


def _rated(seats: Sequence[Seat]) -> Decided | None:
    """The median, where more than half of all seats rate; of an even number the lower of the middle two, for a rating is a whole number.
    A seat that could not be asked might still move it."""
    given = [one.opinion for one in seats if one.opinion and one.opinion.value]
    ratings = [one.value.rating for one in given if one.value and one.value.rating is not None]
    if 2 * len(ratings) <= len(seats) or any(one.fault for one in seats):
        return None
    middle = median_low(ratings)
    nearest = sorted(given, key=lambda one: abs((one.value.rating or 0) - middle) if one.value else 0)
    return Value(rating=middle), nearest


def _without(seats: Sequence[Seat]) -> tuple[Trouble, str]:
    """Why there is no majority. Where refused or malformed seats could have made one, the trouble is theirs: a picture that makes some
    models of a panel refuse must not buy an absent score either."""
    troubles = [one.trouble for one in seats if one.trouble]
    if troubles and len(set(troubles)) == 1 and len(troubles) == len(seats):
        return troubles[0], next(one.opinion.message for one in seats if one.opinion)
    spoiled = [one for one in troubles if one in SPOILED]
    leading = max(Counter(_value(one) for one in seats if not one.trouble).values(), default=0)
    if spoiled and 2 * (leading + len(spoiled)) > len(seats):
        return Counter(spoiled).most_common(1)[0][0], "no strict majority of all that were asked, for want of usable replies"
    return Trouble.UNDECIDED, "no strict majority of all that were asked"


def _value(seat: Seat) -> str:
    return canonical(plain(seat.opinion.value if seat.opinion else None)).decode()


def _tally(seats: Sequence[Seat]) -> str:
    counts = Counter(_word(one) for one in seats)
    return f"{len(seats)} asked: {', '.join(f'{count} {word}' for word, count in counts.items())}"


def _word(seat: Seat) -> str:
    if seat.opinion is None or seat.opinion.value is None:
        return str(seat.trouble)
    value = seat.opinion.value
    if value.verdict is not None:
        return "pass" if value.verdict else "fail"
    return str(value.preference or f"x {value.rating}")


def _spelled(seat: Seat) -> str:
    """A member's whole opinion, or its fault, as JSON text. The question and the exhibits stand in the panel's own."""
    if seat.opinion is None:
        return canonical({"seat": seat.name, "fault": str(seat.fault)}).decode("utf-8", "surrogatepass")
    whole = plain(evolve(seat.opinion))
    return canonical({"seat": seat.name, **{key: held for key, held in whole.items() if key not in ("question", "exhibits")}}).decode(
        "utf-8", "surrogatepass")


def _tokens(seat: Seat) -> Tokens:
    return seat.opinion.tokens if seat.opinion else FREE
