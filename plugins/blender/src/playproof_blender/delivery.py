"""Which file of a submission is the project, and what keeps it from being opened."""

import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from playproof.model import Problem, Reason
from playproof_blender.backend import Blender
from playproof_blender.header import written_by

MOST_BYTES = 1 << 30
"""What core freezes of a whole submission, too."""

MOST_NAMED = 5


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
    if why := _unfit(name, (root / name).lstat(), most_bytes):
        return _none(Reason.UNDELIVERED, why)
    written = written_by(root / name)
    if written is None:
        return _none(Reason.LOAD_FAIL, f"{name} is no Blender project: its header is another")
    if written > blender.version:
        return _none(Reason.LOAD_FAIL, f"{name} was written by Blender {written}, which is newer than this one, {blender.version}: "
                                       "what is new in it would be lost")
    return Found(name)


def _unfit(name: str, how: os.stat_result, most_bytes: int) -> str:
    """Why this entry of a folder is not to be opened."""
    if not stat.S_ISREG(how.st_mode):
        return f"{name} is {'a link' if stat.S_ISLNK(how.st_mode) else 'no regular file'}"
    if how.st_size == 0:
        return f"{name} is empty"
    if how.st_size > most_bytes:
        return f"{name} has {how.st_size:,} bytes; at most {most_bytes:,} are opened"
    try:
        name.encode()
    except UnicodeEncodeError:
        return f"{name!r}: a name that is no UTF-8, which Blender cannot open"
    return ""


def incomplete(project: str, opened: Mapping[str, Any]) -> Sequence[Problem]:
    """Whether an opened project lacks what it draws: a library, or a picture that something uses, that was not delivered with it. Sounds,
    caches and what nothing uses are told in the evidence alone."""
    needed = [one for one in opened["lacking"] if one["kind"] == "library" or (one["kind"] == "image" and one["used"])]
    if not needed:
        return []
    named = "; ".join(f"{one['kind']} {one['name']!r} at {one['path']!r} ({_STATES[one['state']]})" for one in needed[:MOST_NAMED])
    more = f" and {len(needed) - MOST_NAMED} more" if len(needed) > MOST_NAMED else ""
    return [Problem(Reason.LOAD_FAIL, f"{project} needs what was not delivered with it: {named}{more}; pack it, or keep it beside the "
                                      "project under a relative path")]


_STATES = {"missing": "is not there", "outside": "outside of the submission"}


def _none(reason: Reason, why: str) -> Found:
    return Found(None, [Problem(reason, why)])
