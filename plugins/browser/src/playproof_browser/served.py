"""The file server of the box: a folder over HTTP, read only. Standard library alone, since it runs inside the box.

It opens every path component by component below the folder's descriptor and follows no link, so nothing outside can be
named. In the fallback without a box it is the browser's proxy as well: it answers for its own origin and refuses all else.
"""

import json
import os
import socket
import stat
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler
from socketserver import BaseServer, ThreadingMixIn
from typing import BinaryIO
from urllib.parse import unquote_to_bytes, urlsplit

LOGGED = 20_000
"""Requests written to the log; a page that floods the server must not fill the disk."""

TYPES = {
    "html": "text/html", "htm": "text/html", "js": "text/javascript", "mjs": "text/javascript", "css": "text/css",
    "txt": "text/plain", "md": "text/markdown", "csv": "text/csv", "vtt": "text/vtt", "xml": "text/xml",
    "json": "application/json", "map": "application/json", "webmanifest": "application/manifest+json",
    "wasm": "application/wasm", "pdf": "application/pdf", "svg": "image/svg+xml", "png": "image/png",
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp", "avif": "image/avif",
    "ico": "image/x-icon", "bmp": "image/bmp", "ktx2": "image/ktx2", "hdr": "image/vnd.radiance", "mp3": "audio/mpeg",
    "ogg": "audio/ogg", "oga": "audio/ogg", "wav": "audio/wav", "flac": "audio/flac", "m4a": "audio/mp4",
    "mp4": "video/mp4", "webm": "video/webm", "ogv": "video/ogg", "glb": "model/gltf-binary", "gltf": "model/gltf+json",
    "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf", "otf": "font/otf",
}  # fmt: skip
"""By suffix, and not from the system's tables: a verdict must not depend on the machine's /etc/mime.types."""


class Refused(Exception):
    """A request that gets no file: the status says why."""

    def __init__(self, status: int) -> None:
        self.status = status


def media_type(name: str) -> str:
    kind = TYPES.get(name.rpartition(".")[2].lower(), "application/octet-stream")
    return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind


def segments(target: str) -> list[str]:
    """The path components of a request target, decoded once; raises Refused on anything that climbs or cannot be a name."""
    raw = unquote_to_bytes(target.partition("#")[0].partition("?")[0])
    if not raw.startswith(b"/") or b"\0" in raw:
        raise Refused(400)
    parts = [os.fsdecode(part) for part in raw.split(b"/") if part]
    if any(part in (".", "..") for part in parts):
        raise Refused(403)
    return parts


def open_below(root: int, parts: list[str]) -> BinaryIO:
    """Open a regular file below the folder `root` (a descriptor), following no link anywhere on the way."""
    if not parts:
        raise Refused(404)
    here = os.dup(root)
    try:
        for part in parts[:-1]:
            there = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=here)
            os.close(here)
            here = there
        found = os.open(parts[-1], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=here)
    except OSError:
        raise Refused(404) from None
    finally:
        os.close(here)
    if not stat.S_ISREG(os.fstat(found).st_mode):
        os.close(found)
        raise Refused(404)
    return os.fdopen(found, "rb")


def byte_range(header: str | None, size: int) -> tuple[int, int] | None:
    """First and last byte of a `bytes=a-b` header, or None for the whole; media elements seek by it."""
    unit, _, spec = (header or "").partition("=")
    first, dash, last = spec.partition("-")
    if unit.strip() != "bytes" or not dash or "," in spec or not (first + last).isdecimal():
        return None
    if not first:
        return max(0, size - int(last)), size - 1
    return int(first), min(int(last), size - 1) if last else size - 1


