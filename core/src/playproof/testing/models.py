"""What a model driver promises, asked of a real one (behind a server of your tests', say) in a sentence each."""

import json
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playproof.canonical import canonical, plain
from playproof.dialogue import Message, Opaque, Picture, Reply, Request, Result, Stop, Text, Tokens, Tool, replied, stored, user
from playproof.interfaces import Model, Services
from playproof.model import Options
from playproof.testing.contracts import Factory, _need, _refuses_unknown

DOT = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108020000009077"
                      "53de0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082")
"""The smallest PNG."""

WORDS = Request([user("Answer with one word.", Picture(DOT, caption="a picture"))], system="You answer briefly.", max_tokens=300)
DATA = Request([user("What is seven times six?")], max_tokens=300, schema={
    "type": "object", "properties": {"answer": {"type": "integer"}}, "required": ["answer"], "additionalProperties": False})
LOOK = Tool("look", "looks at one thing", {"type": "object", "properties": {"at": {"type": "string"}}, "required": ["at"]})
CALL = Request([user("Look at the door.")], tools=[LOOK], must_call=True, max_tokens=300)

Secrets = Callable[[str], str | None]


def check_model(factory: Factory, *, options: Options, secret: Secrets = lambda name: None,
                asks: Sequence[str] = ("words", "data", "call")) -> Sequence[Reply]:
    """A model that answers: it is asked for words (about a picture), for data by a schema, and for a call, whose result it is then
    given, as far as `asks` names them: up to four requests. `secret` gives keys by name, as the environment would.

    Raises ContractBroken: options, identity, limit, estimates, replies, and a key that shows itself. Returns the replies."""
    heard: list[str] = []

    def listening(name: str) -> str | None:
        found = secret(name)
        heard.extend([found] if found else [])
        return found

    with TemporaryDirectory() as folder, ExitStack() as exits:
        services = Services(Path(folder), exits, listening)
        _refuses_unknown(factory, options, services)
        model: Model = factory(options, services)
        _standing(model, factory(options, services))
        replies = [reply for name in asks for reply in _ASKS[name](model)]
    shown = f"{plain(model.identity)} {model!r} {[plain(stored(one)) for one in replies]}"
    _need(not [one for one in heard if len(one) > 7 and one in shown], "a key stands in the identity, or in a reply")
    return replies


def _standing(model: Model, again: Model) -> None:
    try:
        spelled = canonical(model.identity)
    except (TypeError, ValueError) as fault:
        _need(False, f"identity is no JSON, so it cannot identify anything: {fault}")
    _need(model.identity, "identity is empty; it says the driver, the model and the settings that decide its answers")
    _need(spelled == canonical(again.identity), "built twice with the same options, identity differs")
    _need(isinstance(model.limit, int) and model.limit >= 1, f"limit is {model.limit!r}, wanted an integer from 1")


def _words(model: Model) -> Sequence[Reply]:
    reply = _asked(model, WORDS)
    _need(reply.stop is Stop.END and reply.text, f"asked for a word, it gives {reply.text!r} and stops by {reply.stop}")
    return [reply]


def _data(model: Model) -> Sequence[Reply]:
    reply = _asked(model, DATA)
    try:
        found = reply.data()
    except ValueError as fault:
        _need(False, f"asked for JSON by a schema, it gives {reply.text!r}: {fault}")
    _need(isinstance(found, dict) and isinstance(found.get("answer"), int), f"asked for an object with `answer`, it gives {found!r}")
    return [reply]


def _call(model: Model) -> Sequence[Reply]:
    reply = _asked(model, CALL)
    _need(reply.stop is Stop.CALLS and reply.calls, f"with must_call, it stops by {reply.stop} and calls {len(reply.calls)} tools")
    ids = [one.id for one in reply.calls]
    _need(len(set(ids)) == len(ids) and all(ids), f"two calls of one reply have the same id, or none: {ids}")
    _need({one.name for one in reply.calls} == {LOOK.name}, f"it calls {[one.name for one in reply.calls]}, and was given {LOOK.name!r}")
    results = Message("user", [Result(one.id, [Text("It is green."), Picture(DOT)]) for one in reply.calls])
    return [reply, _asked(model, Request([*CALL.messages, reply.message(), results], tools=[LOOK], max_tokens=300))]


_ASKS: dict[str, Callable[[Model], Sequence[Reply]]] = {"words": _words, "data": _data, "call": _call}


def _asked(model: Model, request: Request) -> Reply:
    estimate = model.estimate(request)
    _counts(estimate, "estimate")
    reply = model.ask(request)
    _need(isinstance(reply, Reply), f"ask gives {reply!r}, wanted a Reply")
    _counts(reply.tokens, "a reply's tokens")
    _need(reply.tokens.reasoning <= reply.tokens.output, "tokens.output holds tokens.reasoning, and is less than it")
    _bounds(estimate, reply.tokens)
    _need(replied(stored(reply)) == reply or reply.cached, "a reply is not the same after it was stored; are its parts plain JSON?")
    _need(all(isinstance(one.driver, str) and _json(one.data) for one in reply.parts if isinstance(one, Opaque)),
          "an Opaque part's data is no JSON")
    _need(not reply.raw or _json_text(reply.raw), "raw is no JSON text")
    return reply


def _bounds(estimate: Tokens, used: Tokens) -> None:
    given = (used.input + used.cache_read + used.cache_write, used.output)
    _need(given <= (estimate.input, estimate.output) or estimate.usd == 0.0,
          f"a request cost {given} tokens in and out, and the estimate said {(estimate.input, estimate.output)} at most")
    _need((estimate.usd is None) == (used.usd is None), f"usd is {estimate.usd} in the estimate and {used.usd} in the reply: absent in one")
    _need((used.usd or 0.0) <= (estimate.usd or 0.0), f"a request cost {used.usd} USD, and the estimate said {estimate.usd} at most")


def _counts(tokens: Any, what: str) -> None:
    _need(isinstance(tokens, Tokens), f"{what}: {tokens!r}, wanted Tokens")
    numbers = [tokens.input, tokens.output, tokens.cache_read, tokens.cache_write, tokens.reasoning, tokens.usd or 0]
    _need(min(numbers) >= 0, f"{what} has a number below 0: {tokens}")


def _json(value: Any) -> bool:
    try:
        canonical(value)
    except (TypeError, ValueError):
        return False
    return True


def _json_text(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
