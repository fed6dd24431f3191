"""Whether every requirement of a brief is asked for by a check: the brief taken apart into places that a `source` can name.

    brief/spec.json#/legs/height      a JSON pointer, for all that stands below it
    brief/instruction.md#Every leg    words of the text, for the sentences that they lie in
    brief/front.png                   a file of any other kind

Every sentence, every value of a JSON file and every other file is to be the source of a check, or be listed in a rubric as unchecked with
a reason. Headings ask for nothing.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from attrs import frozen

from playproof.canonical import short
from playproof.errors import TaskError
from playproof.examiners.criteria import DRIVER, read_rubric
from playproof.examiners.scripts import held_out_files
from playproof.model import Check, Task

_SENTENCE = re.compile(r"""(?<=[.!?])\s+(?=[^a-z\s])|(?<=[.!?]["')\]])\s+(?=[^a-z\s])""")

_TAG = re.compile(r"<!--.*?-->|<[^>]*>", re.DOTALL)


class Document(Protocol):
    """A file of the brief: `places` are its requirements as a reader would quote them, `at` those that a fragment names. An `at` that
    names nothing, or cannot be told apart, raises ValueError."""

    @property
    def places(self) -> Sequence[str]: ...
    def at(self, fragment: str) -> Sequence[int]: ...


@frozen
class Whole:
    """A file that is one requirement: a picture, a film, a drawing."""

    places: Sequence[str] = ("",)

    def at(self, fragment: str) -> Sequence[int]:
        if fragment:
            raise ValueError("a file of this kind is named as a whole, without '#'")
        return [0]


@frozen
class Text:
    """Markdown by sentences, in paragraphs, list items, rows of tables and code blocks."""

    blocks: Sequence[Sequence[str]]

    @property
    def places(self) -> Sequence[str]:
        return [sentence for block in self.blocks for sentence in block]

    def at(self, fragment: str) -> Sequence[int]:
        if not (words := _bare(fragment)):
            raise ValueError("words of the text are wanted behind '#'")
        found, first = list[Sequence[int]](), 0
        for block in self.blocks:
            bare = [_bare(sentence) for sentence in block]
            ends = list(_ends(bare))
            for match in re.finditer(re.escape(words), " ".join(bare)):
                found.append([first + at for at, (start, end) in enumerate(ends) if start < match.end() and match.start() < end])
            first += len(block)
        if len(found) != 1:
            raise ValueError(f"the text says this {len(found)} times; say more of it" if found else "the text does not say this")
        return found[0]


@frozen
class Values:
    """JSON by its values, each with its pointer; a list of plain values is one of them."""

    leaves: Mapping[str, Any]

    @property
    def places(self) -> Sequence[str]:
        return [f"{pointer} {short(value, 60)}" for pointer, value in self.leaves.items()]

    def at(self, fragment: str) -> Sequence[int]:
        if not fragment.startswith("/"):
            raise ValueError("a JSON pointer is wanted behind '#'")
        below = [at for at, leaf in enumerate(self.leaves) if f"{leaf}/".startswith(f"{fragment}/")]
        inside = [at for at, (leaf, value) in enumerate(self.leaves.items()) if isinstance(value, list)
                  and fragment.startswith(f"{leaf}/") and fragment[len(leaf) + 1 :] in map(str, range(len(value)))]
        if not (below or inside):
            raise ValueError("nothing stands there")
        return below or inside


def _bare(text: str) -> str:
    """Without what Markdown may mark words with: a source may quote the file, or what it looks like."""
    return " ".join(re.sub(r"[*`]", "", text).split())


def _ends(block: Sequence[str]) -> Iterator[tuple[int, int]]:
    start = 0
    for sentence in block:
        yield start, start + len(sentence)
        start += len(sentence) + 1


def _said(token: Any) -> str:
    if token.type in ("softbreak", "hardbreak"):
        return " "
    return "" if token.type in ("image", "html_inline") else str(token.content)


def _text(text: str) -> Text:
    from markdown_it import MarkdownIt

    blocks, row, opened = list[Sequence[str]](), list[str](), ""
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        said = " ".join("".join(map(_said, token.children or ())).split())
        if token.type in ("fence", "code_block"):
            blocks.append([" ".join(token.content.split())])
        elif token.type == "html_block" and (bare := " ".join(_TAG.sub(" ", token.content).split())):
            blocks.append(_SENTENCE.split(bare))
        elif token.type == "inline" and opened == "td_open":
            row.append(said)
        elif token.type == "inline" and opened == "paragraph_open" and said:
            blocks.append(_SENTENCE.split(said))
        elif token.type == "tr_close" and row:
            blocks.append([" | ".join(row)])
            row = []
        opened = token.type
    return Text(blocks)


def _values(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    below: Sequence[tuple[Any, Any]] = ()
    if isinstance(value, Mapping):
        below = list(value.items())
    elif isinstance(value, list) and any(isinstance(one, Mapping | list) for one in value):
        below = list(enumerate(value))
    if not below:
        yield pointer, value
    for key, one in below:
        yield from _values(one, f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}")


def document(path: Path) -> Document:
    """A file of a brief. Raises TaskError where it cannot be read as what its name says."""
    try:
        if path.suffix == ".md":
            return _text(path.read_text("utf-8"))
        return Values(dict(_values(json.loads(path.read_text("utf-8"))))) if path.suffix == ".json" else Whole()
    except ValueError as fault:
        raise TaskError(f"{path}: {fault}") from None


@frozen
class Mapped:
    """How a brief maps to checks: `asked` of its requirements are the source of one, `unchecked` are listed with a reason; `faults` says
    of every other requirement, and of every source that names nothing, what is wrong."""

    asked: int = 0
    unchecked: int = 0
    faults: Sequence[str] = ()


def mapped(task: Task, checks: Sequence[Check]) -> Mapped | None:
    """None for a task that has other checks than those of rubrics, since scripts name their sources more freely. Raises TaskError."""
    if any(one.driver != DRIVER for one in task.examiners):
        return None
    rubrics = [path for one in task.examiners for path in held_out_files(task.root / "checks", one.files)]
    files = sorted(path for path in (task.root / "brief").rglob("*") if path.is_file())
    brief = {path.relative_to(task.root).as_posix(): document(path) for path in files}
    asked, left = ({name: set[int]() for name in brief} for _ in range(2))
    excused = [(f"{path.name}: unchecked", one.source) for path in rubrics for one in read_rubric(path).unchecked]
    named = [(check.id, source) for check in checks for source in check.source]
    faults = [*_marked(named, brief, asked), *_marked(excused, brief, left)]
    for name, file in brief.items():
        faults += [f"{name}: no check asks for it, and no rubric lists it as unchecked" + (f": {short(place, 120)}" if place else "")
                   for at, place in enumerate(file.places) if at not in asked[name] | left[name]]
    return Mapped(sum(map(len, asked.values())), sum(len(left[name] - asked[name]) for name in brief), faults)


def _marked(sources: Sequence[tuple[str, str]], brief: Mapping[str, Document], seen: Mapping[str, set[int]]) -> Iterator[str]:
    """Marks in `seen` what the sources name, and tells of those that name nothing. A file named without a place in it marks nothing
    where it has places, since it would hide what is forgotten."""
    for who, source in sources:
        name, _, fragment = source.partition("#")
        if name not in brief:
            yield f"{who}: source {source!r}: no such file in the brief; there are: {', '.join(brief)}"
            continue
        if "#" in source or isinstance(brief[name], Whole):
            try:
                seen[name].update(brief[name].at(fragment))
            except ValueError as fault:
                yield f"{who}: source {source!r}: {fault}"
