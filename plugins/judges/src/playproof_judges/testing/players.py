"""What a model that plays says, for tests of tools and of loops."""

from collections.abc import Mapping
from typing import Any

from playproof.dialogue import Call, Reply, Stop, Text, Tokens


def call(name: str, **arguments: Any) -> Reply:
    """A turn that calls one tool."""
    return calls((name, arguments))


def calls(*asked: tuple[str, Mapping[str, Any]], said: str = "I see it.") -> Reply:
    """A turn that says something, and calls these tools at once. It costs 110 tokens and a cent."""
    parts = [Call(f"id-{name}-{place}", name, arguments) for place, (name, arguments) in enumerate(asked)]
    return Reply([Text(said), *parts], Stop.CALLS, Tokens(100, 10, usd=0.01), "script")
