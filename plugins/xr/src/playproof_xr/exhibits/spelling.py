"""How evidence is put into words: short, in printable characters, numbers in metres."""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Any

from playproof.model import Evidence
from playproof_xr.time.moments import finite_again

LINES = 200
"""Of one text: what a judge is shown at once; the rest it asks for."""

Read = Callable[[str], bytes]


def opened(evidence: Evidence, read: Read) -> Any:
    """The JSON that it holds, with NaN and infinities as numbers."""
    return finite_again(evidence.value if evidence.blob is None else json.loads(read(evidence.blob)))


def printable(text: Any, most: int = 80) -> str:
    """Of a submission's text the characters that can be shown, cut."""
    return "".join(one if one.isprintable() else " " for one in str(text))[:most]


def metres(numbers: Iterable[Any]) -> str:
    return "(" + ", ".join(f"{one:.3f}" if isinstance(one, int | float) and math.isfinite(one) else str(one) for one in numbers) + ")"


def cut(lines: Sequence[str]) -> str:
    rest = len(lines) - LINES
    return "\n".join(lines[:LINES]) + (f"\n... {rest} more" if rest > 0 else "")


def table(heads: Sequence[str], rows: Iterable[Sequence[Any]], most: int = 40) -> str:
    """A table in HTML; every cell is escaped."""
    whole = list(rows)
    body = "".join(f"<tr>{_cells('td', row)}</tr>" for row in whole[:most])
    rest = f"<p>{len(whole) - most} more</p>" if len(whole) > most else ""
    return f"<table><tr>{_cells('th', heads)}</tr>{body}</table>{rest}"


def _cells(kind: str, cells: Iterable[Any]) -> str:
    return "".join(f"<{kind}>{escape(printable(cell))}</{kind}>" for cell in cells)


def schema(required: Sequence[str] = (), **properties: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def text_of(arguments: Mapping[str, Any], name: str) -> str | None:
    """Raises ValueError on what is no text."""
    value = arguments.get(name)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{name} is a text")
    return value


def number_of(arguments: Mapping[str, Any], name: str, otherwise: float, low: float, high: float) -> float:
    value = arguments.get(name, otherwise)
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise ValueError(f"{name} is a number from {low:g} to {high:g}")
    return float(value)
