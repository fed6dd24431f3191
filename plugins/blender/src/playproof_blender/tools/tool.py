"""What a tool is, whatever protocol it is called by."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import frozen

Schema = Mapping[str, Any]

PROJECT = {"type": "string", "description": "path of a .blend in the workspace; left out: the only one there"}
POINT = {"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3}


@frozen
class Answer:
    """`text` for the agent, and pictures (PNG)."""

    text: str
    pictures: Sequence[bytes] = ()


@frozen
class Tool:
    """`schema` (JSON Schema, an object) describes the arguments of `answer`, which raises Failed, and ValueError where they do not fit."""

    name: str
    category: str
    words: str
    schema: Schema
    answer: Callable[[Mapping[str, Any]], Answer]


def table(required: Sequence[str] = (), **properties: Any) -> Schema:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def bounded(kind: str, low: float, high: float) -> Schema:
    return {"type": kind, "minimum": low, "maximum": high}
