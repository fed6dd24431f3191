"""How what a project says is put into words: short, in characters that can be shown, numbers in metres."""

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from playproof_blender import colours

LONGEST = 80
Made = Mapping[str, Any]


def printable(text: Any, most: int = LONGEST) -> str:
    """Of a submission's text the characters that can be shown (no escapes of a terminal, no marks that turn text round), cut."""
    return "".join(one if one.isprintable() else " " for one in str(text)[: 4 * most])[:most]


def number(value: Any) -> str:
    """Four figures, and what is under a millionth as 0; what is no finite number as it is."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return printable(value, 12)
    return f"{value if abs(value) >= 1e-6 else 0:.4g}"


def numbers(values: Iterable[Any]) -> str:
    return "(" + ", ".join(number(one) for one in values) + ")"


def size(box: Any) -> str:
    """The sides of a box."""
    if not isinstance(box, list) or len(box) != 6:
        return "no shape"
    return "not finite" if not finite(box) else " x ".join(number(high - low) for low, high in zip(box[:3], box[3:], strict=True)) + " m"


def finite(values: Any) -> bool:
    """Whether it is a list of finite numbers."""
    return isinstance(values, list) and all(isinstance(one, int | float) and math.isfinite(one) for one in values)


def colour(value: Any) -> str:
    """Linear RGBA as the #rrggbb that a screen shows."""
    if not isinstance(value, list) or len(value) < 3 or not finite(value):
        return "varies"
    return colours.spelled(value[:3])


def spellable(value: Any, most: int = 300) -> Any:
    """JSON data for a judge: texts that can be shown, numbers of six figures, what is not finite as a text."""
    if isinstance(value, str):
        return printable(value, most)
    if isinstance(value, float):
        return float(f"{value:.6g}") if math.isfinite(value) else str(value)
    if isinstance(value, dict):
        return {printable(key): spellable(one, most) for key, one in value.items()}
    return [spellable(one, most) for one in value] if isinstance(value, list) else value


def cut(lines: Sequence[str], most: int, indent: str = "  ") -> list[str]:
    rest = len(lines) - most
    return [*(indent + one for one in lines[:most]), *([f"{indent}... {rest:,} more"] if rest > 0 else [])]


def table(heads: Sequence[str], rows: Iterable[Sequence[Any]], most: int = 60) -> str:
    """A table in HTML; every cell is escaped."""
    whole = list(rows)
    body = "".join(f"<tr>{_cells('td', row)}</tr>" for row in whole[:most])
    rest = f"<p>{len(whole) - most:,} more</p>" if len(whole) > most else ""
    return f"<table><tr>{_cells('th', heads)}</tr>{body}</table>{rest}"


def _cells(kind: str, cells: Iterable[Any]) -> str:
    return "".join(f"<{kind}>{escape(printable(cell))}</{kind}>" for cell in cells)
