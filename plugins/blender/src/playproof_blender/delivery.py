"""Which file of a submission is the project, and what keeps it from being opened."""

import stat
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from playproof.model import Problem, Reason
from playproof_blender.backend import Blender
from playproof_blender.header import written_by

MOST_BYTES = 2 << 30


@frozen
class Found:
    """`project` is the path in the submission, or None where `problems` say why there is none that can be opened."""

    project: str | None
    problems: Sequence[Problem] = ()


def find(root: Path, wanted: str, blender: Blender, most_bytes: int = MOST_BYTES) -> Found:
    """The one file that `wanted` (a glob in the submission) names, if this Blender can open it by what its header says."""
    matching = sorted(place.relative_to(root).as_posix() for place in root.glob(wanted))
    if len(matching) != 1:
        there = f"there are {len(matching)}: {', '.join(matching[:5])}" if matching else "there is none"
        return _none(Reason.UNDELIVERED, f"one file {wanted!r} was to be delivered; {there}")
    [name] = matching
    how = (root / name).lstat()
    if not stat.S_ISREG(how.st_mode):
        return _none(Reason.UNDELIVERED, f"{name} is {'a link' if stat.S_ISLNK(how.st_mode) else 'no regular file'}")
    if how.st_size > most_bytes:
        return _none(Reason.UNDELIVERED, f"{name} has {how.st_size:,} bytes; at most {most_bytes:,} are opened")
    written = written_by(root / name)
    if written is None:
        empty = "is empty" if how.st_size == 0 else "is no Blender project: its header is another"
        return _none(Reason.LOAD_FAIL, f"{name} {empty}")
    if written > blender.version:
        return _none(Reason.LOAD_FAIL, f"{name} was written by Blender {written}; this is {blender.version}, which cannot be trusted with newer files")
    return Found(name)


def _none(reason: Reason, why: str) -> Found:
    return Found(None, [Problem(reason, why)])
