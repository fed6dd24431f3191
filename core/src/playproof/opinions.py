"""Opinion sets: plain files of JSON lines, one opinion each, written by judges and by people in the same form.

A set belongs to a run (`RUN/opinions/<set>.jsonl`) or lies anywhere (labels). Lines are only ever added; of two lines with
one id about one grading the later counts. (Two gradings that saw the same have opinions with the same id.)"""

import fcntl
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import Factory, frozen

from playproof.canonical import plain, structure
from playproof.errors import InfrastructureError, UsageError
from playproof.opinion import SCHEMA, Opinion

DEFAULT_SET = "judges"


@frozen
class Line:
    """An opinion with what it is about: `grading` is the id of the grading whose evidence was shown. `trials`: exhibit key ->
    trial id ("submission", or "a" and "b")."""

    id: str
    opinion: Opinion
    trials: Mapping[str, str] = Factory(dict)
    grading: str = ""

    @property
    def trial(self) -> str:
        return self.trials.get("submission", "")


def spelled(line: Line) -> str:
    """A line as it stands in the file. ASCII: a submission's text may hold lone surrogates and exotic ends of lines."""
    facts = {"schema": SCHEMA, "id": line.id, "trials": dict(line.trials), "grading": line.grading, **plain(line.opinion)}
    return json.dumps(facts) + "\n"


def read_lines(place: Path) -> Sequence[Line]:
    """The lines of a set, of those that share an id and a grading the last alone, in the order of the first.
    A torn last line, left by a kill, is dropped.

    Raises UsageError with file and line for anything else that is no opinion."""
    try:
        rows = place.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as fault:
        raise UsageError(f"{place}: cannot be read: {fault}") from None
    found: dict[tuple[str, str], Line] = {}
    for number, row in enumerate(rows, 1):
        if not row.strip():
            continue
        try:
            line = _line(json.loads(row))
        except json.JSONDecodeError as fault:
            if number == len(rows):
                break
            raise UsageError(f"{place}:{number}: not JSON: {fault}") from None
        except ValueError as fault:
            raise UsageError(f"{place}:{number}: not an opinion: {fault}") from None
        found[line.id, line.grading] = line
    return list(found.values())


def _line(facts: Any) -> Line:
    if not isinstance(facts, dict) or facts.get("schema") != SCHEMA:
        raise ValueError(f"schema is not {SCHEMA!r}")
    own = {key: value for key, value in facts.items() if key not in ("schema", "id", "trials", "grading")}
    return Line(str(facts.get("id")), structure(own, Opinion), structure(facts.get("trials", {}), dict[str, str]),
                str(facts.get("grading", "")))


def append(place: Path, lines: Iterable[Line]) -> None:
    """Add lines to a set, each whole or not at all; several writers take turns. What is on disk when this returns stays there.

    A torn last line is closed first, so that it spoils nothing but itself."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            _drop_torn_end(file)
            file.write("".join(map(spelled, lines)).encode())
            file.flush()
            os.fsync(file.fileno())
    except OSError as fault:
        raise InfrastructureError(f"cannot write {place}: {fault}") from fault


def _drop_torn_end(file: Any) -> None:
    end = file.seek(0, os.SEEK_END)
    keep, step = end, 1 << 16
    while keep:
        start = max(0, keep - step)
        file.seek(start)
        tail = file.read(keep - start)
        if (at := tail.rfind(b"\n")) >= 0:
            keep = start + at + 1
            break
        keep = start
    if keep != end:
        file.truncate(keep)
        file.seek(0, os.SEEK_END)