class Files(BaseHTTPRequestHandler):
    """Answers one connection. `server` is the Server below, which knows the folder, the origin and the log."""

    protocol_version = "HTTP/1.1"
    timeout = 60
    server: "Server"

    def do_GET(self) -> None:
        target = self.local_target()
        if target is None:
            self.refuse()
            return
        try:
            self.give(target)
        except Refused as refused:
            self.head(refused.status, {"Content-Length": "0"})
            self.server.note(self.command, target, refused.status, 0)

    do_HEAD = do_GET

    def refuse(self) -> None:
        """All that is no reading of ours: a form post, a way to elsewhere. No body is read, so the connection ends."""
        target = self.local_target()
        status = 403 if target is None else 405
        self.close_connection = True
        self.head(status, {"Content-Length": "0", "Connection": "close"})
        if target is None:
            self.server.say({"event": "refused", "method": self.command[:16], "address": self.path[:2048]})
        else:
            self.server.note(self.command, target, status, 0)

    do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = do_CONNECT = refuse

    def local_target(self) -> str | None:
        """The path on our own origin, or None for elsewhere. A browser with a proxy names the whole address; a plain path
        comes then from somebody else on this machine."""
        if not self.server.proxy:
            return self.path
        address = urlsplit(self.path)
        if address.scheme != "http" or address.netloc != self.server.netloc:
            return None
        return (address.path or "/") + (f"?{address.query}" if address.query else "")

    def give(self, target: str) -> None:
        parts = segments(target)
        if target.partition("?")[0].endswith("/"):
            parts = [*parts, "index.html"]
        shelf = self.server.shelves.get(parts[0])
        with open_below(self.server.root if shelf is None else shelf, parts if shelf is None else parts[1:]) as file:
            size = os.fstat(file.fileno()).st_size
            headers = {"Content-Type": media_type(parts[-1]), "Accept-Ranges": "bytes"}
            if shelf is not None:  # a page may have been led here from another origin
                headers["Access-Control-Allow-Origin"] = "*"
            wanted, status, first, last = byte_range(self.headers.get("Range"), size), 200, 0, size - 1
            if wanted:
                first, last = wanted
                if first > last:
                    raise Refused(416)
                status, headers["Content-Range"] = 206, f"bytes {first}-{last}/{size}"
            length = last - first + 1
            self.head(status, {**headers, "Content-Length": str(length)})
            sent = 0
            try:
                if self.command == "GET":
                    sent = self.send(file, first, length)
            finally:
                self.server.note(self.command, target, status, sent)

    def send(self, file: BinaryIO, first: int, length: int) -> int:
        file.seek(first)
        sent = 0
        while sent < length and (chunk := file.read(min(256 * 1024, length - sent))):
            self.wfile.write(chunk)
            sent += len(chunk)
        return sent

    def head(self, status: int, headers: dict[str, str]) -> None:
        self.send_response_only(status)
        for name, value in {**headers, "Cache-Control": "no-store"}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """The log is `note`; nothing goes to standard error."""


class Server(ThreadingMixIn, BaseServer):
    """Serves `root` (a descriptor) on a listening socket that it is given; `log` hears each line. `shelves` are further
    descriptors, each below a first path segment."""

    daemon_threads = True

    def __init__(self, listener: socket.socket, root: int, netloc: str, proxy: bool, log: Callable[[str], None],
                 shelves: Mapping[str, int] | None = None) -> None:
        super().__init__(listener.getsockname(), Files)
        self.listener, self.root, self.netloc, self.proxy, self.log = listener, root, netloc, proxy, log
        self.shelves = shelves or {}
        self.noted = 0

    def fileno(self) -> int:
        return self.listener.fileno()

    def get_request(self) -> tuple[socket.socket, object]:
        return self.listener.accept()

    def shutdown_request(self, request: socket.socket) -> None:  # type: ignore[override]
        request.close()

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that hangs up in the middle is no news."""

    def note(self, method: str, target: str, status: int, sent: int) -> None:
        self.say({"method": method[:16], "path": target[:2048], "status": status, "bytes": sent})

    def say(self, line: dict[str, object]) -> None:
        self.noted += 1
        if self.noted <= LOGGED:
            self.log(json.dumps(line))
        elif self.noted == LOGGED + 1:
            self.log(json.dumps({"event": "log-full", "kept": LOGGED}))
