"""The file server, over real sockets: what it gives, and everything that it refuses."""

import json
import os
import socket
import threading
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import pytest

from playproof_browser.served import LOGGED, Server, media_type

Ask = Callable[..., tuple[HTTPResponse, bytes]]


class Served:
    def __init__(self, folder: Path, proxy: bool) -> None:
        self.lines: list[dict[str, Any]] = []
        self.noted = threading.Condition()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        self.root = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        self.server = Server(self.listener, self.root, "127.0.0.1:8000", proxy, self.note)
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def note(self, line: str) -> None:
        with self.noted:
            self.lines.append(json.loads(line))
            self.noted.notify_all()

    def line(self, number: int) -> dict[str, Any]:
        """The log's line; it is written after the answer was sent, so it may have to be waited for."""
        with self.noted:
            assert self.noted.wait_for(lambda: len(self.lines) > number, timeout=5)
        return self.lines[number]

    def ask(self, method: str, target: str, headers: dict[str, str] | None = None, body: bytes | None = None) -> tuple[HTTPResponse, bytes]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.putrequest(method, "/", skip_host=True)
        connection._buffer[0] = f"{method} {target} HTTP/1.1".encode("latin-1")  # type: ignore[attr-defined]
        for name, value in (headers or {}).items():
            connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        read = answer.read()
        connection.close()
        return answer, read

    def close(self) -> None:
        self.server.shutdown()
        self.listener.close()
        os.close(self.root)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "secret.txt").write_text("secret")
    site = tmp_path / "site"
    (site / "assets").mkdir(parents=True)
    (site / "index.html").write_text("<title>home</title>")
    (site / "assets" / "index.html").write_text("<title>assets</title>")
    (site / "assets" / "größe 1.js").write_bytes(b"0123456789")
    (site / "bare").mkdir()
    (site / "bare" / "x.wasm").write_bytes(b"\0asm")
    (site / "link.txt").symlink_to(tmp_path / "secret.txt")
    (site / "inner.html").symlink_to("index.html")
    (site / "up").symlink_to(tmp_path)
    os.mkfifo(site / "fifo")
    return site


@pytest.fixture(params=[False], ids=["plain"])
def served(folder: Path, request: pytest.FixtureRequest) -> Iterator[Served]:
    served = Served(folder, request.param)
    yield served
    served.close()


@pytest.mark.parametrize(
    ("target", "kind", "body"),
    [
        ("/", "text/html; charset=utf-8", b"<title>home</title>"),
        ("/index.html?x=../..#y", "text/html; charset=utf-8", b"<title>home</title>"),
        ("/assets/", "text/html; charset=utf-8", b"<title>assets</title>"),
        ("/assets//gr%C3%B6%C3%9Fe%201.js", "text/javascript; charset=utf-8", b"0123456789"),
        ("/bare%2fx.wasm", "application/wasm", b"\0asm"),
    ],
)
def test_gives_files_with_their_type(served: Served, target: str, kind: str, body: bytes) -> None:
    answer, read = served.ask("GET", target)
    assert (answer.status, answer.headers["Content-Type"], read) == (200, kind, body)
    assert answer.headers["Cache-Control"] == "no-store"
    assert served.line(0) == {"method": "GET", "path": target, "status": 200, "bytes": len(body)}


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("/../secret.txt", 403), ("/assets/../../secret.txt", 403), ("/%2e%2e/secret.txt", 403), ("/..%2fsecret.txt", 403),
        ("/.%2E/secret.txt", 403), ("/assets/%2e%2e%2f%2e%2e%2fsecret.txt", 403), ("/./index.html", 403), ("/%252e%252e/secret.txt", 404),
        ("/..\\secret.txt", 404), ("/%2e%2e%5csecret.txt", 404), ("//etc/passwd", 404), ("/%2fetc%2fpasswd", 404),
        ("/index.html%00.js", 400),
        ("/link.txt", 404), ("/inner.html", 404), ("/up/secret.txt", 404), ("/up/", 404), ("/up/site/index.html", 404),
        ("/fifo", 404), ("/assets", 404), ("/bare/", 404), ("/bare", 404), ("/index.html/", 404), ("/nothing.js", 404),
        ("/" + "a" * 300, 404), ("/" + "a/" * 3000, 404), ("http://127.0.0.1:8000/", 400), ("index.html", 400), ("*", 400),
    ],
)  # fmt: skip
def test_gives_nothing_else(served: Served, target: str, status: int) -> None:
    answer, read = served.ask("GET", target)
    assert (answer.status, read) == (status, b"")
    noted = target.replace("//", "/") if target.startswith("//") else target[:2048]  # http.server takes a leading pair for one
    assert served.line(0) == {"method": "GET", "path": noted, "status": status, "bytes": 0}


