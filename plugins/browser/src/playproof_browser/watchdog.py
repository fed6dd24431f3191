"""A bound on every call into a page. A page that loops answers nothing, and Playwright's calls would wait for ever."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Error

from playproof.errors import SessionHung, SessionLost


class PageHang(SessionHung):
    """The page did not answer in time; its browser has been ended, which alone interrupts every kind of call."""


class PageCrash(SessionLost):
    """The page's renderer or the whole browser died."""


class Watchdog:
    """Ends the browser by `kill` when a call takes too long, and says of a failed call whose failure it was."""

    def __init__(self, kill: Callable[[], None]) -> None:
        self._kill = kill
        self._crashed = False
        self._bitten = False

    def mourn(self) -> None:
        """The page's renderer has died. Calls that wait for it would wait on, so the browser is ended as well."""
        self._crashed = True
        self._kill()

    @contextmanager
    def within(self, limit_s: float, doing: str) -> Iterator[None]:
        """Raises PageHang after `limit_s` wall seconds, PageCrash when the page or its browser dies meanwhile."""
        if self._bitten:
            raise PageHang(f"{doing}: the page has hung before")
        if self._crashed:
            raise PageCrash(f"{doing}: the page has crashed before")
        timer = threading.Timer(limit_s, self._bite)
        timer.daemon = True
        timer.start()
        try:
            yield
        except Error as error:
            if self._bitten:
                raise PageHang(f"{doing}: no answer within {limit_s:g} s") from None
            if self._crashed or "crash" in error.message or "has been closed" in error.message:
                raise PageCrash(f"{doing}: {error.message.splitlines()[0]}") from None
            raise
        finally:
            timer.cancel()
        if self._bitten:
            raise PageHang(f"{doing}: no answer within {limit_s:g} s")
        if self._crashed:
            raise PageCrash(f"{doing}: the page has crashed")

    def _bite(self) -> None:
        self._bitten = True
        self._kill()
