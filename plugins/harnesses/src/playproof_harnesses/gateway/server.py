"""The gateway: HTTP/1.1 on a unix socket, one thread for each request. It holds the provider's key, which no agent ever sees, passes
answers through as they come, tries nothing again, and writes every exchange down."""

import json
import socketserver
import threading
import time
from collections.abc import Collection, Iterator, Mapping
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, Self, cast

import httpx
from attrs import frozen

from playproof_harnesses.gateway import dialects
from playproof_harnesses.gateway.answers import Answer
from playproof_harnesses.gateway.dialects import Ask
from playproof_harnesses.gateway.exchanges import Exchanges
from playproof_harnesses.gateway.ledger import Ledger

LARGEST = 64 << 20
"""Bytes of a request; an agent that sends more is refused."""
CONNECT_S, SILENCE_S = 20.0, 600.0
PASSED_ON = ("content-type", "retry-after", "request-id", "x-request-id")
"""Headers of an answer that agents act on."""
GIVEN = ("anthropic-version", "anthropic-beta", "user-agent", "content-type", "openai-beta")
"""Headers of a request that reach the provider. Whatever else an agent says of itself, its made-up key first, does not."""


@frozen
class Upstream:
    """A provider: `address` is what stands before the path that an agent asks for, and `headers` bring the key."""

    address: str
    headers: Mapping[str, str]
    strip: str = ""

    def url(self, path: str) -> str:
        return self.address.rstrip("/") + "/" + path.removeprefix(self.strip).lstrip("/")


class Gateway:
    """A context manager. While it is open it listens at `socket`, and counts in `ledger`; `exchanges` takes what was said. Only `models`
    are asked: with the key of a stack an agent could have another do its work."""

    def __init__(self, socket: Path, upstream: Upstream, ledger: Ledger, exchanges: Exchanges, models: Collection[str]) -> None:
        self.socket, self.upstream, self.ledger, self.exchanges = socket, upstream, ledger, exchanges
        self.models = frozenset(models)
        self._client = httpx.Client(timeout=httpx.Timeout(SILENCE_S, connect=CONNECT_S), limits=httpx.Limits(max_connections=64))
        self._http: _Http | None = None

    def __enter__(self) -> Self:
        self._http = _Http(str(self.socket), _Exchange)
        self._http.owner = self
        self.socket.chmod(0o666)  # the agent is another user; the folder that the socket lies in is shown to nobody else
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._http is not None
        self._http.shutdown()
        self._http.server_close()
        self._client.close()
        self.exchanges.close()

    def sent(self, ask: Ask, path: str, headers: Mapping[str, str]) -> Any:
        """The provider's answer as a stream."""
        own = {name: headers[name] for name in GIVEN if name in headers}
        plain = {"accept-encoding": "identity", "content-type": "application/json"}
        return self._client.stream("POST", self.upstream.url(path), content=json.dumps(dialects.countable(ask)).encode(),
                                   headers={**own, **plain, **self.upstream.headers})


class _Http(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    owner: Gateway

    def handle_error(self, request: Any, client_address: Any) -> None:
        """An agent that goes away is no news."""


class _Exchange(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 0

    def log_message(self, *_: Any) -> None:
        """Silent."""

    @property
    def gateway(self) -> Gateway:
        return cast(_Http, self.server).owner

    def address_string(self) -> str:
        return "agent"

    def do_HEAD(self) -> None:
        self._say(200, b"")

    def do_GET(self) -> None:
        self._content()  # a body that is left unread would be taken for the next request
        self._refuse(404, "this gateway answers requests to a model, and nothing else")

    def do_POST(self) -> None:
        content = self._content()
        if content is None:
            self._refuse(413, f"a request of more than {LARGEST >> 20} MB")
            return
        try:
            ask = dialects.read(self.path, content)
        except ValueError as fault:
            self._refuse(400, f"a request that cannot be read: {fault}")
            return
        if ask is None:
            self._refuse(404, f"this gateway knows no {self.path.partition('?')[0]}")
        elif ask.model not in self.gateway.models:
            self.gateway.ledger.refuse()
            self._turn_down(ask, f"the model {ask.model!r} is none of this stack's: {', '.join(sorted(self.gateway.models))}")
        elif (why := self.gateway.ledger.begin(step=ask.is_step)) is not None:
            self._turn_down(ask, why)
        else:
            self._pass_on(ask)

    def _turn_down(self, ask: Ask, why: str) -> None:
        self.gateway.exchanges.refused(ask, why)
        self._say(400, json.dumps(ask.dialect.refusal(why)).encode())

    def _pass_on(self, ask: Ask) -> None:
        """What breaks on the way to the provider is the provider's: 502, counted as failed, left to the agent to try again. An exchange
        is counted and written down before the agent knows that it is over, so that its next request meets the bounds as they are then."""
        begun, answer, status = time.monotonic(), Answer(ask), 502

        def conclude(trouble: str) -> None:
            answer.end()
            self.gateway.ledger.end(ask.dialect.provider, ask.model, status, answer.tokens if answer.counted else None)
            self.gateway.exchanges.passed(ask, answer, status, trouble, time.monotonic() - begun)

        try:
            with self.gateway.sent(ask, self.path, {name.lower(): value for name, value in self.headers.items()}) as response:
                status = response.status_code
                self._begin(response)
                for chunk in response.iter_raw():
                    answer.feed(chunk)
                    self._chunk(chunk)
        except httpx.HTTPError as fault:
            conclude(f"{type(fault).__name__}: {fault}")
            self._broken(status, f"{type(fault).__name__}: {fault}")
        except OSError as fault:
            conclude(f"the agent went away: {fault}")
            self.close_connection = True
        else:
            conclude("")
            self._chunk(b"")

    def _begin(self, response: httpx.Response) -> None:
        self.send_response(response.status_code)
        for name in PASSED_ON:
            if name in response.headers:
                self.send_header(name, response.headers[name])
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()

    def _broken(self, status: int, trouble: str) -> None:
        if status == 502:
            self._say(502, json.dumps({"error": {"message": f"the provider cannot be reached: {trouble}", "type": "api_error"}}).encode())
        else:
            self.close_connection = True  # in the middle of an answer: it stays cut, as it came

    def _chunk(self, content: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(content), content))

    def _refuse(self, status: int, words: str) -> None:
        self.gateway.ledger.refuse()
        self.gateway.exchanges.unknown(self.command, self.path, words)
        self._say(status, json.dumps({"error": {"message": words, "type": "not_found_error"}}).encode())

    def _say(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _content(self) -> bytes | None:
        if self.headers.get("transfer-encoding", "").lower() == "chunked":
            whole = b"".join(self._chunks())
            return whole if len(whole) <= LARGEST else None
        size = int(self.headers.get("content-length") or 0)
        if size > LARGEST:
            self.close_connection = True
            return None
        return self.rfile.read(size)

    def _chunks(self) -> Iterator[bytes]:
        taken = 0
        while taken <= LARGEST and (size := int(self.rfile.readline().split(b";")[0] or b"0", 16)):
            taken += size
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()


