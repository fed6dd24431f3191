"""One question to one model: asked, repaired once, and asked with less where the endpoint finds it too large."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from attrs import evolve, frozen

from playproof.canonical import canonical, plain
from playproof.dialogue import FREE, Message, Opaque, Reply, Request, Stop, Text, Tokens, stored, user
from playproof.errors import TooLarge, UsageError
from playproof.interfaces import Bench, Exhibits
from playproof.model import Evidence, Options
from playproof.opinion import By, Opinion, Question, Trouble, Value
from playproof_judges.judges.exhibits import Room, Shown
from playproof_judges.judges.fence import clean
from playproof_judges.judges.prompts import Prompt

T = TypeVar("T")

HALVINGS = 3
"""How often a request that is too large is asked again with half of it."""
MOST_PROBLEM = 400


@frozen
class Said:
    """What a reply says, its citations as evidence ids."""

    value: Value
    cites: Sequence[str]
    issues: Sequence[str] = ()
    tampering: Sequence[str] = ()
    message: str = ""


@frozen
class Answer(Generic[T]):
    """What came of a question: something said, or a trouble and why. `tampering` is what we ourselves found in the exhibits."""

    said: T | None
    trouble: Trouble = Trouble.NONE
    message: str = ""
    raw: Sequence[str] = ()
    tokens: Tokens = FREE
    tampering: Sequence[str] = ()


Compose = Callable[[Room], tuple[Shown, Request]]
Understand = Callable[[Any, Shown], T]
"""Takes the data of a reply; raises ValueError that says in a sentence what is wrong with it."""


def ask(bench: Bench, model: str, room: Room, compose: Compose, understand: Understand[T], prompt: Prompt) -> Answer[T]:
    """Raises ModelError, but for TooLarge."""
    note, fault = "", TooLarge("too large")
    for turn in range(HALVINGS + 1):
        shown, request = compose(room.halved(turn))
        try:
            answer = _talk(bench, model, request, shown, understand, prompt)
        except TooLarge as refused:
            fault, note = refused, f"asked with 1/{2 ** (turn + 1)} of the exhibits' room, for the endpoint takes no more"
            continue
        left_out = f"not shown: {shown.left_out}" if shown.left_out else ""
        return evolve(answer, message="; ".join(filter(None, [answer.message, note, left_out])))
    return Answer(None, Trouble.UNAVAILABLE, f"too large for the endpoint, even with 1/{2 ** HALVINGS} of the exhibits: {fault}",
                  tampering=shown.tampering)


def _talk(bench: Bench, model: str, request: Request, shown: Shown, understand: Understand[T], prompt: Prompt) -> Answer[T]:
    first = bench.ask(model, request)
    said, trouble, problem = heard(first, lambda: understand(first.data(), shown))
    raw, tokens = [raw_of(first)], first.tokens
    if trouble:
        second = bench.ask(model, repaired(request, first, trouble, problem, prompt))
        said, trouble, problem = heard(second, lambda: understand(second.data(), shown))
        raw, tokens = [*raw, raw_of(second)], tokens + second.tokens
    return Answer(said, trouble, problem, raw, tokens, shown.tampering)


def heard(reply: Reply, understand: Callable[[], T]) -> tuple[T | None, Trouble, str]:
    """What a reply says; else the trouble, and what is wrong in words."""
    if reply.stop is Stop.REFUSED:
        return None, Trouble.REFUSED, f"the model refused{_quoted(reply.text)}"
    if reply.stop is Stop.LENGTH:
        return None, Trouble.MALFORMED, "the reply was cut off before its end"
    try:
        return understand(), Trouble.NONE, ""
    except RecursionError:
        return None, Trouble.MALFORMED, "it is nested too deeply"
    except ValueError as fault:
        text = f"it is not JSON ({fault})" if type(fault) is not ValueError else str(fault)
        return None, Trouble.MALFORMED, clean(text)[:MOST_PROBLEM]


def _quoted(text: str) -> str:
    return f": {clean(text.strip())[:200]}" if text.strip() else ""


def repaired(request: Request, reply: Reply, trouble: Trouble, problem: str, prompt: Prompt) -> Request:
    """The one repair. A malformed reply is shown to the model with what is wrong; a refusal or a torn reply is not, for it would be
    gone on with."""
    if trouble is Trouble.REFUSED:
        return _added(request, prompt.part("refused"))
    if reply.stop is Stop.LENGTH:
        return evolve(_added(request, prompt.part("truncated")), max_tokens=2 * request.max_tokens)
    told = prompt.part("malformed", problem=problem)
    if not reply.text.strip():
        return _added(request, told)
    spoken = [part for part in reply.parts if isinstance(part, Text | Opaque)]
    return evolve(request, messages=[*request.messages, Message("assistant", spoken), user(told)])


def _added(request: Request, words: str) -> Request:
    *before, last = request.messages
    return evolve(request, messages=[*before, evolve(last, parts=[*last.parts, Text(words)])])


def raw_of(reply: Reply) -> str:
    return reply.raw or canonical(plain(stored(reply))).decode("utf-8", "surrogatepass")


def once(many: Iterable[Sequence[str]]) -> Sequence[str]:
    """All of them, in order and each once."""
    return list(dict.fromkeys(one for each in many for one in each))


# --- into an opinion ---


@frozen
class Signer:
    """Makes a judge's opinions on one question: who said it, on which exhibits, at which vote."""

    question: Question
    exhibits: Mapping[str, Sequence[str]]
    by: By
    vote: int

    def opinion(self, answer: Answer[Said]) -> Opinion:
        said = answer.said
        if said is None:
            return self.trouble(answer.trouble, answer.message, raw=answer.raw, tokens=answer.tokens, tampering=answer.tampering)
        message = "; ".join(filter(None, [said.message, answer.message]))
        return Opinion(self.question, self.exhibits, self.by, said.value, Trouble.NONE, message, said.issues, said.cites,
                       once([answer.tampering, said.tampering]), self.vote, answer.tokens, answer.raw)

    def trouble(self, trouble: Trouble, message: str, *, raw: Sequence[str] = (), tokens: Tokens = FREE,
                tampering: Sequence[str] = ()) -> Opinion:
        return Opinion(self.question, self.exhibits, self.by, None, trouble, message, tampering=tampering, vote=self.vote,
                       tokens=tokens, raw=raw)


def signer(name: str, settings: Options, question: Question, exhibits: Exhibits, bench: Bench) -> Signer:
    shown = {key: [one.id for one in entries] for key, entries in exhibits.items()}
    return Signer(question, shown, By("judge", name, settings), bench.vote)


def of_key(exhibits: Exhibits, *keys: str) -> Sequence[Sequence[Evidence]]:
    """The exhibits under these keys. Raises UsageError for others."""
    if sorted(exhibits) != sorted(keys):
        raise UsageError(f"exhibits stand under {sorted(exhibits)}; wanted: {', '.join(keys)}")
    return [exhibits[key] for key in keys]


def refuse(question: Question, forms: frozenset[str], prompt: Prompt, name: str) -> None:
    """Raises UsageError for a question of another form, or for another version of the prompt."""
    if question.form not in forms:
        raise UsageError(f"the judge {name!r} answers {', '.join(sorted(forms))}, and {question.id!r} asks for a {question.form}")
    if question.prompt_version != prompt.version:
        raise UsageError(f"the judge {name!r} asks with version {prompt.version} of its prompt, and {question.id!r} wants version "
                         f"{question.prompt_version}")
