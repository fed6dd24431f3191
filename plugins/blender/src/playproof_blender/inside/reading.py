"""How Blender's values become JSON data, whatever a file holds: names that are no UTF-8, numbers that are not finite, lists too long."""

from typing import Any

LONGEST = 2000


def text(owner: Any, attribute: str) -> str:
    """A text of Blender's, cut; bytes that are not UTF-8 are spelled `\\xff`."""
    try:
        return str(getattr(owner, attribute))[:LONGEST]
    except UnicodeDecodeError as fault:
        return fault.object.decode("utf-8", "backslashreplace")[:LONGEST]


def name_of(block: Any) -> str:
    """Of a datablock its name, one in the whole file among those of its kind; linked ones have their library behind it."""
    return text(block, "name_full")


def name_or_none(block: Any) -> str | None:
    return None if block is None else name_of(block)
