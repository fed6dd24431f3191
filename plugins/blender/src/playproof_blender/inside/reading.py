"""How Blender's values become JSON data, whatever a file holds: names that are no UTF-8, numbers that are not finite, lists too long."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

LONGEST = 2000
MOST_KEYS, MOST_ITEMS, DEEPEST = 60, 200, 4

Properties = Sequence[tuple[str, str, bool]]
"""Of a type of Blender's: what each is called, its kind, and whether it is a list."""

_properties: dict[Any, Properties] = {}


def text(owner: Any, attribute: str) -> str:
    """A text of Blender's, cut; bytes that are not UTF-8 are spelled `\\xff`."""
    try:
        return spelled(str(getattr(owner, attribute)))
    except UnicodeDecodeError as fault:
        return spelled(fault.object)


def spelled(raw: str | bytes) -> str:
    """Some of Blender's texts are bytes, some hold what was no UTF-8 as lone surrogates."""
    if isinstance(raw, str):
        try:
            raw.encode()
            return raw[:LONGEST]
        except UnicodeEncodeError:
            raw = raw.encode("utf-8", "surrogateescape")
    return raw.decode("utf-8", "backslashreplace")[:LONGEST]


def name_of(block: Any) -> str:
    """Of a datablock its name, one in the whole file among those of its kind; linked ones have their library behind it."""
    return text(block, "name_full")


def name_or_none(block: Any) -> str | None:
    return None if block is None else name_of(block)


def settings(owner: Any, base: Any) -> Mapping[str, Any]:
    """What its type adds to the type `base`: numbers, choices, texts, and the names of what it points to."""
    found: dict[str, Any] = {}
    for name, kind, many in properties(owner, base):
        if (value := _setting(owner, name, kind, many)) is not None:
            found[name] = value
    return found


def properties(owner: Any, base: Any) -> Properties:
    """Found out once for each type, since that costs more than to read them."""
    key = owner.bl_rna.identifier
    if key not in _properties:
        common = {one.identifier for one in base.bl_rna.properties}
        _properties[key] = [(one.identifier, one.type, bool(getattr(one, "array_length", 0))) for one in owner.bl_rna.properties
                            if one.identifier not in common and one.type != "COLLECTION"]  # fmt: skip
    return _properties[key]


def _setting(owner: Any, name: str, kind: str, many: bool) -> Any:
    try:
        value = getattr(owner, name)
    except UnicodeDecodeError:
        return text(owner, name)
    except (AttributeError, RuntimeError, TypeError, ValueError):
        return None
    if kind == "POINTER":
        return name_of(value) if hasattr(value, "name_full") else None
    if many:
        return [tidy(one) for one in _flat(value)]
    if kind == "STRING":
        return spelled(value) or None
    return sorted(value) if isinstance(value, set) else tidy(value)


def _flat(value: Any) -> Sequence[Any]:
    """A vector, a colour, a list of switches, or a matrix by rows."""
    return [inner for row in value for inner in row] if len(value) and hasattr(value[0], "__len__") else list(value)


def custom(owner: Any) -> Mapping[str, Any]:
    """Custom properties, bounded; what add-ons keep in the same place is left out."""
    try:
        keys = owner.keys()
    except UnicodeDecodeError:
        return {"unreadable": "a key is no UTF-8"}
    known = owner.bl_rna.properties
    return {spelled(key): _told(owner, key, 0) for key in islice(keys, MOST_KEYS) if key not in known and key != "_RNA_UI"}


def _told(owner: Any, key: str, depth: int) -> Any:
    try:
        return _plain(owner[key], depth)
    except UnicodeDecodeError as fault:
        return spelled(fault.object)


def _plain(value: Any, depth: int) -> Any:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str | bytes):
        return spelled(value)
    return name_of(value) if hasattr(value, "name_full") else _nested(value, depth)


def _nested(value: Any, depth: int) -> Any:
    if depth >= DEEPEST:
        return "..."
    if hasattr(value, "keys"):
        return {spelled(key): _told(value, key, depth + 1) for key in islice(value.keys(), MOST_KEYS)}
    if hasattr(value, "__len__"):
        return [_plain(one, depth + 1) for one in islice(value, MOST_ITEMS)]
    return str(value)[:LONGEST]


def tidy(value: Any) -> Any:
    """A number of single precision as a person would write it: 0.3, not 0.30000001192092896. Anything else as it is."""
    return float(f"{value:.7g}") if isinstance(value, float) else value


def colour(value: Any) -> list[float]:
    """Linear RGBA; what has no alpha is opaque."""
    return [tidy(one) for one in (*value, 1.0)][:4]


def rows(matrix: Any) -> list[float]:
    """16 numbers."""
    return [*matrix[0], *matrix[1], *matrix[2], *matrix[3]]
