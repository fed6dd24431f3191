"""What judges share that ask everything in one request."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from attrs import field, frozen, validators

from playproof.canonical import plain
from playproof.dialogue import Part, Request, Text, user
from playproof.drivers import settings
from playproof.interfaces import Bench, Exhibits, Planned, Services
from playproof.model import Options
from playproof.opinion import Opinion, Question, Trouble
from playproof_judges.judges.asking import Said, ask, of_key, refuse, signer
from playproof_judges.judges.exhibits import Lost, Room, Shown, View, show, views
from playproof_judges.judges.fence import clean
from playproof_judges.judges.pictures import Fitting
from playproof_judges.judges.precedence import proves
from playproof_judges.judges.prompts import Prompt, prompt
from playproof_judges.judges.schemas import Schema, fits

AT_LEAST_ONE = validators.ge(1)
WITH_REPAIR = 2
"""Requests at most for one answer: the question, and one repair."""


@frozen(kw_only=True)
class Asks:
    """Options of every judge. `model` is a name on the bench; None for temperature and seed leaves them to the endpoint. `pictures`,
    `frames` (of one recording), `side` (the longest, in pixels) and `characters` bound what one request shows."""

    model: str = "default"
    pictures: int = field(default=12, validator=AT_LEAST_ONE)
    frames: int = field(default=8, validator=AT_LEAST_ONE)
    side: int = field(default=1024, validator=validators.ge(64))
    encoding: Literal["jpeg", "png"] = "jpeg"
    characters: int = field(default=24_000, validator=validators.ge(400))
    max_tokens: int = field(default=4096, validator=AT_LEAST_ONE)
    temperature: float | None = None
    seed: int | None = None

    @property
    def room(self) -> Room:
        return Room(self.pictures, self.frames, self.characters, Fitting(self.side, self.encoding))

    def request(self, prompt: Prompt, parts: Sequence[Part], schema: Schema | None) -> Request:
        return Request([user(*parts)], prompt.part("system"), schema=schema, max_tokens=self.max_tokens, temperature=self.temperature,
                       seed=self.seed)


@frozen(kw_only=True)
class LongAsks(Asks):
    """For judges that look at whole recordings and write more."""

    pictures: int = field(default=24, validator=AT_LEAST_ONE)
    frames: int = field(default=16, validator=AT_LEAST_ONE)
    max_tokens: int = field(default=8192, validator=AT_LEAST_ONE)


class PromptedJudge(ABC):
    """One request with the exhibits, one reply of a declared form, one repair. A subclass says what is asked and what a reply means."""

    name: ClassVar[str]
    form: ClassVar[str]
    by_time: ClassVar[bool] = False
    options_type: ClassVar[type[Asks]] = Asks
    grading_version: int = 1

    def __init__(self, options: Options, services: Services) -> None:
        self.asks = settings(self.options_type, options, self.name)
        self.prompt = prompt(self.name)

    @property
    def forms(self) -> frozenset[str]:
        return frozenset({self.form})

    @property
    def settings(self) -> Options:
        return {"prompt": self.prompt.settings, **plain(self.asks)}

    @property
    def models(self) -> Sequence[str]:
        return (self.asks.model,)

    @abstractmethod
    def schema(self, question: Question) -> Schema: ...

    def outer(self, question: Question) -> Schema:
        """The form that a whole reply is held against before it is understood."""
        return self.schema(question)

    @abstractmethod
    def told(self, question: Question) -> str:
        """The question in words, told before the exhibits."""

    @abstractmethod
    def understand(self, question: Question, data: Any, shown: Shown) -> Said:
        """What a reply that follows the schema says. Raises ValueError that says what is wrong with it."""

    def judge(self, question: Question, exhibits: Exhibits, bench: Bench) -> Opinion:
        refuse(question, self.forms, self.prompt, self.name)
        sign = signer(self.name, self.settings, question, exhibits, bench)
        try:
            seen = self._seen(exhibits, bench)
        except Lost as fault:
            return sign.trouble(Trouble.UNAVAILABLE, str(fault))
        if problem := nothing_to_see(seen, question):
            return sign.trouble(Trouble.NO_EVIDENCE, problem)
        outer = self.outer(question)

        def understood(data: Any, shown: Shown) -> Said:
            fits(data, outer)
            return self.understand(question, data, shown)

        return sign.opinion(ask(bench, self.asks.model, self.asks.room, lambda room: self._composed(question, seen, room), understood,
                                self.prompt))

    def planned(self, question: Question, exhibits: Exhibits, bench: Bench) -> Sequence[Planned]:
        refuse(question, self.forms, self.prompt, self.name)
        try:
            seen = self._seen(exhibits, bench)
        except Lost:
            return []
        if nothing_to_see(seen, question):
            return []
        return [Planned(self.asks.model, self._composed(question, seen, self.asks.room)[1], WITH_REPAIR)]

    def _seen(self, exhibits: Exhibits, bench: Bench) -> Sequence[View]:
        (entries,) = of_key(exhibits, "submission")
        return views(entries, bench)

    def _composed(self, question: Question, seen: Sequence[View], room: Room) -> tuple[Shown, Request]:
        shown = show(seen, room, by_time=self.by_time)
        parts = [Text(self.told(question)), *exhibit_parts(self.prompt, shown), Text(self.prompt.part("end"))]
        if question.brief:
            parts.insert(1, Text(self.prompt.part("brief", brief=clean(question.brief))))
        return shown, self.asks.request(self.prompt, parts, self.schema(question))


def exhibit_parts(prompt: Prompt, shown: Shown) -> Sequence[Part]:
    """The exhibits of a request, with what is to be known of them."""
    left_out = [Text(prompt.part("left_out", left_out=shown.left_out))] if shown.left_out else []
    told = prompt.part("exhibits", opening=shown.fence.opening, closing=shown.fence.closing)
    return [Text(told), *shown.parts, *left_out]


def nothing_to_see(seen: Sequence[View], question: Question) -> str:
    """Why there is nothing to judge by; empty where there is something. A verdict needs more than claims and references."""
    if not seen:
        return "there are no exhibits"
    if not any(one.pictures or one.text for one in seen):
        kinds = ", ".join(sorted({one.evidence.kind for one in seen}))
        return f"none of the exhibits can be shown ({kinds}): no exhibitor makes pictures or text of them"
    if question.form == "verdict" and not proves([one.rank for one in seen if one.pictures or one.text]):
        return "there are only claims and references among the exhibits, and no verdict may rest on these alone"
    return ""
