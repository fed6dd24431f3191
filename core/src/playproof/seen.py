"""What a submission said, in a wrapper that turns every abuse of it into a SubmissionFault with the path.

A check may use a Seen like the value itself. What a submission can spoil (a missing key, another type, NaN, a failed
call) is then the submission's fault, with its path, and never an error of the check (design: void must be proved).
"""

import math
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from playproof.errors import SubmissionFault


class Seen:
    """A JSON value from a submission. `path` says where it stood, `cites` the evidence that holds it."""

    __slots__ = ("_value", "cites", "path")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: Any, path: str, cites: Sequence[str] = ()) -> None:
        self._value, self.path, self.cites = value, path, tuple(cites)

    def fault(self, problem: str) -> SubmissionFault:
        return SubmissionFault(self.path, problem, self.cites)

    @property
    def value(self) -> Any:
        """The plain JSON value; raises SubmissionFault where a number in it is not finite."""
        try:
            self._finite(self._value, self.path)
        except RecursionError:
            raise self.fault("nested too deeply") from None
        return self._value

    def _finite(self, value: Any, path: str) -> None:
        if isinstance(value, float) and not math.isfinite(value):
            raise SubmissionFault(path, f"{value} is not a number that can be compared", self.cites)
        if isinstance(value, dict):
            for key, inner in value.items():
                self._finite(inner, f"{path}.{key}")
        elif isinstance(value, list):
            for index, inner in enumerate(value):
                self._finite(inner, f"{path}[{index}]")

    def _need(self, *kinds: type) -> Any:
        wanted = " or ".join(dict.fromkeys(_name(kind) for kind in kinds))
        if isinstance(self._value, bool) and bool not in kinds:
            raise self.fault(f"wanted {wanted}, got a boolean")
        if not isinstance(self._value, kinds):
            raise self.fault(f"wanted {wanted}, got {_name(type(self._value))}")
        return self.value if isinstance(self._value, float) else self._value

    # --- collections ---

    def __getitem__(self, key: str | int | slice) -> "Seen":
        if isinstance(key, slice):
            part = ":".join("" if one is None else str(one) for one in (key.start, key.stop))
            return Seen(self._need(list, str)[key], f"{self.path}[{part}]", self.cites)
        if isinstance(key, str):
            held = self._need(dict)
            if key not in held:
                raise SubmissionFault(f"{self.path}.{key}", "missing", self.cites)
            return Seen(held[key], f"{self.path}.{key}", self.cites)
        held = self._need(list)
        if not -len(held) <= key < len(held):
            raise SubmissionFault(f"{self.path}[{key}]", "missing", self.cites)
        return Seen(held[key], f"{self.path}[{key}]", self.cites)

    def get(self, key: str, default: Any = None) -> "Seen":
        return Seen(self._need(dict).get(key, default), f"{self.path}.{key}", self.cites)

    def keys(self) -> Sequence[str]:
        return tuple(self._need(dict))

    def __iter__(self) -> Iterator["Seen"]:
        return (Seen(inner, f"{self.path}[{index}]", self.cites) for index, inner in enumerate(self._need(list)))

    def __len__(self) -> int:
        return len(self._need(list, dict, str))

    def __contains__(self, item: Any) -> bool:
        held = self._need(list, dict, str)
        if not isinstance(held, list) and isinstance(item, Seen):
            item._need(str)
        if isinstance(held, str) and not isinstance(plain(item), str):
            raise self.fault("wanted a list or an object, got a text")
        return plain(item) in held

    # --- scalars ---

    def __bool__(self) -> bool:
        return bool(self._need(bool))

    def __float__(self) -> float:
        try:
            return float(self._need(int, float))
        except OverflowError:
            raise self.fault("too large a number") from None

    def __int__(self) -> int:
        number = self._need(int, float)
        if number != int(number):
            raise self.fault(f"wanted a whole number, got {number}")
        return int(number)

    def __index__(self) -> int:
        return int(self)

    def __round__(self, digits: int | None = None) -> Any:
        return round(self._need(int, float), digits)

    def __abs__(self) -> Any:
        return abs(self._need(int, float))

    def __neg__(self) -> Any:
        return -self._need(int, float)

    def __str__(self) -> str:
        return str(self._value)

    def __repr__(self) -> str:
        return f"Seen({self._value!r} at {self.path})"

    def __eq__(self, other: object) -> bool:
        mine, theirs = self.value, plain(other)
        if mine is not None and theirs is not None and _name(type(mine)) != _name(type(theirs)):
            raise self.fault(f"wanted {_name(type(theirs))}, got {_name(type(mine))}")
        return bool(mine == theirs)

    def __ne__(self, other: object) -> bool:
        return not self == other


def plain(value: Any) -> Any:
    """The value of a Seen, or anything else as it is."""
    return value.value if isinstance(value, Seen) else value


def cites_of(*values: Any) -> tuple[str, ...]:
    """The evidence behind those of the values that a submission gave, in order and once each."""
    return tuple(dict.fromkeys(cite for value in values if isinstance(value, Seen) for cite in value.cites))


def _name(kind: type) -> str:
    return {bool: "a boolean", int: "a number", float: "a number", str: "a text", list: "a list", dict: "an object",
            type(None): "null"}.get(kind, kind.__name__)


def _operators() -> None:
    def binary(apply: Callable[[Any, Any], Any]) -> Callable[[Seen, Any], Any]:
        def forward(self: Seen, other: Any) -> Any:
            mine, theirs = _alike(self, other)
            return _applied(apply, mine, theirs, self, other)

        return forward

    def swapped(apply: Callable[[Any, Any], Any]) -> Callable[[Seen, Any], Any]:
        def backward(self: Seen, other: Any) -> Any:
            mine, theirs = _alike(self, other)
            return _applied(apply, theirs, mine, self, self)

        return backward

    for name in ("lt", "le", "gt", "ge"):
        setattr(Seen, f"__{name}__", binary(getattr(operator, name)))
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod"):
        setattr(Seen, f"__{name}__", binary(getattr(operator, name)))
        setattr(Seen, f"__r{name}__", swapped(getattr(operator, name)))


def _applied(apply: Callable[[Any, Any], Any], left: Any, right: Any, mine: Seen, divisor: Any) -> Any:
    """A submission's number that is too large for the operation, or its zero as `divisor`, is its fault; a check's own is not."""
    try:
        return apply(left, right)
    except OverflowError:
        raise mine.fault("too large a number") from None
    except ZeroDivisionError:
        if isinstance(divisor, Seen):
            raise divisor.fault("wanted a number other than 0") from None
        raise


def _alike(mine: Seen, other: Any) -> tuple[Any, Any]:
    """Both operands plain; a submission's value of the other kind is its fault, whichever side it stands on."""
    if isinstance(other, str) or (isinstance(other, Seen) and isinstance(other._value, str)):
        return mine._need(str), plain(other)
    theirs = other._need(int, float) if isinstance(other, Seen) else other
    return mine._need(int, float), theirs


_operators()
