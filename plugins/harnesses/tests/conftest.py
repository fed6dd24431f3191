"""A scripted provider on loopback, and the gateway before it."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from playproof_harnesses.gateway.exchanges import Exchanges
from playproof_harnesses.gateway.ledger import Bounds, Ledger, Price, no_price
from playproof_harnesses.gateway.server import Gateway, Upstream
from playproof_judges.testing import Server

KEY = "sk-the-real-one-0123456789"

BODIES: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "anthropic": ("/v1/messages?beta=true", {"model": "m", "stream": True, "messages": [{"role": "user", "content": "hi"}],
                                             "tools": [{"name": "Write", "input_schema": {}}]}),
    "openai": ("/v1/chat/completions", {"model": "m", "stream": True, "messages": [{"role": "user", "content": "hi"}],
                                        "tools": [{"type": "function", "function": {"name": "write"}}]}),
    "openai-responses": ("/v1/responses", {"model": "m", "stream": True, "input": "hi", "tools": [{"type": "function", "name": "write"}]}),
    "gemini": ("/v1beta/models/m:streamGenerateContent?alt=sse", {"contents": [{"parts": [{"text": "hi"}]}],
                                                                  "tools": [{"functionDeclarations": [{"name": "write"}]}]}),
}  # fmt: skip
"""A request of an agent's loop in each protocol."""


class Agent:
    """What an agent sees of a gateway, and what the gateway has of it."""

    def __init__(self, gateway: Gateway, log: Path) -> None:
        self.gateway, self.log = gateway, log
        self.client = httpx.Client(transport=httpx.HTTPTransport(uds=str(gateway.socket)), base_url="http://gateway", timeout=20)

    def ask(self, dialect: str, key: str = "made-up", **more: Any) -> httpx.Response:
        path, body = BODIES[dialect]
        return self.client.post(path, json={**body, **more}, headers={"x-api-key": key, "authorization": f"Bearer {key}"})

    def written(self) -> list[Mapping[str, Any]]:
        return [json.loads(line) for line in self.log.read_text("utf-8").splitlines()]


@pytest.fixture
def provider() -> Iterator[Server]:
    with Server() as server:
        yield server


@pytest.fixture
def agent(provider: Server, tmp_path: Path) -> Iterator[Callable[..., Agent]]:
    """`agent(steps=2)`: one before a gateway of its own, with these bounds."""
    with ExitStack() as exits:

        def make(address: str = "", price: Price = no_price, **bounds: Any) -> Agent:
            log = tmp_path / "exchanges.jsonl"
            upstream = Upstream(address or provider.url, {"x-api-key": KEY, "authorization": f"Bearer {KEY}"}, secret=KEY)
            ledger = Ledger(Bounds(**bounds), price)
            gateway = exits.enter_context(Gateway(tmp_path / "gateway.sock", upstream, ledger, Exchanges(log), ["m"]))
            return Agent(gateway, log)

        yield make
