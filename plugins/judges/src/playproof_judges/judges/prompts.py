"""Prompts: versioned text files of the package, in named parts, filled in one pass so that foreign text is never read as a template."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from attrs import frozen

from playproof.canonical import digest
from playproof.model import Options

_PART = re.compile(r"^=== ([a-z_]+) ===\n", re.MULTILINE)
_INCLUDE = re.compile(r"\{\{> ([a-z]+-[0-9]+)\}\}\n?")
_BLANK = re.compile(r"\{\{([a-z_]+)\}\}")


@frozen
class Prompt:
    """`digest` is the SHA-256 of the whole text with what it includes: two judges with the same digest say the same words."""

    name: str
    version: int
    digest: str
    parts: Mapping[str, str]

    def part(self, name: str, /, **values: object) -> str:
        """One part with its blanks filled. What is filled in is not looked at again. Raises KeyError for a blank without a value."""
        return _BLANK.sub(lambda blank: str(values[blank[1]]), self.parts[name])

    @property
    def settings(self) -> Options:
        return {"name": self.name, "version": self.version, "digest": self.digest}


@cache
def prompt(name: str, version: int = 1) -> Prompt:
    """`prompts/<name>-<version>.md` of this package."""
    whole = _text(f"{name}-{version}")
    pieces = _PART.split(whole)[1:]
    parts = {key: text.strip() for key, text in zip(pieces[::2], pieces[1::2], strict=True)}
    return Prompt(name, version, digest(whole.encode()), parts)


def _text(name: str) -> str:
    found = files("playproof_judges").joinpath("prompts", f"{name}.md").read_text("utf-8")
    return _INCLUDE.sub(lambda include: _text(include[1]), found)
