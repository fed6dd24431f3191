"""What a cassette is written on: a file of JSON lines, one for each reply, that grows at its end and is put in order when done."""

import fcntl
import json
import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from attrs import field, frozen

from playproof.canonical import canonical, digest, plain, structure
from playproof.dialogue import Reply, Request, Stored, spelled, stored
from playproof.errors import InfrastructureError, UsageError
from playproof.model import Options

SCHEMA = "cassette/1"


@frozen
class Take:
    """One recorded reply. `take` counts the same request asked again, as votes do; `request` has pictures by their digests."""

    key: str
    take: int
    identity: Options
    request: Options
    reply: Stored
    schema: str = field(default=SCHEMA)

    @property
    def order(self) -> tuple[bytes, bytes, int]:
        """Like stands beside like, so that a small change of a prompt is a small change of the file."""
        return canonical(self.identity), canonical(self.request), self.take


def key(identity: Options, request: Request) -> str:
    return digest({"model": plain(identity), "request": request.digest})[:32]


def take(number: int, identity: Options, request: Request, reply: Reply) -> Take:
    found: Options = plain(spelled(request))
    return Take(key(identity, request), number, plain(identity), found, stored(reply))


class Tape:
    """Thread-safe, and safe against other processes that write the same file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._grown = False
        self._takes = _indexed(_read(path)) if path.exists() else {}

    def takes(self) -> Sequence[Take]:
        with self._lock:
            return list(self._takes.values())

    def find(self, key: str, number: int) -> Take | None:
        return self._takes.get((key, number))

    def add(self, take: Take) -> None:
        """Write a take at the end. A take of the same number is replaced when the file is read, and gone when it is in order."""
        with self._lock:
            self._takes[take.key, take.take] = take
            self._grown = True
            with self._open() as file:
                _cut_unfinished(file)
                file.write(_line(take))

    def settle(self) -> None:
        """Put the file in order, if something was added: the same requests and replies make the same file. One that somebody has
        spoilt meanwhile is left as it is, for whoever reads it next."""
        with self._lock:
            if not self._grown:
                return
            self._grown = False
            with suppress(UsageError), self._open():
                takes = sorted(_indexed(_read(self.path)).values(), key=lambda one: one.order)
                partial = self.path.with_name(f".{self.path.name}.{os.getpid()}")
                partial.write_bytes(b"".join(map(_line, takes)))
                partial.replace(self.path)

    @contextmanager
    def _open(self) -> Iterator[BinaryIO]:
        """The file, locked: opened again where somebody put another in its place while we waited."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            while True:
                with self.path.open("a+b") as file:
                    fcntl.flock(file, fcntl.LOCK_EX)
                    if self._same(file):
                        yield file
                        return
        except OSError as fault:
            raise InfrastructureError(f"cannot write {self.path}: {fault}") from fault

    def _same(self, file: BinaryIO) -> bool:
        return self.path.exists() and os.path.samestat(os.fstat(file.fileno()), self.path.stat())


def _line(take: Take) -> bytes:
    return json.dumps(plain(take), ensure_ascii=False, sort_keys=True, allow_nan=False).encode("utf-8", "surrogatepass") + b"\n"


def _indexed(takes: Iterable[Take]) -> dict[tuple[str, int], Take]:
    return {(one.key, one.take): one for one in takes}


def _cut_unfinished(file: BinaryIO) -> None:
    """Drop a last line that was never ended, because its writer was killed."""
    size = file.seek(0, os.SEEK_END)
    if size and os.pread(file.fileno(), 1, size - 1) != b"\n":
        file.seek(0)
        file.truncate(file.read().rfind(b"\n") + 1)


def _read(path: Path) -> Iterator[Take]:
    *whole, _ = path.read_bytes().split(b"\n")
    for number, line in enumerate(whole, 1):
        try:
            found: Any = json.loads(line)
            one = structure(found, Take)
        except ValueError as fault:
            raise UsageError(f"{path}:{number}: no line of a cassette: {fault}") from None
        if one.schema != SCHEMA:
            raise UsageError(f"{path}:{number}: written as {one.schema}, and this version reads {SCHEMA}")
        yield one
