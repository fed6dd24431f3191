"""The judge `toy.eye`: shows a model what was seen, asks once, and once more where the reply is none."""

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from playproof.canonical import digest, short
from playproof.dialogue import FREE, Request, Stop, Tokens, user
from playproof.drivers import settings
from playproof.interfaces import Bench, Exhibits, Planned, Services
from playproof.model import Options
from playproof.opinion import By, Opinion, Question, Trouble, Value

PROMPT = "You are shown what a machine did. Reply with JSON: {\"answer\": true or false, or a whole number on the scale; \"why\": text}."


@frozen
class _Settings:
    model: str = "default"


class Eye:
    forms = frozenset({"verdict", "rating"})
    grading_version = 1

    def __init__(self, options: Options, services: Services) -> None:
        self._model = settings(_Settings, options, "toy.eye").model

    @property
    def settings(self) -> Options:
        return {"prompt": digest(PROMPT.encode())[:16]}

    @property
    def models(self) -> Sequence[str]:
        return (self._model,)

    def planned(self, question: Question, exhibits: Exhibits, bench: Bench) -> Sequence[Planned]:
        return [Planned(self._model, _request(question, exhibits))]

    def judge(self, question: Question, exhibits: Exhibits, bench: Bench) -> Opinion:
        shown = [entry.id for entry in exhibits["submission"]]
        by = By("judge", "toy.eye", self.settings)

        def said(value: Value | None, trouble: Trouble = Trouble.NONE, message: str = "", raw: Sequence[str] = (),
                 tokens: Tokens = FREE) -> Opinion:
            cites = shown if value is not None else ()
            return Opinion(question, {"submission": shown}, by, value, trouble, message, cites=cites, raw=raw, tokens=tokens)

        if not shown:
            return said(None, Trouble.NO_EVIDENCE, "nothing was shown")
        request, trouble, raw, tokens = _request(question, exhibits), Trouble.MALFORMED, [], FREE
        for _ in range(2):
            reply = bench.ask(self._model, request)
            raw, tokens = [*raw, reply.text], tokens + reply.tokens
            if reply.stop is Stop.REFUSED:
                trouble = Trouble.REFUSED
            else:
                trouble = Trouble.MALFORMED
                try:
                    answer = reply.data()
                    return said(_value(question, answer["answer"]), message=str(answer["why"]), raw=raw, tokens=tokens)
                except (ValueError, KeyError, TypeError):
                    pass
            request = Request([*request.messages, reply.message(), user("That was no such JSON. Reply again.")], PROMPT)
        return said(None, trouble, f"no usable reply: {short(raw[-1])}", raw, tokens)


def _request(question: Question, exhibits: Exhibits) -> Request:
    seen = "\n".join(short(entry.value, 2000) for entry in exhibits["submission"])
    return Request([user(f"Question: {question.text}\n", f"What was seen:\n{seen}")], PROMPT)


def _value(question: Question, answer: Any) -> Value:
    if question.scale is None:
        if not isinstance(answer, bool):
            raise TypeError("a verdict is true or false")
        return Value(verdict=answer)
    if not isinstance(answer, int) or not question.scale.low <= answer <= question.scale.high:
        raise ValueError("off the scale")
    return Value(rating=answer)
