"""Server-sent events: bytes, however they are cut, into named JSON values."""

import codecs
import json
from collections.abc import Iterable, Iterator
from typing import Any

from attrs import frozen

from playproof.canonical import short
from playproof_judges.models.patience import Passing

LARGEST = 32 << 20
"""Characters of one event. A line that never ends is no event."""


@frozen
class Event:
    """`data` is absent in the event that ends OpenAI's streams ("[DONE]")."""

    name: str
    data: Any


def events(chunks: Iterable[bytes]) -> Iterator[Event]:
    """Comments and events without data are left out. Raises Passing on data that is no JSON object."""
    name, data = "", list[str]()
    for line in _lines(chunks):
        if not line:
            if data:
                yield _event(name, "\n".join(data))
            name, data = "", []
            continue
        key, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if key == "event":
            name = value
        elif key == "data":
            data.append(value)
    if data:  # a last event without its blank line: it is whole when it can be read
        yield _event(name, "\n".join(data))


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode
    rest = ""
    for chunk in chunks:
        rest += decode(chunk)
        *whole, rest = rest.split("\n")
        for line in whole:
            yield line.removesuffix("\r")
        if len(rest) > LARGEST:
            raise Passing(f"it sends an event of more than {LARGEST >> 20} million characters")
    if rest:
        yield rest.removesuffix("\r")


def _event(name: str, text: str) -> Event:
    if text.strip() == "[DONE]":
        return Event(name, None)
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise Passing(f"it sends an event that is no JSON object: {short(text, 80)}")
    return Event(name, value)
