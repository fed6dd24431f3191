"""An account of every call of a tool, as JSON lines: what resource tables are made of."""

import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from playproof.errors import InfrastructureError

CATEGORIES = ("execution", "inspection", "render", "exchange", "retrieval", "media")
UNKNOWN = "unknown"
"""The category of a call of a tool that there is not."""

NAMED_BY = "PLAYPROOF_TOOL_LOG"
"""An environment variable with the path of the account."""

MOST_WHY = 300


@frozen
class Count:
    """How many calls of a category there were, those that failed among them, and the wall seconds that all took."""

    calls: int = 0
    failed: int = 0
    seconds: float = 0.0


class Failed(Exception):
    """What a tool answers where it could not do what was asked: written for the one who asked."""


@frozen
class Offer:
    """What a server gave an agent to work with: its tools by name, and the digest of the library of assets, where there was one."""

    tools: Sequence[str]
    assets: str | None = None


@frozen
class Account:
    """Lines {"time": Unix seconds, "tool", "category", "duration_s", "ok", "why"}, one for each call, written when it has ended; and before
    them, from each start of a server, {"time", "offered": {"tools", "assets": {"digest", "version", "entries"} | null}}."""

    place: Path

    def offer(self, tools: Sequence[str], assets: Mapping[str, Any] | None) -> None:
        """Says what there is, also for an agent that will not use it. Raises InfrastructureError where that cannot be written."""
        self._note({"time": round(time.time(), 3), "offered": {"tools": list(tools), "assets": assets}})

    @contextmanager
    def call(self, tool: str, category: str) -> Iterator[None]:
        """Notes how what is done inside ended, also where it raises. Raises InfrastructureError where that cannot be written."""
        began, start, why = time.time(), time.perf_counter(), None
        try:
            yield
        except BaseException as fault:
            why = str(fault)[:MOST_WHY] or type(fault).__name__
            raise
        finally:
            self._note({"time": round(began, 3), "tool": tool, "category": category, "duration_s": round(time.perf_counter() - start, 3),
                        "ok": why is None, **({"why": why} if why is not None else {})})  # fmt: skip

    def _note(self, line: Mapping[str, Any]) -> None:
        try:
            self.place.parent.mkdir(parents=True, exist_ok=True)
            with self.place.open("ab") as lines:  # one write in append mode: lines of several processes do not mix
                lines.write((json.dumps(line) + "\n").encode())
        except OSError as fault:
            raise InfrastructureError(f"the account of tools {self.place} cannot be written: {fault.strerror}") from fault


def place_for(workspace: Path, environ: Mapping[str, str] = os.environ) -> Path:
    """Where the account of a workspace is: what the environment names, or `.playproof/tools.jsonl` in it."""
    return Path(environ[NAMED_BY]) if environ.get(NAMED_BY) else workspace / ".playproof" / "tools.jsonl"


def counts(place: Path) -> Mapping[str, Count]:
    """Calls by category: every category, and others that the account has. Without an account all are 0; what is no line of one (torn, or
    not ours) is left out."""
    found = {category: Count() for category in CATEGORIES}
    for line in _lines(place):
        held = found.get(line["category"], Count())
        found[line["category"]] = evolve(held, calls=held.calls + 1, failed=held.failed + (not line["ok"]),
                                         seconds=round(held.seconds + line["duration_s"], 3))  # fmt: skip
    return found


def offers(place: Path) -> Sequence[Offer]:
    """What was offered, at each start of a server, in order."""
    found = []
    for line in _told(place):
        offered = line.get("offered")
        if isinstance(offered, dict) and isinstance(offered.get("tools"), list):
            assets = offered.get("assets")
            found.append(Offer([str(one) for one in offered["tools"]], str(assets.get("digest")) if isinstance(assets, dict) else None))
    return found


def _lines(place: Path) -> Iterator[Mapping[str, Any]]:
    for told in _told(place):
        if isinstance(told.get("category"), str) and isinstance(told.get("ok"), bool) and isinstance(told.get("duration_s"), int | float):
            yield told


def _told(place: Path) -> Iterator[Mapping[str, Any]]:
    try:
        raw = place.read_bytes()
    except FileNotFoundError:
        return
    for line in raw.splitlines():
        try:
            told = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(told, dict):
            yield told
