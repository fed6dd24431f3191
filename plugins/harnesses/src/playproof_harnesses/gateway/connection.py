"""One connection of an agent to its gateway. What stands in a request is hostile: every length is bounded before anything is read."""

import json
import time
from http.server import BaseHTTPRequestHandler
from typing import Any, cast

import httpx
import structlog

from playproof_harnesses.gateway import dialects
from playproof_harnesses.gateway.answers import Answer
from playproof_harnesses.gateway.dialects import Ask
from playproof_harnesses.gateway.server import Gateway, Listener

LARGEST = 64 << 20
"""Bytes of a request; an agent that sends more is refused."""
LONGEST_LINE = 1024
PASSED_ON = ("content-type", "retry-after", "request-id", "x-request-id")
"""Headers of an answer that agents act on."""
BROKEN = 502


class TooLarge(ValueError):
    pass


class Connection(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 700.0
    """Seconds without a byte from the agent, after which its connection is closed."""

    def log_message(self, *_: Any) -> None:
        """Silent."""

    def address_string(self) -> str:
        return "agent"

    @property
    def gateway(self) -> Gateway:
        return cast(Listener, self.server).owner

    def do_HEAD(self) -> None:
        self._say(200, b"")

    def do_GET(self) -> None:
        if self._content() is not None:  # a body that is left unread would be taken for the next request
            self._refuse(404, "this gateway answers requests to a model, and nothing else")

    def do_POST(self) -> None:
        if (content := self._content()) is None:
            return
        try:
            ask = dialects.read(self.path, content)
        except (ValueError, RecursionError) as fault:
            self._refuse(400, f"a request that cannot be read: {fault}")
            return
        if ask is None:
            self._refuse(404, f"this gateway knows no {self.path.partition('?')[0][:200]!r}")
        elif (why := self.gateway.refusal(ask)) is not None:
            self.gateway.exchanges.refused(ask, why)
            self._say(400, json.dumps(ask.dialect.refusal(why)).encode())
        else:
            self._pass_on(ask)

    # --- to the provider and back ---

    def _pass_on(self, ask: Ask) -> None:
        """What breaks on the way to the provider is the provider's: counted as failed, left to the agent to try again. An exchange is
        counted and written down before the agent knows that it is over, so that its next request meets the bounds as they are then."""
        begun, answer, status, trouble = time.monotonic(), Answer(ask), BROKEN, ""
        begins = False
        try:
            with self.gateway.sent(ask, {name.lower(): value for name, value in self.headers.items()}) as response:
                status, answer.events = response.status_code, "event-stream" in response.headers.get("content-type", "")
                self._give(lambda: self._begin(response))
                begins = True
                for chunk in self.gateway.heard(response):
                    answer.feed(chunk)  # to its end, though the agent may be gone: it is counted, because it is paid
                    self._give(lambda chunk=chunk: self._chunk(chunk))
        except httpx.HTTPError as fault:
            status, trouble = BROKEN, type(fault).__name__
        except Exception as fault:  # noqa: BLE001 - the edge of a thread: whatever it is, a request that has begun must end in the count
            status, trouble = BROKEN, type(fault).__name__
            structlog.get_logger().warning("gateway", trouble=trouble)
        answer.end()
        status = BROKEN if answer.failed and status < 400 else status
        self.gateway.ledger.end(ask.dialect.provider, ask.model, status, answer.tokens if answer.counted else None,
                                answered=bool(answer.kept))
        self.gateway.exchanges.passed(ask, answer, status, trouble, time.monotonic() - begun)
        if trouble and not begins:
            told = {"error": {"message": f"the provider cannot be reached: {trouble}", "type": "api_error"}}
            self._give(lambda: self._say(BROKEN, json.dumps(told).encode()))
        elif trouble:
            self.close_connection = True  # in the middle of an answer: it stays cut, as it came
        else:
            self._give(lambda: self._chunk(b""))

    def _give(self, write: Any) -> None:
        """To the agent, unless it has gone. While it does not read, nobody waits for the provider."""
        if self._gone:
            return
        self.gateway.ledger.unread(1)
        try:
            write()
        except OSError:
            self._gone = self.close_connection = True
        finally:
            self.gateway.ledger.unread(-1)

    _gone = False

    def _begin(self, response: httpx.Response) -> None:
        self.send_response(response.status_code)
        for name in PASSED_ON:
            if name in response.headers:
                self.send_header(name, self.gateway.upstream.hide(response.headers[name]))
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()

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

    # --- from the agent ---

    def _content(self) -> bytes | None:
        """The body; None where it is none that can be taken: then it has been refused, and the connection ends."""
        try:
            if self.headers.get("transfer-encoding", "").lower() == "chunked":
                return self._chunks()
            size = self._size(self.headers.get("content-length") or "0", 10)
            if size > LARGEST:
                raise TooLarge
            return self.rfile.read(size)
        except ValueError as fault:
            self.close_connection = True
            large = isinstance(fault, TooLarge)
            self._refuse(413 if large else 400, f"a request of more than {LARGEST >> 20} MB" if large else f"no length: {fault}")
            return None

    def _chunks(self) -> bytes:
        whole = bytearray()
        while size := self._size(self.rfile.readline(LONGEST_LINE).split(b";")[0].decode("latin-1").strip(), 16):
            if len(whole) + size > LARGEST:
                raise TooLarge
            whole += self.rfile.read(size)
            self.rfile.readline(LONGEST_LINE)
        self.rfile.readline(LONGEST_LINE)
        return bytes(whole)

    @staticmethod
    def _size(text: str, base: int) -> int:
        if not text.isalnum() or not text.isascii():
            raise ValueError(f"{text[:40]!r} is no length")
        return int(text, base)
