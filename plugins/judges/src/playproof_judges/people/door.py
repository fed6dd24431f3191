"""A small web server behind a token: who does not know the token sees nothing, and no other page can act in a rater's name.

The token comes once, in the address, and becomes a cookie that scripts cannot read and other sites cannot send. A form needs a second
token that stands in our own pages alone. The Host header must be one of ours, so that no other name can be pointed at us."""

import hmac
import ipaddress
import os
import secrets
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, BinaryIO, Protocol
from urllib.parse import parse_qs, urlencode, urlsplit

from attrs import define, field
from markupsafe import escape

from playproof.errors import UsageError
from playproof_judges.people.answers import HEADERS, Answer, Query, Refused, plain_page, refuse, span

LARGEST = 256 << 10
"""Bytes of a form; a note is a few thousand characters at most."""

FIELDS = 500
TRIES = 60
"""Wrong tokens in all, after which no token is taken any more: a short one, typed on a device, cannot be guessed."""

class Site(Protocol):
    """What stands behind the door. Both raise Refused."""

    def get(self, path: str, query: Query, device: str) -> Answer: ...
    def post(self, path: str, form: Query, device: str) -> Answer: ...


@define
class Token:
    """What opens a door: `value` in the address, `cookie` afterwards, `form` in each form. The three tell nothing of each other."""

    value: str = field(factory=lambda: secrets.token_urlsafe(24))
    _wrong: int = 0
    _key: bytes = field(factory=lambda: secrets.token_bytes(32))
    _lock: threading.Lock = field(factory=threading.Lock)

    @property
    def cookie(self) -> str:
        return self._derived("cookie")

    @property
    def form(self) -> str:
        return self._derived("form")

    def opens(self, said: str) -> bool:
        with self._lock:
            right = hmac.compare_digest(said.encode(), self.value.encode()) and self._wrong < TRIES
            self._wrong += not right
            return right

    def _derived(self, what: str) -> str:
        return hmac.new(self._key, what.encode(), "sha256").hexdigest()


def bound(address: str, *, lan: bool) -> str:
    """The address to listen at. Raises UsageError for one that others can reach, unless `lan` says that they shall."""
    try:
        own = ipaddress.ip_address(address).is_loopback
    except ValueError:
        raise UsageError(f"{address!r} is no IP address to listen at") from None
    if not own and not lan:
        raise UsageError(f"{address}: pages for raters are served on loopback alone, where nobody else can reach them")
    return address


