"""Every exchange as a line of a file: what an agent asked, what it was answered, what it cost. No key is in it: agents have none."""

import json
import threading
import time
from pathlib import Path
from typing import Any, TextIO

from attrs import asdict

from playproof_harnesses.gateway.answers import Answer
from playproof_harnesses.gateway.dialects import Ask

MOST_BYTES = 256 << 20
"""Of the whole file: an agent that asks without end must not fill the disk. What is beyond is counted and not kept, and the last line says
so."""


class Exchanges:
    """`hide` takes secrets out of a text, wherever they come from."""

    def __init__(self, place: Path, hide: Any = lambda text: text) -> None:
        self._file: TextIO = place.open("a", encoding="utf-8")
        self._hide = hide
        self._written, self._full = 0, False
        self._lock = threading.Lock()

    def close(self) -> None:
        with self._lock:
            self._file.close()

    def passed(self, ask: Ask, answer: Answer, status: int, trouble: str, wall_s: float) -> None:
        tokens = asdict(answer.tokens, filter=lambda one, _: one.name != "usd") if answer.counted else None
        self._write({"kind": "exchange", "dialect": ask.dialect.name, "model": ask.model, "step": ask.is_step, "request": ask.body,
                     "status": status, "answer": answer.kept, "tokens": tokens, "trouble": trouble or None, "wall_s": round(wall_s, 4)})

    def refused(self, ask: Ask, why: str) -> None:
        self._write({"kind": "refused", "dialect": ask.dialect.name, "model": ask.model, "step": ask.is_step, "why": why})

    def unknown(self, method: str, path: str, why: str) -> None:
        self._write({"kind": "unknown", "method": method, "path": path[:500], "why": why})

    def _write(self, entry: dict[str, Any]) -> None:
        line = self._hide(json.dumps({"at": round(time.time(), 3), **entry})) + "\n"
        with self._lock:
            if self._file.closed or self._full:
                return
            if self._written + len(line) > MOST_BYTES:
                self._full = True
                line = json.dumps({"kind": "lost", "why": f"the record has reached {MOST_BYTES >> 20} MB"}) + "\n"
            self._written += len(line)
            self._file.write(line)
            self._file.flush()