@pytest.mark.parametrize(
    ("asked", "status", "body", "content_range"),
    [
        ("bytes=2-4", 206, b"234", "bytes 2-4/10"),
        ("bytes=7-", 206, b"789", "bytes 7-9/10"),
        ("bytes=-3", 206, b"789", "bytes 7-9/10"),
        ("bytes=0-99", 206, b"0123456789", "bytes 0-9/10"),
        ("bytes=10-", 416, b"", None),
        ("bytes=0-1,4-5", 200, b"0123456789", None),
        ("lines=1-2", 200, b"0123456789", None),
        ("bytes=x-y", 200, b"0123456789", None),
    ],
)
def test_gives_a_part_as_media_elements_ask(served: Served, asked: str, status: int, body: bytes, content_range: str | None) -> None:
    answer, read = served.ask("GET", "/assets/gr%C3%B6%C3%9Fe%201.js", {"Range": asked})
    assert (answer.status, read, answer.headers["Content-Range"]) == (status, body, content_range)


def test_reads_only(served: Served) -> None:
    answer, read = served.ask("HEAD", "/index.html")
    assert (answer.status, answer.headers["Content-Length"], read) == (200, "19", b"")
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
        answer, _ = served.ask(method, "/index.html", {"Content-Length": "4"}, b"body")
        assert answer.status == 405
    assert served.line(0) == {"method": "HEAD", "path": "/index.html", "status": 200, "bytes": 0}
    assert [served.line(number)["method"] for number in range(1, 6)] == ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"]


def test_a_web_socket_is_no_way_in(served: Served) -> None:
    answer, _ = served.ask("GET", "/", {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Key": "x"})
    assert answer.status == 200
    assert "Upgrade" not in answer.headers


@pytest.mark.parametrize("served", [True], indirect=True, ids=["proxy"])
def test_as_a_proxy_it_answers_for_its_own_origin_alone(served: Served) -> None:
    answer, read = served.ask("GET", "http://127.0.0.1:8000/index.html?a")
    assert (answer.status, read) == (200, b"<title>home</title>")
    assert served.line(0) == {"method": "GET", "path": "/index.html?a", "status": 200, "bytes": 19}
    elsewhere = [
        ("GET", "http://127.0.0.1:8001/"), ("GET", "http://localhost:8000/"), ("GET", "http://127.0.0.1:8000.example/"),
        ("GET", "http://u@127.0.0.1:8000/"), ("GET", "https://127.0.0.1:8000/"), ("GET", f"http://127.0.0.1:{served.port}/"),
        ("GET", "/index.html"), ("POST", "http://example.com/"), ("CONNECT", "127.0.0.1:8000"), ("CONNECT", "example.com:443"),
    ]  # fmt: skip
    for number, (method, address) in enumerate(elsewhere, start=1):
        answer, read = served.ask(method, address)
        assert (answer.status, read) == (403, b""), address
        assert served.line(number) == {"event": "refused", "method": method, "address": address}


def test_a_flood_does_not_fill_the_log(served: Served) -> None:
    for _ in range(LOGGED + 10):
        served.server.note("GET", "/", 200, 1)
    assert len(served.lines) == LOGGED + 1
    assert served.lines[-1] == {"event": "log-full", "kept": LOGGED}


def test_types_do_not_depend_on_the_machine() -> None:
    assert media_type("a.MJS") == "text/javascript; charset=utf-8"
    assert media_type("model.glb") == "model/gltf-binary"
    assert media_type("noext") == media_type(".hidden") == "application/octet-stream"