class Door(ThreadingHTTPServer):
    """Serves one site. `names`: the names and addresses by which it may be called; with `tls` it speaks HTTPS."""

    daemon_threads = True

    def __init__(self, address: str, port: int, site: Site, token: Token, *, names: Sequence[str] = ("127.0.0.1", "localhost"),
                 lan: bool = False, tls: ssl.SSLContext | None = None) -> None:
        try:
            super().__init__((bound(address, lan=lan), port), Visitor)
        except OSError as fault:
            raise UsageError(f"cannot listen at {address}, port {port}: {fault.strerror}") from None
        self.site, self.token, self.tls = site, token, tls
        self._open: set[socket.socket] = set()
        self.port = int(self.server_address[1])
        self.origins = frozenset(f"{'https' if tls else 'http'}://{name.lower()}:{self.port}" for name in names)
        self.cookie = f"playproof-{self.port}"  # by port, because cookies are not kept apart by it

    def address(self, name: str = "127.0.0.1", path: str = "/") -> str:
        """Where it is entered."""
        return f"{'https' if self.tls else 'http'}://{name}:{self.port}{path}?{urlencode({'token': self.token.value})}"

    def start(self) -> None:
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def stop(self) -> None:
        """No more visitors, and those that are there are sent away: a page must not seem to save what nobody serves."""
        self.shutdown()
        self.server_close()
        for spoken in list(self._open):
            with suppress(OSError):
                spoken.shutdown(socket.SHUT_RDWR)

    def server_bind(self) -> None:
        """As the socket server's own: the web server's would look up our name in the network."""
        if self.allow_reuse_address:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = "playproof", self.server_address[1]

    def finish_request(self, request: Any, client_address: Any) -> None:
        """In the visitor's own thread, so that a slow handshake keeps nobody else waiting."""
        request.settimeout(Visitor.timeout)
        with self.tls.wrap_socket(request, server_side=True) if self.tls else nullcontext(request) as spoken:
            self._open.add(spoken)
            try:
                super().finish_request(spoken, client_address)
            finally:
                self._open.discard(spoken)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that hangs up in the middle, or speaks no TLS, is no news."""


class Visitor(BaseHTTPRequestHandler):
    """One connection. Whatever is wrong with a request is answered before anything of it is believed."""

    protocol_version = "HTTP/1.1"
    timeout = 30
    server: Door

    def do_GET(self) -> None:
        self._answer(self._get)

    do_HEAD = do_GET

    def do_POST(self) -> None:
        self._answer(self._post)

    def other(self) -> None:
        self._answer(lambda: refuse(405, "This page is read and written by GET and POST alone."))

    do_PUT = do_DELETE = do_PATCH = do_OPTIONS = do_TRACE = do_CONNECT = other

    def _answer(self, act: Callable[[], Answer]) -> None:
        try:
            if self.headers.get_all("Host", []) not in [[origin.partition("://")[2]] for origin in self.server.origins]:
                refuse(421, "This server does not go by that name.")
            answer = act()
        except Refused as refused:
            self.close_connection = True  # a body that was not read may still be on its way
            answer = plain_page(refused.status, refused.words)
        except Exception as fault:  # noqa: BLE001 - one request must not end a rater's session; told where it was started
            sys.stderr.write(f"playproof: {self.command} {self.path[:200]!r}: {type(fault).__name__}: {fault}\n")
            self.close_connection = True
            answer = plain_page(500, "Something went wrong here. What was saved before is kept.")
        self._send(answer)

    def _get(self) -> Answer:
        path, query = self._target()
        if "token" in query:
            return self._let_in(path, query["token"][-1])
        self._known()
        return self.server.site.get(path, query, self._device())

    def _post(self) -> Answer:
        path, _ = self._target()
        self._known()
        origin = self.headers.get("Origin")
        foreign = origin is not None and origin.lower() not in self.server.origins
        if foreign or self.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
            refuse(403, "This form was sent by another page.")
        form = self._form()
        if not hmac.compare_digest(form.get("token", [""])[-1].encode(), self.server.token.form.encode()):
            refuse(403, "This form is not of this session: open the page again.")
        return self.server.site.post(path, form, self._device())

    def _target(self) -> tuple[str, Query]:
        parts = urlsplit(self.path)
        if not self.path.startswith("/") or self.path.startswith("//"):
            refuse(400, "That is no path of this server.")
        try:
            return parts.path, parse_qs(parts.query, keep_blank_values=True, max_num_fields=FIELDS)
        except ValueError:
            refuse(400, "That is no query.")

    def _let_in(self, path: str, said: str) -> Answer:
        if not self.server.token.opens(said):
            refuse(403, "The token in this address is not the one of this session. The right address was printed where it was started.")
        secure = "; Secure" if self.server.tls else ""
        cookie = f"{self.server.cookie}={self.server.token.cookie}; Path=/; HttpOnly; SameSite=Strict{secure}"
        # a page that leads on, because a redirect would be the other site's when the address was followed from one
        to = escape(path)
        page = f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={to}"><a href="{to}">go on</a>'
        return Answer(page.encode(), headers={"Set-Cookie": cookie})

    def _known(self) -> None:
        """Any cookie of our name may be the one: a page at another port of this host can add to them, though it cannot read them."""
        pairs = [one.strip().partition("=") for line in self.headers.get_all("Cookie", []) for one in line.split(";")]
        held = [value for name, _, value in pairs if name == self.server.cookie]
        if not any(hmac.compare_digest(value.encode(), self.server.token.cookie.encode()) for value in held):
            refuse(403, "Open this page by the address with the token that was printed where it was started.")

    def _form(self) -> Query:
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal()) or "Transfer-Encoding" in self.headers:
            refuse(411, "A form says how long it is.")
        if len(length) > 12 or int(length) > LARGEST:
            refuse(413, f"A form has {LARGEST:,} bytes at most.")
        if self.headers.get_content_type() != "application/x-www-form-urlencoded":
            refuse(415, "A form is sent as application/x-www-form-urlencoded.")
        try:
            body = self.rfile.read(int(length)).decode()
            return parse_qs(body, keep_blank_values=True, max_num_fields=FIELDS)
        except ValueError:
            refuse(400, "That is no form.")

    def _device(self) -> str:
        return "".join(one for one in self.headers.get("User-Agent", "")[:200] if one.isascii() and one.isprintable())

    def _send(self, answer: Answer) -> None:
        with answer.open() as content:
            size = content.seek(0, os.SEEK_END)
            try:
                part = span(self.headers.get("Range"), size) if answer.status == 200 else None
            except Refused as refused:
                self._send(plain_page(refused.status, refused.words))
                return
            start, end = part or (0, size - 1)
            headers = {"Content-Type": answer.media_type, "Content-Length": str(end - start + 1), "Accept-Ranges": "bytes",
                       **answer.headers}
            if part:
                headers["Content-Range"] = f"bytes {start}-{end}/{size}"
            if self.close_connection:
                headers["Connection"] = "close"
            self.send_response_only(206 if part else answer.status)
            for name, value in {**HEADERS, **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                content.seek(start)
                self._copy(content, end - start + 1)

    def _copy(self, content: BinaryIO, left: int) -> None:
        while left > 0 and (chunk := content.read(min(1 << 18, left))):
            self.wfile.write(chunk)
            left -= len(chunk)

    def log_message(self, format: str, *args: Any) -> None:
        """Addresses hold a token: nothing is logged."""
