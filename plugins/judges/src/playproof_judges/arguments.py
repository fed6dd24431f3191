"""What a model gives a tool, held against the tool's schema before anything is done with it."""

from collections.abc import Callable, Mapping
from typing import Any

import fastjsonschema

from playproof.canonical import canonical
from playproof.errors import PluginError

Fault = Callable[[Any], str]
"""What is wrong with arguments, or nothing."""


def faults(name: str, schema: Mapping[str, Any]) -> Fault:
    """The check that a JSON Schema (of an object) stands for. Raises PluginError for a schema that is none."""
    try:
        valid = fastjsonschema.compile({"type": "object", "additionalProperties": False, **schema}, use_default=False)
    except (fastjsonschema.JsonSchemaDefinitionException, AttributeError, TypeError) as problem:
        raise PluginError(f"the schema of the tool {name!r} is no JSON Schema: {problem}") from problem

    def fault(arguments: Any) -> str:
        if not spellable(arguments):
            return "arguments is no JSON: it has numbers that JSON cannot spell, or is nested too deeply"
        try:
            valid(arguments)
        except fastjsonschema.JsonSchemaValueException as found:
            return str(found.message).replace("data", "arguments", 1)
        return ""

    return fault


def spellable(value: Any) -> bool:
    try:
        canonical(value)
    except (ValueError, TypeError, RecursionError):
        return False
    return True
