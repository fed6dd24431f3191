"""One spelling for every value that is stored or hashed: canonical JSON, SHA-256, and attrs classes by cattrs."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from types import GenericAlias
from typing import Any, TypeVar, cast, get_args, get_origin

from attrs import fields, has
from cattrs import BaseConverter, Converter, transform_error
from cattrs.errors import BaseValidationError
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override
from cattrs.preconf.json import make_converter

T = TypeVar("T")


def _converter() -> Converter:
    made = make_converter(forbid_extra_keys=True, unstructure_fallback_factory=lambda _: lambda value: value)
    made.register_unstructure_hook(Path, str)
    made.register_structure_hook(Path, lambda value, _: Path(value))
    for kind in (int, str, bool):  # by class: cattrs has hooks of its own for these, which predicates do not outrank
        made.register_structure_hook(kind, partial(_exactly, kind))
    made.register_structure_hook(float, lambda value, _: _number(value))
    made.register_structure_hook_factory(partial(_is_of, Sequence), _row)
    made.register_structure_hook_factory(partial(_is_of, Mapping), _table)
    made.register_structure_hook_factory(has, _value)
    made.register_unstructure_hook_factory(lambda kind: has(kind) and bool(_spelled(kind)),
                                           lambda kind: make_dict_unstructure_fn(kind, made, **_spelled(kind)))
    made.register_unstructure_hook_func(_is_enum, lambda value: value.value)
    return made


def _is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, StrEnum)


def _is_of(family: Any, kind: Any) -> bool:
    origin: Any = get_origin(kind)
    return origin is family


def _row(kind: Any, made: BaseConverter) -> Callable[[Any, Any], Any]:
    inner: Any = GenericAlias(tuple, (get_args(kind)[0], ...))

    def structured(value: Any, _: Any) -> Any:
        if not isinstance(value, list | tuple):
            raise TypeError(f"expected a list, not {type(value).__name__}")  # a text is iterable, too, and no list
        return made.structure(value, inner)

    return structured


def _table(kind: Any, made: BaseConverter) -> Callable[[Any, Any], Any]:
    inner: Any = GenericAlias(dict, get_args(kind))
    return _only_tables(lambda value: made.structure(value, inner))


def _value(kind: Any, made: BaseConverter) -> Callable[[Any, Any], Any]:
    build = make_dict_structure_fn(kind, cast(Converter, made), _cattrs_forbid_extra_keys=True, **_spelled(kind))
    return _only_tables(lambda value: build(value, kind))


def _spelled(kind: Any) -> dict[str, Any]:
    """Fields that stand otherwise in a file: a word that Python keeps for itself, such as `with_`, without its underscore; one that is
    SELDOM (see `model`) only while it has not its default."""
    return {one.name: override(rename=one.name.removesuffix("_") if one.name.endswith("_") else None,
                               omit_if_default=one.metadata.get("seldom"))
            for one in fields(kind) if one.name.endswith("_") or one.metadata.get("seldom")}


def _only_tables(structured: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    def checked(value: Any, _: Any) -> Any:
        if not isinstance(value, Mapping):
            raise TypeError(f"expected a table, not {type(value).__name__}")
        return structured(value)

    return checked


def _exactly(kind: type[T], value: Any, wanted: type[T]) -> T:
    if type(value) is not kind and type(value) is not wanted:
        raise TypeError(f"expected {kind.__name__}, not {type(value).__name__}")
    return wanted(value) if _is_enum(wanted) else value  # type: ignore[call-arg]


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"expected float, not {type(value).__name__}")
    return float(value)


converter = _converter()


def plain(value: Any) -> Any:
    """An attrs value (or a collection of them) as JSON data with snake_case keys."""
    return converter.unstructure(value)


def structure(data: Any, kind: type[T]) -> T:
    """JSON data as `kind`. Raises ValueError with one line for each fault and its path: `expected float @ $.budget.wall_s`."""
    try:
        return converter.structure(data, kind)
    except (BaseValidationError, TypeError, ValueError, KeyError) as fault:
        lines = transform_error(fault, format_exception=_explain)
        raise ValueError("; ".join(lines)) from None


def _explain(fault: BaseException, kind: type | None) -> str:
    from cattrs.errors import ForbiddenExtraKeysError

    if isinstance(fault, ForbiddenExtraKeysError):
        return f"unknown key {', '.join(repr(key) for key in sorted(fault.extra_fields))}"
    if isinstance(fault, KeyError):
        return f"missing key {fault.args[0]!r}"
    return str(fault) or f"expected {getattr(kind, '__name__', kind)}"


def canonical(value: Any) -> bytes:
    """JSON with sorted keys, no spaces, UTF-8. Raises ValueError on NaN and infinities."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode("utf-8", "surrogatepass")


def digest(value: bytes | Any) -> str:
    """SHA-256 of bytes, or of a value's canonical JSON, in hex."""
    return hashlib.sha256(value if isinstance(value, bytes) else canonical(plain(value))).hexdigest()


def short(value: Any, limit: int = 200) -> str:
    """A value as one line of text for a verdict, cut at `limit` characters."""
    text = value if isinstance(value, str) else json.dumps(plain(value), ensure_ascii=False, default=str)
    return text if len(text) <= limit else text[: limit - 1] + "…"
