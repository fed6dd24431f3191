"""A run's folder. Its truth is the set of commit records; everything else can be lost or made again.

    run.json                                   the plan
    records/{generation,grading,opinion}/<id>.json   committed once: written, synced, linked; a loser keeps the first
    opinions/<set>.jsonl                       what judges or people said: lines are only added
    tries/<id>/<n>.json                        opened before anything is spent, closed after; kept, charged, never samples
    bundles/<sha256>.zip                       what a phase left: stored, sorted, fixed times
    log.jsonl, work/                           for reading; work/ may be deleted at any time
"""

import fcntl
import json
import os
import re
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from playproof.bundle import digest_file, pack
from playproof.canonical import canonical, digest
from playproof.errors import InfrastructureError, UsageError
from playproof.opinions import Line, read_lines

SCHEMA = 1


class Store:
    """`reading` makes nothing: for looking at a run that may lie where nothing can be written."""

    def __init__(self, folder: Path, *, reading: bool = False) -> None:
        self.folder = folder
        self._turns: dict[str, threading.Lock] = {}
        if reading:
            return
        with _writing(folder):
            for name in ("records/generation", "records/grading", "records/opinion", "opinions", "tries", "bundles", "work", "controls"):
                (folder / name).mkdir(parents=True, exist_ok=True)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep a second run out of this folder. Raises UsageError if one is already at work."""
        with (self.folder / "run.lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UsageError(f"{self.folder}: another run is at work in this folder") from None
            yield

    @contextmanager
    def turn(self, id: str) -> Iterator[None]:
        """One thread of this process at a time for each id."""
        with self._turns.setdefault(id, threading.Lock()):
            yield

    # --- records ---

    def record(self, kind: str, id: str) -> dict[str, Any] | None:
        return read_json(self.folder / "records" / kind / f"{id}.json")

    def commit(self, kind: str, id: str, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Put a record if there is none. Returns the one that stands, which is the first."""
        place = self.folder / "records" / kind / f"{id}.json"
        put_json(place, {"schema": SCHEMA, "id": id, **facts})
        standing = read_json(place)
        if standing is None:
            raise InfrastructureError(f"{place}: a committed record cannot be read back")
        return standing

    def plan(self, facts: Mapping[str, Any]) -> None:
        _replace(self.folder / "run.json", json.dumps({"schema": SCHEMA, **facts}, indent=1).encode())

    # --- opinions ---

    def opinions(self, name: str) -> Path:
        """The file of an opinion set. Raises UsageError for a name that is no plain word."""
        if not re.fullmatch(r"[a-z0-9][a-z0-9._-]*", name):
            raise UsageError(f"an opinion set is named in lower-case letters, digits, dots and hyphens, not {name!r}")
        return self.folder / "opinions" / f"{name}.jsonl"

    def opinion_lines(self, name: str) -> Sequence[Line]:
        """What a set says; nothing where there is none."""
        place = self.opinions(name)
        return read_lines(place) if place.is_file() else ()

    # --- tries ---

    def open_try(self, id: str) -> Path:
        """A new try, written down before anything is spent."""
        folder = self.folder / "tries" / id
        with _writing(folder):
            folder.mkdir(exist_ok=True)
        place = folder / f"{len(list(folder.glob('*.json'))):04d}.json"
        put_json(place, {"schema": SCHEMA, "id": id, "opened": time.time(), "owner": os.getpid()})
        return place

    def close_try(self, place: Path, facts: Mapping[str, Any]) -> None:
        opened = read_json(place) or {}
        _replace(place, canonical({**opened, "closed": time.time(), **facts}))

    def tries(self, id: str) -> Sequence[dict[str, Any]]:
        found = (read_json(place) for place in sorted((self.folder / "tries" / id).glob("*.json")))
        return [one for one in found if one is not None]

    # --- bundles ---

    def seal(self, folder: Path) -> str:
        """The folder's files as one bundle; returns its digest. The same files give the same bundle."""
        partial = self.folder / "bundles" / f".{os.getpid()}-{folder.name}"
        try:
            pack(folder, partial)
            with partial.open("rb") as packed:
                os.fsync(packed.fileno())
            address = digest_file(partial)
            partial.replace(self.folder / "bundles" / f"{address}.zip")
        except OSError as fault:
            partial.unlink(missing_ok=True)
            raise InfrastructureError(f"cannot seal {folder.name}: {fault}") from fault
        return address

    def bundle(self, address: str) -> Path:
        return self.folder / "bundles" / f"{address}.zip"


def identity(**inputs: Any) -> str:
    """The id of a generation or a grading: the digest of what decides its result, cut to 32 hex digits."""
    return digest(inputs)[:32]


def read_json(place: Path) -> dict[str, Any] | None:
    try:
        found: dict[str, Any] = json.loads(place.read_bytes())
    except FileNotFoundError:
        return None
    except ValueError:
        raise InfrastructureError(f"{place}: not a record; move it away and run again") from None
    return found


@contextmanager
def _writing(place: Path) -> Iterator[None]:
    try:
        yield
    except OSError as fault:
        raise InfrastructureError(f"cannot write {place}: {fault}") from fault


def put_json(place: Path, facts: Mapping[str, Any]) -> None:
    """Write, sync, link: whoever links first wins, and nobody sees half a record."""
    partial = place.with_name(f".{place.name}.{os.getpid()}.{time.monotonic_ns()}")
    try:
        with _writing(place):
            _synced(partial, canonical(facts))
            with suppress(FileExistsError):
                os.link(partial, place)
    finally:
        partial.unlink(missing_ok=True)


def _replace(place: Path, content: bytes) -> None:
    """Write, sync, rename: what was there stays until all of the new is."""
    partial = place.with_name(f".{place.name}.{os.getpid()}.{time.monotonic_ns()}")
    try:
        with _writing(place):
            _synced(partial, content)
            partial.replace(place)
    finally:
        partial.unlink(missing_ok=True)


def _synced(place: Path, content: bytes) -> None:
    with place.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
