"""Which Blender wrote a file, by its first bytes: asked before anything opens it."""

import gzip
import re
import zlib
from pathlib import Path
from typing import BinaryIO

import zstandard
from attrs import frozen

OLD = re.compile(rb"BLENDER[-_][vV](\d)(\d\d)")
"""Up to 4.5: the size of a pointer, the order of bytes, and three digits ("405" is 4.5)."""

NEW = re.compile(rb"BLENDER\d\d-\d\d[vV](\d\d)(\d\d)")
"""From 5.0 on: the length of the header and the form of the file stand before four digits ("0500" is 5.0)."""

ZSTD, GZIP = b"\x28\xb5\x2f\xfd", b"\x1f\x8b"
LONGEST = 32


@frozen(order=True)
class Written:
    """The version of Blender that wrote a file: 4, 2 is 4.2."""

    major: int
    minor: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


def written_by(project: Path) -> Written | None:
    """None for a file that is no Blender project. What is compressed (by zstd since 3.0, by gzip before) is looked into."""
    with project.open("rb") as file:
        start = _start(file)
    found = NEW.match(start) or OLD.match(start)
    return Written(int(found[1]), int(found[2])) if found else None


def _start(file: BinaryIO) -> bytes:
    """The first bytes of what a file holds; nothing where it only looks compressed."""
    start = file.read(LONGEST)
    file.seek(0)
    try:
        if start.startswith(ZSTD):
            return zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True).read(LONGEST)
        if start.startswith(GZIP):
            return gzip.GzipFile(fileobj=file).read(LONGEST)
    except (zstandard.ZstdError, OSError, EOFError, zlib.error):
        return b""
    return start
