"""An answer as it passes through: its tokens and what it says, read from a copy of its bytes however they are cut."""

import codecs
import json
from collections.abc import Mapping
from typing import Any

from attrs import define, field

from playproof.dialogue import Tokens
from playproof_harnesses.gateway.dialects import Ask, is_error

MOST_KEPT = 8 << 20
"""Bytes of one answer that are kept for the record."""
LARGEST = 32 << 20
"""Characters of a line that is still waited for; a longer one is passed on unread."""


@define
class Answer:
    """`feed` takes chunks as they come; `events` says that they are server-sent events. `tokens` is what is known so far, `kept` the values
    of the answer, in their order; `failed` that the provider said in it that it failed."""

    ask: Ask
    events: bool = True
    failed: bool = False
    tokens: Tokens = Tokens()
    kept: list[Any] = field(factory=list)
    counted: bool = False
    _rest: str = ""
    _size: int = 0
    _decode: Any = field(factory=lambda: codecs.getincrementaldecoder("utf-8")(errors="replace"))

    def feed(self, chunk: bytes) -> None:
        self._rest += self._decode.decode(chunk)
        if not self.events:
            self._rest = self._rest if len(self._rest) <= LARGEST else ""
            return
        *whole, self._rest = self._rest.split("\n")
        for line in whole:
            self._line(line)
        if len(self._rest) > LARGEST:
            self._rest = ""

    def end(self) -> None:
        """The last bytes have come."""
        if self.events:
            self._line(self._rest)
        else:
            self._value(self._rest)
        self._rest = ""

    def _line(self, line: str) -> None:
        if line.startswith("data:"):
            self._value(line[5:].strip())

    def _value(self, text: str) -> None:
        if not text or text == "[DONE]":
            return
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, Mapping):
                self.failed |= is_error(one)
                before = self.tokens
                self.tokens = self.ask.dialect.counts(one, before)
                self.counted |= self.tokens is not before
                if self._size < MOST_KEPT:
                    self.kept.append(one)
                    self._size += len(text)
