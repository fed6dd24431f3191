"""`inspector`: an agent with read-only tools over structured evidence (BlenderWorld, section 4.1: Agent-as-Judge). It cites what it
has read, and nothing else."""

from collections.abc import Sequence

from attrs import define, evolve, field, frozen, validators

from playproof.canonical import plain
from playproof.dialogue import FREE, Call, Message, Reply, Request, Result, Stop, Text, Tokens, Tool, user
from playproof.drivers import settings
from playproof.errors import TooLarge
from playproof.interfaces import Bench, Exhibits, Planned, Services
from playproof.model import Options
from playproof.opinion import Opinion, Question, Trouble
from playproof_judges.judges.asking import HALVINGS, Answer, Said, heard, of_key, raw_of, refuse, repaired, signer
from playproof_judges.judges.exhibits import Lost, Shown, View, found_signs, show, views
from playproof_judges.judges.fence import clean, fence
from playproof_judges.judges.inspection import Inspection
from playproof_judges.judges.prompted import AT_LEAST_ONE, Asks, nothing_to_see
from playproof_judges.judges.prompts import Prompt, prompt
from playproof_judges.judges.schemas import fits
from playproof_judges.judges.vision import VERDICT, verdict_said

CONCLUDE = Tool("conclude", "Give the verdict, with the evidence that decides. This ends the inspection.", VERDICT)
AT_ONCE = 8
"""Calls answered in one turn."""


@frozen(kw_only=True)
class InspectorAsks(Asks):
    """`turns` are requests at most, the verdict included, a repair not. `answer` bounds the characters that one call gives, `characters`
    those of all. `pictures` are shown at once, as far as there are any."""

    turns: int = field(default=12, validator=AT_LEAST_ONE)
    pictures: int = field(default=4, validator=AT_LEAST_ONE)
    answer: int = field(default=4000, validator=validators.ge(400))
    characters: int = field(default=60_000, validator=validators.ge(400))


class InspectorJudge:
    """Pictures are shown at once and count as read; everything else is listed, and read with tools."""

    grading_version = 1
    forms = frozenset({"verdict"})

    def __init__(self, options: Options, services: Services) -> None:
        self.asks = settings(InspectorAsks, options, "inspector")
        self.prompt = prompt("inspector")

    @property
    def settings(self) -> Options:
        return {"prompt": self.prompt.settings, **plain(self.asks)}

    @property
    def models(self) -> Sequence[str]:
        return (self.asks.model,)

    def judge(self, question: Question, exhibits: Exhibits, bench: Bench) -> Opinion:
        refuse(question, self.forms, self.prompt, "inspector")
        sign = signer("inspector", self.settings, question, exhibits, bench)
        fault = TooLarge("")
        try:
            seen = views(of_key(exhibits, "submission")[0], bench)
            if problem := nothing_to_see(seen, question):
                return sign.trouble(Trouble.NO_EVIDENCE, problem)
            for halved in range(HALVINGS + 1):
                try:
                    return sign.opinion(self._begun(question, seen, bench, halved).answer())
                except TooLarge as refused:
                    fault = refused
        except Lost as lost:
            return sign.trouble(Trouble.UNAVAILABLE, str(lost))
        return sign.trouble(Trouble.UNAVAILABLE, f"too large for the endpoint, even with 1/{2**HALVINGS} of the room: {fault}")

    def planned(self, question: Question, exhibits: Exhibits, bench: Bench) -> Sequence[Planned]:
        refuse(question, self.forms, self.prompt, "inspector")
        try:
            seen = views(of_key(exhibits, "submission")[0], bench)
            if nothing_to_see(seen, question):
                return []
            return [Planned(self.asks.model, self._begun(question, seen, bench).request(), self.asks.turns)]
        except Lost:
            return []

    def _begun(self, question: Question, seen: Sequence[View], bench: Bench, halved: int = 0) -> "_Talk":
        ordered = sorted(seen, key=lambda one: (one.rank, one.evidence.tick, one.evidence.seq))
        handles = {f"E{number}": view for number, view in enumerate(ordered, 1)}
        names = {view.evidence.id: handle for handle, view in handles.items()}
        marks = fence(text for one in ordered for text in one.foreign)
        pictures = show([one for one in ordered if one.pictures], self.asks.room.halved(halved), marks=marks,
                        name=lambda _, entry: names[entry.id])
        asks = evolve(self.asks, answer=max(400, self.asks.answer >> halved), characters=max(400, self.asks.characters >> halved))
        inspection = Inspection(handles, bench, asks.answer, set(pictures.handles))
        told = [
            self.prompt.part("question", question=clean(question.text)),
            *([self.prompt.part("brief", brief=clean(question.brief))] if question.brief else []),
            self.prompt.part("evidence", count=len(handles), opening=marks.opening, closing=marks.closing,
                             listing=marks.around(inspection.listing())),
        ]
        opening = user(*told, *pictures.parts, self.prompt.part("end", turns=asks.turns))
        shown = Shown([], {handle: view.evidence for handle, view in handles.items()},
                      {handle: view.rank for handle, view in handles.items()}, found_signs(ordered), "", marks)
        return _Talk(asks, self.prompt, bench, inspection, shown, [opening], asks.max_tokens)


