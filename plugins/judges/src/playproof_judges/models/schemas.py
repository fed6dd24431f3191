"""JSON Schemas as providers take them: each binds a reply to a subset, and refuses what it does not know."""

import json
from collections.abc import Mapping
from typing import Any

from playproof.dialogue import Request

Schema = Mapping[str, Any]

UNBOUND = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern",
                     "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"})
"""Bounds that no provider is sure to keep, and some refuse. They are told in words; a judge checks what it gets."""

PROMPT = "Answer with one JSON object and nothing else: no words before or after it, no fence. This JSON Schema describes it:\n"
MUST_CALL = "Call one of the tools now; do not answer in words."


def closed(schema: Schema) -> dict[str, Any]:
    """The same with every object closed, and bounds moved into descriptions."""
    made: dict[str, Any] = {}
    for key, value in schema.items():
        if key in ("properties", "$defs", "definitions") and isinstance(value, Mapping):
            made[key] = {name: closed(one) for name, one in value.items()}
        elif key not in UNBOUND and key not in ("enum", "const", "default", "examples"):
            made[key] = _within(value)
        elif key not in UNBOUND:
            made[key] = value
    if bounds := [f"{key} {json.dumps(schema[key])}" for key in sorted(UNBOUND & schema.keys())]:
        made["description"] = " ".join(filter(None, [made.get("description", ""), f"({', '.join(bounds)})"]))
    if made.get("type") == "object" or "properties" in made:
        made.setdefault("additionalProperties", False)
    return made


def _within(value: Any) -> Any:
    if isinstance(value, Mapping):
        return closed(value)
    return [_within(one) for one in value] if isinstance(value, list | tuple) else value


def is_strict(schema: Any) -> bool:
    """Whether every property of every object is required: OpenAI binds nothing else."""
    if isinstance(schema, Mapping):
        properties = schema.get("properties")
        if isinstance(properties, Mapping) and set(schema.get("required", ())) != set(properties):
            return False
        return schema.get("additionalProperties") in (None, False) and all(is_strict(one) for one in schema.values())
    return all(is_strict(one) for one in schema) if isinstance(schema, list | tuple) else True


def told(request: Request, *, schema: bool, must_call: bool = False) -> str:
    """The system prompt, with what the protocol does not say itself."""
    more = [request.system]
    if schema and request.schema is not None:
        more.append(PROMPT + json.dumps(request.schema, ensure_ascii=False))
    if must_call:
        more.append(MUST_CALL)
    return "\n\n".join(filter(None, more))
