"""Lengths as authors write them, and as an artist reads them: in one place for all drivers."""

import math
import re
from collections.abc import Callable
from typing import Any

from attrs import frozen

UNITS = {"um": 1e-6, "µm": 1e-6, "mm": 1e-3, "cm": 1e-2, "dm": 0.1, "m": 1.0, "km": 1e3, "in": 0.0254, "ft": 0.3048}
"""In metres."""

WRITTEN = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([a-zµ]+)\s*")

SLACK = 1e-6
"""Blender keeps coordinates as float32: a figure is not held against a bound more narrowly than this, in metres and by share."""


def metres(value: Any) -> float:
    """"150 mm", "0.15 m", or a number that is metres already. Raises ValueError for anything else."""
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    if isinstance(value, str) and (found := WRITTEN.fullmatch(value)):
        if found[2] not in UNITS:
            raise ValueError(f"{value!r} has the unit {found[2]!r}; known: {', '.join(UNITS)}")
        return float(found[1]) * UNITS[found[2]]
    raise ValueError(f"{value!r} is no length; a length is a number of metres, or a text like '150 mm' or '0.15 m'")


def spelled(length: float) -> str:
    """In mm below a metre, else in m."""
    if not math.isfinite(length):
        return f"{length} m"
    return f"{length * 1000:.4g} mm" if abs(length) < 0.9999995 else f"{length:.6g} m"


def plainly(number: float) -> str:
    return f"{number:.6g}"


@frozen
class Bounds:
    """What a figure has to lie between; `text` says so, `spell` writes a figure in its unit. `aim` is what it should be, if said."""

    low: float
    high: float
    text: str
    spell: Callable[[float], str]
    aim: float | None = None

    def hold(self, value: float) -> bool:
        slack = SLACK * max(1.0, abs(value)) if math.isfinite(value) else 0.0
        return self.low - slack <= value <= self.high + slack

    def judged(self, value: float) -> str:
        """The figure, and by how much it misses."""
        if self.hold(value):
            return self.spell(value)
        if not math.isfinite(value):
            return f"{self.spell(value)} (no number)"
        aim = self.aim if self.aim is not None else self.high if value > self.high else self.low
        return f"{self.spell(value)} ({self.spell(abs(value - aim))} too {'much' if value > self.high else 'little'})"


def bounds(equals: float | None, tolerance: float | None, at_least: float | None, at_most: float | None,
           spell: Callable[[float], str] = spelled) -> Bounds:  # fmt: skip
    """Raises ValueError where nothing is asked, too much is, or nothing could meet it."""
    if equals is not None:
        if tolerance is None:
            raise ValueError("equals wants a tolerance beside it")
        if at_least is not None or at_most is not None:
            raise ValueError("say equals with tolerance, or at_least and at_most, not both")
        if tolerance < 0:
            raise ValueError(f"tolerance is {tolerance:g}, below 0")
        return Bounds(equals - tolerance, equals + tolerance, f"{spell(equals)} ± {spell(tolerance)}", spell, equals)
    if at_least is None and at_most is None:
        raise ValueError("say equals with tolerance, at_least, at_most, or both of these")
    low, high = -math.inf if at_least is None else at_least, math.inf if at_most is None else at_most
    if low > high:
        raise ValueError(f"at_least {spell(low)} is more than at_most {spell(high)}")
    texts = [f"{word} {spell(bound)}" for word, bound in (("at least", at_least), ("at most", at_most)) if bound is not None]
    return Bounds(low, high, " and ".join(texts), spell)
