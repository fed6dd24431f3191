"""The mutator `toy.swap`: a machine with one value changed; what is true becomes false, a number one more."""

import re
from collections.abc import Iterator

from attrs import frozen

from playproof.drivers import settings
from playproof.errors import TaskError
from playproof.interfaces import Services
from playproof.model import Options, Submission
from playproof.mutation import Mutant, drawn, named
from playproof_toy.lamp import FILE
from playproof_toy.machine import read_machine

TOKEN = re.compile(r'(?P<text>"(?:\\.|[^"\\])*")(?P<key>\s*:)?|(?P<open>\{)|(?P<close>\})|(?P<value>true|false|-?\d+(?:\.\d+)?)')
SWAPPED = {"true": "false", "false": "true"}


@frozen
class _Settings:
    """No options; unknown ones are refused all the same."""


class Swap:
    def __init__(self, options: Options, services: Services) -> None:
        settings(_Settings, options, "toy.swap")

    def mutants(self, submission: Submission, seed: int, limit: int) -> Iterator[Mutant]:
        """Every value of a machine that is true, false or a number."""
        place = submission.root / FILE
        if not place.is_file():
            return
        text = place.read_bytes().decode("utf-8")
        try:
            read_machine(text)
        except ValueError as fault:
            raise TaskError(f"the reference cannot be read: {FILE}: {fault}") from None
        yield from drawn(named(_swaps(text)), seed)[:limit]


def _swaps(text: str) -> Iterator[Mutant]:
    """In the order of the text. `within` is the path of keys, so that a task can speak of `states.lit`."""
    path: list[str] = []
    key = ""
    for token in TOKEN.finditer(text):
        if token["key"]:
            key = token["text"][1:-1]
        elif token["open"]:
            path.append(key)
        elif token["close"]:
            path.pop()
        elif value := token["value"]:
            after = SWAPPED.get(value) or str(int(float(value)) + 1)
            above, at = text[: token.start()], len(text[: token.start()].encode())
            yield Mutant(FILE, above.count("\n") + 1, len(above) - above.rfind("\n"), "truth swapped" if value in SWAPPED else "number",
                         f"{key}: {value}", f"{key}: {after}", at, at + len(value), after, ".".join([*path[1:], key]))
