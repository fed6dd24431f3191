"""Modifiers: what is different about somebody, or about the headset, whatever a script does. Pure, seeded and composable.

    change = read_modifiers("seated+jitter:mm=3")       # or a table: {"name": "jitter", "mm": 3}, or a list of either
    state = change.start(state)                    # once, before the script acts
    live = change.begin(seed)
    told = live(tick, state)                       # for each frame; ticks never fall

Applied in the order in which they are written. What is told depends on the states, the seed and the ticks alone."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from attrs import fields, frozen

from playproof.canonical import structure
from playproof.errors import TaskError
from playproof_xr.body.modifiers.person import Change, Mirrored, OneHand, Reach, Seated, Tremor, WeakPinch
from playproof_xr.body.modifiers.tracking import Dropped, Jitter, Latency, Lost
from playproof_xr.body.state import BodyState

__all__ = ["MODIFIERS", "Change", "Modifier", "Modifiers", "read_modifiers"]


class Modifier(Protocol):
    def begin(self, key: str) -> Change:
        """For one session. All chance comes from `key`."""


@runtime_checkable
class Starts(Protocol):
    """A modifier that also changes how somebody is when the session begins."""

    def start(self, state: BodyState) -> BodyState: ...


MODIFIERS: Mapping[str, type[Any]] = {
    "mirrored": Mirrored, "one-hand": OneHand, "seated": Seated, "reach": Reach, "tremor": Tremor, "weak-pinch": WeakPinch,
    "jitter": Jitter, "latency": Latency, "dropped": Dropped, "lost": Lost,
}  # fmt: skip

Written = str | Mapping[str, Any]


@frozen
class Modifiers:
    """Several, in order; none at all changes nothing."""

    each: tuple[tuple[str, Modifier], ...] = ()

    def start(self, state: BodyState) -> BodyState:
        for _, modifier in self.each:
            if isinstance(modifier, Starts):
                state = modifier.start(state)
        return state

    def begin(self, seed: int) -> Change:
        changes = [modifier.begin(f"{seed}|{number}|{name}") for number, (name, modifier) in enumerate(self.each)]

        def change(tick: int, state: BodyState) -> BodyState:
            for one in changes:
                state = one(tick, state)
            return state

        return change


def read_modifiers(written: Written | Sequence[Written]) -> Modifiers:
    """From text ("none", "seated", "latency:ms=120+tremor:mm=4;hz=5"), a table with `name` and options, or a list of these.

    Raises TaskError: an unknown modifier or option, a value that cannot be; with what there is instead."""
    if isinstance(written, str):
        return Modifiers(tuple(_from_text(part.strip()) for part in written.split("+") if part.strip() != "none"))
    if isinstance(written, Mapping):
        rest = dict(written)
        return Modifiers((_made(str(rest.pop("name", "")), rest, str(dict(written))),))
    return Modifiers(tuple(one for part in written for one in read_modifiers(part).each))


def _from_text(text: str) -> tuple[str, Modifier]:
    name, _, rest = text.partition(":")
    options: dict[str, Any] = {}
    for part in filter(None, re.split("[,;]", rest)):
        key, equals, value = part.partition("=")
        if not equals:
            raise TaskError(f"modifier {text!r}: {part!r} is no option; it is written option=value")
        options[key.strip()] = _number(value.strip())
    return _made(name.strip(), options, text)


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _made(name: str, options: Mapping[str, Any], text: str) -> tuple[str, Modifier]:
    if name not in MODIFIERS:
        raise TaskError(f"modifier {text!r}: no modifier named {name!r}; there are none, {', '.join(MODIFIERS)}")
    kind = MODIFIERS[name]
    known = [one.name for one in fields(kind)]
    for key in options:
        if key not in known:
            raise TaskError(f"modifier {text!r}: {name} has no option {key!r}; it has {', '.join(known)}")
    for key, value in options.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise TaskError(f"modifier {text!r}: {key}: {value} is no amount")
    try:
        return name, structure(dict(options), kind)
    except ValueError as fault:
        raise TaskError(f"modifier {text!r}: {fault}") from None
