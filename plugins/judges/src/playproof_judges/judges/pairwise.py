"""`pairwise`: which of two submissions does better what was asked for, in both orders (BlenderWorld, section E.1, has people do the
same). A judge that prefers whatever stands first says nothing: where the orders disagree, it is a tie."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from attrs import evolve, field, frozen

from playproof.canonical import plain
from playproof.dialogue import FREE, Request, Text
from playproof.drivers import settings
from playproof.interfaces import Bench, Exhibits, Planned, Services
from playproof.model import Options
from playproof.opinion import Opinion, Question, Trouble, Value
from playproof_judges.judges.asking import Answer, Said, ask, of_key, once, refuse, signer
from playproof_judges.judges.exhibits import Lost, Room, Shown, View, show, views
from playproof_judges.judges.fence import clean, fence
from playproof_judges.judges.prompted import AT_LEAST_ONE, WITH_REPAIR, Asks, nothing_to_see
from playproof_judges.judges.prompts import prompt
from playproof_judges.judges.schemas import TEXTS, choice, fits, lines, record, text

PREFERRED = record(reasoning=text("the differences that matter"), preference=choice("first", "second", "tie"), cites=TEXTS,
                   issues=TEXTS, tampering=TEXTS)

Side = Literal["a", "b"]
Order = tuple[Side, Side]
ORDERS: Sequence[Order] = (("a", "b"), ("b", "a"))


@frozen(kw_only=True)
class PairAsks(Asks):
    """`pictures` and `characters` are for both together: each submission gets half."""

    pictures: int = field(default=16, validator=AT_LEAST_ONE)

    @property
    def room(self) -> Room:
        whole = super().room
        return evolve(whole, pictures=max(1, whole.pictures // 2), characters=whole.characters // 2)


class PairwiseJudge:
    """Nothing tells the two apart but where they stand: no names, no sources."""

    grading_version = 1
    forms = frozenset({"preference"})

    def __init__(self, options: Options, services: Services) -> None:
        self.asks = settings(PairAsks, options, "pairwise")
        self.prompt = prompt("pairwise")

    @property
    def settings(self) -> Options:
        return {"prompt": self.prompt.settings, **plain(self.asks)}

    @property
    def models(self) -> Sequence[str]:
        return (self.asks.model,)

    def judge(self, question: Question, exhibits: Exhibits, bench: Bench) -> Opinion:
        refuse(question, self.forms, self.prompt, "pairwise")
        sign = signer("pairwise", self.settings, question, exhibits, bench)
        try:
            seen = _seen(exhibits, bench)
        except Lost as fault:
            return sign.trouble(Trouble.UNAVAILABLE, str(fault))
        for key, views_of_one in seen.items():
            if problem := nothing_to_see(views_of_one, question):
                return sign.trouble(Trouble.NO_EVIDENCE, f"of {key!r}: {problem}")
        answers: list[Answer[Said]] = []
        for order in ORDERS:
            answers.append(self._asked(question, seen, order, bench))
            if answers[-1].said is None:
                break
        return sign.opinion(_both(answers))

    def planned(self, question: Question, exhibits: Exhibits, bench: Bench) -> Sequence[Planned]:
        refuse(question, self.forms, self.prompt, "pairwise")
        try:
            seen = _seen(exhibits, bench)
        except Lost:
            return []
        if any(nothing_to_see(one, question) for one in seen.values()):
            return []
        return [Planned(self.asks.model, self._composed(question, seen, order, self.asks.room)[1], WITH_REPAIR) for order in ORDERS]

    def _asked(self, question: Question, seen: Mapping[Side, Sequence[View]], order: Order, bench: Bench) -> Answer[Said]:
        return ask(bench, self.asks.model, self.asks.room, lambda room: self._composed(question, seen, order, room),
                   lambda data, shown: _understood(data, shown, order), self.prompt)

    def _composed(self, question: Question, seen: Mapping[Side, Sequence[View]], order: Order, room: Room) -> tuple[Shown, Request]:
        marks = fence(text for one in ORDERS[0] for view in seen[one] for text in view.foreign)
        first = show(seen[order[0]], room, sources=False, marks=marks)
        second = show(seen[order[1]], room, sources=False, marks=marks, name=lambda number, _: f"E{len(first.handles) + number}")
        left_out = "; ".join(f"of the {which}: {one.left_out}" for which, one in (("first", first), ("second", second)) if one.left_out)
        both = Shown([*first.parts, *second.parts], {**first.handles, **second.handles}, {**first.ranks, **second.ranks},
                     [*first.tampering, *second.tampering], left_out, marks, frozenset(second.handles))
        parts = [
            Text(self.prompt.part("question", question=clean(question.text))),
            *([Text(self.prompt.part("brief", brief=clean(question.brief)))] if question.brief else []),
            Text(self.prompt.part("exhibits", opening=marks.opening, closing=marks.closing)),
            Text(self.prompt.part("first")), *first.parts, Text(self.prompt.part("second")), *second.parts,
            *([Text(self.prompt.part("left_out", left_out=left_out))] if left_out else []),
            Text(self.prompt.part("end")),
        ]
        return both, self.asks.request(self.prompt, parts, PREFERRED)


def _seen(exhibits: Exhibits, bench: Bench) -> Mapping[Side, Sequence[View]]:
    a, b = of_key(exhibits, "a", "b")
    return {"a": views(a, bench), "b": views(b, bench)}


def _understood(data: Any, shown: Shown, order: Order) -> Said:
    fits(data, PREFERRED)
    cites = shown.evidence(data["cites"])
    second = [shown.handle(one) in shown.second for one in data["cites"]]
    if not any(second) or all(second):
        raise ValueError("it does not cite at least one exhibit of each submission")
    places: Mapping[str, Literal["a", "b", "tie"]] = {"first": order[0], "second": order[1], "tie": "tie"}
    return Said(Value(preference=places[data["preference"]]), cites, lines(data["issues"]), lines(data["tampering"]),
                f"{order[0]} before {order[1]}: {data['reasoning'].strip()[:1000]}")


def _both(answers: Sequence[Answer[Said]]) -> Answer[Said]:
    """What both orders come to. A trouble in one is a trouble of the whole."""
    raw = [one for answer in answers for one in answer.raw]
    tokens = sum((answer.tokens for answer in answers), FREE)
    tampering = once(answer.tampering for answer in answers)
    last, said = answers[-1], [answer.said for answer in answers if answer.said]
    if last.said is None:
        return Answer(None, last.trouble, f"with {' before '.join(ORDERS[len(answers) - 1])}: {last.message}", raw, tokens, tampering)
    preferred = [one.value.preference for one in said]
    agreed = len(set(preferred)) == 1
    notes = [] if agreed else [f"the orders disagree ({', then '.join(str(one) for one in preferred)}): a tie"]
    notes += [one.message for one in said] + list(dict.fromkeys(answer.message for answer in answers if answer.message))
    whole = Said(Value(preference=preferred[0] if agreed else "tie"), once(one.cites for one in said), once(one.issues for one in said),
                 once(one.tampering for one in said), "; ".join(notes))
    return Answer(whole, raw=raw, tokens=tokens, tampering=tampering)
