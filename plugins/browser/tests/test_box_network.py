"""No page reaches this machine or any other: real listeners on the host's loopback, and every way out that a page has."""

import json
import os
import selectors
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser

from playproof_browser.box import Box, BoxOptions
from playproof_browser.driver import playwright
from playproof_browser.finding import find
from playproof_browser.served import Server

pytestmark = pytest.mark.heavy

SITE = Path(__file__).parent / "hostile"
UDP = ("webrtc_udp", "webtransport")
TCP = (
    "fetch", "keepalive", "localhost", "xhr", "websocket", "eventsource", "beacon", "webrtc_tcp", "img", "script", "style", "video",
    "iframe", "object", "prefetch", "preload", "modulepreload", "preconnect", "dns_prefetch", "imports", "popup", "worker_fetch",
    "worker_websocket", "shared_worker", "service_worker", "form", "ping",
)  # fmt: skip
SILENT = {"dns_prefetch", "preconnect"}
"""No connection even where nothing is refused: an address needs no look-up, and a private context does not connect ahead."""


class Listeners:
    """One socket on the host's loopback for each way out; counts what arrives and answers nothing."""

    def __init__(self) -> None:
        self.heard: Counter[str] = Counter()
        self.ports: dict[str, int] = {}
        self._selector = selectors.DefaultSelector()
        for kind in (*TCP, *UDP):
            heard = socket.socket(socket.AF_INET, socket.SOCK_DGRAM if kind in UDP else socket.SOCK_STREAM)
            heard.bind(("127.0.0.1", 0))
            if kind in TCP:
                heard.listen(16)
            self.ports[kind] = heard.getsockname()[1]
            self._selector.register(heard, selectors.EVENT_READ, kind)
        self._ended, self._end = os.pipe()
        self._selector.register(self._ended, selectors.EVENT_READ, None)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            for key, _ in self._selector.select():
                if key.data is None:
                    return
                self.heard[key.data] += 1
                if key.data in UDP:
                    key.fileobj.recv(4096)  # type: ignore[union-attr]
                else:
                    key.fileobj.accept()[0].close()  # type: ignore[union-attr]

    def close(self) -> None:
        os.write(self._end, b"x")


@pytest.fixture
def listeners() -> Iterator[Listeners]:
    listeners = Listeners()
    yield listeners
    listeners.close()


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return find(tmp_path_factory.mktemp("cache"), os.environ).path


def visit(browser: Browser, origin: str, listeners: Listeners) -> None:
    page = browser.new_context().new_page()
    page.goto(f"{origin}/#{quote(json.dumps(listeners.ports))}")
    page.wait_for_function("document.title === 'tried'", timeout=30_000)


def test_the_page_gets_out_where_nothing_holds_it(chromium: Path, listeners: Listeners) -> None:
    """The control: without it a mistake in the page would pass for protection."""
    lines: list[str] = []
    listener = socket.create_server(("127.0.0.1", 0))
    server = Server(listener, os.open(SITE, os.O_RDONLY), "", False, lines.append)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = playwright().chromium.launch(executable_path=chromium, args=["--no-sandbox"])
    try:
        visit(browser, f"http://127.0.0.1:{listener.getsockname()[1]}", listeners)
    finally:
        browser.close()
        server.shutdown()
        listener.close()
    assert {*TCP, *UDP} - set(listeners.heard) == SILENT


@pytest.mark.parametrize("boxed", [True, False], ids=["box", "proxy"])
def test_no_connection_leaves(chromium: Path, listeners: Listeners, tmp_path: Path, boxed: bool) -> None:
    with Box(SITE, tmp_path, chromium, BoxOptions(boxed=boxed)) as box:
        visit(box.browser, box.origin, listeners)
        served = {request.path.partition("?")[0] for request in box.requests() if request.status == 200}
        assert served == {"/", "/worker.js"}
        assert box.protection.promises["network"] is boxed
        assert ("weaker" in box.protection.words) is not boxed
    assert listeners.heard == Counter()
