"""Playwright, started once for each thread that asks: its connection belongs to one thread."""

import atexit
import os
import threading

from playwright.sync_api import Playwright, sync_playwright

_started: dict[tuple[int, int], Playwright] = {}


def playwright() -> Playwright:
    """The running Playwright of this thread, started on first use and stopped when the process ends.

    The key bears the process id, because a forked child inherits the table but not the connection."""
    key = (os.getpid(), threading.get_ident())
    if key not in _started:
        _started[key] = sync_playwright().start()
        atexit.register(stop, key)
    return _started[key]


def stop(key: tuple[int, int] | None = None) -> None:
    """Stop this thread's Playwright, if it runs; only the thread that started it can."""
    key = key or (os.getpid(), threading.get_ident())
    if key == (os.getpid(), threading.get_ident()) and (running := _started.pop(key, None)):
        running.stop()
