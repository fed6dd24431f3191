"""Who made a submission, taken out of the texts that a blind rater reads. A picture of it, or a film, stays what it is."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from playproof.subjects import SOURCES
from playproof.trial import Done

HIDDEN = "[hidden]"
_TAG = re.compile(r"(<[^<>]*>)")


@frozen
class Veil:
    """Replaces these words, as whole words and in any case."""

    words: Sequence[str]
    _pattern: re.Pattern[str] | None = field(init=False)

    @_pattern.default
    def _make_pattern(self) -> re.Pattern[str] | None:
        longest_first = sorted(set(self.words), key=len, reverse=True)
        spelled = "|".join(map(re.escape, longest_first))
        return re.compile(rf"(?<!\w)(?:{spelled})(?!\w)", re.IGNORECASE) if spelled else None

    def text(self, text: str) -> str:
        return self._pattern.sub(HIDDEN, text) if self._pattern else text

    def html(self, html: str) -> str:
        """The same between the tags of a fragment."""
        parts = _TAG.split(html)
        return "".join(part if part.startswith("<") else self.text(part) for part in parts)


def veil(done: Iterable[Done]) -> Veil:
    """The labels of all stacks of a run, and the names of their models. `reference` and `nothing` are words of every day and say
    no more than the submission itself does."""
    words: list[str] = []
    for one in done:
        label = one.trial.subject.label
        words += [label] if label not in SOURCES else []
        words += _models(one.trial.subject.inputs)
    return Veil([word for word in words if len(word) > 2])


def _models(facts: Any, named: bool = False) -> Iterator[str]:
    """Every text under a key that speaks of a model."""
    if isinstance(facts, Mapping):
        for key, value in facts.items():
            yield from _models(value, named or "model" in str(key).lower())
    elif isinstance(facts, list | tuple):
        for value in facts:
            yield from _models(value, named)
    elif named and isinstance(facts, str):
        yield facts
