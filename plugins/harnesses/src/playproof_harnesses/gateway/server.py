"""The gateway: HTTP/1.1 on a unix socket, one thread for each connection. It holds the provider's key, which no agent ever sees, passes
answers through as they come, tries nothing again, and writes every exchange down."""

import json
import socketserver
import threading
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Self

import httpx
from attrs import field, frozen

from playproof_harnesses.gateway import dialects
from playproof_harnesses.gateway.dialects import Ask
from playproof_harnesses.gateway.exchanges import Exchanges
from playproof_harnesses.gateway.ledger import Ledger

CONNECT_S, SILENCE_S = 20.0, 600.0
GIVEN = ("anthropic-version", "anthropic-beta", "user-agent", "openai-beta")
"""Headers of a request that reach the provider. Whatever else an agent says of itself, its made-up key first, does not."""
CONNECTIONS = 64
"""At once; another one waits."""


@frozen
class Upstream:
    """A provider: `address` is what stands before the path that an agent asks for, less `strip`; `headers` bring the key, and `secret` is
    the key itself, which is hidden wherever the provider says it back."""

    address: str
    headers: Mapping[str, str]
    strip: str = ""
    secret: str = field(default="", repr=False)

    def url(self, path: str) -> str:
        address = self.address.rstrip("/")
        return address + (path.removeprefix(self.strip) if self.strip and address.endswith(self.strip) else path)

    def hide(self, text: str) -> str:
        return text.replace(self.secret, "***") if len(self.secret) >= 8 else text


class Gateway:
    """A context manager. While it is open it listens at `socket`, and counts in `ledger`; `exchanges` takes what was said. Only `models`
    are asked: with the key of a stack an agent could have another do its work."""

    def __init__(self, socket: Path, upstream: Upstream, ledger: Ledger, exchanges: Exchanges, models: Collection[str]) -> None:
        self.socket, self.upstream, self.ledger, self.exchanges = socket, upstream, ledger, exchanges
        self.models = frozenset(models)
        self.turn = threading.BoundedSemaphore(CONNECTIONS)
        self._client = httpx.Client(timeout=httpx.Timeout(SILENCE_S, connect=CONNECT_S), limits=httpx.Limits(max_connections=CONNECTIONS))
        self._http: Listener | None = None

    def __enter__(self) -> Self:
        from playproof_harnesses.gateway.connection import Connection

        self._http = Listener(str(self.socket), Connection)
        self._http.owner = self
        self.socket.chmod(0o666)  # the agent is another user; the folder that the socket lies in has a name that nobody can guess
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._http is not None
        self._http.shutdown()
        self._http.server_close()
        self._client.close()
        self.exchanges.close()

    def refusal(self, ask: Ask) -> str | None:
        """Why a request is not taken on, if so; counted. One that is taken on has begun."""
        if ask.model not in self.models:
            self.ledger.refuse(foreign=True)
            return f"the model {ask.model[:200]!r} is none of this stack's: {', '.join(sorted(self.models))}"
        if ask.elsewhere:
            self.ledger.refuse()
            return f"{', '.join(ask.elsewhere)[:300]}: tools that the provider runs reach a network that this agent has not"
        return self.ledger.begin(step=ask.is_step)

    def sent(self, ask: Ask, headers: Mapping[str, str]) -> Any:
        """The provider's answer as a stream."""
        own = {name: headers[name] for name in GIVEN if name in headers and headers[name].isascii() and headers[name].isprintable()}
        plain = {"accept-encoding": "identity", "content-type": "application/json"}
        return self._client.stream("POST", self.upstream.url(ask.path), content=json.dumps(dialects.countable(ask)).encode(),
                                   headers={**own, **plain, **self.upstream.headers})

    def heard(self, response: httpx.Response) -> Iterator[bytes]:
        """The answer's bytes, with the key hidden where one chunk says it back."""
        secret = self.upstream.secret.encode()
        for chunk in response.iter_raw():
            yield chunk.replace(secret, b"***") if len(secret) >= 8 else chunk


class Listener(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    owner: Gateway

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        with self.owner.turn:
            super().process_request_thread(request, client_address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """An agent that goes away is no news."""
