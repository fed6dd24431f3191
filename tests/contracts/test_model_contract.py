"""check_model, which authors of models run: it holds for a good one, and each breach is told in a plain sentence."""

import os
from collections.abc import Mapping
from typing import Any

import pytest
from attrs import evolve, frozen

from playproof.dialogue import Call, Opaque, Reply, Request, Stop, Text, Tokens
from playproof.drivers import settings
from playproof.interfaces import Services
from playproof.model import Options
from playproof.testing import ContractBroken, check_model

KEY = "sk-planted-0123456789"


@frozen
class Settings:
    model: str = "good"


class Good:
    """A model that answers what it is asked for."""

    def __init__(self, options: Options, services: Services) -> None:
        self.options = settings(Settings, options, "good")
        self.key = services.secret("GOOD_KEY")

    @property
    def identity(self) -> Options:
        return {"driver": "good", "model": self.options.model}

    @property
    def limit(self) -> int:
        return 2

    def estimate(self, request: Request) -> Tokens:
        return Tokens(100, request.max_tokens, usd=0.01)

    def ask(self, request: Request) -> Reply:
        reply = Reply([Opaque("good", {"thought": "hm"}), Text("green")], tokens=Tokens(50, 20, 30, 0, 10, usd=0.001), raw="{}")
        if request.schema is not None:
            return evolve(reply, parts=[Text('{"answer": 42}')])
        return evolve(reply, parts=[Call("1", "look", {"at": "door"})], stop=Stop.CALLS) if request.must_call else reply


def changed(base: type[Good] = Good, /, **changes: Any) -> type[Good]:
    """A model whose replies differ in `changes`."""
    def ask(self: Good, request: Request) -> Reply:
        return evolve(Good.ask(self, request), **changes)

    return type("Changed", (base,), {"ask": ask})


def having(**members: Any) -> type[Good]:
    return type("Having", (Good,), {name: property(value) if name in ("identity", "limit") else value for name, value in members.items()})


class Lax(Good):
    def __init__(self, options: Options, services: Services) -> None:
        super().__init__({}, services)


BREACHES: Mapping[str, tuple[type[Good], str]] = {
    "takes any option": (Lax, "an unknown option is accepted"),
    "no JSON": (having(identity=lambda self: {"model": object()}), "identity is no JSON"),
    "no identity": (having(identity=lambda self: {}), "identity is empty"),
    "another each time": (having(identity=lambda self: {"at": id(self)}), "built twice with the same options, identity differs"),
    "a key in the identity": (having(identity=lambda self: {"key": self.key}), "a key stands in the identity"),
    "takes nobody": (having(limit=lambda self: 0), "limit is 0"),
    "estimates nothing": (having(estimate=lambda self, request: None), "estimate: None, wanted Tokens"),
    "estimates too little": (having(estimate=lambda self, request: Tokens(60, 300, usd=0.01)), "the estimate said (60, 300) at most"),
    "estimates too cheaply": (having(estimate=lambda self, request: Tokens(100, 300, usd=0.0001)), "the estimate said 0.0001 at most"),
    "knows no price beforehand": (having(estimate=lambda self, request: Tokens(100, 300)), "absent in one"),
    "no reply": (having(ask=lambda self, request: "green"), "wanted a Reply"),
    "less than nothing": (changed(tokens=Tokens(-1, 5, usd=0.0)), "has a number below 0"),
    "thinks beyond its output": (changed(tokens=Tokens(1, 5, reasoning=6, usd=0.0)), "holds tokens.reasoning"),
    "a key in a reply": (changed(raw=f'"{KEY}"'), "a key stands in the identity, or in a reply"),
    "raw is no JSON": (changed(raw="green"), "raw is no JSON text"),
    "says nothing": (changed(parts=[]), "it gives '' and stops by end"),
    "stops early": (changed(stop=Stop.LENGTH), "stops by length"),
    "words for data": (changed(parts=[Text("42")]), "asked for an object with `answer`, it gives 42"),
    "no JSON for data": (changed(parts=[Text("forty-two")]), "asked for JSON by a schema, it gives 'forty-two'"),
    "thoughts that cannot be kept": (changed(parts=[Text("x"), Opaque("good", object())]), "no JSON"),
}


def test_a_good_model_passes() -> None:
    replies = check_model(Good, options={}, secret=lambda name: KEY)
    assert [one.stop for one in replies] == [Stop.END, Stop.END, Stop.CALLS, Stop.END]
    assert len(check_model(Good, options={"model": "x"}, asks=["words"])) == 1 and "GOOD_KEY" not in os.environ


@pytest.mark.parametrize(("factory", "words"), [pytest.param(*one, id=name) for name, one in BREACHES.items()])
def test_a_breach_is_told(factory: type[Good], words: str) -> None:
    with pytest.raises(ContractBroken) as told:
        check_model(factory, options={}, secret=lambda name: KEY)
    assert words in str(told.value)


@pytest.mark.parametrize(("parts", "words"), [
    ([Text("I look.")], "calls 0 tools"), ([Call("1", "hear", {})], "it calls ['hear'], and was given 'look'"),
    ([Call("1", "look", {}), Call("1", "look", {})], "have the same id"), ([Call("", "look", {})], "or none"),
])
def test_a_breach_of_calling_is_told(parts: list[Any], words: str) -> None:
    with pytest.raises(ContractBroken) as told:
        check_model(changed(parts=parts, stop=Stop.CALLS), options={}, asks=["call"])
    assert words in str(told.value)
