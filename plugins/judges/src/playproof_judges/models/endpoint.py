"""One address of a provider: a request goes out, its stream comes back, with every kind of trouble on the way."""

import contextlib
import json
import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

import httpx
from attrs import Factory, frozen

from playproof.canonical import short
from playproof.errors import ModelUnavailable, NotAllowed
from playproof.interfaces import Services
from playproof_judges.models.events import Event, events
from playproof_judges.models.faults import Who, of_answer
from playproof_judges.models.patience import Passing, Patience, Pause
from playproof_judges.models.secret import Hiding, Secret
from playproof_judges.models.settings import Settings, address, is_local

T = TypeVar("T")

CONNECT_S = 15.0
LARGEST = 64 << 20
"""Bytes of one reply: beyond, it is no reply of a model."""

ERROR_BYTES = 64 << 10
"""How much of an error's body is read."""


@frozen
class Home:
    """A provider: its own address, the variable that holds its key, and the header that carries it."""

    url: str
    variable: str
    header: str
    prefix: str = ""
    headers: Mapping[str, str] = Factory(dict)


class Endpoint:
    """Thread-safe. A provider's own key is sent to the provider's own address alone; anywhere else goes what `key` names."""

    def __init__(self, driver: str, home: Home, settings: Settings, services: Services, pause: Pause | None = None) -> None:
        self.driver, self.home, self.settings = driver, home, settings
        self.own = not settings.base_url or settings.base_url.rstrip("/") == home.url
        self.url = address(settings.base_url or home.url, driver)
        self._services = services
        self._closed = threading.Event()
        self._pause = pause or self._closed.wait
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None
        services.exits.callback(self._close)

    def exchange(self, path: str, body: Mapping[str, Any], read: Callable[[Iterator[Event]], T]) -> T:
        """Send, and let `read` make a value of the stream, again from the beginning after each fault that passes.

        Raises ModelUnavailable, RequestRejected or TooLarge. `read` raises Passing for a stream that is not whole."""
        who = Who(self.driver, self.settings.model, str(self.url), self.secret())
        patience = Patience(str(who), self.settings.retries, self.settings.patience_s, self._pause)
        while True:
            done = self._try(who, path, body, read, min(self.settings.wall_s, max(0.1, patience.left_s)))
            if not isinstance(done, Passing):
                return done
            if self._closed.is_set():
                raise ModelUnavailable(f"{who}: closed while a request was on its way")
            patience.wait(done)

    def secret(self) -> Secret:
        """The key. Raises RequestRejected where one is wanted and there is none."""
        variable = self.settings.key if self.settings.key is not None else self.home.variable if self.own else ""
        found = Secret(variable, ((self._services.secret(variable) or "") if variable else "").strip())
        if variable and not found:
            raise NotAllowed(f"{self.driver} {self.settings.model!r}: no key; set the environment variable {variable}")
        if not found.usable:
            raise NotAllowed(f"{self.driver}: what {variable} holds is no key: it has characters that no key has")
        return found

    def _try(self, who: Who, path: str, body: Mapping[str, Any], read: Callable[[Iterator[Event]], T], wall_s: float) -> T | Passing:
        """One try. A fault of the transport is told in our own words: httpx's errors carry the request, and with it the key."""
        until = time.monotonic() + wall_s
        idle_s = min(self.settings.idle_s, wall_s)
        timeout = httpx.Timeout(idle_s, connect=min(CONNECT_S, idle_s), pool=None)
        try:
            http, headers = self._http(who.key), self._headers(who.key)
            with http.stream("POST", f"{self.url}{path}", content=_spelled(body), headers=headers, timeout=timeout) as answer:
                return self._read(who, answer, read, until)
        except Passing as fault:
            return Passing(who.key.hide(fault.what), fault.after_s)
        except httpx.TimeoutException as fault:
            what = "no connection" if isinstance(fault, httpx.ConnectTimeout) else "silence"
            return Passing(f"{what} for {idle_s:g} s")
        except httpx.RequestError as fault:
            return Passing(who.key.hide(f"{type(fault).__name__}: {short(str(fault), 200)}"))
        except RuntimeError:
            if self._closed.is_set():  # httpx says so of a client that was closed meanwhile
                return Passing("closed")
            raise

    def _read(self, who: Who, answer: httpx.Response, read: Callable[[Iterator[Event]], T], until: float) -> T:
        if answer.status_code != 200:
            raise of_answer(who, answer.status_code, answer.headers, _beginning(answer))
        kind = answer.headers.get("content-type", "").partition(";")[0].strip()
        if kind != "text/event-stream":
            raise Passing(f"it answers with {kind or 'no type'}, no event stream: {short(' '.join(_beginning(answer).split()), 80)}")
        try:
            return read(events(_bounded(answer.iter_bytes(), until)))
        except (LookupError, TypeError, AttributeError, ValueError) as fault:
            what = f"{type(fault).__name__}: {short(str(fault), 80)}"
        raise Passing(f"its stream is not of this protocol ({what})")

    def _headers(self, key: Secret) -> Mapping[str, str]:
        own = {self.home.header: key.header(self.home.prefix)} if key else {}
        return {"content-type": "application/json", **self.home.headers, **own}

    def _http(self, key: Secret) -> httpx.Client:
        with self._lock:
            if self._client is None:
                limits = httpx.Limits(max_connections=None, max_keepalive_connections=self.settings.limit, keepalive_expiry=30)
                # Proxies and certificates of the user's hold, but for a server on this machine. Without TLS, the certificates
                # are not even read: that takes 0.1 s.
                local = is_local(self.url)
                verify = not (local and self.url.scheme == "http")
                self._client = httpx.Client(limits=limits, trust_env=not local, verify=verify, follow_redirects=False)
                for name in Hiding.LOGGERS if key else ():
                    self._hide(logging.getLogger(name), Hiding(key))
            return self._client

    def _hide(self, logger: logging.Logger, hiding: Hiding) -> None:
        logger.addFilter(hiding)
        self._services.exits.callback(logger.removeFilter, hiding)

    def _close(self) -> None:
        self._closed.set()
        with self._lock:
            if self._client is not None:
                self._client.close()


def _spelled(body: Mapping[str, Any]) -> bytes:
    """As JSON. Half a letter (a lone surrogate, as a submission's names may have) is sent as a question mark: endpoints refuse it,
    and nobody shall be unjudged by a name."""
    return json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")


def _bounded(chunks: Iterable[bytes], until: float) -> Iterator[bytes]:
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > LARGEST:
            raise Passing(f"it sends more than {LARGEST >> 20} MiB")
        if time.monotonic() > until:
            raise Passing("it was still speaking when its time was over")
        yield chunk


def _beginning(answer: httpx.Response) -> str:
    found = b""
    with contextlib.suppress(httpx.HTTPError):
        for chunk in answer.iter_bytes():
            found += chunk
            if len(found) > ERROR_BYTES:
                break
    return found.decode("utf-8", "replace")
