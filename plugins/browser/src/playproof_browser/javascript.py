"""The mutator `browser.javascript`: small changes to the scripts of a reference, in files of their own and inside pages.

acorn finds what may change (see `mutate/operators.js`), in the Node that Playwright brings; it comes from the package cache by the
lock beside it. A changed script that V8 does not parse is no mutant."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen, validators

from playproof.drivers import settings
from playproof.errors import TaskError
from playproof.interfaces import Services
from playproof.model import Options, Submission
from playproof.mutation import Mutant, drawn, named
from playproof.packages import lay_in
from playproof_browser.markup import inline_scripts
from playproof_browser.node import answered

TOOLS = Path(__file__).parent / "mutate"

LARGEST = 2 << 20
"""Bytes of a file that is read; a reference written by hand is far below, and a bundle is nobody's own code."""

WALL_S, HEAP_MB = 300.0, 3072

AT_ONCE = 64
"""How many changed scripts are parsed in one go: no more than a caller is likely to take."""

PAGES, MODULES = frozenset({".html", ".htm"}), frozenset({".mjs"})


@frozen
class _Settings:
    """`files`: globs below the submission; pages and scripts of every name unless told."""

    files: Sequence[str] = field(default=("**/*.html", "**/*.htm", "**/*.js", "**/*.mjs"), validator=validators.min_len(1))


@frozen
class Script:
    """A script of a submission: `kind` is classic, module or either; it begins at `byte` of the file, in `line` and `column`."""

    file: str
    kind: str
    source: str
    byte: int = 0
    line: int = 1
    column: int = 1


class JavaScriptMutator:
    def __init__(self, options: Options, services: Services) -> None:
        self._files = settings(_Settings, options, "browser.javascript").files
        self._cache = services.cache

    def mutants(self, submission: Submission, seed: int, limit: int) -> Iterator[Mutant]:
        """Raises TaskError for a file that is too large, not UTF-8, or does not parse."""
        scripts = list(self._scripts(submission.root))
        if not scripts or not limit:
            return
        made = self._made(scripts)
        order = drawn([mutant for mutant, _, _ in made], seed)
        places = {mutant.id: (script, change) for mutant, script, change in made}
        given = 0
        for start in range(0, len(order), AT_ONCE):
            some = order[start : start + AT_ONCE]
            for mutant, parses in zip(some, _parses(scripts, [places[one.id] for one in some]), strict=True):
                if parses:
                    yield mutant
                    given += 1
                    if given == limit:
                        return

    def _scripts(self, root: Path) -> Iterator[Script]:
        found = {place for glob in self._files for place in root.glob(glob) if place.is_file() and not place.is_symlink()}
        for place in sorted(found):
            file = place.relative_to(root).as_posix()
            if (size := place.stat().st_size) > LARGEST:
                raise TaskError(f"{file}: {size} bytes are more than the {LARGEST} of what is mutated; name the reference's own code "
                                "in the mutator's option `files`")
            try:
                text = place.read_bytes().decode("utf-8")
            except UnicodeDecodeError as fault:
                raise TaskError(f"{file}: {fault}") from None
            if place.suffix.lower() not in PAGES:
                yield Script(file, "module" if place.suffix.lower() in MODULES else "either", text)
                continue
            for one in inline_scripts(text):
                yield Script(file, one.kind, one.text, len(text[: one.start].encode()), one.line, one.column)

    def _made(self, scripts: list[Script]) -> Sequence[tuple[Mutant, int, Mapping[str, Any]]]:
        """Every change with its mutant, the number of its script, and itself. The scripts' kinds are known afterwards."""
        acorn = lay_in(TOOLS / "package-lock.json", self._cache) / "node_modules" / "acorn" / "dist" / "acorn.js"
        asked = [{"kind": one.kind, "source": one.source} for one in scripts]
        said = answered(TOOLS / "main.js", {"acorn": str(acorn), "find": asked}, wall_s=WALL_S, heap_mb=HEAP_MB)
        if said["faults"]:
            raise TaskError("; ".join(_fault(scripts[fault["script"]], fault) for fault in said["faults"]))
        scripts[:] = [evolve(script, kind=found["kind"]) for script, found in zip(scripts, said["found"], strict=True)]
        changes = [(number, change) for number, found in enumerate(said["found"]) for change in found["changes"]]
        mutants = named(_mutant(scripts[number], change) for number, change in changes)
        return [(mutant, number, change) for mutant, (number, change) in zip(mutants, changes, strict=True)]


def _fault(script: Script, fault: Mapping[str, Any]) -> str:
    return f"{script.file} line {script.line + fault['line'] - 1}: does not parse: {fault['text']}"


def _mutant(script: Script, change: Mapping[str, Any]) -> Mutant:
    start = script.byte + change["byte"]
    column = change["column"] + (script.column - 1 if change["line"] == 1 else 0)
    return Mutant(script.file, script.line + change["line"] - 1, column, change["kind"], change["before"], change["after"],
                  start, start + change["bytes"], change["text"], change["within"])


def _parses(scripts: Sequence[Script], places: Sequence[tuple[int, Mapping[str, Any]]]) -> Sequence[bool]:
    asked = {"verify": [{"kind": one.kind, "source": one.source} for one in scripts],
             "changes": [{"script": number, **{name: change[name] for name in ("start", "end", "text")}} for number, change in places]}
    found: Sequence[bool] = answered(TOOLS / "main.js", asked, wall_s=WALL_S, heap_mb=HEAP_MB)["parses"]
    return found
