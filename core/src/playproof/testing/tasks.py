"""`check_task`: what is wrong with a task, before anything is played."""

import io
import re
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from playproof.errors import PlayproofError
from playproof.plan import survey_all
from playproof.taskfile import read_task
from playproof.testing.contracts import ContractBroken

RUN = 8
"""So many words in a row, the same in a check and in the brief, are no accident."""

TEXT = {".md", ".txt", ".json", ".toml", ".yaml", ".yml", ".csv", ".html", ".py", ".js"}


def check_task(folder: Path, cache: Path) -> Sequence[str]:
    """Raises ContractBroken with everything that is wrong with the task: its file, its drivers and checks, the submissions that
    it must ship. Returns what is no fault but worth a look: text that held-out checks and brief share."""
    try:
        task = read_task(folder)
        survey_all([task], cache)
    except PlayproofError as fault:
        raise ContractBroken(str(fault)) from fault
    faults = []
    if not _filled(folder / "reference"):
        faults.append(f"{folder / 'reference'}: missing; a submission that must pass")
    for kind, need in (("accepted", "a structurally different submission that must pass too"), ("broken", "submissions that must fail")):
        if not any(_filled(one) for one in _folders(folder / kind)):
            faults.append(f"{folder / kind}: holds nothing; wanted {need}")
    faults += [f"{one / 'expected.toml'}: missing; it says what this variant must fail" for one in _folders(folder / "broken")
               if not (one / "expected.toml").is_file()]
    if faults:
        raise ContractBroken("\n".join(faults))
    return shared_text(folder / "checks", folder / "brief")


def _folders(place: Path) -> Sequence[Path]:
    return sorted(one for one in place.iterdir() if one.is_dir()) if place.is_dir() else []


def _filled(place: Path) -> bool:
    return place.is_dir() and any(place.iterdir())


def shared_text(held_out: Path, brief: Path, run: int = RUN) -> Sequence[str]:
    """One line for each passage of at least `run` words, identifiers apart, that stands in both folders."""
    told: dict[tuple[str, ...], Path] = {}
    for path, words in _texts(brief):
        told.update({words[at : at + run]: path for at in range(len(words) - run + 1)})
    found: dict[str, None] = {}
    for path, words in _texts(held_out):
        for start, end in _passages(words, told, run):
            source = told[words[start : start + run]]
            found[f"{path} shares with {source}: \"{' '.join(words[start:end])}\""] = None
    return list(found)


def _passages(words: tuple[str, ...], told: Mapping[tuple[str, ...], Path], run: int) -> Iterator[tuple[int, int]]:
    """The longest stretches whose every `run` words are told."""
    start = None
    for at in range(len(words) - run + 2):
        if words[at : at + run] in told:
            start = at if start is None else start
        elif start is not None:
            yield start, at - 1 + run
            start = None


def _texts(folder: Path) -> Iterator[tuple[Path, tuple[str, ...]]]:
    for path in sorted(one for one in folder.rglob("*") if one.is_file() and one.suffix in TEXT):
        text = path.read_text("utf-8", errors="replace")
        for passage in _prose(text) if path.suffix == ".py" else [text]:
            yield path, tuple(_words(passage))


def _prose(script: str) -> Iterator[str]:
    """A script's strings, and its comments as one text."""
    comments = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(script).readline):
            if token.type == tokenize.COMMENT:
                comments.append(token.string.lstrip("# "))
            elif token.type == tokenize.STRING:
                yield token.string
    except (tokenize.TokenError, SyntaxError):
        yield script
    yield " ".join(comments)


def _words(text: str) -> Iterator[str]:
    """Words in lower case; what looks like an identifier (a_b, a.b, aB, a1) is left out, because both sides must use it."""
    for word in re.findall(r"[^\W\d_][\w.'’-]*", text):
        bare = word.rstrip(".'’-")
        if re.fullmatch(r"[^\W\d_]+(['’-][^\W\d_]+)*", bare) and (bare[1:].islower() or len(bare) == 1 or bare.isupper()):
            yield bare.lower()
