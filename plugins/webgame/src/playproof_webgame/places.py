"""Points and regions as check scripts give them: a submission's `{x, y}` and `{x, y, width, height}`, or plain tuples."""

from typing import Any

from playproof.seen import Seen
from playproof_browser.pictures import Region

Point = tuple[float, float]


def point(given: Any) -> Point:
    """CSS pixels of the viewport. Raises SubmissionFault on a Seen without finite x and y."""
    if isinstance(given, Seen):
        return float(given["x"]), float(given["y"])
    x, y = (given["x"], given["y"]) if isinstance(given, dict) else given
    return float(x), float(y)


def region(given: Any) -> Region:
    if isinstance(given, Seen):
        return float(given["x"]), float(given["y"]), float(given["width"]), float(given["height"])
    x, y, width, height = [given[name] for name in ("x", "y", "width", "height")] if isinstance(given, dict) else given
    return float(x), float(y), float(width), float(height)


def centre(bounds: Any) -> Point:
    x, y, width, height = region(bounds)
    return x + width / 2, y + height / 2


def within(bounds: Any, viewport: tuple[int, int]) -> Region:
    """Whole pixels of `bounds` that lie in the viewport. Raises SubmissionFault when a submission's bounds hold none."""
    x, y, width, height = region(bounds)
    left, top = max(0, round(x)), max(0, round(y))
    right, bottom = min(viewport[0], round(x + width)), min(viewport[1], round(y + height))
    if right > left and bottom > top:
        return left, top, right - left, bottom - top
    problem = f"x {x:g}, y {y:g}, width {width:g}, height {height:g} has no pixel in the viewport"
    if isinstance(bounds, Seen):
        raise bounds.fault(problem)
    raise ValueError(problem)
