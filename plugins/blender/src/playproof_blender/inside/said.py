"""What a script prints: passed on as it comes, so that one that is killed was heard, and its beginning and its end kept."""

import io
from typing import Any

FIRST, LAST = 6_000, 6_000


class Said(io.TextIOBase):
    """Characters beyond the first and the last six thousand are left out, and their number is told."""

    def __init__(self, through: Any) -> None:
        super().__init__()
        self._through, self._first, self._last, self._length = through, "", "", 0

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self._length += len(text)
        self._first += text[: max(0, FIRST - len(self._first))]
        self._last = (self._last + text)[-LAST:]
        self._through.write(text)
        self._through.flush()
        return len(text)

    def flush(self) -> None:
        self._through.flush()

    @property
    def text(self) -> str:
        rest = self._length - len(self._first)
        between = rest - len(self._last)
        if between <= 0:
            return self._first + self._last[len(self._last) - rest :]
        return f"{self._first}\n[... {between:,} characters left out ...]\n{self._last}"
