"""What agents print: JSON, a value a line, among lines that are none."""

import json
from collections.abc import Iterator, Mapping
from typing import Any


def values(stdout: bytes) -> Iterator[Mapping[str, Any]]:
    """Each line that is a JSON object, in order."""
    for line in stdout.splitlines():
        if line.lstrip().startswith(b"{"):
            try:
                value = json.loads(line)
            except ValueError:
                continue
            if isinstance(value, Mapping):
                yield value


def last_of(stdout: bytes, kind: str) -> Mapping[str, Any] | None:
    """The last of them whose `type` is that."""
    return next((one for one in reversed(list(values(stdout))) if one.get("type") == kind), None)
