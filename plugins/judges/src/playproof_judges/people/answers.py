"""What a server of ours answers, under a policy that lets nothing but our own files in: no script of a page's own, no other address."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NoReturn

from attrs import Factory, frozen
from markupsafe import escape

POLICY = ("default-src 'none'; img-src 'self'; media-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; "
          "form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
HEADERS = {
    "Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Cache-Control": "no-store",
    "Referrer-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
}

Query = Mapping[str, Sequence[str]]


class Refused(Exception):
    """A request that gets no page: the status and the words say why."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status, self.words = status, words


@frozen
class Answer:
    """`file`, where there is one, is sent in place of `body`. `headers` go before those that every answer has."""

    body: bytes = b""
    media_type: str = "text/html; charset=utf-8"
    status: int = 200
    headers: Mapping[str, str] = Factory(dict)
    file: Path | None = None

    def open(self) -> BinaryIO:
        return self.file.open("rb") if self.file else BytesIO(self.body)


def moved(to: str) -> Answer:
    """See the page there; a form sent twice is then no label twice."""
    return Answer(status=303, headers={"Location": to})


def refuse(status: int, words: str) -> NoReturn:
    raise Refused(status, words)


def plain_page(status: int, words: str) -> Answer:
    page = (f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
            f'<meta name="color-scheme" content="light dark"><title>{status}</title><h1>{status}</h1><p>{escape(words)}</p>')
    return Answer(page.encode(), status=status)


def span(header: str | None, size: int) -> tuple[int, int] | None:
    """First and last byte of a `bytes=a-b` header, or None for the whole: films are sought by it. Refuses one beyond the end."""
    unit, _, spec = (header or "").partition("=")
    first, dash, last = spec.partition("-")
    if unit.strip() != "bytes" or not dash or not (first + last).isdecimal() or not spec.isascii() or len(spec) > 40:
        return None
    start = int(first) if first else max(0, size - int(last))
    end = min(int(last), size - 1) if first and last else size - 1
    if start > end:
        refuse(416, "There is no such part.")
    return start, end
