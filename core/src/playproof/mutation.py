"""Mutants: small changes to a reference, each of which a check ought to notice. What one is, in which order they are drawn, and
where they are kept until a submission is made of one (the source `mutant:ID`)."""

import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from attrs import evolve, frozen

from playproof.canonical import digest, plain, structure
from playproof.store import put_json

ID_DIGITS = 12


@frozen
class Mutant:
    """One small change: the bytes from `start` to `end` of `file` (relative, with slashes) become `text`. Where bytes cannot tell it (a
    project of some program), `script` is what the task's runtime runs over the reference instead (see `playproof.interfaces.Builds`).

    `line` and `column` count from 1. `before` and `after` are for a reader: the piece that changes with as much around it as a
    line holds; `after` is empty where it is removed. `within` names what it lies in, outermost first, joined by dots. `id`
    follows from all of this except places, so that it outlives changes elsewhere: see `named`."""

    file: str
    line: int
    column: int
    kind: str
    before: str
    after: str
    start: int
    end: int
    text: str
    within: str = ""
    id: str = ""
    script: str = ""


def named(found: Iterable[Mutant]) -> Sequence[Mutant]:
    """The same with ids; those that nothing but their place tells apart are counted in the order given, that of the file."""
    alike: Counter[str] = Counter()
    made = []
    for one in found:
        content = digest([one.file, one.kind, one.within, one.before, one.after, one.text, *([one.script] if one.script else [])])
        alike[content] += 1
        made.append(evolve(one, id=digest([content, alike[content]])[:ID_DIGITS]))
    return made


def drawn(found: Iterable[Mutant], seed: int) -> Sequence[Mutant]:
    """All of them in a seeded order, in which every line has had its first before any has its second: code that one line is
    full of would else be most of a sample. Any beginning of the order is a sample, and a smaller one begins a larger one."""
    shuffled = sorted(found, key=lambda one: digest([seed, one.id]))
    turns: Counter[tuple[str, int]] = Counter()
    turned = []
    for one in shuffled:
        turned.append((turns[one.file, one.line], one))
        turns[one.file, one.line] += 1
    return [one for _, one in sorted(turned, key=lambda pair: pair[0])]


def applied(mutant: Mutant, content: bytes) -> bytes:
    """The file's content with a change that bytes can tell. Raises ValueError for one that is not in it, or that changes nothing."""
    if not 0 <= mutant.start <= mutant.end <= len(content):
        raise ValueError(f"bytes {mutant.start} to {mutant.end} are not in a file of {len(content)}")
    if content[mutant.start : mutant.end] == mutant.text.encode():
        raise ValueError("it changes nothing")
    return content[: mutant.start] + mutant.text.encode() + content[mutant.end :]


def place_of(id: str, base: str, cache: Path) -> Path:
    """Where a mutant of the reference with the digest `base` is kept."""
    return cache / "mutants" / base[:32] / f"{id}.json"


def keep(mutant: Mutant, base: str, cache: Path) -> None:
    place = place_of(mutant.id, base, cache)
    place.parent.mkdir(parents=True, exist_ok=True)
    put_json(place, plain(mutant))


def kept(place: Path) -> Mutant:
    """Raises FileNotFoundError."""
    return structure(json.loads(place.read_bytes()), Mutant)


def written(mutant: Mutant, cache: Path) -> Path:
    """A file with the mutant's script, in a folder of its own: whatever lies beside a script counts as part of it."""
    place = cache / "mutants" / "scripts" / digest([mutant.script])[:32] / "mutant.py"
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        part = place.with_suffix(f".{os.getpid()}")
        part.write_text(mutant.script, "utf-8")
        part.replace(place)
    return place