@define
class _Talk:
    """Turns until a verdict. `last`: the next turn can do nothing but conclude."""

    asks: InspectorAsks
    prompt: Prompt
    bench: Bench
    inspection: Inspection
    shown: Shown
    messages: list[Message]
    max_tokens: int
    last: bool = False
    mended: bool = False
    told: int = 0
    raw: list[str] = field(factory=list)
    tokens: Tokens = FREE

    def request(self) -> Request:
        tools = [CONCLUDE] if self.last else [*self.inspection.tools, CONCLUDE]
        return Request(list(self.messages), self.prompt.part("system"), tools, must_call=self.last, max_tokens=self.max_tokens,
                       temperature=self.asks.temperature, seed=self.asks.seed)

    def answer(self) -> Answer[Said]:
        """Raises ModelError, TooLarge too, and Lost."""
        turns = 0
        while True:
            turns += 1
            if not self.last and (turns >= self.asks.turns or self.told >= self.asks.characters):
                self.last = True
                if turns > 1:
                    self._add(self.prompt.part("last"))
            reply = self.bench.ask(self.asks.model, self.request())
            self.raw.append(raw_of(reply))
            self.tokens = self.tokens + reply.tokens
            ended = self._turn(reply)
            if ended is not None:
                return ended

    def _turn(self, reply: Reply) -> Answer[Said] | None:
        """What a reply ends with; None if the talk goes on."""
        conclusion = next((call for call in reply.calls if call.name == CONCLUDE.name), None)
        spoiled = reply.stop in (Stop.REFUSED, Stop.LENGTH)
        if not (spoiled or conclusion or self.last):
            self._go_on(reply)
            return None
        said, trouble, problem = heard(reply, lambda: self._concluded(conclusion))
        if said is None and not self.mended:
            self._mend(reply, trouble, problem)
            return None
        return Answer(said, trouble, problem, self.raw, self.tokens, self.shown.tampering)

    def _concluded(self, call: Call | None) -> Said:
        if call is None:
            raise ValueError("it does not call `conclude`")
        fits(call.arguments, VERDICT)
        said = verdict_said(call.arguments, self.shown)
        for told in call.arguments["cites"]:
            if (handle := self.shown.handle(told)) not in self.inspection.read:
                raise ValueError(f"it cites {handle}, which was not read")
        return said

    def _go_on(self, reply: Reply) -> None:
        if not reply.calls:
            if reply.parts:
                self.messages.append(reply.message())
                self.messages.append(user(self.prompt.part("conclude")))
            else:
                self._add(self.prompt.part("conclude"))
            return
        self.messages.append(reply.message())
        results = [self._result(call) if at < AT_ONCE else _error(call, f"only {AT_ONCE} calls are answered in one turn")
                   for at, call in enumerate(reply.calls)]
        self.messages.append(Message("user", results))

    def _result(self, call: Call) -> Result:
        try:
            heading, told = self.inspection.answer(call)
        except ValueError as fault:
            return _error(call, clean(str(fault))[:500])
        self.told += len(told)
        marks = self.shown.fence if self.shown.fence.token not in told.lower() else fence([told])
        words = self.prompt.part("answer", heading=heading, answer=told, opening=marks.opening, closing=marks.closing)
        return Result(call.id, [Text(words)])

    def _mend(self, reply: Reply, trouble: Trouble, problem: str) -> None:
        """The one repair: after it, nothing but the verdict is taken, unless the model refused or was cut off while it looked."""
        self.mended = True
        spoiled = reply.stop in (Stop.REFUSED, Stop.LENGTH)
        if reply.calls and not spoiled:
            told = self.prompt.part("malformed", problem=problem)
            self.messages.append(reply.message())
            self.messages.append(Message("user", [_error(call, told) for call in reply.calls]))
        else:
            mended = repaired(self.request(), reply, trouble, problem, self.prompt)
            self.messages, self.max_tokens = list(mended.messages), mended.max_tokens
        self.last = self.last or not spoiled

    def _add(self, words: str) -> None:
        self.messages[-1] = evolve(self.messages[-1], parts=[*self.messages[-1].parts, Text(words)])


def _error(call: Call, words: str) -> Result:
    return Result(call.id, [Text(words)], error=True)
