"""JSON Schemas that replies must follow, and replies held against them.

Only what every provider's own schema mode takes is used: objects whose properties are all required, lists, texts, whole numbers, booleans
and choices of texts. Ranges and citations are checked by the judges."""

from collections.abc import Mapping, Sequence
from typing import Any

Schema = Mapping[str, Any]

_KINDS: Mapping[str, tuple[type, str]] = {
    "object": (dict, "an object"), "array": (list, "a list"), "string": (str, "a text"), "integer": (int, "a whole number"),
    "boolean": (bool, "true or false"),
}


def text(description: str = "") -> Schema:
    return {"type": "string", "description": description} if description else {"type": "string"}


def choice(*values: str) -> Schema:
    return {"type": "string", "enum": list(values)}


def many(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def record(**properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


TEXTS = many(text())
FLAG: Schema = {"type": "boolean"}
WHOLE: Schema = {"type": "integer"}


def fits(data: Any, schema: Schema, path: str = "$") -> None:
    """Raises ValueError, with the path, for the first thing in which `data` is not what was asked for. A key too many is no harm."""
    kind, words = _KINDS[schema["type"]]
    if not _is(data, kind):
        raise ValueError(f"{path} is {_named(data)}, not {words}")
    if "enum" in schema and data not in schema["enum"]:
        raise ValueError(f"{path} is {data[:40]!r}, which is none of: {', '.join(schema['enum'])}")
    for name in schema.get("required", ()):
        if name not in data:
            raise ValueError(f"{path}.{name} is missing")
        fits(data[name], schema["properties"][name], f"{path}.{name}")
    if "items" in schema:
        for at, one in enumerate(data):
            fits(one, schema["items"], f"{path}[{at}]")


def _is(data: Any, kind: type) -> bool:
    return isinstance(data, kind) and not (kind is int and isinstance(data, bool))


def _named(data: Any) -> str:
    if data is None:
        return "null"
    if isinstance(data, bool | int | float):
        return str(data)[:40]
    return next((words for kind, words in _KINDS.values() if isinstance(data, kind)), type(data).__name__)


def lines(told: Sequence[str], most: int = 20, width: int = 500) -> Sequence[str]:
    """Texts of a reply as they are kept: trimmed, without empty ones, cut."""
    return [one.strip()[:width] for one in told if one.strip()][:most]
