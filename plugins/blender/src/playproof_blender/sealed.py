"""What a stage left, read by somebody who does not trust it: only what was sealed counts, no link is followed, all is bounded."""

import hashlib
import json
import os
import shutil
import stat
from collections.abc import Iterator, Mapping, Sequence
from io import BufferedReader
from pathlib import Path
from typing import Any

from attrs import frozen

RECORD = "seals.jsonl"
MOST_SEALS = 20_000
MOST_RECORD = 32 << 20
"""Bytes of the record that are read: twenty thousand lines, and one that is long."""

MOST_BYTES = 512 << 20
"""Bytes of one sealed file; all of it is read into memory by whoever takes it as evidence."""


@frozen
class Seal:
    """One thing that a stage made: a JSON value, or a file whose digest was that when it was sealed."""

    name: str
    value: Any = None
    place: Path | None = None

    def read(self) -> bytes:
        assert self.place is not None, f"{self.name} is no file"
        return self.place.read_bytes()


def sealed(out: Path) -> Sequence[Seal]:
    """The seals that hold, in order, up to the end of the stage. Left out are a torn last line and what follows it, files that are not
    what was sealed, links, and what is beyond the bounds. To be asked when the stage's processes are gone."""
    try:
        folder = os.open(out, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return []
    try:
        return list(_seals(folder, out))
    finally:
        os.close(folder)


def _seals(folder: int, out: Path) -> Iterator[Seal]:
    for count, told in enumerate(_lines(folder)):
        if count >= MOST_SEALS:
            return
        if told.get("file") is None:
            yield Seal(str(told["name"]), told.get("value"))
        elif _holds(folder, told):
            yield Seal(str(told["name"]), told.get("value"), out / told["file"])
        if told["name"] == "end":
            return


def _lines(folder: int) -> Iterator[Mapping[str, Any]]:
    if (record := _opened(folder, RECORD, MOST_RECORD)) is None:
        return
    with record:
        for line in record:
            try:
                told = json.loads(line)
            except (ValueError, RecursionError):
                return
            if not isinstance(told, dict) or "name" not in told:
                return
            yield told


def _holds(folder: int, told: Mapping[str, Any]) -> bool:
    name = told["file"]
    if not isinstance(name, str) or name != Path(name).name or (file := _opened(folder, name, MOST_BYTES)) is None:
        return False
    with file:
        return hashlib.file_digest(file, "sha256").hexdigest() == told.get("sha256")


def _opened(folder: int, name: str, most: int) -> BufferedReader | None:
    """A regular file of at most so many bytes, right in the folder."""
    try:
        held = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    except (OSError, ValueError):
        return None
    how = os.fstat(held)
    if stat.S_ISREG(how.st_mode) and how.st_size <= most:
        return os.fdopen(held, "rb")
    os.close(held)
    return None


def tidy(work: Path, kept: Sequence[Seal]) -> None:
    """Remove all that a stage left beside its seals: it may have left more than a disk holds."""
    names = {seal.place.name for seal in kept if seal.place}
    for folder in (work, work / "out"):
        if folder.is_symlink():
            folder.unlink()
            continue
        for place in folder.iterdir() if folder.is_dir() else ():
            if place == work / "out" or (folder != work and place.name in names):
                continue
            if place.is_dir() and not place.is_symlink():
                shutil.rmtree(place, ignore_errors=True)
            else:
                place.unlink(missing_ok=True)
