"""Colours as an artist picks them (#rrggbb, sRGB, IEC 61966-2-1) and as Blender keeps them (linear, from 0 to 1)."""

import re
from collections.abc import Sequence
from typing import Any

HEX = re.compile(r"#?([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})")


def linear(value: Any) -> Sequence[float]:
    """"#rrggbb" (as a colour picker says it) or three linear numbers. Raises ValueError."""
    if isinstance(value, str) and (found := HEX.fullmatch(value)):
        shown = [int(part, 16) / 255 for part in found.groups()]
        return [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in shown]
    numbers = isinstance(value, list | tuple) and all(isinstance(one, int | float) and not isinstance(one, bool) for one in value)
    if numbers and len(value) in (3, 4):
        return [float(one) for one in value[:3]]
    raise ValueError(f"{value!r} is no colour; a colour is '#rrggbb', or three linear numbers from 0 to 1")


def shown(colour: Sequence[float]) -> Sequence[float]:
    """A linear colour as a screen has it, in which equal steps look more alike."""
    kept = [min(max(one, 0.0), 1.0) for one in colour]
    return [12.92 * one if one <= 0.0031308 else 1.055 * one ** (1 / 2.4) - 0.055 for one in kept]


def spelled(colour: Sequence[float]) -> str:
    """A linear colour as #rrggbb."""
    return "#" + "".join(f"{round(one * 255):02x}" for one in shown(colour))
