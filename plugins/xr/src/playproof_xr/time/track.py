"""What was where, sample by sample (`xr.track/1`): the ground of every statement about time.

    {"step": ticks, "names": [...], "rows": [{"tick", "values": {name: value}}], "planes": [...], "planes_at": [{"tick", "planes"}]}

`planes` are those of the room when the track was taken; `planes_at`, where somebody has changed the room, what they were from which
tick on.

A value is null (not there), {"matrix", "box", "local", "visible", "in_view"} of a thing, {"matrix"} of a part of the user's body, or
{"amount"} of a pinch. `box` lies along the session's axes, `local` along the thing's own, in its own units. A name that a row leaves
out is as in the row before; before its first value it was not there. Nothing is made up between two samples."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import Factory, frozen

from playproof.model import TICKS
from playproof_xr.geometry import Box, Matrix, Vector

LEAD = TICKS // 2
"""How much of what was before a window its record holds, for speeds and touches that have begun before."""


@frozen
class Nothing:
    """In the place of a value that cannot be had, and why: "is not there", "has numbers that are not finite"."""

    why: str


GONE = Nothing("is not there")
NOT_FINITE = Nothing("has numbers that are not finite")


@frozen
class Placed:
    """Something at one moment. `local` is its box along its own axes, where it has a shape of its own."""

    matrix: Matrix
    box: Box | None = None
    local: Box | None = None
    visible: bool = True
    in_view: bool = True

    @property
    def origin(self) -> Vector:
        return self.matrix.column(3)

    @property
    def centre(self) -> Vector:
        """The middle of its box; of what has none, its origin."""
        return self.box.centre if self.box else self.origin


@frozen
class Row:
    tick: int
    values: Mapping[str, Placed | float | Nothing]


@frozen(eq=False)
class Track:
    """Rows in the order of time. `step` is the usual time between two, in ticks; `cites` the evidence that holds them."""

    rows: Sequence[Row]
    step: int
    names: frozenset[str]
    planes: Sequence[Mapping[str, Any]] = ()
    cites: Sequence[str] = ()
    planes_at: Sequence[tuple[int, Sequence[Mapping[str, Any]]]] = ()
    beginnings: Mapping[str, int] = Factory(dict)
    """From which tick on a name was looked for; from the first row on where it does not stand here."""

    @classmethod
    def of(cls, value: Mapping[str, Any], cites: Sequence[str] = ()) -> "Track":
        """From the value of `xr.track/1`."""
        rows: list[Row] = []
        now: dict[str, Placed | float | Nothing] = dict.fromkeys(value["names"], GONE)
        for one in value["rows"]:
            now = {**now, **{name: placed(held) for name, held in one["values"].items()}}
            rows.append(Row(one["tick"], now))
        changes = [(one["tick"], one["planes"]) for one in value.get("planes_at", ())]
        return cls(rows, value["step"], frozenset(value["names"]), value.get("planes", ()), tuple(cites), changes, value.get("since", {}))

    def planes_of(self, row: "Row") -> Sequence[Mapping[str, Any]]:
        """The room's planes when a row was taken."""
        told = [planes for tick, planes in self.planes_at if tick <= row.tick]
        return told[-1] if told else self.planes_at[0][1] if self.planes_at else self.planes

    def column(self, name: str) -> "Sequence[Placed | float | Nothing]":
        """What a name was in each row; a KeyError for one that was not watched."""
        if name not in self.names:
            raise KeyError(name)
        return [row.values[name] for row in self.rows]

    @property
    def ticks(self) -> Sequence[int]:
        return [row.tick for row in self.rows]


def placed(held: Mapping[str, Any] | None) -> Placed | float | Nothing:
    """One value of a row."""
    if held is None:
        return GONE
    if "lost" in held:
        return Nothing(str(held["lost"]))
    if "amount" in held:
        return amount(held["amount"])
    try:
        box, local = (None if held.get(key) is None else Box.of(held[key]) for key in ("box", "local"))
        return Placed(Matrix.of(held["matrix"]), box, local, bool(held.get("visible", True)), bool(held.get("in_view", True)))
    except ValueError:
        return NOT_FINITE


def amount(number: Any) -> float | Nothing:
    """A number that can be compared, or why it cannot."""
    good = isinstance(number, int | float) and not isinstance(number, bool) and math.isfinite(number)
    return float(number) if good else NOT_FINITE


def thinned(rows: Sequence[tuple[int, Mapping[str, Any]]]) -> Sequence[Mapping[str, Any]]:
    """Rows of whole values as evidence holds them: only what has changed since the row before."""
    found: list[Mapping[str, Any]] = []
    before: Mapping[str, Any] = {}
    for tick, values in rows:
        found.append({"tick": tick, "values": {name: held for name, held in values.items() if name not in before or before[name] != held}})
        before = values
    return found


def spelled_time(ticks: int) -> str:
    return f"{ticks / TICKS:.3f}".rstrip("0").rstrip(".") + " s"
