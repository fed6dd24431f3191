"""The server: HTTP/1.1 on loopback, one thread for each request, answers from a script or a function."""

import json
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self, cast

from playproof.model import Ref
from playproof_judges.testing import dialects
from playproof_judges.testing.steps import Asked, Fail, Step, Turn

HANG_S = 60.0
"""How long a silence lasts at most; a server that is closed ends it at once."""


class Server:
    """A context manager. `asked` are the requests so far; `script(...)` adds steps. A request beyond the script gets status 418,
    which no model tries again."""

    def __init__(self, answer: Sequence[Step] | Callable[[Asked], Step] = ()) -> None:
        self.asked: list[Asked] = []
        self.closed = threading.Event()
        self.most_at_once = 0
        self._steps = [] if callable(answer) else list(answer)
        self._answer = answer if callable(answer) else None
        self._at_once = 0
        self._lock = threading.Lock()
        self._http = _Http(("127.0.0.1", 0), _Exchange)
        self._http.owner = self

    def __enter__(self) -> Self:
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closed.set()
        self._http.shutdown()
        self._http.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def ref(self, driver: str, **options: Any) -> Ref:
        """A model of that driver which asks here."""
        base = self.url + {"anthropic": "", "gemini": "/v1beta"}.get(driver, "/v1")
        return Ref(driver, {"model": "test-model", "base_url": base, **options})

    def script(self, *steps: Step) -> None:
        self._steps += steps

    def step(self, asked: Asked) -> Step:
        with self._lock:
            self.asked.append(asked)
            if self._answer is None:
                return self._steps.pop(0) if self._steps else Fail(418, "the script has ended")
        return self._answer(asked)

    def busy(self, change: int) -> None:
        with self._lock:
            self._at_once += change
            self.most_at_once = max(self.most_at_once, self._at_once)


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    owner: Server

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is no news here."""


class _Exchange(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_: Any) -> None:
        """Silent."""

    def do_POST(self) -> None:
        owner = cast(_Http, self.server).owner
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked("unknown", self.path, headers, {})
        owner.busy(+1)
        try:
            try:
                asked = dialects.read(self.path, headers, json.loads(body))
                step = owner.step(asked)
            except Exception as fault:  # noqa: BLE001 - a test's own function, or a request that is none: told, not tried again
                step = Fail(418, f"the server's answer raised {type(fault).__name__}: {fault}")
            if isinstance(step, Fail):
                self._fail(step, asked, owner)
            else:
                self._stream(step, asked, owner)
        finally:
            owner.busy(-1)

    def _fail(self, step: Fail, asked: Asked, owner: Server) -> None:
        if step.hang:
            owner.closed.wait(HANG_S)
        if step.hang or step.drop:
            self._break()
            return
        words = step.message.replace("{key}", asked.key)
        body = step.body.replace("{key}", asked.key) if step.body is not None else dialects.error(asked.protocol, step, words)
        self._begin(step.status, {"content-type": "application/json" if step.body is None else "text/html",
                                  "content-length": str(len(body.encode())), **step.headers}, asked)
        self.wfile.write(body.encode())

    def _stream(self, step: Turn, asked: Asked, owner: Server) -> None:
        events = dialects.events(asked, step, len(owner.asked))
        if step.junk:
            events.insert(len(events) // 2, "data: {this is no JSON\n\n")
        if step.fault:
            events[step.fault[0] :] = [dialects.fault(asked.protocol, *step.fault[1:])]
        self._begin(200, {"content-type": "text/event-stream", "transfer-encoding": "chunked", **step.headers}, asked)
        for number, event in enumerate(events):
            if step.cut == number and not step.gently:
                self._break()
                return
            if step.cut == number:
                break
            if step.silent == number:
                owner.closed.wait(HANG_S)
                self._break()
                return
            said = event.replace("{key}", asked.key).encode()
            self._chunk(said[: len(said) // 2])  # in two pieces, wherever the middle is: in the middle of a letter, too
            self._chunk(said[len(said) // 2 :])
            if step.gap_s:
                owner.closed.wait(step.gap_s)
        self._chunk(b"")

    def _begin(self, status: int, headers: Mapping[str, str], asked: Asked) -> None:
        self.send_response(status, "On purpose")
        for name, value in headers.items():
            self.send_header(name, value.replace("{key}", asked.key))
        self.end_headers()

    def _chunk(self, content: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(content), content))
        self.wfile.flush()

    def _break(self) -> None:
        """Close the connection in the middle of whatever is being said."""
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)
