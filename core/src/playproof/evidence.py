"""Where everything seen is written down: once, in order, and never changed."""

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from attrs import evolve

from playproof.canonical import canonical, digest, plain, structure
from playproof.errors import InfrastructureError
from playproof.model import INLINE, Evidence, Observer


class Evidences(Sequence[Evidence]):
    """Read-only evidence in the order of (tick, seq)."""

    def __init__(self, entries: Sequence[Evidence], blobs: Path) -> None:
        self._entries = tuple(sorted(entries, key=lambda entry: (entry.tick, entry.seq)))
        self._blobs = blobs

    def __getitem__(self, index: Any) -> Any:
        return self._entries[index]

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Evidence]:
        return iter(self._entries)

    def of(self, kind: str) -> "Evidences":
        return Evidences([entry for entry in self._entries if entry.kind == kind], self._blobs)

    def between(self, start: int, end: int) -> "Evidences":
        """What was seen from tick `start` to tick `end`, both included."""
        return Evidences([entry for entry in self._entries if start <= entry.tick <= end], self._blobs)

    def last(self, kind: str) -> Evidence | None:
        return next((entry for entry in reversed(self._entries) if entry.kind == kind), None)

    def open(self, evidence: Evidence) -> bytes:
        """The blob of an entry, or its value as canonical JSON."""
        if evidence.blob is None:
            return canonical(evidence.value)
        return (self._blobs / evidence.blob).read_bytes()


class Record:
    """Append-only: one JSON line for each entry in `<folder>/evidence.jsonl`, blobs by digest in `<folder>/blobs`.

    Lines are ASCII: a submission's texts may hold lone surrogates, and separators that Python takes for ends of lines."""

    def __init__(self, folder: Path) -> None:
        self._blobs = folder / "blobs"
        self._blobs.mkdir(parents=True, exist_ok=True)
        self._lines = (folder / "evidence.jsonl").open("a", encoding="utf-8")
        self._entries: list[Evidence] = []
        self._observers: dict[str, Observer] = {}
        self._grounds: dict[str, None] = {}

    def add(
        self, kind: str, observer: Observer, *, tick: int, source: str = "", value: Any = None, blob: bytes | None = None,
        media_type: str = "application/json",
    ) -> Evidence:
        """Write one thing down. `value` is JSON data, `blob` bytes of `media_type`; `tick` is the session's clock."""
        if blob is None and len(spelled := canonical(value)) > INLINE:
            value, blob = None, spelled
        try:
            address = None if blob is None else self._keep(blob)
            entry = Evidence("", tick, len(self._entries), kind, observer, source, media_type, value, address)
            entry = evolve(entry, id=digest({name: held for name, held in plain(entry).items() if name != "id"}))
            self._lines.write(json.dumps(plain(entry)) + "\n")
            self._lines.flush()
        except OSError as fault:
            raise InfrastructureError(f"cannot write evidence: {fault}") from fault
        self._entries.append(entry)
        self._observers[entry.id] = observer
        return entry

    def weakest(self, cites: Sequence[str]) -> Observer | None:
        """The weakest observer of the cited entries: what a verdict on them rests on."""
        order = list(Observer)
        seen = [self._observers[cite] for cite in cites if cite in self._observers]
        return min(seen, key=order.index, default=None)

    def rest_on(self, cites: Sequence[str]) -> None:
        """Note that an expectation held on this evidence: a pass cites it too."""
        self._grounds.update(dict.fromkeys(cites))

    @property
    def grounds(self) -> Sequence[str]:
        """What the expectations that held rested on, in order and once each."""
        return tuple(self._grounds)

    def sealed(self) -> Evidences:
        return Evidences(self._entries, self._blobs)

    def close(self) -> None:
        self._lines.close()

    def _keep(self, blob: bytes) -> str:
        address = digest(blob)
        place = self._blobs / address
        if not place.exists():
            partial = place.with_suffix(f".{os.getpid()}")
            partial.write_bytes(blob)
            partial.replace(place)
        return address


def read(folder: Path) -> Evidences:
    """The evidence of a folder that a Record wrote; a torn last line, left by a kill, is dropped."""
    entries: list[Evidence] = []
    place = folder / "evidence.jsonl"
    if not place.is_file():
        return Evidences(entries, folder / "blobs")
    for line in place.read_text("utf-8").split("\n"):
        try:
            entries.append(structure(json.loads(line), Evidence))
        except json.JSONDecodeError:
            break
    return Evidences(entries, folder / "blobs")
