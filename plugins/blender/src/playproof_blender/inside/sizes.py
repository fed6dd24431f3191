"""How large a picture is, by its first bytes: Blender would decode it whole to say so, and a few bytes may be a picture of gigabytes."""

import struct
from pathlib import Path
from typing import Any

MOST_BYTES = 64 << 20
"""Of a packed picture, which Blender hands out whole."""

HEAD = 1 << 16


def size_of(held: Any, place: Path | None) -> list[int] | None:
    """[width, height] of an image that is made in Blender, packed, or a file; None for what is neither PNG, JPEG nor Radiance."""
    if held.source == "GENERATED" and not len(held.packed_files):
        return [held.generated_width, held.generated_height]
    if len(held.packed_files):
        packed = held.packed_files[0].packed_file
        return told(packed.data[: 4 * HEAD]) if packed is not None and packed.size <= MOST_BYTES else None
    if place is None:
        return None
    with place.open("rb") as file:
        return told(file.read(4 * HEAD))


def told(head: bytes) -> list[int] | None:
    if head.startswith(b"\x89PNG\r\n\x1a\n") and len(head) >= 24:
        return list(struct.unpack(">II", head[16:24]))
    if head.startswith(b"\xff\xd8"):
        return _jpeg(head)
    return _radiance(head) if head.startswith(b"#?") else None


def _jpeg(head: bytes) -> list[int] | None:
    """The frame header (ITU T.81, B.2.2) behind whatever segments stand before it."""
    at = 2
    while at + 9 <= len(head) and head[at] == 0xFF:
        marker = head[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", head[at + 5 : at + 9])
            return [width, height]
        at += 2 + int.from_bytes(head[at + 2 : at + 4], "big")
    return None


def _radiance(head: bytes) -> list[int] | None:
    for line in head.split(b"\n")[:100]:
        words = line.split()
        if len(words) == 4 and words[0] in (b"-Y", b"+Y") and words[2] in (b"+X", b"-X") and words[1].isdigit() and words[3].isdigit():
            return [int(words[3]), int(words[1])]
    return None
